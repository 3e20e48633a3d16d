#include "gallery.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <utility>

#include "muslin/core/timer.h"
#include "muslin/io/file.h"
#include "muslin/io/scene_json.h"
#include "muslin/io/viewer_variant.h"
#include "muslin/simulation.h"
#include "overlay.h"
#include "style.h"

using namespace muslin;

namespace {

constexpr int kPictureWidth = 216, kPictureHeight = 140;  // of a plain screen
constexpr size_t kSummaryLines = 3;

std::string describe_sizes(const Model& model, const Scene& scene) {
  return fmt::format("{} vertices{}", model.vertex_count(),
                     scene.colliders.empty()       ? ""
                     : scene.colliders.size() == 1 ? fmt::format(", {}", name_of(scene.colliders[0].shape))
                                                   : fmt::format(", {} colliders", scene.colliders.size()));
}

/// A line with "…" behind its last whole word that leaves room for it.
std::string shortened(std::string line, float width) {
  const auto is_word = [](char c) { return c != ' ' && c != ',' && c != ';' && c != ':' && c != '.'; };
  while (!line.empty() && (!is_word(line.back()) || ImGui::CalcTextSize((line + " …").c_str()).x > width)) {
    if (is_word(line.back())) line.resize(std::min(line.size(), line.rfind(' ') + 1));
    while (!line.empty() && !is_word(line.back())) line.pop_back();
  }
  return line + " …";
}

}  // namespace

std::optional<std::string> doubt_of_saving(const std::vector<SceneGroup>& gallery, const std::string& path,
                                           std::string& asked) {
  const bool is_shipped = std::any_of(gallery.begin(), gallery.end(), [&](const SceneGroup& group) {
    return std::count(group.paths.begin(), group.paths.end(), path) > 0;
  });
  if (!is_shipped || std::exchange(asked, path) == path) return {};
  return path + " comes with the program: Ctrl+S again changes it, a copy would be yours";
}

bool works_in_gallery(int key) { return key == GLFW_KEY_O || key == GLFW_KEY_ESCAPE || key == GLFW_KEY_F1; }

std::string first_comment(const std::string& text) {
  std::istringstream lines(text);
  std::string line, comment;
  while (std::getline(lines, line)) {
    const size_t start = line.find_first_not_of(" \t{");
    if (start == std::string::npos) {
      if (comment.empty()) continue;
      break;
    }
    if (line.compare(start, 2, "//") != 0) break;
    const size_t words = line.find_first_not_of(" \t", start + 2);
    if (words == std::string::npos) break;
    if (!comment.empty()) comment += ' ';
    comment.append(line, words);
  }
  const size_t end = comment.find(". ");
  return end == std::string::npos ? comment : comment.substr(0, end + 1);
}

Gallery::Gallery(const std::vector<SceneGroup>& groups, void (*wake)()) {
  for (const SceneGroup& group : groups) {
    groups_.push_back({group.heading, {}});
    for (const std::string& path : group.paths) {
      auto entry = std::make_unique<Entry>();
      entry->path = path;
      entry->name = std::filesystem::path(path).stem().string();
      entry->plays = group.plays;
      groups_.back().entries.push_back(std::move(entry));
    }
  }
  thread_ = std::thread([this, wake] {
    constexpr double kGlance = 0.5, kLook = 6;  // [s] for a first picture, and for the one that stays
    constexpr auto kPause = std::chrono::milliseconds(50);
    std::vector<Work> works;
    for (const Group& group : groups_)
      for (const std::unique_ptr<Entry>& entry : group.entries) {
        if (ends_) return;
        works.push_back({entry.get(), nullptr, nullptr});
        begin(works.back());
        go_on(works.back(), kGlance);
        wake();
      }
    for (Work& work : works) {
      while (rests_ && !ends_) std::this_thread::sleep_for(kPause);
      if (ends_) return;
      if (go_on(work, kLook)) wake();
      work.simulation.reset();
    }
  });
}

Gallery::~Gallery() {
  ends_ = true;
  thread_.join();
}

void Gallery::begin(Work& work) const {
  Entry made;
  try {
    made.summary = first_comment(read_file(work.entry->path));
    const Scene scene = read_scene(work.entry->path, read_viewer_variant(work.entry->path));
    work.simulation = std::make_unique<Simulation>(scene);
    made.sizes = describe_sizes(work.simulation->model(), scene);
    work.paint = std::make_shared<const Paint>(read_paint(scene, work.simulation->model()));
  } catch (const std::exception& error) {
    made.trouble = error.what();
  }
  const std::lock_guard lock(mutex_);
  work.entry->summary = made.summary;
  work.entry->sizes = made.sizes;
  work.entry->trouble = made.trouble;
}

bool Gallery::go_on(Work& work, double seconds) const {
  if (!work.simulation) return false;
  Simulation& simulation = *work.simulation;
  const int first = simulation.frame();
  const double end = now() + seconds;
  try {
    while (work.entry->plays && !ends_ && simulation.frame() < simulation.scene().frames && now() < end)
      if (simulation.step().step.status == Status::diverged) break;
  } catch (const std::exception&) {
    return false;  // what was shown before stays
  }
  if (work.is_shown && simulation.frame() == first) return false;
  Stage stage = make_stage(simulation.model(), simulation.state());
  put_on(*work.paint, simulation.model(), stage);
  work.is_shown = true;
  const std::lock_guard lock(mutex_);
  work.entry->stage = std::move(stage);
  work.entry->is_new = true;
  return true;
}

