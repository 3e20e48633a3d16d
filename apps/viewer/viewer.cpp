#include "viewer.h"

#include <epoxy/gl.h>
// GLFW after epoxy, which takes the place of the system's GL header
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "comparison_view.h"
#include "gallery.h"
#include "interface.h"
#include "method_keys.h"
#include "muslin/core/check.h"
#include "muslin/core/timer.h"
#include "muslin/model/same_fields.h"
#include "muslin/render/materials.h"
#include "muslin/render/offscreen.h"
#include "muslin/solver/methods.h"
#include "overlay.h"
#include "pace.h"
#include "panel.h"
#include "panel_tabs.h"
#include "pointer.h"
#include "recorder.h"
#include "room.h"
#include "session.h"
#include "stage_picture.h"

using namespace muslin;

namespace {

/// The window and all that is in it. Begin with `run`.
class Viewer {
 public:
  explicit Viewer(const ViewerOptions& options);
  void run();

 private:
  // What happens
  bool take_snapshot();
  void take(const Event& event);
  void press_key(const Event& event);
  void press_scene_key(int key);
  void press_edit_key(const Event& event);
  void press_look_key(int key);
  void do_what_buttons_ask();
  void open(const std::string& path);
  void show_title();
  void toggle_hold();
  void take_picture();
  void begin_or_end_film();
  void film_snapshot();
  void pin_lassoed(const Pointer::Lasso& lasso);
  void follow_cloth(bool on);
  void undo();
  void redo();
  void save();
  void show_other_form();
  void say(const std::string& what) const;
  void tell(const std::string& what);

  // What is shown
  void draw();
  void draw_stages();
  void draw_stage(size_t shown);
  void draw_over_stages();
  void make_stages();
  void keep_cloth_in_picture(const std::vector<Area>& areas);
  void draw_words();
  View view_of(size_t shown, const Area& area) const;
  std::vector<std::string> caption_of(int lane) const;
  Margins margins_of(size_t shown, const Area& area) const;
  Image picture(int width, int height);
  Area stage_area() const;
  int lane_at(double x, double y) const;

