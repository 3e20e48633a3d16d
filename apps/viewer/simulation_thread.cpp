#include "simulation_thread.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "muslin/core/check.h"
#include "muslin/core/timer.h"

using namespace muslin;

namespace {

std::string in_metres(const Vec3& v) { return fmt::format("{:.3f} {:.3f} {:.3f}", v.x(), v.y(), v.z()); }

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

SimulationThread::SimulationThread(Listener listener) : listener_(std::move(listener)) {
  thread_ = std::thread([this] { run(); });
}

SimulationThread::~SimulationThread() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  change_.notify_all();
  thread_.join();
}

std::shared_ptr<const Snapshot> SimulationThread::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

// --- the thread ------------------------------------------------------------------------------------

void SimulationThread::run() {
  for (;;) {
    // 1. Sleep until there is something to do
    std::deque<Command> commands;
    {
      std::unique_lock lock(mutex_);
      while (!work_is_due(lock)) {
      }
      if (ends_) return;
      commands.swap(commands_);
    }

    // 2. What hands want, or else a frame
    if (commands.empty()) take_step();
    for (const Command& command : commands) carry_out(command);

    // 3. Tell
    publish();
  }
}

// Sleeps until something happens, at most until the next frame is due.
bool SimulationThread::work_is_due(std::unique_lock<std::mutex>& lock) {
  const auto ready = [this] { return ends_ || !commands_.empty(); };
  if (ready()) return true;
  const bool may_step = playing_ && !(waits_for_viewer_ && seen_frame_ < lanes_.frame());
  if (!may_step) {
    change_.wait(lock);
    return ready();
  }
  const double wait = due_ - now();
  if (wait > 0) change_.wait_for(lock, std::chrono::duration<double>(wait), ready);
  return ready() || due_ <= now();
}

void SimulationThread::take_step() {
  constexpr double kMostDelay = 0.1;  // [s] that is caught up with; more is lost time
  due_ = std::max(due_ + lanes_.scene().frame_time, now() - kMostDelay);
  double ms = 0;
  bool runs = false;
  {
    const Timer timer(ms);
    runs = lanes_.step();
  }
  constexpr double kNewest = 0.2;  // weight of the last frame in the mean
  frame_ms_ = frame_ms_ == 0 ? ms : (1 - kNewest) * frame_ms_ + kNewest * ms;
  const std::vector<LaneSnapshot> lanes = lanes_.snapshots();
  for (const LaneSnapshot& lane : lanes) {
    const FrameReport& report = lane.report;
    if (lane.failure.empty())
      say(fmt::format("{}: {:.1f} ms, middle {}, contacts {}", lane.label, report.ms,
                      in_metres(report.center_of_mass), report.step.contacts));
    else
      say(fmt::format("{}: {}", lane.label, one_line(lane.failure)));
  }
  if (!runs) playing_ = false;
  bool all_rest = !until_rest_.empty();
  for (std::size_t k = 0; k < std::min(lanes.size(), until_rest_.size()); ++k)
    all_rest &= until_rest_[k].look(lanes[k].state.time, lanes[k].state.velocities);
  if (all_rest && playing_) {
    playing_ = false;
    until_rest_.clear();
    say("at rest: pauses");
  }
}

void SimulationThread::carry_out(const Command& command) {
  try {
    command();
  } catch (const std::exception& error) {
    trouble_ = error.what();
    say("trouble: " + one_line(trouble_));
  }
}

void SimulationThread::publish() {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->frame = lanes_.frame();
  snapshot->playing = playing_;
  snapshot->load = loads_;
  snapshot->scene = scene_;
  snapshot->methods = lanes_.methods();
  snapshot->lanes = lanes_.snapshots();
  snapshot->held = lanes_.held();
  snapshot->carried = lanes_.carried();
  if (frame_ms_ > 0) snapshot->speed = 1000 * lanes_.scene().frame_time / frame_ms_;
  snapshot->trouble = trouble_;
  snapshot->made = made_;
  snapshot->refused = refused_;
  {
    const std::lock_guard lock(mutex_);
    latest_ = std::move(snapshot);
  }
  if (listener_.news) listener_.news();
}

