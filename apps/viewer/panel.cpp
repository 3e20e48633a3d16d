#include "panel.h"

#include <imgui.h>

#include <algorithm>

using namespace muslin;

int panel_width(int window_width, double scale) {
  return std::min(static_cast<int>(340 * scale), window_width * 45 / 100);
}

void draw_panel(Session& session, const Snapshot& snapshot, Desk& desk) {
  if (!desk.panel) return;
  const ImGuiIO& io = ImGui::GetIO();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({float(panel_width(int(io.DisplaySize.x), 1)), io.DisplaySize.y});
  ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
  if (ImGui::Button(snapshot.playing ? "Pause" : "Play")) session.thread().play(!snapshot.playing);
  ImGui::Text("frame %d", snapshot.frame);
  ImGui::End();
}
