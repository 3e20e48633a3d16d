#include "panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

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

void draw_transport(Session& session, const Snapshot& snapshot, Desk& desk) {
  SimulationThread& thread = session.thread();
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const ImVec2 size((ImGui::GetContentRegionAvail().x - 4 * gap) / 5, ImGui::GetFrameHeight() * 1.15f);
  const auto button = [&](const char* text, const char* tip, bool lit) {
    if (lit) ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0.20f, 0.42f, 0.58f, 1));
    const bool pressed = ImGui::Button(text, size);
    if (lit) ImGui::PopStyleColor();
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", tip);
    return pressed;
  };
  if (button(snapshot.playing ? "Pause" : "Play", "Space", !snapshot.playing)) thread.play(!snapshot.playing);
  ImGui::SameLine(0, gap);
  if (button("Step", "one frame  (N or Right)", false)) thread.step();
  ImGui::SameLine(0, gap);
  if (button("Reset", "back to the beginning  (R)", false)) thread.reset();
  ImGui::SameLine(0, gap);
  if (button("Photo", "write a PNG  (S)", false)) desk.wants_picture = true;
  ImGui::SameLine(0, gap);
  if (button(desk.films ? "End film" : "Film", "every frame into an MP4 file  (M)", desk.films))
    desk.wants_film = true;
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

void draw_notice(const std::string& text, const colours::Colour& colour) {
  if (text.empty()) return;
  ImGui::PushTextWrapPos(0);
  ImGui::PushStyleColor(ImGuiCol_Text, ink(colour));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
}

}  // namespace

void draw_panel(Session& session, const Snapshot& snapshot, const History& history, Desk& desk, int width) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({float(width), ImGui::GetIO().DisplaySize.y});
  ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
  draw_title(session, desk);
  draw_transport(session, snapshot, desk);
  draw_clock(snapshot);
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
    tab("Look", [&] { draw_look(desk); });
    tab("Curves", [&] { draw_plots(history); });
    ImGui::EndTabBar();
  }
  ImGui::End();
}