void SimulationThread::say(const std::string& what) const {
  if (listener_.said) listener_.said(fmt::format("frame {}: {}", lanes_.frame(), what));
}

// --- commands --------------------------------------------------------------------------------------

void SimulationThread::post(Command command) {
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
  }
  change_.notify_all();
}

// Refused, unless it returns.
template <class Change>
void SimulationThread::change_scene(int number, const Scene& scene, const Change& change) {
  refused_ = number;
  change();
  made_ = number;
  refused_ = 0;
  trouble_.clear();
  scene_ = std::make_shared<const Scene>(scene);
}

int SimulationThread::load(const Scene& scene, const std::vector<std::string>& methods) {
  int number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = ++newest_;
  }
  post([this, scene, methods, number] {
    change_scene(number, scene, [&] { lanes_.load(scene, methods); });
    ++loads_;
    frame_ms_ = 0;
    {
      const std::lock_guard lock(mutex_);
      seen_frame_ = 0;
    }
    say(fmt::format("loads {} with {} lanes", scene.name, lanes_.snapshots().size()));
  });
  return number;
}

int SimulationThread::edit(const Scene& scene) {
  int number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = newest_edit_ = ++newest_;
  }
  post([this, scene, number] {
    {
      const std::lock_guard lock(mutex_);
      if (number != newest_edit_) return;
    }
    const int frame = lanes_.frame();
    change_scene(number, scene, [&] { lanes_.edit(scene); });
    say(fmt::format("edits the scene, {} goes on from frame {}", scene.solver.family,
                    std::min(frame, lanes_.frame())));
  });
  return number;
}

void SimulationThread::play(bool on) {
  post([this, on] {
    playing_ = on && !lanes_.empty();
    until_rest_.clear();
    due_ = now();
    say(playing_ ? "plays" : "pauses");
  });
}

void SimulationThread::play_until_rest() {
  post([this] {
    playing_ = !lanes_.empty();
    until_rest_.assign(lanes_.snapshots().size(), RestWatch(kRest));
    due_ = now();
    say("plays until rest");
  });
}

void SimulationThread::step() {
  post([this] {
    playing_ = false;
    until_rest_.clear();
    if (lanes_.empty()) return;
    if (std::unique_lock lock(mutex_); waits_for_viewer_) {
      lock.unlock();
      publish();  // what the film waits to see
      lock.lock();
      change_.wait(lock, [this] { return ends_ || !waits_for_viewer_ || seen_frame_ >= lanes_.frame(); });
    }
    take_step();
  });
}

void SimulationThread::reset() {
  post([this] {
    lanes_.reset();
    trouble_.clear();
    {
      const std::lock_guard lock(mutex_);
      seen_frame_ = 0;
    }
    say("resets");
  });
}

void SimulationThread::hold(int vertex) {
  post([=, this] {
    lanes_.hold(vertex);
    say(fmt::format("holds vertex {}", vertex));
  });
}

void SimulationThread::let_go(int vertex) {
  post([=, this] {
    lanes_.let_go(vertex);
    say(fmt::format("lets go of vertex {}", vertex));
  });
}

void SimulationThread::pull(int vertex, const Vec3& place) {
  post([=, this] {
    lanes_.pull(vertex, place);
    say(fmt::format("pulls vertex {} to {}", vertex, in_metres(place)));
  });
}

void SimulationThread::release() {
  post([this] {
    lanes_.release();
    say("releases");
  });
}

void SimulationThread::carry(int collider, const Vec3& offset) {
  post([=, this] {
    lanes_.carry(collider, offset);
    say(fmt::format("carries collider {} by {}", collider, in_metres(offset)));
  });
}

void SimulationThread::wait_for_viewer(bool on) {
  {
    const std::lock_guard lock(mutex_);
    waits_for_viewer_ = on;
    seen_frame_ = latest_ ? latest_->frame : 0;
  }
  change_.notify_all();
}

void SimulationThread::seen(int frame) {
  {
    const std::lock_guard lock(mutex_);
    seen_frame_ = std::max(seen_frame_, frame);
  }
  change_.notify_all();
}
