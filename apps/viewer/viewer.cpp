#include "viewer.h"

#include <epoxy/gl.h>
// GLFW after epoxy, which takes the place of the system's GL header
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "comparison_view.h"
#include "panel.h"
#include "pointer.h"
#include "session.h"
#include "stage_picture.h"
#include "style.h"

using namespace muslin;

namespace {

/// Dear ImGui on a window.
class Interface {
 public:
  explicit Interface(const Window& window) {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    dress(window.scale());
    ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
    ImGui_ImplOpenGL3_Init("#version 330 core");
  }
  ~Interface() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
  }
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;

  void begin() const {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
  }
  void end() const {
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  }
};

/// The window and all that is in it. Reads from top to bottom in `run`.
class Viewer {
 public:
  explicit Viewer(const ViewerOptions& options)
      : options_(options),
        window_("Muslin", options.width, options.height),
        interface_(window_),
        session_({Window::wake, listen()}, options.solvers),
        pointer_(camera_, session_.thread()) {
    desk_.look = options.look;
    if (!options.scene.empty()) session_.open(options.scene, !options.paused);
  }

  void run() {
    constexpr double kPause = 0.25;  // [s] between two looks at the scene's file
    constexpr int kSettling = 3;     // pictures until panels that an event changed have found their place
    int unsettled = kSettling;
    while (!window_.wants_to_close() && !(options_.stop && options_.stop())) {
      // 1. What happened
      const std::vector<Event> events = window_.wait(unsettled > 0 ? 0 : kPause);
      session_.look_for_changes();
      const bool news = take_snapshot();
      for (const Event& event : events) take(event);
      if (news || !events.empty()) unsettled = kSettling;

      // 2. Show it
      if (unsettled == 0 || !window_.is_visible()) continue;
      --unsettled;
      draw();
    }
  }

