#include "panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "coarser.h"
#include "panel_tabs.h"
#include "style.h"

using namespace muslin;

int panel_width(int window_width, double scale) {
  return std::min(static_cast<int>(350 * scale), window_width * 46 / 100);
}

namespace {

ImVec4 ink(const colours::Colour& c) { return {c.red, c.green, c.blue, c.alpha}; }

void draw_title(Session& session, Desk& desk) {
  const std::string name = std::filesystem::path(session.path()).stem().string();
  ImGui::SetWindowFontScale(1.25f);
  ImGui::TextUnformatted(name.c_str());
  ImGui::SetWindowFontScale(1);
  const float width = ImGui::CalcTextSize("Scenes").x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width);
  if (ImGui::Button("Scenes")) desk.wants_gallery = true;
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("choose another scene  (O)");
}

/// Buttons of one width, so many in a row.
class ButtonRow {
 public:
  ButtonRow(int count, float height)
      : gap_(ImGui::GetStyle().ItemInnerSpacing.x),
        size_((ImGui::GetContentRegionAvail().x - float(count - 1) * gap_) / float(count),
              ImGui::GetFrameHeight() * height) {}

  bool draw(const char* text, const char* tip, bool lit = false) {
    if (!first_) ImGui::SameLine(0, gap_);
    first_ = false;
    if (lit) ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0.20f, 0.42f, 0.58f, 1));
    const bool pressed = ImGui::Button(text, size_);
    if (lit) ImGui::PopStyleColor();
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", tip);
    return pressed;
  }

 private:
  float gap_;
  ImVec2 size_;
  bool first_ = true;
};

void draw_transport(Session& session, const Snapshot& snapshot, Desk& desk) {
  SimulationThread& thread = session.thread();
  ButtonRow time(6, 1.15f);
  if (time.draw(snapshot.playing ? "Pause" : "Play", "Space", !snapshot.playing))
    thread.play(!snapshot.playing);
  if (time.draw("Step", "one frame  (N or Right)")) thread.step();
  if (time.draw("Rest", "play until no vertex is faster than 1 mm/s through half a second  (Shift+Space)"))
    thread.play_until_rest();
  if (time.draw("Reset", "back to the beginning  (R)")) thread.reset();
  if (time.draw("Photo", "write a PNG  (S)")) desk.wants_picture = true;
  if (time.draw(desk.films ? "End" : "Film", "begin or end a film: every frame into an MP4 file  (M)",
                desk.films))
    desk.wants_film = true;
  ButtonRow edits(4, 1);
  if (edits.draw("Undo", "take the last change of the scene back  (Ctrl+Z)")) desk.wants_undo = true;
  if (edits.draw("Redo", "make it again  (Ctrl+Shift+Z)")) desk.wants_redo = true;
  if (edits.draw("Lasso", "draw round vertices to pin them  (L)", desk.lasso)) desk.lasso = !desk.lasso;
  const bool changed = session.is_open() && !session.is_saved();
  if (edits.draw(changed ? "Save *" : "Save", "write the changes into the scene's file  (Ctrl+S)"))
    desk.wants_save = true;
}

void draw_clock(const Snapshot& snapshot) {
  if (snapshot.lanes.empty()) return;
  const FrameReport& report = snapshot.lanes.front().report;
  const double frame_ms = 1000 * snapshot.scene->frame_time;
  ImGui::TextDisabled("frame %d   %.2f s   %.1f ms of %.1f", snapshot.frame, report.time, report.ms,
                      frame_ms);
  if (ImGui::IsItemHovered())
    ImGui::SetTooltip("time that the last frame took to compute, and its length in the scene");
}

void draw_wrapped(const std::string& text) {
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
}

/// Which of the scene's two forms is shown, and the way to the other.
void draw_variant(Session& session, Desk& desk) {
  if (!session.is_open() || !session.has_variant()) return;
  const bool variant = session.shows_variant();
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  draw_wrapped(variant ? "The scene's variant for the viewer, lighter than what a run takes."
                       : "The scene as a run takes it.");
  ImGui::PopStyleColor();
  if (ImGui::SmallButton(variant ? "As written" : "Viewer's variant")) desk.wants_other_form = true;
}

/// What can be done where a run is slower than the cloth would fall.
void draw_remedies(Session& session, const Snapshot& snapshot) {
  constexpr double kSlow = 0.8;  // of real time
  if (!(snapshot.speed > 0 && snapshot.speed < kSlow) || !snapshot.scene) return;
  const double times = 1 / snapshot.speed;
  ImGui::PushStyleColor(ImGuiCol_Text, ink(colours::kWarning));
  draw_wrapped(fmt::format("This runs {:.{}f} times slower than it would fall.", times, times < 10 ? 1 : 0));
  ImGui::PopStyleColor();
  Scene& scene = session.scene();
  if (std::optional<Scene> lighter = coarser(scene)) {
    if (ImGui::SmallButton("Make it coarser")) {
      scene = std::move(*lighter);
      session.apply();
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("half as many cells along either side; begins anew");
    ImGui::SameLine();
  }
  QuasiNewtonSettings& quality = scene.solver.quasi_newton;
  if (scene.solver.family == "quasi_newton" && quality.preset != Preset::interactive) {
    if (ImGui::SmallButton("Interactive quality")) {
      quality.preset = Preset::interactive;
      session.apply();
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("0.3 mm instead of 0.1 mm from the solution of every step");
    ImGui::SameLine();
  }
  ImGui::NewLine();
}

/// What stands behind an empty line is for those who ask.
void draw_notice(const std::string& text, const colours::Colour& colour) {
  if (text.empty()) return;
  const size_t end = text.find("\n\n");
  ImGui::PushStyleColor(ImGuiCol_Text, ink(colour));
  draw_wrapped(text.substr(0, end));
  ImGui::PopStyleColor();
  if (end != std::string::npos && ImGui::TreeNode("the numbers")) {
    draw_wrapped(text.substr(end + 2));
    ImGui::TreePop();
  }
}

}  // namespace

void draw_panel(Session& session, const Snapshot& snapshot, const History& history, Desk& desk, int width) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({float(width), ImGui::GetIO().DisplaySize.y});
  ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
  draw_title(session, desk);
  draw_transport(session, snapshot, desk);
  draw_clock(snapshot);
  draw_remedies(session, snapshot);
  draw_variant(session, desk);
  draw_notice(session.trouble(), colours::kTrouble);
  draw_notice(snapshot.trouble, colours::kTrouble);
  draw_notice(desk.trouble, colours::kTrouble);
  draw_notice(desk.look_trouble, colours::kTrouble);
  draw_notice(desk.said, colours::kQuiet);
  ImGui::Spacing();
  if (ImGui::BeginTabBar("tabs")) {
    const auto tab = [](const char* name, const auto& draw) {
      if (!ImGui::BeginTabItem(name)) return;
      ImGui::BeginChild(name);
      ImGui::Spacing();
      draw();
      ImGui::EndChild();
      ImGui::EndTabItem();
    };
    tab("World", [&] { draw_world(session); });
    tab("Solver", [&] { draw_solver(session, desk); });
    tab("Look", [&] { draw_look(desk, session.scene()); });
    tab("Curves", [&] { draw_plots(history); });
    ImGui::EndTabBar();
  }
  ImGui::End();
}