  ViewerOptions options_;
  Window window_;
  Interface interface_;
  Session session_;
  CameraControl camera_;
  Pointer pointer_;
  Recorder recorder_;
  std::unique_ptr<Gallery> gallery_;
  Desk desk_;
  History history_;
  std::shared_ptr<const Snapshot> snapshot_ = std::make_shared<const Snapshot>();
  std::vector<int> shown_;     ///< lanes that have a picture
  std::vector<Area> areas_;    ///< where, in the same order
  std::vector<Stage> stages_;  ///< likewise
  std::vector<StagePicture> pictures_;
  PaintOfScene paint_;
  double scale_of_differences_ = 0;  ///< [mm]
  double stage_ms_ = 0;              ///< that drawing the stages took
  Pace pace_;
  bool full_ = false;                    ///< the pictures of stages are drawn in full
  std::shared_ptr<const Snapshot> lit_;  ///< the last that was lit as what rests is
  bool stale_ = true;                    ///< the pictures of stages
  bool frame_all_next_ = true;           ///< the camera has not seen this scene
  std::string toast_;                    ///< what has just been done
  double toast_end_ = 0;                 ///< [s] until when that is shown
};

Viewer::Viewer(const ViewerOptions& options)
    : options_(options),
      window_("Muslin", options.width, options.height, options.scale),
      interface_(window_),
      session_({Window::wake,
                [log = options.log](const std::string& line) {
                  if (log) std::fputs((line + "\n").c_str(), stderr);
                }},
               options.solvers, options.as_written),
      pointer_(camera_, session_.thread()),
      recorder_(options.pictures) {
  desk_.look = options.look;
  desk_.gallery = options.scene.empty();
  if (!options.scene.empty()) open(options.scene);
}

void Viewer::run() {
  constexpr double kPause = 0.25;  // [s] between two looks at the scene's file
  constexpr int kSettling = 3;     // pictures until panels that an event changed have found their place
  int unsettled = kSettling;
  while (!window_.wants_to_close() && !(options_.stop && options_.stop())) {
    // 1. What happened
    const std::vector<Event> events = window_.wait(unsettled > 0 ? 0 : kPause);
    const bool saved = session_.look_for_changes();
    if (saved && !session_.trouble().empty()) say("trouble: " + session_.trouble());
    const bool news = take_snapshot() || saved;
    for (const Event& event : events) take(event);
    if (news || !events.empty()) unsettled = kSettling;
    if (news || !events.empty() || snapshot_->playing) pace_.moved(now());
    if (!full_ && pace_.rests(now()) && !desk_.gallery) {
      stale_ = true;
      unsettled = std::max(unsettled, 1);
    }
    if (!toast_.empty() && now() > toast_end_) {
      toast_.clear();
      unsettled = std::max(unsettled, 1);
    }
    if (events.empty() && desk_.look.shading == Shading::custom && !desk_.gallery) {
      stale_ = true;  // the student may have saved the shaders
      unsettled = std::max(unsettled, 1);
    }
    if (gallery_) gallery_->rest(!desk_.gallery);
    if (desk_.gallery && gallery_ && gallery_->draw_next_picture(window_.scale())) unsettled = kSettling;

    // 2. Show it
    if (unsettled == 0 || !window_.is_visible()) continue;
    --unsettled;
    draw();
    do_what_buttons_ask();
  }
  if (recorder_.is_filming()) {
    take_snapshot();  // the frame that was just made belongs to the film
    begin_or_end_film();
  }
  say("ends");
}

// --- what happens ----------------------------------------------------------------------------------

void Viewer::say(const std::string& what) const {
  if (options_.log) std::fputs(fmt::format("frame {}: {}\n", snapshot_->frame, what).c_str(), stderr);
}

// To the log, and over the picture for a while.
void Viewer::tell(const std::string& what) {
  constexpr double kLong = 3;  // [s]
  say(what);
  toast_ = what;
  toast_end_ = now() + kLong;
}

bool Viewer::take_snapshot() {
  const std::shared_ptr<const Snapshot> latest = session_.thread().latest();
  if (!latest || latest == snapshot_) return false;
  if (session_.follow(*latest)) show_title();
  if (latest->load != snapshot_->load) {
    frame_all_next_ = snapshot_->load == 0 || snapshot_->methods == latest->methods;
    scale_of_differences_ = 0;
    if (!latest->methods.empty()) desk_.look.heat = Heat::difference;
    if (latest->methods.empty() && desk_.look.heat == Heat::difference) desk_.look.heat = Heat::none;
  }
  if (const std::string words = what_runs_now(*snapshot_, *latest); !words.empty()) tell(words);
  const bool is_next = latest->frame != snapshot_->frame;
  snapshot_ = latest;
  stale_ = true;
  if (recorder_.is_filming() && is_next) film_snapshot();
  history_.add(*snapshot_, stage_ms_);
  return true;
}

int Viewer::lane_at(double x, double y) const {
  for (size_t i = 0; i < areas_.size() && i < stages_.size(); ++i)
    if (areas_[i].contains(x, y)) return static_cast<int>(i);
  return -1;
}

void Viewer::take(const Event& event) {
  if (event.kind == Event::Kind::drop) return open(event.path);
  if (event.kind == Event::Kind::key) {
    if (!ImGui::GetIO().WantTextInput) press_key(event);
    return;
  }
  if (desk_.gallery) return;
  if (!pointer_.drags()) {
    const int lane = lane_at(event.x, event.y);
    const bool menu = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    if (menu || desk_.help || lane < 0) return pointer_.look_away();
    pointer_.look_at(*snapshot_, stages_[lane], areas_[lane]);
  }
  if (pointer_.take(event)) stale_ = true;
  if (pointer_.take_panned() && desk_.follow) follow_cloth(false);
  if (const auto lasso = pointer_.take_lasso()) pin_lassoed(*lasso);
}

void Viewer::pin_lassoed(const Pointer::Lasso& lasso) {
  const auto area = std::find(areas_.begin(), areas_.end(), lasso.area);
  if (area == areas_.end()) return;
  const size_t shown = area - areas_.begin();
  const Stage& stage = stages_.at(shown);
  const auto& model = snapshot_->lanes.at(shown_.at(shown)).model;
  if (!model || model->vertex_count() != stage.positions.cols()) return;
  std::vector<int> vertices = vertices_inside(stage, camera_.camera(), lasso.line, lasso.area.width,
                                              lasso.area.height, lasso.through);
  for (int& vertex : vertices) vertex = model->vertex_numbers.to_user(vertex);
  session_.end_stroke();
  const int count = session_.pin(vertices);
  tell(count > 0 ? fmt::format("pins {} vertices", count) : "no vertex to pin inside");
}

void Viewer::follow_cloth(bool on) {
  desk_.follow = on;
  tell(on ? "the camera follows the cloth" : "the camera stays where it is; T lets it follow the cloth");
}

void Viewer::undo() { tell(session_.undo() ? "undone" : "nothing to undo"); }
void Viewer::redo() { tell(session_.redo() ? "done again" : "nothing to redo"); }

void Viewer::save() {
  if (const auto doubt = doubt_of_saving(options_.gallery, session_.path(), desk_.asked)) return tell(*doubt);
  if (session_.save()) return tell("saved " + session_.path());
  say("trouble: " + session_.trouble());
}

void Viewer::show_other_form() {
  const std::string words = session_.show_as_written(session_.shows_variant());
  words.empty() ? say("trouble: " + session_.trouble()) : tell(words);
}

void Viewer::open(const std::string& path) {
  if (!session_.open(path, !options_.paused)) return say("trouble: " + session_.trouble());
  desk_.gallery = false;
  show_title();
}

void Viewer::show_title() {
  window_.set_title(std::filesystem::path(session_.path()).stem().string() + " – Muslin");
}

void Viewer::press_key(const Event& event) {
  if (desk_.gallery && !works_in_gallery(event.code)) return;
  session_.end_stroke();
  if (event.modifiers & GLFW_MOD_CONTROL) return press_edit_key(event);
  if (const auto method = method_of_key(event.code, event.modifiers))
    return session_.choose_method(std::string(methods()[*method].name));
  SimulationThread& thread = session_.thread();
  switch (event.code) {
    case GLFW_KEY_SPACE:
      return event.modifiers & GLFW_MOD_SHIFT ? thread.play_until_rest() : thread.play(!snapshot_->playing);
    case GLFW_KEY_P:
      return thread.play(false);
    case GLFW_KEY_RIGHT:
    case GLFW_KEY_N:
      return thread.step();
    case GLFW_KEY_R:
      return thread.reset();
    case GLFW_KEY_S:
    case GLFW_KEY_F12:
      return take_picture();
    case GLFW_KEY_M:
      return begin_or_end_film();
    case GLFW_KEY_O:
      desk_.gallery = !desk_.gallery || !session_.is_open();
      return say("gallery");
    case GLFW_KEY_TAB:
      desk_.panel = !desk_.panel;
      stale_ = true;
      return say(desk_.panel ? "panel on" : "panel off");
    case GLFW_KEY_F1:
      desk_.help = !desk_.help;
      return say(desk_.help ? "help on" : "help off");
    case GLFW_KEY_ESCAPE:
      desk_.help = desk_.lasso = false;
      desk_.gallery = !session_.is_open();
      return;
    default:
      press_scene_key(event.code);
      return press_look_key(event.code);
  }
}

void Viewer::press_edit_key(const Event& event) {
  if (event.code == GLFW_KEY_S) return save();
  const bool shift = event.modifiers & GLFW_MOD_SHIFT;
  if (event.code == GLFW_KEY_Z) return shift ? redo() : undo();
  if (event.code == GLFW_KEY_Y) return redo();
}

void Viewer::press_scene_key(int key) {
  if (key == GLFW_KEY_G) {
    session_.switch_gravity();
    tell(session_.has_gravity() ? "gravity on" : "gravity off");
  } else if (key == GLFW_KEY_V) {
    session_.switch_wind();
    tell(session_.has_wind() ? "wind on" : "wind off");
  } else if (key == GLFW_KEY_C) {
    session_.switch_self_collision();
    tell(session_.scene().self_collision.enabled ? "self-collision on" : "self-collision off");
  } else if (key == GLFW_KEY_K) {
    toggle_hold();
  } else if (key == GLFW_KEY_L) {
    desk_.lasso = !desk_.lasso;
    say(desk_.lasso ? "lasso on" : "lasso off");
  } else if (key == GLFW_KEY_T) {
    follow_cloth(!desk_.follow);
    stale_ = true;
  }
}

void Viewer::press_look_key(int key) {
  Look& look = desk_.look;
  if (key == GLFW_KEY_F) {
    frame_all_next_ = true;
    say("shows all");
  } else if (key == GLFW_KEY_W) {
    look.wireframe = !look.wireframe;
    say(look.wireframe ? "wireframe on" : "wireframe off");
  } else if (key == GLFW_KEY_H) {
    const size_t last = snapshot_->methods.empty() ? 5 : 6;  // without a reference there is no difference
    look.heat = static_cast<Heat>((static_cast<size_t>(look.heat) + 1) % last);
    say(fmt::format("heat {}", name_of(look.heat)));
  } else if (key == GLFW_KEY_X && snapshot_->scene && !has_springs(*snapshot_->scene)) {
    return tell("no springs to show: this cloth is made of triangles");
  } else if (key == GLFW_KEY_X) {
    const bool on = !(look.structural || look.shear || look.bend);
    look.structural = look.shear = look.bend = on;
    say(on ? "springs on" : "springs off");
  } else {
    return;
  }
  stale_ = true;
}

void Viewer::do_what_buttons_ask() {
  if (std::exchange(desk_.wants_picture, false)) take_picture();
  if (std::exchange(desk_.wants_film, false)) begin_or_end_film();
  if (std::exchange(desk_.wants_gallery, false)) desk_.gallery = true;
  if (std::exchange(desk_.wants_undo, false)) undo();
  if (std::exchange(desk_.wants_redo, false)) redo();
  if (std::exchange(desk_.wants_save, false)) save();
  if (std::exchange(desk_.wants_other_form, false)) show_other_form();
  pointer_.use_lasso(desk_.lasso);
}

void Viewer::toggle_hold() {
  if (!pointer_.pick() || pointer_.pick()->kind != Pick::Kind::vertex) return;
  const int vertex = pointer_.pick()->index;
  const LaneSnapshot& lane = snapshot_->lanes.back();
  const int number = lane.model->vertex_numbers.to_user(vertex);
  const std::vector<PinnedVertex>& pins = lane.controls->pins;
  if (std::any_of(pins.begin(), pins.end(), [&](const PinnedVertex& pin) { return pin.vertex == vertex; }))
    session_.thread().let_go(number);
  else
    session_.thread().hold(number);
}

void Viewer::take_picture() {
  const Area area = stage_area();
  const std::string path = recorder_.take_picture(picture(area.width, area.height));
  desk_.trouble = recorder_.trouble();
  desk_.said = path.empty() ? "" : "wrote " + path;
  say(path.empty() ? "trouble: " + desk_.trouble : desk_.said);
}

void Viewer::begin_or_end_film() {
  if (recorder_.is_filming()) {
    const std::string path = recorder_.end_film();
    session_.thread().wait_for_viewer(false);
    desk_.said = path.empty() ? "" : fmt::format("wrote {}, {} frames", path, recorder_.pictures());
    say(path.empty() ? "no film" : desk_.said);
  } else if (const Area area = stage_area(); recorder_.begin_film(
                 area.width, area.height, 1 / std::max(snapshot_->scene->frame_time, 1e-3))) {
    session_.thread().wait_for_viewer(true);
    film_snapshot();
    say("films");
  }
  desk_.films = recorder_.is_filming();
  desk_.trouble = recorder_.trouble();
  if (!desk_.trouble.empty()) say("trouble: " + desk_.trouble);
}

void Viewer::film_snapshot() {
  recorder_.add(picture(recorder_.width(), recorder_.height()));
  session_.thread().seen(snapshot_->frame);
  if (recorder_.is_filming()) return;
  session_.thread().wait_for_viewer(false);
  desk_.films = false;
  desk_.trouble = recorder_.trouble();
  say("trouble: " + desk_.trouble);
}

// --- what is shown ---------------------------------------------------------------------------------

Area Viewer::stage_area() const {
  const int left = desk_.panel ? panel_width(window_.width(), window_.scale()) : 0;
  return {left, 0, std::max(1, window_.width() - left), std::max(1, window_.height())};
}

void Viewer::make_stages() {
  shown_ = shown_lanes(*snapshot_);
  stages_.clear();
  const LaneSnapshot& reference = snapshot_->lanes.back();
  const bool compares = desk_.look.heat == Heat::difference && reference.is_reference && reference.model;
  if (compares) scale_of_differences_ = common_scale(*snapshot_, scale_of_differences_);
  for (const int number : shown_) {
    const LaneSnapshot& lane = snapshot_->lanes[number];
    stages_.push_back(lane.model ? lane_stage(*snapshot_, lane, desk_.look) : Stage{});
    if (lane.model) put_on(paint_.of(*snapshot_, *lane.model), *lane.model, stages_.back());
    if (compares && lane.model && !lane.is_reference)
      stages_.back().heat = {"difference", "mm", differences(lane, reference), 0, scale_of_differences_};
  }
}

View Viewer::view_of(size_t shown, const Area& area) const {
  View view{stages_[shown], camera_.camera(), area.width, area.height, desk_.look};
  if (view.stage.heat.values.size() == 0) view.look.heat = Heat::none;
  if (shown > 0) view.look.legend = false;  // one scale for all
  return view;
}

std::vector<std::string> Viewer::caption_of(int lane) const {
  const LaneSnapshot& last = snapshot_->lanes.back();
  std::vector<std::string> lines = caption(snapshot_->lanes[lane], last.is_reference ? &last : nullptr);
  if (lane == shown_.back() && snapshot_->speed > 0)
    lines.insert(lines.begin() + 1, "all of them: " + speed_in_words(snapshot_->speed));
  return lines;
}

Image Viewer::picture(int width, int height) {
  make_stages();
  const std::vector<Area> areas = lay_out({0, 0, width, height}, static_cast<int>(shown_.size()));
  if (desk_.follow) keep_cloth_in_picture(areas);  // the last frame may not be on the window yet
  std::vector<PlacedImage> parts;
  pictures_.resize(stages_.size());
  for (size_t i = 0; i < stages_.size(); ++i) {
    View view = view_of(i, areas[i]);
    if (!snapshot_->methods.empty()) view.caption = fmt::format("{}", fmt::join(caption_of(shown_[i]), "\n"));
    parts.push_back({areas[i].x, areas[i].y, draw_image(pictures_[i].renderer(), view)});
  }
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  return parts.size() == 1 ? std::move(parts.front().image) : put_together(width, height, parts);
}

Margins Viewer::margins_of(size_t shown, const Area& area) const {
  const bool legend = desk_.look.heat != Heat::none && desk_.look.legend;
  return covered_margins(snapshot_->lanes.at(shown_[shown]),
                         snapshot_->methods.empty() ? std::vector<std::string>() : caption_of(shown_[shown]),
                         legend, area);
}

// Between the words that are drawn over the pictures, with room for those of the lane that has most.
void Viewer::keep_cloth_in_picture(const std::vector<Area>& areas) {
  Points points(3, 0);
  Margins margins;
  for (size_t i = 0; i < stages_.size(); ++i) {
    const Points& more = stages_[i].positions;
    points.conservativeResize(3, points.cols() + more.cols());
    points.rightCols(more.cols()) = more;
    margins = united(margins, margins_of(i, areas[i]));
  }
  camera_.follow(points, double(areas.back().width) / areas.back().height, margins);
}

void Viewer::draw_stages() {
  stage_ms_ = 0;
  const Timer timer(stage_ms_);
  make_stages();
  areas_ = lay_out(stage_area(), static_cast<int>(shown_.size()));
  if (frame_all_next_)
    camera_.frame(outline(stages_.back()), double(areas_.back().width) / areas_.back().height);
  if (frame_all_next_ || desk_.follow) keep_cloth_in_picture(areas_);
  frame_all_next_ = false;
  pictures_.resize(stages_.size());
  const std::string trouble_before = std::exchange(desk_.look_trouble, paint_.trouble());
  full_ = pace_.rests(now());
  if (full_) lit_ = snapshot_;
  for (size_t i = 0; i < stages_.size(); ++i) draw_stage(i);
  if (desk_.look_trouble != trouble_before)
    say(desk_.look_trouble.empty() ? "look as asked for" : "trouble: " + desk_.look_trouble);
  glFinish();  // or its time would be the panel's
  stale_ = false;
}

// What a look asks for and cannot have is said, and the last one stays.
void Viewer::draw_stage(size_t shown) {
  View view = view_of(shown, areas_[shown]);
  view.quality = lit_ == snapshot_ ? Quality::good : Quality::draft;
  view.screen_scale = window_.scale();
  const Margins words = margins_of(shown, areas_[shown]);
  view.covered_top = words.top;
  view.covered_bottom = words.bottom;
  StagePicture& stage = pictures_[shown];
  try {
    stage.draw(std::move(view), full_ ? Drawing() : pace_.moving());
    if (desk_.look.shading == Shading::custom) desk_.look_trouble = stage.renderer().shader_log();
  } catch (const Error& error) {
    desk_.look_trouble = error.what();
  }
}

void Viewer::draw_over_stages() {
  ImDrawList* background = ImGui::GetBackgroundDrawList();
  for (size_t i = 0; i < pictures_.size() && i < stages_.size(); ++i) {
    const Area& a = areas_[i];
    const LaneSnapshot& lane = snapshot_->lanes.at(shown_[i]);
    const auto texture = reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(pictures_[i].texture()));
    background->AddImage(texture, {float(a.x), float(a.y)}, {float(a.x + a.width), float(a.y + a.height)},
                         {0, 1}, {1, 0});
    draw_banner(lane, a);
    if (!snapshot_->methods.empty()) draw_caption(caption_of(shown_[i]), a);
    if (lane_at(ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y) == static_cast<int>(i) ||
        pointer_.drags())
      draw_hint(pointer_, *snapshot_, stages_[i], camera_.camera(), a);
  }
  draw_words();
}

