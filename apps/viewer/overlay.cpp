#include "overlay.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "method_keys.h"
#include "muslin/core/text.h"
#include "muslin/render/legend.h"
#include "muslin/solver/methods.h"
#include "room.h"

using namespace muslin;

std::vector<std::string> warnings_of(const LaneSnapshot& lane) {
  constexpr double kNoticeable = 0.01;  // of gravity
  if (!lane.failure.empty()) return {fmt::format("{}: {}", lane.label, without_numbers(lane.failure))};
  const StepReport& step = lane.report.step;
  std::vector<std::string> warnings;
  if (step.lost_gravity && *step.lost_gravity > kNoticeable)
    warnings.push_back(fmt::format("{}: losing {:.0f} % of gravity", lane.label, 100 * *step.lost_gravity));
  if (step.status == Status::not_converged)
    warnings.push_back(step.distance_left ? fmt::format("{}: ends about {} before the minimum", lane.label,
                                                        distance_text(*step.distance_left))
                       : step.residual
                           ? fmt::format("{}: not converged, residual {:.1e} N", lane.label, *step.residual)
                           : fmt::format("{}: not converged", lane.label));
  return warnings;
}

namespace {

/// Lines on a rounded plate; `corner` is its upper left one.
void draw_plate(const std::vector<std::string>& lines, ImVec2 corner, ImU32 paper, ImU32 ink, float width) {
  const float pad = ImGui::GetStyle().FramePadding.x, line = ImGui::GetTextLineHeight() * 1.2f;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const ImVec2 end(corner.x + width + 2 * pad, corner.y + line * float(lines.size()) + pad);
  list.AddRectFilled(corner, end, paper, 6);
  for (size_t i = 0; i < lines.size(); ++i)
    list.AddText({corner.x + pad, corner.y + pad / 2 + line * float(i)}, ink, lines[i].c_str());
}

float widest(const std::vector<std::string>& lines) {
  float width = 0;
  for (const std::string& text : lines) width = std::max(width, ImGui::CalcTextSize(text.c_str()).x);
  return width;
}

}  // namespace

std::vector<std::string> wrapped(const std::string& text, float width) {
  std::vector<std::string> lines;
  const char *at = text.c_str(), *end = at + text.size();
  while (at < end) {
    const char* next = ImGui::GetFont()->CalcWordWrapPositionA(1, at, end, width);
    if (next == at) ++next;
    if (next < end && *next != ' ' && *next != '\n')  // it breaks after a decimal point, too
      if (const char* space = std::find(std::reverse_iterator(next), std::reverse_iterator(at), ' ').base();
          space > at)
        next = space;
    lines.emplace_back(at, next);
    at = next;
    while (at < end && (*at == ' ' || *at == '\n')) ++at;
  }
  return lines;
}

namespace {

const ImU32 kDarkPaper = IM_COL32(24, 26, 30, 190), kLightInk = IM_COL32(232, 234, 238, 255);

/// Pixels of this screen to one of a plain one.
float screen_scale() { return ImGui::GetFontSize() / 15; }

/// The height of a plate with so many lines, and of the gap to the edge.
double plate_height(size_t lines) {
  if (lines == 0) return 0;
  return 3 * ImGui::GetStyle().FramePadding.x + 1.2 * ImGui::GetTextLineHeight() * double(lines);
}

/// Lines that are broken to the width of an area; whole ones are left out at the end until they take no more
/// than a third of its height.
std::vector<std::string> fitting(const std::vector<std::string>& lines, const Area& area) {
  std::vector<std::string> rows;
  for (const std::string& line : lines) {
    const std::vector<std::string> parts =
        wrapped(line, float(area.width) - 4 * ImGui::GetStyle().FramePadding.x);
    if (!rows.empty() && plate_height(rows.size() + parts.size()) > area.height / 3.0) break;
    rows.insert(rows.end(), parts.begin(), parts.end());
  }
  return rows;
}

std::vector<std::string> banner_lines(const LaneSnapshot& lane, const Area& area) {
  std::vector<std::string> lines;
  const float room = float(area.width) - 6 * ImGui::GetStyle().FramePadding.x;
  for (const std::string& warning : warnings_of(lane))
    for (std::string& text : wrapped(warning, room)) lines.push_back(std::move(text));
  return lines;
}

}  // namespace

Margins covered_margins(const LaneSnapshot& lane, const std::vector<std::string>& caption, bool legend,
                        const Area& area) {
  constexpr double kEdge = 0.02, kMost = 0.4;
  constexpr double kLegend = 10;  // of its letters, with the longest title
  Margins margins;
  margins.left = kEdge;
  margins.right = legend ? kLegend * letter_size(area.height, screen_scale()) / area.width : kEdge;
  margins.top = plate_height(banner_lines(lane, area).size()) / area.height + kEdge;
  margins.bottom = plate_height(std::max<size_t>(fitting(caption, area).size(), 1)) / area.height + kEdge;
  for (double* margin : {&margins.right, &margins.top, &margins.bottom}) *margin = std::min(*margin, kMost);
  return margins;
}

