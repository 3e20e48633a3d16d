#include "muslin/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/core/stop_scope.h"
#include "muslin/core/timer.h"
#include "muslin/io/file.h"
#include "muslin/io/state_file.h"
#include "muslin/model/expect.h"
#include "muslin/model/fabrics.h"
#include "muslin/model/measure.h"
#include "muslin/model/motion.h"
#include "muslin/model/same_geometry.h"
#include "muslin/model/seams.h"
#include "muslin/model/thin_body.h"
#include "muslin/sewing/dress.h"
#include "muslin/sewing/weld.h"
#include "muslin/solver/inert.h"

namespace muslin {

namespace {

// Scenes from files have been checked; those made in code are checked here.
const Scene& checked(const Scene& scene) {
  std::string message;
  for (const Problem& problem : find_problems(scene))
    message += (message.empty() ? "" : "\n") + problem.path + ": " + problem.message;
  if (!message.empty()) throw Error(ErrorKind::invalid, message);
  return scene;
}

template <class Count>
void check_count(const char* what, Count count, Count running) {
  if (count != running)
    throw Error(ErrorKind::invalid,
                fmt::format("edit: the running scene has {} {}, got {}", running, what, count));
}

void check_index(const char* what, int index, int count) {
  if (index < 0 || index >= count)
    throw Error(ErrorKind::invalid, fmt::format("{} {} of {}", what, index, count));
}

// Whether the cloth of a vertex is where it was, to the bit.
bool stands_still(const Model& model, int vertex, const Points& before, const Points& now) {
  return std::any_of(model.cloths.begin(), model.cloths.end(), [&](const ClothRange& cloth) {
    const int first = cloth.first_vertex, count = cloth.vertex_count;
    return vertex >= first && vertex < first + count &&
           before.middleCols(first, count) == now.middleCols(first, count);
  });
}

// From what was measured, unless one is known.
void find_failure(FrameReport& report) {
  if (report.failure == Failure::none && !std::isfinite(report.strain_max))
    report.failure = Failure::not_finite;
  if (report.failure == Failure::none && report.strain_max > kAbsurdStrain)
    report.failure = Failure::overstretched;
  if (report.failure != Failure::none) report.step.status = Status::diverged;
}

// Numbers that are not finite are a run's own trouble, and its report tells it; sizes are not.
void check_state(const State& state, int vertices) {
  const auto expect_points = [&](const char* what, const Points& points, bool may_be_none) {
    if (points.cols() != vertices && !(may_be_none && points.cols() == 0))
      throw Error(ErrorKind::invalid,
                  fmt::format("restore: expected {} of {} vertices, got {}", what, vertices, points.cols()));
  };
  const StepHistory& history = state.history;
  expect_points("positions", state.positions, false);
  expect_points("velocities", state.velocities, false);
  expect_points("earlier positions", history.positions, true);
  expect_points("earlier velocities", history.velocities, history.positions.cols() == 0);
  expect_points("earlier accelerations", history.accelerations, true);
  if (!std::isfinite(state.time)) throw Error(ErrorKind::invalid, "restore: the time is no number");
  if (state.step < 0 || state.step > State::kMostSteps)
    throw Error(ErrorKind::invalid,
                fmt::format("restore: expected 0 to {} steps, got {}", State::kMostSteps, state.step));
  if (history.parts < 1 || history.parts > StepHistory::kMostParts)
    throw Error(ErrorKind::invalid, fmt::format("restore: expected 1 to {} parts of a step, got {}",
                                                StepHistory::kMostParts, history.parts));
  const auto is_not_after = [](const ElasticSlip& a, const ElasticSlip& b) { return !(a < b); };
  if (std::adjacent_find(state.slips.begin(), state.slips.end(), is_not_after) != state.slips.end())
    throw Error(ErrorKind::invalid, "restore: expected slips in order, of different pairs");
}

constexpr std::size_t kMaxStateBytes = std::numeric_limits<std::uint32_t>::max();

void check_place(const char* call, const Vec3& place) {
  if (!place.allFinite()) throw Error(ErrorKind::invalid, fmt::format("{}: the place is no number", call));
}
}  // namespace

Simulation::Simulation(const Scene& scene) : scene_(resolved(checked(scene))) {
  stage_ = with_thin_body(scene_);
  is_dressing_ = is_dressing(scene_, 0);
  Model model = build_model(scene_of(is_dressing_));
  settings_ = settled(scene_of(is_dressing_).solver, model, scene.frame_time);
  solver_ = make_solver(settings_);
  if (const std::string refusal = find_refusal(model, settings_); !refusal.empty())
    throw Error(ErrorKind::invalid, refusal);
  if (const std::string left_out = limits_of(*solver_, model, settings_, scene.frame_time); !left_out.empty())
    model.warnings.push_back(left_out);
  for (const std::string& sentence : inert_sentences(written_in_vain(scene)))
    model.warnings.push_back(sentence);
  unsewn_ = model_ = std::make_shared<const Model>(std::move(model));
  reset();
}

void Simulation::expect_alive() const {
  if (!model_) throw Error(ErrorKind::invalid, "this Simulation was moved from: nothing is left in it");
}

void Simulation::set_threads(int count) {
  if (count < 0)
    throw Error(ErrorKind::invalid, fmt::format("set_threads: expected 0 or more, got {}", count));
  team_ = count > 0 ? std::make_shared<ThreadTeam>(count) : nullptr;
}

int Simulation::threads() const { return team_ ? team_->count() : muslin::threads(); }

FrameReport Simulation::step() {
  FrameReport report = make_frame(true);
  measure(report);
  if (report.step.status != Status::cancelled) find_failure(report);
  return report;
}

StepReport Simulation::advance() {
  StepReport report = make_frame(false).step;
  if (report.status != Status::cancelled && !state_.positions.allFinite()) report.status = Status::diverged;
  return report;
}

// A frame before anything is measured of its state.
FrameReport Simulation::make_frame(bool measures_balance) {
  expect_alive();
  const TeamScope team(team_.get());
  FrameReport report;
  Budget budget(scene_.solver.budget, *stop_);
  const State before = state_;
  const bool touched_before = touched_;
  const auto go_back = [&] {
    state_ = before;
    touched_ = touched_before;
  };
  bool is_done = false;
  Points velocity_before;
  try {
    const Timer timer(report.ms);
    const StopScope scope(*stop_);
    turn_to_stage();
    set_stitch_lengths();
    keep_time();
    hands_.reach(state_.positions, controls_);
    for (int s = 0; s < substeps_ && report.step.status != Status::diverged && !budget.is_over(); ++s) {
      Input input = substep_input(s, budget);
      input.measures_balance = measures_balance && input.ends_frame;
      const State start = watch_steps_ ? state_ : State();
      if (input.ends_frame) velocity_before = state_.velocities;
      const StepReport step = solver_->step(*model_, input, state_, step_time());
      touched_ = touched_ || step.contacts > 0;
      accumulate(report.step, step);
      state_.time = input.time_end;
      ++state_.step;
      if (watch_steps_) watch_steps_(start, input, state_);
    }
    is_done = !budget.was_stopped();
  } catch (const Stopped&) {  // in the midst of a loop: what the solver keeps is half written
    start_solver_anew();
  } catch (...) {  // who watches the steps, or an energy from outside, gave up
    start_solver_anew();
    go_back();
    throw;
  }
  if (is_done) {
    hands_.arrive(controls_);
    if (!controls_.pulled.empty())
      aim_springs(*model_, poses_at(model_->colliders, state_.time, controls_.collider_offset), state_.time,
                  controls_);
    velocity_before_ = std::move(velocity_before);
    ++frame_;
    if (budget.is_spent())
      report.failure = Failure::over_budget;
    else if (report.step.status == Status::diverged)
      report.failure = Failure::not_finite;
    else if (report.step.stuck >= 0 &&
             stands_still(*model_, report.step.stuck, before.positions, state_.positions))
      report.failure = Failure::stuck;
    if (report.failure != Failure::none) report.step.status = Status::diverged;
    if (report.failure == Failure::none) close_stitches();
  } else {
    stop_->take_back();
    go_back();
    report.step.status = Status::cancelled;
  }
  report.work = budget.spent();
  return report;
}

Reactions Simulation::reactions() const {
  expect_alive();
  const TeamScope team(team_.get());
  return measure_reactions(*model_, controls_, state_, last_acceleration(), step_time());
}

Reactions Simulation::loads() const {
  expect_alive();
  const TeamScope team(team_.get());
  return measure_loads(*model_, controls_, state_, last_acceleration(), step_time());
}

Points Simulation::last_acceleration() const {
  if (velocity_before_.cols() == 0) return Points(3, 0);
  return (state_.velocities - velocity_before_) / step_time();
}

// --- seams -----------------------------------------------------------------------------------------

std::vector<SeamReport> Simulation::seams() const {
  return report_seams(model(), *unsewn_, controls_.stitch_length, controls_.gravity, state_.positions);
}

// As it is run while garments are sewn on, and then.
Scene Simulation::scene_of(bool dresses) const { return dresses ? while_dressing(stage_) : stage_; }

// Garments are on: gravity, air and friction are the scene's from now on.
void Simulation::turn_to_stage() {
  const bool dresses = is_dressing(scene_, frame_ * scene_.frame_time);
  if (dresses == is_dressing_) return;
  auto next = std::make_shared<const Model>(build_model(scene_of(dresses), closed_));
  take_model(std::move(next), state_.positions);
  enter_stage(dresses);
}

void Simulation::enter_stage(bool dresses) {
  if (dresses == is_dressing_) return;
  is_dressing_ = dresses;
  settings_ = settled(scene_of(dresses).solver, *model_, scene_.frame_time);
  start_solver_anew();
}

// Threads have the length of the frame's end.
void Simulation::set_stitch_lengths() {
  if (!model_->stitches.empty())
    controls_.stitch_length = stitch_lengths(*model_, state_.time + scene_.frame_time);
}

// What can be closed becomes one vertex, between two frames: in a frame, nobody changes what hangs together.
void Simulation::close_stitches() {
  if (model_->stitches.empty()) return;
  const WeldPlan plan = plan_weld(*model_, controls_, state_);
  if (plan.closed.empty()) return;
  closed_.insert(closed_.end(), plan.closed.begin(), plan.closed.end());
  take_model(std::make_shared<const Model>(build_model(scene_of(is_dressing_), closed_)), plan.places);
}

// The same cloth goes on as another model, its vertices at these places.
void Simulation::take_model(std::shared_ptr<const Model> next, const Points& places) {
  const Model& before = *model_;
  state_ = welded_state(state_, places, before, *next);
  Grasp grasp = renumbered(hands_.grasp(), before, *next);
  const Points force = mean_of_welded(controls_.force, before, *next);
  const std::vector<Vec3> offsets = controls_.collider_offset;
  Controls controls;
  hands_.restore(std::move(grasp), std::max(0.0, frame_start(frame_ - 1)), *next, controls);
  controls.collider_offset = offsets;
  controls.force = force;
  controls_ = std::move(controls);
  velocity_before_.resize(3, 0);
  model_ = std::move(next);
  count_substeps();
}

Input Simulation::substep_input(int substep, Budget& budget) const {
  const double start = frame_start(frame_);
  Input input =
      make_input(*model_, controls_, start + substep * step_time(), start + (substep + 1) * step_time());
  input.budget = &budget;
  input.ends_frame = substep + 1 == substeps_;
  hands_.glide(double(substep) / substeps_, double(substep + 1) / substeps_, input);
  return input;
}

void Simulation::start_solver_anew() {
  solver_ = make_solver(settings_);
  solver_->watch(watch_);
}

void Simulation::watch(std::function<void(const Points& iterate)> watch) {
  expect_alive();
  watch_ = watch;
  solver_->watch(std::move(watch));
}

void Simulation::watch_steps(StepWatcher watch) {
  expect_alive();
  watch_steps_ = std::move(watch);
}

void Simulation::reset() {
  model_ = unsewn_;
  closed_.clear();
  enter_stage(is_dressing(scene_, 0));
  hands_.drop(model(), controls_);
  count_substeps();
  restore(initial_state(*model_), 0);
  close_stitches();  // whose ends lie in one place, as of panels that the pattern puts side by side
}

void Simulation::start_from(const Points& positions) {
  expect_alive();
  auto model = std::make_shared<const Model>(started_from(*unsewn_, positions));
  if (start_.cols() == 0) scene_start_ = unsewn_->start;
  start_ = model->start;
  unsewn_ = std::move(model);
  reset();
}

void Simulation::restore(const State& state, int frame) {
  check_state(state, model().vertex_count());
  if (frame < 0 || frame > State::kMostFrames)
    throw Error(ErrorKind::invalid,
                fmt::format("restore: frame {} is none of 0 to {}", frame, State::kMostFrames));
  state_ = state;
  frame_ = frame;
  velocity_before_.resize(3, 0);
  clock_ = {};
  if (std::abs(state.time - frame * scene_.frame_time) > 1e-6 * scene_.frame_time)
    clock_ = {frame, state.time};
  touched_ = frame > 0 && (edited_ || !model_->colliders.empty() || model_->self_distance > 0);
}

// --- saved states ----------------------------------------------------------------------------------

Fingerprint Simulation::fingerprint() const {
  expect_alive();
  return fingerprint_of(scene_, *unsewn_, scene_start());
}

void Simulation::save(const std::string& path) const { write_file(path, saved(), true, Links::followed); }

std::string Simulation::saved() const {
  expect_alive();
  SavedRun run;
  run.frame = frame_;
  run.clock = clock_;
  run.edited = edited_;
  run.touched = touched_;
  run.state = state_;
  if (start_.cols() > 0) run.start = start_;
  run.grasp = hands_.grasp();
  run.collider_offset = controls_.collider_offset;
  run.force = controls_.force;
  run.closed = closed_;
  return encode_saved_run(run, fingerprint());
}

void Simulation::load(const std::string& path) {
  expect_alive();
  load_saved(read_file(path, kMaxStateBytes), path);
}

void Simulation::load_saved(const std::string& bytes, const std::string& name) {
  expect_alive();
  // 1. All that may fail
  auto [run, of] = decode_saved_run(bytes, name);
  if (const std::string others = describe_difference(of, fingerprint()); !others.empty())
    throw Error(ErrorKind::invalid, name + ": must be saved of this scene, but is of another: " + others);
  const Points& start = run.start.cols() > 0 ? run.start : scene_start();
  const bool starts_alike = start == unsewn_->start;
  auto unsewn = starts_alike ? unsewn_ : std::make_shared<const Model>(started_from(*unsewn_, start));
  const bool dresses = is_dressing(scene_, (run.frame - 1) * scene_.frame_time);
  auto model = unsewn;
  if (!run.closed.empty() || dresses != is_dressing(scene_, 0)) {
    for (const auto& [a, b] : run.closed)
      if (std::min(a, b) < 0 || std::max(a, b) >= unsewn->user_vertex_count())
        throw Error(ErrorKind::invalid, fmt::format("{}: seams must close vertices of {}, got {} and {}",
                                                    name, unsewn->user_vertex_count(), a, b));
    model = std::make_shared<const Model>(build_model(scene_of(dresses), run.closed));
  }
  if (const std::string misfit = find_misfit(run, *model); !misfit.empty())
    throw Error(ErrorKind::invalid, name + ": " + misfit);
  Points scene_start = this->scene_start();
  Hands hands;
  Controls controls;
  const double last_start = run.clock.time + (run.frame - 1 - run.clock.frame) * scene_.frame_time;
  hands.restore(std::move(run.grasp), std::max(0.0, last_start), *model, controls);
  controls.collider_offset = std::move(run.collider_offset);
  controls.force = std::move(run.force);
  const int substeps = solver_->substeps(*model, controls, scene_.frame_time);

  // 2. All that is then another
  model_ = std::move(model);
  unsewn_ = std::move(unsewn);
  closed_ = std::move(run.closed);
  enter_stage(dresses);
  scene_start_ = std::move(scene_start);
  start_ = std::move(run.start);
  hands_ = std::move(hands);
  controls_ = std::move(controls);
  state_ = std::move(run.state);
  velocity_before_.resize(3, 0);
  substeps_ = substeps;
  frame_ = run.frame;
  clock_ = run.clock;
  edited_ = run.edited;
  touched_ = run.touched;
}

FrameReport Simulation::report() const {
  expect_alive();
  FrameReport report;
  measure(report);
  find_failure(report);
  return report;
}

void Simulation::measure(FrameReport& report) const {
  const TeamScope team(team_.get());
  report.frame = frame_;
  report.time = state_.time;
  report.hash = hash(state_);
  const Strain strain = edge_strain(*model_, state_.positions);
  report.strain_max = strain.max;
  report.strain_p99 = strain.p99;
  report.strain_mean = strain.mean;
  report.limit_ratio = limit_ratio(*model_, state_.positions);
  report.kinetic_energy = kinetic_energy(*model_, state_.velocities);
  report.elastic_energy = elastic_energy(model_->energies, state_.positions);
  report.potential_energy = potential_energy(*model_, controls_.gravity, state_.positions);
  report.center_of_mass = center_of_mass(*model_, state_.positions);
  if (falls_freely(controls_) && !touched_)
    report.free_fall_error = report.center_of_mass - free_fall(*model_, controls_.gravity, state_.time);
}

// --- by hand ---------------------------------------------------------------------------------------

Simulation Simulation::edited(const Scene& scene) const {
  // 1. A run of the new scene in the same hands
  expect_alive();
  Simulation next(scene);
  check_count("vertices", next.model_->vertex_count(), model_->vertex_count());
  check_count("colliders", next.model_->colliders.size(), model_->colliders.size());
  if (!(next.model_->vertex_numbers == model_->vertex_numbers))
    throw Error(ErrorKind::invalid, "edit: the running scene has its vertices in another order");
  if (start_.cols() > 0) next.start_from(start_);
  if (!closed_.empty() || next.is_dressing_ != is_dressing_) {
    next.closed_ = closed_;
    next.enter_stage(is_dressing_);
    next.model_ = std::make_shared<const Model>(build_model(next.scene_of(is_dressing_), closed_));
  }
  next.hands_ = hands_;
  next.controls_.collider_offset = controls_.collider_offset;
  next.controls_.force = controls_.force;
  next.hands_.take(*next.model_, *next.solver_, scene.frame_time, next.controls_);
  next.count_substeps();

  // 2. Where the cloth is, and since when; what only the earlier steps were good for is dropped
  next.state_ = state_;
  if (scene.solver.family != scene_.solver.family) {
    next.state_.history.parts = 1;
    next.state_.history.starts_with_newton = false;
  }
  // Bodies that are held, or that cloth sticks to, are those that were there, as finely divided as cloth, and
  // only some families know of them.
  if (scene.solver.family != scene_.solver.family || !same_geometry(scene.colliders, scene_.colliders) ||
      mean_edge(*next.model_) != mean_edge(*model_)) {
    next.state_.blocked.resize(3, 0);
    next.state_.slips.clear();
  }
  if (scene.solver.family != scene_.solver.family || next.step_time() != step_time()) next.forget_last_step();
  next.frame_ = frame_;
  next.clock_ = scene.frame_time == scene_.frame_time ? clock_ : Clock{frame_, state_.time};
  next.stop_ = stop_;
  next.team_ = team_;
  next.edited_ = next.touched_ = true;
  return next;
}

// What the model calls a vertex of the scene.
int Simulation::model_vertex(const char* call, int vertex) const {
  check_index(call, vertex, model().user_vertex_count());
  return model_->vertex_numbers.to_model(vertex);
}

// What callers give for every vertex of theirs.
Points Simulation::in_model_order(const char* call, const Points& columns) const {
  const Numbering& numbers = model().vertex_numbers;
  expect_positions(call, columns, model_->user_vertex_count());
  if (!columns.allFinite()) throw Error(ErrorKind::invalid, fmt::format("{}: a number is not finite", call));
  Points ours = numbers.to_model(columns);
  for (int user = 0; user < columns.cols(); ++user) {
    const int v = numbers.to_model(user);
    if (columns.col(user) != ours.col(v))
      throw Error(ErrorKind::invalid, fmt::format("{}: vertices {} and {} are sewn together, got two values",
                                                  call, numbers.to_user(v), user));
  }
  return ours;
}

void Simulation::set_positions(const Points& positions) {
  state_.positions = in_model_order("set_positions", positions);
  state_.history = {};
  velocity_before_.resize(3, 0);
  state_.blocked.resize(3, 0);
  state_.slips.clear();
  edited_ = touched_ = true;
}

void Simulation::set_velocities(const Points& velocities) {
  state_.velocities = in_model_order("set_velocities", velocities);
  state_.history = {};
  velocity_before_.resize(3, 0);
  edited_ = touched_ = true;
}

void Simulation::hold(int vertex) {
  const int v = model_vertex("hold: vertex", vertex);
  hands_.hold(v, state_.positions.col(v), *model_, controls_);
  state_.velocities.col(v).setZero();
  changed_by_hand();
}

void Simulation::hold(int vertex, const Vec3& place) {
  const int v = model_vertex("hold: vertex", vertex);
  check_place("hold", place);
  if (!hands_.holds(v)) hold(vertex);
  hands_.move(v, place, controls_);
  edited_ = touched_ = true;
}

void Simulation::attach(const std::vector<int>& vertices, int collider) {
  std::vector<int> ours;
  for (const int vertex : vertices) ours.push_back(model_vertex("attach: vertex", vertex));
  check_index("attach: collider", collider, static_cast<int>(model().colliders.size()));
  std::sort(ours.begin(), ours.end());
  ours.erase(std::unique(ours.begin(), ours.end()), ours.end());
  hands_.attach(ours, collider, frame_start(frame_), state_.positions, *model_, controls_);
  changed_by_hand();
}

void Simulation::let_go(int vertex) {
  const int v = model_vertex("let_go: vertex", vertex);
  hands_.let_go(v, *model_, controls_);
  changed_by_hand();
}

bool Simulation::is_held(int vertex) const {
  return controls_.free.col(model_vertex("is_held: vertex", vertex)) != Vec3::Ones();
}

void Simulation::pull(int vertex, const Vec3& place) {
  const int v = model_vertex("pull: vertex", vertex);
  check_place("pull", place);
  if (hands_.pull(v, place, state_.positions, *solver_, scene_.frame_time, *model_, controls_))
    changed_by_hand();
}

void Simulation::release() {
  expect_alive();
  if (!hands_.pulls()) return;
  hands_.release(*model_, controls_);
  changed_by_hand();
}

void Simulation::push(const Points& force) {
  const int count = model().user_vertex_count();
  if (force.cols() != 0 && force.cols() != count)
    throw Error(ErrorKind::invalid,
                fmt::format("push: expected a force for each of {} vertices, got {}", count, force.cols()));
  if (!force.allFinite()) throw Error(ErrorKind::invalid, "push: a force is no number");
  controls_.force = Points::Zero(3, force.cols() == 0 ? 0 : model_->vertex_count());
  for (int v = 0; v < force.cols(); ++v)
    controls_.force.col(model_->vertex_numbers.to_model(v)) += force.col(v);
  edited_ = touched_ = true;
}

void Simulation::carry(int collider, const Vec3& offset) {
  check_index("carry: collider", collider, static_cast<int>(model().colliders.size()));
  check_place("carry", offset);
  hands_.carry(collider, offset);
}

void Simulation::changed_by_hand() {
  edited_ = touched_ = true;
  const double before = step_time();
  count_substeps();
  if (step_time() != before) forget_last_step();
}

// Pins of the scene that begin or end with the frame to come.
void Simulation::keep_time() {
  if (!hands_.keep_time(frame_start(frame_), state_.positions, *model_, controls_)) return;
  touched_ = true;
  const double before = step_time();
  count_substeps();
  if (step_time() != before) forget_last_step();
}

void Simulation::count_substeps() { substeps_ = solver_->substeps(*model_, controls_, scene_.frame_time); }

// Methods that look at two steps begin anew.
void Simulation::forget_last_step() {
  velocity_before_.resize(3, 0);
  state_.history.positions.resize(3, 0);
  state_.history.velocities.resize(3, 0);
  state_.history.accelerations.resize(3, 0);
  state_.history.struck = 0;
}

}  // namespace muslin