void Viewer::draw_words() {
  const char* const kLasso = "Lasso: draw round vertices to pin them, with Ctrl also hidden ones; L ends it";
  const bool silent = toast_.empty() && !desk_.lasso;
  if (silent && snapshot_->methods.empty()) draw_speed(*snapshot_, stage_area());
  if (!pointer_.line().empty()) draw_lasso(pointer_.line());
  if (!toast_.empty())
    draw_toast(toast_, stage_area());
  else if (desk_.lasso)
    draw_toast(kLasso, stage_area());
  if (recorder_.is_filming()) draw_film_sign(recorder_.pictures(), stage_area());
  const std::string trouble =
      session_.trouble() + without_numbers(snapshot_->trouble) + desk_.trouble + desk_.look_trouble;
  if (!desk_.panel && !trouble.empty()) draw_caption({trouble}, stage_area());
}

void Viewer::draw() {
  // 1. The stages, where anything on them has changed
  interface_.begin();
  const bool has_stages = !desk_.gallery && !snapshot_->lanes.empty();
  if (has_stages && areas_ != lay_out(stage_area(), static_cast<int>(shown_.size()))) stale_ = true;
  const bool redrawn = stale_ && has_stages;
  if (redrawn) {
    draw_stages();
    if (!full_) pace_.took(stage_ms_);
  }

  // 2. Stages and panels on the window
  double panel_ms = 0, swap_ms = 0;
  {
    const Timer timer(panel_ms);
    if (has_stages) draw_over_stages();
    if (desk_.gallery) {
      if (!gallery_) gallery_ = std::make_unique<Gallery>(options_.gallery, Window::wake);
      if (const auto path = gallery_->draw(session_.trouble(), window_.scale())) open(*path);
    } else if (desk_.panel) {
      const Look before = desk_.look;
      const bool followed = desk_.follow;
      draw_panel(session_, *snapshot_, history_, desk_, stage_area().x);
      if (!same(before, desk_.look) || followed != desk_.follow) stale_ = true;
    }
    draw_help(desk_.help, stage_area());
    if (!ImGui::IsAnyItemActive()) session_.end_stroke();
    interface_.end(window_.width(), window_.height());
  }
  {
    const Timer timer(swap_ms);
    window_.show_picture();
  }
  if (redrawn)
    say(fmt::format("drawn in {:.1f} ms{}, panel {:.1f} ms, swap {:.1f} ms", stage_ms_,
                    full_ ? " in full" : "", panel_ms, swap_ms));
}

}  // namespace

void run_viewer(const ViewerOptions& options) { Viewer(options).run(); }