std::string speed_in_words(double speed) {
  if (speed >= 0.95) return "real time";
  return speed > 0.5 ? fmt::format("{:.2f} of real time", speed)
                     : fmt::format("{:.{}f} times slower than real time", 1 / speed, speed > 0.1 ? 1 : 0);
}

void draw_speed(const Snapshot& snapshot, const Area& area) {
  if (!(snapshot.speed > 0)) return;
  const std::string text = speed_in_words(snapshot.speed);
  const float pad = ImGui::GetStyle().FramePadding.x, width = ImGui::CalcTextSize(text.c_str()).x;
  const ImVec2 corner(float(area.x + area.width) - width - 3 * pad,
                      float(area.y + area.height) - float(plate_height(1)) + pad);
  draw_plate({text}, corner, kDarkPaper, snapshot.speed < 0.5 ? IM_COL32(242, 179, 71, 255) : kLightInk,
             width);
}

void draw_toast(const std::string& text, const Area& area) {
  const float pad = ImGui::GetStyle().FramePadding.x;
  const std::vector<std::string> lines = wrapped(text, float(area.width) - 6 * pad);
  const float width = widest(lines);
  const ImVec2 corner(float(area.x) + (float(area.width) - width) / 2 - pad,
                      float(area.y + area.height) - float(plate_height(lines.size())) + pad);
  draw_plate(lines, corner, IM_COL32(38, 62, 82, 240), kLightInk, width);
}

void draw_lasso(const std::vector<Vec2>& line) {
  std::vector<ImVec2> points;
  for (const Vec2& p : line) points.emplace_back(float(p.x()), float(p.y()));
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const int count = static_cast<int>(points.size());
  const float thickness = 2 * screen_scale();
  list.AddPolyline(points.data(), count, IM_COL32(20, 20, 20, 160), ImDrawFlags_Closed, 2 * thickness);
  list.AddPolyline(points.data(), count, IM_COL32(255, 214, 110, 255), ImDrawFlags_Closed, thickness);
}

void draw_banner(const LaneSnapshot& lane, const Area& area) {
  const std::vector<std::string> lines = banner_lines(lane, area);
  if (lines.empty()) return;
  const float width = widest(lines), pad = ImGui::GetStyle().FramePadding.x;
  const ImVec2 corner(float(area.x) + (float(area.width) - width) / 2 - pad, float(area.y) + 2 * pad);
  const bool failed = !lane.failure.empty();
  draw_plate(lines, corner, failed ? IM_COL32(150, 48, 46, 235) : IM_COL32(214, 150, 44, 235),
             failed ? IM_COL32(255, 240, 238, 255) : IM_COL32(28, 20, 6, 255), width);
}

void draw_caption(const std::vector<std::string>& lines, const Area& area) {
  const std::vector<std::string> rows = fitting(lines, area);
  if (rows.empty()) return;
  const float pad = ImGui::GetStyle().FramePadding.x, height = ImGui::GetTextLineHeight() * 1.2f;
  const ImVec2 corner(float(area.x) + pad,
                      float(area.y + area.height) - 2 * pad - height * float(rows.size()));
  draw_plate(rows, corner, kDarkPaper, kLightInk, widest(rows));
}

Vec2 on_screen(const Vec3& place, const Camera& camera, const Area& area) {
  const Vec3 forward = (camera.target - camera.eye).normalized();
  const Vec3 right = forward.cross(camera.up).normalized(), up = right.cross(forward);
  const Vec3 offset = place - camera.eye;
  const double scale = area.height / (2 * std::tan(camera.field_of_view * M_PI / 360) * offset.dot(forward));
  return {area.x + area.width / 2.0 + scale * offset.dot(right),
          area.y + area.height / 2.0 - scale * offset.dot(up)};
}

void draw_hint(const Pointer& pointer, const Snapshot& snapshot, const Stage& stage, const Camera& camera,
               const Area& area) {
  if (!pointer.pick()) return;
  const Pick& pick = *pointer.pick();
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const float scale = screen_scale();
  const auto at = [&](const Vec3& place) {
    const Vec2 p = on_screen(place, camera, area);
    return ImVec2(float(p.x()), float(p.y()));
  };
  if (pick.kind == Pick::Kind::collider) {
    if (ImGui::GetIO().WantCaptureMouse) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const std::string& name = snapshot.scene->colliders.at(pick.index).name;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    draw_plate({name + ": drag it"}, {mouse.x + 14 * scale, mouse.y + 10 * scale}, kDarkPaper, kLightInk,
               ImGui::CalcTextSize((name + ": drag it").c_str()).x);
    return;
  }
  if (pick.index >= stage.positions.cols()) return;
  const ImVec2 vertex = at(stage.positions.col(pick.index));
  const ImU32 bright = IM_COL32(255, 214, 110, 255);
  if (pointer.pulls_vertex()) {
    list.AddLine(vertex, at(pointer.place()), bright, 2 * scale);
    list.AddCircleFilled(at(pointer.place()), 5 * scale, bright);
  }
  list.AddCircle(vertex, 6 * scale, IM_COL32(20, 20, 20, 160), 0, 4 * scale);
  list.AddCircle(vertex, 6 * scale, bright, 0, 2 * scale);
}

