#include "session.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "muslin/core/check.h"
#include "muslin/core/timer.h"
#include "muslin/io/file.h"
#include "muslin/io/json_tree.h"
#include "muslin/model/forces.h"
#include "muslin/model/same_fields.h"
#include "muslin/solver/methods.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

fs::file_time_type saved_at(const std::string& path) {
  std::error_code ignored;
  return fs::last_write_time(path, ignored);
}

}  // namespace

Session::Session(SimulationThread::Listener listener, std::vector<std::string> methods, bool as_written)
    : methods_(std::move(methods)), as_written_(as_written), thread_(std::move(listener)) {}

bool Session::read(const std::string& path, File& file) {
  const fs::file_time_type saved = saved_at(path);
  try {
    file = {read_form(read_file(path, kMaxJsonBytes), path, as_written_), saved};
  } catch (const Error& error) {
    trouble_ = error.what();
    return false;
  }
  trouble_.clear();
  return true;
}

void Session::load() {
  in_stroke_ = false;
  sent_ = scene_;
  newest_ = thread_.load(scene_, methods_);
}

// What is sent can be taken back by `undo`, a whole stroke at once.
void Session::edit() {
  if (!in_stroke_) remember();
  in_stroke_ = true;
  send(scene_);
}

void Session::remember() {
  done_.push_back({sent_, as_written_});
  undone_.clear();
}

void Session::send(const Scene& scene) {
  constexpr size_t kMostSteps = 200;
  if (done_.size() > kMostSteps) done_.erase(done_.begin());
  sent_ = scene;
  newest_ = thread_.edit(scene);
}

bool Session::go_back(std::vector<Step>& to, std::vector<Step>& from) {
  if (from.empty()) return false;
  const Step here{scene_, as_written_}, there = from.back();
  in_stroke_ = false;
  if (there.as_written == here.as_written) {
    scene_ = there.scene;
    send(scene_);
  } else {
    File file;
    as_written_ = there.as_written;
    if (!read(path(), file)) {
      as_written_ = here.as_written;
      return false;
    }
    scene_ = there.scene;
    load();
    files_[newest_] = std::move(file);
  }
  to.push_back(here);
  from.pop_back();
  return true;
}

// What was asked for since may be made: a hand that drags a slider asks again and again.
bool Session::follow(const Snapshot& snapshot) {
  files_.erase(files_.begin(), std::prev(files_.upper_bound(snapshot.made)));
  if (snapshot.refused != newest_ || snapshot.refused == followed_ || !snapshot.scene) return false;
  followed_ = snapshot.refused;
  files_.erase(std::next(files_.begin()), files_.end());
  scene_ = sent_ = *snapshot.scene;
  if (has_variant()) as_written_ = !shows_variant();
  while (!done_.empty() && same(done_.back().scene, scene_) && done_.back().as_written == as_written_)
    done_.pop_back();
  methods_ = snapshot.methods;
  return true;
}

bool Session::open(const std::string& path, bool play) {
  File file;
  if (!read(path, file)) return false;
  scene_ = file.form.scene;
  if (methods_.size() == 1) {
    find_method(methods_.front()).choose(scene_.solver);
    methods_.clear();
  }
  begin_anew();
  files_[newest_] = std::move(file);
  thread_.play(play);
  return true;
}

// Steps back never lead into another scene.
void Session::begin_anew() {
  done_.clear();
  undone_.clear();
  load();
}

std::string Session::show_as_written(bool as_written) {
  if (as_written == !shows_variant()) return "";
  File other;
  Scene changed;
  std::string left_behind;
  try {
    other.saved = saved_at(path());
    other.form = other_form(file().form, read_file(path(), kMaxJsonBytes), scene_, changed, left_behind);
  } catch (const Error& error) {
    trouble_ = error.what();
    return "";
  }
  trouble_.clear();
  const bool was_saved = is_saved();
  remember();
  as_written_ = as_written;
  scene_ = std::move(changed);
  load();
  files_[newest_] = std::move(other);
  const std::string form = as_written ? "the scene as a run takes it" : "the scene's variant for the viewer";
  if (!left_behind.empty())
    return fmt::format("{}, with the new pins; other changes stay behind ({}); Ctrl+Z leads back", form,
                       left_behind);
  return was_saved ? form : fmt::format("{}, with your changes; Ctrl+Z leads back", form);
}

