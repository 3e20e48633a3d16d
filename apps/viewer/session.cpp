#include "session.h"

#include "muslin/core/check.h"
#include "muslin/core/timer.h"
#include "muslin/io/scene_json.h"
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

Session::Session(SimulationThread::Listener listener, std::vector<std::string> methods)
    : methods_(std::move(methods)), thread_(std::move(listener)) {}

bool Session::read(const std::string& path, File& file) {
  const fs::file_time_type saved = saved_at(path);
  try {
    file = {path, read_scene(path), saved};
  } catch (const Error& error) {
    trouble_ = error.what();
    return false;
  }
  trouble_.clear();
  return true;
}

void Session::load() { newest_ = thread_.load(scene_, methods_); }

void Session::edit() { newest_ = thread_.edit(scene_); }

// What was asked for since may be made: a hand that drags a slider asks again and again.
bool Session::follow(const Snapshot& snapshot) {
  files_.erase(files_.begin(), std::prev(files_.upper_bound(snapshot.made)));
  if (snapshot.refused != newest_ || snapshot.refused == followed_ || !snapshot.scene) return false;
  followed_ = snapshot.refused;
  files_.erase(std::next(files_.begin()), files_.end());
  scene_ = *snapshot.scene;
  methods_ = snapshot.methods;
  return true;
}

bool Session::open(const std::string& path, bool play) {
  File file;
  if (!read(path, file)) return false;
  scene_ = file.scene;
  if (methods_.size() == 1) {
    find_method(methods_.front()).choose(scene_.solver);
    methods_.clear();
  }
  load();
  files_[newest_] = std::move(file);
  thread_.play(play);
  return true;
}

bool Session::look_for_changes() {
  constexpr double kPause = 0.25;  // [s]
  if (!is_open() || now() - looked_ < kPause) return false;
  looked_ = now();
  File& file = files_.rbegin()->second;
  const fs::file_time_type saved = saved_at(file.path);
  if (saved == file.saved || saved == fs::file_time_type::min()) return false;
  file.saved = saved;
  if (read(file.path, file)) {
    scene_ = file.scene;
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

void Session::choose_method(const std::string& name) {
  // The file's sweep, which XPBD cannot run, comes back with the next method
  PositionSettings& position = scene_.solver.position;
  const Sweep own = original().solver.position.sweep;
  if (position.method == PositionMethod::xpbd && own == Sweep::jacobi) position.sweep = own;
  find_method(name).choose(scene_.solver);
  if (methods_.empty())
    edit();
  else
    compare({});
}

void Session::compare(const std::vector<std::string>& methods) {
  methods_ = methods;
  load();
}

std::string method_of(const SolverSettings& settings) {
  for (const Method& method : methods()) {
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