bool Gallery::draw_next_picture(double scale) {
  for (const Group& group : groups_)
    for (const std::unique_ptr<Entry>& entry : group.entries) {
      const std::lock_guard lock(mutex_);
      if (!std::exchange(entry->is_new, false) || entry->stage.positions.size() == 0) continue;
      const int width = static_cast<int>(kPictureWidth * scale),
                height = static_cast<int>(kPictureHeight * scale);
      const Camera camera = frame_all(outline(entry->stage), double(width) / height);
      entry->picture.draw(renderer_, {std::exchange(entry->stage, {}), camera, width, height});
      return true;
    }
  return false;
}

std::optional<std::string> Gallery::draw_group(const Group& group, double scale) const {
  std::optional<std::string> chosen;
  if (!group.heading.empty()) {
    ImGui::Dummy({0, float(8 * scale)});
    ImGui::SetWindowFontScale(1.15f);
    ImGui::TextUnformatted(group.heading.c_str());
    ImGui::SetWindowFontScale(1);
    ImGui::Dummy({0, float(2 * scale)});
  }
  const float gap = float(14 * scale), room = ImGui::GetContentRegionAvail().x;
  const float width = float(kPictureWidth * scale);
  const size_t columns = std::max(1, static_cast<int>((room + gap) / (width + gap)));
  for (size_t i = 0; i < group.entries.size(); ++i) {
    if (i % columns != 0) ImGui::SameLine(0, gap);
    if (auto path = draw_entry(*group.entries[i], width, scale)) chosen = path;
    if (i % columns == columns - 1) ImGui::Dummy({0, gap / 2});
  }
  return chosen;
}

std::optional<std::string> Gallery::draw_entry(const Entry& entry, float width, double scale) const {
  const float height = float(kPictureHeight * scale), pad = float(8 * scale);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float words = 2 * line + kSummaryLines * ImGui::GetTextLineHeight();
  const ImVec2 corner = ImGui::GetCursorScreenPos(), size(width, height + words + 2 * pad);
  ImGui::PushID(entry.path.c_str());
  const bool clicked = ImGui::InvisibleButton("scene", size);
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopID();

  ImDrawList& ink = *ImGui::GetWindowDrawList();
  const ImVec2 end(corner.x + size.x, corner.y + size.y), picture_end(end.x, corner.y + height);
  ink.AddRectFilled(corner, end, ImGui::GetColorU32(hovered ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg),
                    10);
  if (entry.picture.texture() != 0)
    ink.AddImageRounded(reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(entry.picture.texture())),
                        corner, picture_end, {0, 1}, {1, 0}, IM_COL32_WHITE, 10, ImDrawFlags_RoundCornersTop);
  const ImVec2 at(corner.x + pad, picture_end.y + pad);
  ink.PushClipRect(corner, {end.x - pad / 2, end.y}, true);
  ink.AddText(at, ImGui::GetColorU32(ImGuiCol_Text), entry.name.c_str());
  const std::lock_guard lock(mutex_);
  const std::string sizes = entry.trouble.empty() ? entry.sizes : "cannot be shown";
  ink.AddText({at.x, at.y + line}, ImGui::GetColorU32(ImGuiCol_TextDisabled), sizes.c_str());
  std::vector<std::string> summary = wrapped(entry.summary, width - 2.5f * pad);
  if (summary.size() > kSummaryLines) {
    summary.resize(kSummaryLines);
    summary.back() = shortened(summary.back(), width - 2.5f * pad);
  }
  for (size_t i = 0; i < summary.size(); ++i)
    ink.AddText({at.x, at.y + 2 * line + float(i) * ImGui::GetTextLineHeight()},
                ImGui::GetColorU32(ImGuiCol_TextDisabled), summary[i].c_str());
  ink.PopClipRect();
  if (hovered && !(entry.summary + entry.trouble).empty()) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 24);
    ImGui::TextUnformatted((entry.trouble.empty() ? entry.summary : entry.trouble).c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  return clicked ? std::optional(entry.path) : std::nullopt;
}

std::optional<std::string> Gallery::draw(const std::string& trouble, double scale) {
  const ImGuiIO& io = ImGui::GetIO();
  std::optional<std::string> chosen;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {float(28 * scale), float(22 * scale)});
  ImGui::Begin("gallery", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar();
  ImGui::SetWindowFontScale(1.5f);
  ImGui::TextUnformatted("Muslin");
  ImGui::SetWindowFontScale(1);
  ImGui::TextDisabled("Choose a scene, drop a file on the window, or type its path.");
  ImGui::SetNextItemWidth(std::min(float(520 * scale), ImGui::GetContentRegionAvail().x));
  if (ImGui::InputTextWithHint("##path", "path of a scene, then Enter", &typed_,
                               ImGuiInputTextFlags_EnterReturnsTrue))
    chosen = typed_;
  if (!trouble.empty()) {
    const colours::Colour& red = colours::kTrouble;
    ImGui::TextColored({red.red, red.green, red.blue, 1}, "%s", trouble.c_str());
  }
  ImGui::Dummy({0, float(6 * scale)});

  for (const Group& group : groups_)
    if (auto path = draw_group(group, scale)) chosen = path;
  ImGui::End();
  return chosen;
}