void draw_film_sign(int pictures, const Area& area) {
  const std::string text = fmt::format("film: {} frames", pictures);
  const float scale = screen_scale(), width = ImGui::CalcTextSize(text.c_str()).x + 14 * scale;
  const ImVec2 corner(float(area.x + area.width) - width - 28 * scale, float(area.y) + 12 * scale);
  draw_plate({"    " + text}, corner, kDarkPaper, kLightInk, width);
  ImGui::GetBackgroundDrawList()->AddCircleFilled({corner.x + 14 * scale, corner.y + 13 * scale}, 5 * scale,
                                                  IM_COL32(226, 62, 58, 255));
}

namespace {

/// What the keys and the mouse do, in two columns.
std::vector<std::pair<std::string, std::string>> keys_and_mouse() {
  std::vector<std::pair<std::string, std::string>> keys{
      {"Space, P", "play and pause; P only pauses"},
      {"N, Right", "one frame"},
      {"Shift+Space", "play until the cloth rests"},
      {"R", "back to the beginning"},
      {"left drag", "turn; a collider or the cloth: move it"},
      {"right drag, Shift", "shift the picture"},
      {"wheel", "nearer and farther"},
      {"F", "show all"},
      {"T", "the camera follows the cloth, or not"},
      {"K", "pin or unpin the vertex under the mouse"},
      {"L", "lasso: draw round vertices to pin them"},
      {"Ctrl+Z", "undo (with Shift: redo)"},
      {"Ctrl+S", "save the scene into its file"},
      {"G  V  C", "gravity, wind, self-collision"},
      {"1 … 9, 0", "solver, the simplest first"},
      {"Q", "the default solver, quasi-Newton"},
      {"W", "wireframe"},
      {"H", "next measure as colours"},
      {"X", "springs as lines"},
      {"S, F12", "write a picture"},
      {"M", "begin and end a film"},
      {"O", "scenes to choose from"},
      {"Tab", "panel"},
      {"F1", "this page"}};
  const auto solvers =
      std::find_if(keys.begin(), keys.end(), [](const auto& key) { return key.first == "Q"; });
  std::vector<std::pair<std::string, std::string>> others;
  for (size_t m = 0; m < methods().size(); ++m)
    if (const std::string key = key_of_method(m); key.size() > 1)
      others.emplace_back(key, methods()[m].label);
  keys.insert(solvers, others.begin(), others.end());
  return keys;
}

float width_of(const std::vector<std::pair<std::string, std::string>>& keys) {
  float key_width = 0, words_width = 0;
  for (const auto& [key, words] : keys) {
    key_width = std::max(key_width, ImGui::CalcTextSize(key.c_str()).x);
    words_width = std::max(words_width, ImGui::CalcTextSize(words.c_str()).x);
  }
  return key_width + words_width + 2 * ImGui::GetStyle().CellPadding.x * 2;
}

}  // namespace

void draw_help(bool& open, const Area& area) {
  if (!open) return;
  const auto keys = keys_and_mouse();
  // Beside the panel, where there is room for it
  const float room = float(area.width) - 4 * ImGui::GetStyle().WindowPadding.x;
  const int columns = 2 * width_of(keys) <= room ? 4 : 2;
  const bool beside = width_of(keys) <= room;
  const ImVec2 middle(beside ? float(area.x) + float(area.width) / 2 : ImGui::GetIO().DisplaySize.x / 2,
                      ImGui::GetIO().DisplaySize.y / 2);
  ImGui::SetNextWindowPos(middle, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 10);
  ImGui::SetNextWindowBgAlpha(0.96f);
  ImGui::Begin("keys", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove);
  ImGui::PopStyleVar();
  ImGui::TextUnformatted("Keys and mouse");
  ImGui::Separator();
  if (ImGui::BeginTable("keys", columns, ImGuiTableFlags_SizingFixedFit)) {
    for (const auto& [key, what] : keys) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(key.c_str());
      ImGui::TableNextColumn();
      ImGui::TextDisabled("%s", what.c_str());
    }
    ImGui::EndTable();
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowHovered()) open = false;
  ImGui::End();
}
