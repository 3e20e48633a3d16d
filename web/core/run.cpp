#include "run.h"

#include "muslin/audit/start.h"

namespace muslin::web {

namespace {

Stop::Clock::time_point time_after(double milliseconds) {
  constexpr double kLong = 1e12;  // [ms]
  if (milliseconds == 0 || milliseconds > kLong) return Stop::Clock::time_point::max();
  return Stop::Clock::now() + std::chrono::duration_cast<Stop::Clock::duration>(
                                  std::chrono::duration<double, std::milli>(milliseconds));
}

}  // namespace

Run::Run(const SceneText& scene) : written_(scene_of(scene)), simulation_(written_) {
  warnings_ = simulation_.model().warnings;
  for (const std::string& sentence :
       check_start(simulation_.model(), simulation_.state().positions, keeps_out(simulation_.scene().solver)))
    warnings_.push_back(sentence);
  look_anew();
}

int Run::step(int frames, double milliseconds) {
  const Stop::Clock::time_point latest = time_after(milliseconds);
  simulation_.stop().at(latest);
  int made = 0;
  while (made < frames && report_.step.status != Status::diverged) {
    const FrameReport report = simulation_.step();
    if (report.step.status == Status::cancelled) break;
    report_ = report;
    ++made;
    if (exact_) exact_->measure(latest);
  }
  return made;
}

// The state is another than the last frame made.
void Run::look_anew() {
  report_ = simulation_.report();
  judged_.reset();
  if (exact_) exact_->forget();
}

void Run::reset() {
  simulation_.reset();
  look_anew();
}

void Run::load(const std::string& bytes) {
  simulation_.load_saved(bytes);
  look_anew();
}

void Run::edit(const SceneText& scene) {
  const Scene written = scene_of(scene);
  Simulation next = simulation_.edited(written);
  if (keeps_out(next.scene().solver)) check_room(next.model(), next.controls(), next.state());
  const bool was_exact = is_exact();
  exact_.reset();
  simulation_ = std::move(next);
  written_ = written;
  warnings_ = simulation_.model().warnings;
  look_anew();
  set_exact(was_exact);
}

void Run::set_exact(bool on) {
  if (on == is_exact()) return;
  exact_ = on ? std::make_unique<ExactStep>(simulation_) : nullptr;
}

Trace Run::trace() { return exact_ ? exact_->trace() : ExactStep(simulation_).trace(); }

// Colliders that hands carry are judged as if the scene had them there.
Verdict Run::judge() {
  const State& state = simulation_.state();
  const std::vector<Vec3>& offset = simulation_.controls().collider_offset;
  Model model = simulation_.model();
  for (size_t c = 0; c < offset.size(); ++c) model.colliders[c].center += offset[c];
  const double twice_thickness = 4 * model.half_thickness.maxCoeff();
  const Judge judge(model, twice_thickness);
  Moment now{state.time, places_with_bodies(model, state.positions, state.time), state.blocked.cols() == 0};
  const bool has_before = judged_ && judged_offset_ == offset && judged_->time <= now.time;
  Verdict verdict =
      judge.judge(now, has_before ? *judged_ : Moment(), has_before ? judged_earlier_ : Moment());
  judged_earlier_ = has_before ? std::move(*judged_) : Moment();
  judged_ = std::move(now);
  judged_offset_ = offset;
  return verdict;
}

}  // namespace muslin::web