 private:
  std::function<void(const std::string&)> listen() const {
    if (!options_.log) return {};
    return [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  }
  void say(const std::string& what) const {
    if (options_.log) fmt::print(stderr, "frame {}: {}\n", snapshot_ ? snapshot_->frame : 0, what);
  }

  bool take_snapshot() {
    const std::shared_ptr<const Snapshot> latest = session_.thread().latest();
    if (latest == snapshot_) return false;
    const bool other_scene = !snapshot_ || latest->load != snapshot_->load;
    snapshot_ = latest;
    if (other_scene) frame_all_next_ = true;
    stale_ = true;
    return true;
  }

  void take(const Event& event) {
    const ImGuiIO& io = ImGui::GetIO();
    if (event.kind == Event::Kind::drop) return session_.open(event.path, true);
    if (event.kind == Event::Kind::key) {
      if (!io.WantTextInput) press_key(event);
      return;
    }
    if (!pointer_.drags()) {
      const int lane = lane_at(event.x, event.y);
      if (io.WantCaptureMouse || lane < 0) return pointer_.look_away();
      pointer_.look_at(stages_[lane], areas_[lane], snapshot_->carried);
    }
    if (pointer_.take(event)) stale_ = true;
  }

  int lane_at(double x, double y) const {
    for (size_t i = 0; i < areas_.size() && i < stages_.size(); ++i)
      if (areas_[i].contains(x, y)) return static_cast<int>(i);
    return -1;
  }

  void press_key(const Event& event);
  void toggle_hold();
  void draw();
  void draw_stages();
  View view_of(int shown) const;

  ViewerOptions options_;
  Window window_;
  Interface interface_;
  Session session_;
  CameraControl camera_;
  Pointer pointer_;
  Renderer renderer_;
  Desk desk_;
  std::shared_ptr<const Snapshot> snapshot_;
  std::vector<Area> areas_;  ///< of the lanes that are shown
  std::vector<Stage> stages_;
  std::vector<StagePicture> pictures_;
  bool stale_ = true;           ///< the pictures of stages
  bool frame_all_next_ = true;  ///< the camera has not seen this scene
};

void Viewer::press_key(const Event& event) {
  SimulationThread& thread = session_.thread();
  const bool playing = snapshot_ && snapshot_->playing;
  switch (event.code) {
    case GLFW_KEY_SPACE:
      return thread.play(!playing);
    case GLFW_KEY_P:
      return thread.play(false);
    case GLFW_KEY_RIGHT:
    case GLFW_KEY_N:
      return thread.step();
    case GLFW_KEY_R:
      return thread.reset();
    case GLFW_KEY_W:
      desk_.look.wireframe = !desk_.look.wireframe;
      stale_ = true;
      return say(desk_.look.wireframe ? "wireframe on" : "wireframe off");
    case GLFW_KEY_F:
      frame_all_next_ = stale_ = true;
      return say("frames all");
    case GLFW_KEY_G:
      session_.switch_gravity();
      return say(session_.has_gravity() ? "gravity on" : "gravity off");
    case GLFW_KEY_V:
      session_.switch_wind();
      return say(session_.has_wind() ? "wind on" : "wind off");
    case GLFW_KEY_C:
      return session_.switch_self_collision();
    case GLFW_KEY_K:
      return toggle_hold();
    case GLFW_KEY_TAB:
      desk_.panel = !desk_.panel;
      stale_ = true;
      return;
    default:
      return;
  }
}

void Viewer::toggle_hold() {
  if (!pointer_.pick() || pointer_.pick()->kind != Pick::Kind::vertex) return;
  const int vertex = pointer_.pick()->index;
  const Model& model = *snapshot_->lanes.front().model;
  const bool is_held = (model.free.col(vertex).array() == 0).any();
  if (is_held)
    session_.thread().let_go(vertex);
  else
    session_.thread().hold(vertex);
}

View Viewer::view_of(int shown) const {
  const Area& area = areas_[shown];
  return {stages_[shown], camera_.camera(), area.width, area.height, desk_.look};
}

void Viewer::draw_stages() {
  const int left = desk_.panel ? panel_width(window_.width(), window_.scale()) : 0;
  const Area whole{left, 0, std::max(1, window_.width() - left), std::max(1, window_.height())};
  const std::vector<int> shown = shown_lanes(*snapshot_);
  areas_ = lay_out(whole, static_cast<int>(shown.size()));
  stages_.clear();
  for (const int lane : shown) {
    const LaneSnapshot& of = snapshot_->lanes[lane];
    stages_.push_back(of.model ? lane_stage(*snapshot_, of, desk_.look) : Stage{});
  }
  if (frame_all_next_) camera_.frame(bounds(stages_.back()), double(areas_[0].width) / areas_[0].height);
  frame_all_next_ = false;
  pictures_.resize(shown.size());
  for (int i = 0; i < static_cast<int>(shown.size()); ++i) pictures_[i].draw(renderer_, view_of(i));
  stale_ = false;
}

void Viewer::draw() {
  // 1. The stages, where anything on them has changed
  if (stale_ && snapshot_ && !snapshot_->lanes.empty()) draw_stages();

  // 2. Stages and panels on the window
  interface_.begin();
  ImDrawList* background = ImGui::GetBackgroundDrawList();
  for (size_t i = 0; i < pictures_.size(); ++i) {
    const Area& a = areas_[i];
    const ImVec2 from(float(a.x), float(a.y)), to(float(a.x + a.width), float(a.y + a.height));
    const auto texture = reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(pictures_[i].texture()));
    background->AddImage(texture, from, to, {0, 1}, {1, 0});
  }
  if (snapshot_) draw_panel(session_, *snapshot_, desk_);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, window_.width(), window_.height());
  glClearColor(0.1f, 0.1f, 0.11f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  interface_.end();
  window_.show_picture();
}

}  // namespace

void run_viewer(const ViewerOptions& options) { Viewer(options).run(); }