bool Session::is_saved() const { return same(scene_, original()); }

bool Session::save() {
  File& file = this->file();
  trouble_.clear();
  try {
    if (saved_at(path()) != file.saved)
      throw Error(ErrorKind::file, path() + ": was changed by someone else just now; look, then save again");
    const std::string text = edited_text(file.form, read_file(path(), kMaxJsonBytes), scene_);
    write_file(path(), text, true, Links::followed);
    file.form = read_form(text, path(), !shows_variant());
    file.form.scene = scene_;
  } catch (const Error& error) {
    trouble_ = error.what();
    return false;
  }
  file.saved = saved_at(path());
  return true;
}

bool Session::look_for_changes() {
  constexpr double kPause = 0.25;  // [s]
  if (!is_open() || now() - looked_ < kPause) return false;
  looked_ = now();
  File& file = files_.rbegin()->second;
  const fs::file_time_type saved = saved_at(path());
  if (saved == file.saved || saved == fs::file_time_type::min()) return false;
  file.saved = saved;
  if (read(path(), file)) {
    scene_ = file.form.scene;
    apply();
  }
  return true;
}

void Session::apply() {
  if (has_gravity()) gravity_ = scene_.gravity;
  if (has_wind()) wind_ = scene_.wind;
  edit();
}

bool Session::has_wind() const { return is_windy(scene_.wind); }

void Session::switch_gravity() {
  if (has_gravity()) {
    gravity_ = scene_.gravity;
    scene_.gravity = Vec3::Zero();
  } else {
    scene_.gravity = gravity_;
  }
  edit();
}

void Session::switch_wind() {
  if (has_wind()) {
    wind_ = scene_.wind;
    scene_.wind.velocity = scene_.wind.pressure = Vec3::Zero();
    scene_.wind.gust = 0;
  } else {
    scene_.wind = is_windy(wind_) ? wind_ : breeze();
  }
  edit();
}

void Session::switch_self_collision() {
  scene_.self_collision.enabled = !scene_.self_collision.enabled;
  edit();
}

int Session::pin(const std::vector<int>& vertices) {
  const Model model = build_model(scene_);
  std::set<int> pinned;
  for (const PinnedVertex& pin : model.script.pins) pinned.insert(model.vertex_numbers.to_user(pin.vertex));
  int count = 0;
  for (size_t c = 0; c < scene_.cloths.size(); ++c) {
    const ClothRange& range = model.cloths[c];
    Pin pin;
    for (const int v : vertices)
      if (v >= range.first_vertex && v < range.first_vertex + range.vertex_count && !pinned.count(v))
        pin.vertices.push_back(v - range.first_vertex);
    if (pin.vertices.empty()) continue;
    std::sort(pin.vertices.begin(), pin.vertices.end());
    count += static_cast<int>(pin.vertices.size());
    scene_.cloths[c].pins.push_back(std::move(pin));
  }
  if (count > 0) apply();
  return count;
}

void Session::choose_method(const std::string& name) {
  // The file's sweep, which XPBD cannot run, comes back with the next method
  PositionSettings& position = scene_.solver.position;
  const Sweep own = original().solver.position.sweep;
  if (position.method == PositionMethod::xpbd && own == Sweep::jacobi) position.sweep = own;
  find_method(name).choose(scene_.solver);
  if (methods_.empty()) return edit();
  remember();
  compare({});
}

void Session::compare(const std::vector<std::string>& methods) {
  methods_ = methods;
  load();
}

std::string method_of(const SolverSettings& settings) {
  for (const Method& method : methods()) {
    if (method.name == settings.family) continue;  // fits whatever else is set
    SolverSettings chosen = settings;
    method.choose(chosen);
    if (same(chosen, settings)) return std::string(method.name);
  }
  return settings.family;
}

Wind breeze() {
  Wind wind;
  wind.velocity = {2.5, 0, -1.5};
  wind.air_density = 1.2;
  wind.gust = 0.8;
  return wind;
}
