#include "muslin/compare/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "muslin/compare/common_step.h"
#include "muslin/compare/yardstick.h"
#include "muslin/core/check.h"
#include "muslin/core/timer.h"

namespace muslin {

namespace {

constexpr int kFramesOfPath = 10;  // later the cloth may swing chaotically, and order is lost
constexpr int kFiner = 4;          // the step of the finest reference is this part of the finest swept
constexpr double kMostSteps = 100000;

bool stopped(const CompareWatcher& watcher) { return watcher.stop && watcher.stop(); }

// One step of a solver as a row; the state stays as it was.
SweepRow row_of_step(const Model& model, Solver& solver, const State& before, const Input& input, double h,
                     Yardstick& yardstick) {
  SweepRow row;
  State state = before;
  StepReport report;
  {
    const Timer timer(row.ms);
    report = take_step(model, solver, input, state, h);
  }
  row.status = report.status;
  row.iterations = report.iterations;
  row.error = yardstick.error(state.positions, report.contacts > 0);
  return row;
}

void sweep_iterations(const SweepGround& ground, const CompareWatcher& watcher, SweepResult& result) {
  const auto& [model, comparison, starts] = ground;
  const CommonStep& step = comparison.step;
  const auto reference = make_solver(reference_settings(comparison.scene, step));
  std::vector<Input> inputs;
  std::vector<Yardstick> yardsticks;
  for (const State& start : starts) {
    inputs.push_back(scripted_input(model, start.time, start.time + step.h));
    yardsticks.emplace_back(model, start, inputs.back(), step, *reference);
  }
  for (const double value : result.request.values) {
    if (stopped(watcher)) return;
    if (watcher.sweep) watcher.sweep(result.request, value);
    for (const SolverRecord& record : comparison.solvers) {
      if (record.refused) continue;
      const auto solver = make_solver(
          settings_for(find_method(record.name), comparison.scene, step, static_cast<int>(value)));
      for (size_t t = 0; t < starts.size(); ++t) {
        SweepRow row = row_of_step(model, *solver, starts[t], inputs[t], step.h, yardsticks[t]);
        row.solver = record.name;
        row.value = value;
        row.frame = comparison.traces[t].frame;
        result.rows.push_back(row);
      }
    }
  }
}

// --- time steps ------------------------------------------------------------------------------------

double end_of_paths(const Scene& scene, int frames) {
  return std::min(frames, kFramesOfPath) * scene.frame_time;
}

// As many equal steps as come nearest to steps of dt.
int steps_until(double end_time, double dt) {
  return std::max(1, static_cast<int>(std::lround(end_time / dt)));
}

/// A trajectory from the beginning in equal steps.
struct Path {
  State state;
  Status status = Status::ok;
  double ms = 0;
};
Path path_of(const Model& model, Solver& solver, double h, int steps) {
  Path path{initial_state(model), Status::ok, 0};
  {
    const Timer timer(path.ms);
    for (int k = 0; k < steps && path.status != Status::diverged; ++k) {
      const Input input = scripted_input(model, k * h, (k + 1) * h);
      path.status = std::max(path.status, take_step(model, solver, input, path.state, h).status);
    }
  }
  if (!(edge_strain(model, path.state.positions).max <= kAbsurdStrain)) path.status = Status::diverged;
  return path;
}

// The reference trajectory in steps that are finer than all that are swept.
Points finest_reference(const SweepGround& ground, SweepResult& result) {
  const double smallest = *std::min_element(result.request.values.begin(), result.request.values.end());
  const int steps = kFiner * steps_until(result.end_time, smallest);
  result.finest_step = result.end_time / steps;
  const CommonStep step = with_step(ground.comparison.step, result.finest_step);
  const auto reference = make_solver(reference_settings(ground.comparison.scene, step));
  return path_of(ground.model, *reference, step.h, steps).state.positions;
}

void sweep_steps(const SweepGround& ground, const CompareWatcher& watcher, SweepResult& result) {
  const Model& model = ground.model;
  const Comparison& comparison = ground.comparison;
  result.end_time = end_of_paths(comparison.scene, comparison.frames);
  const Points truth = finest_reference(ground, result);
  const State start = initial_state(model);
  for (const double dt : result.request.values) {
    if (watcher.sweep) watcher.sweep(result.request, dt);
    const int steps = steps_until(result.end_time, dt);
    const CommonStep step = with_step(comparison.step, result.end_time / steps);
    const Input input = scripted_input(model, 0, step.h);
    const auto reference = make_solver(reference_settings(comparison.scene, step));
    Yardstick yardstick(model, start, input, step, *reference);
    const auto add = [&](const std::string& name, Solver& solver) {
      if (stopped(watcher)) return;
      SweepRow row = row_of_step(model, solver, start, input, step.h, yardstick);
      const Path path = path_of(model, solver, step.h, steps);
      row.solver = name;
      row.value = step.h;
      row.status = std::max(row.status, path.status);
      row.ms = path.ms;
      if (path.status != Status::diverged) row.path_error = position_error(path.state.positions, truth);
      result.rows.push_back(row);
    };
    add(comparison.reference.name, *reference);
    for (const SolverRecord& record : comparison.solvers) {
      if (record.refused) continue;
      const Method& method = find_method(record.name);
      add(record.name, *make_solver(settings_for(method, comparison.scene, step, comparison.iterations)));
    }
  }
}

}  // namespace

void check_sweep(const SweepRequest& request, const Scene& scene, int frames) {
  if (request.values.empty()) throw Error(ErrorKind::invalid, "sweep: needs at least one value");
  const double smallest = *std::min_element(request.values.begin(), request.values.end());
  const double end_time = end_of_paths(scene, frames), steps = kFiner * end_time / smallest;
  if (!(smallest > 0) || (request.axis == SweepAxis::dt && !(steps <= kMostSteps)))
    throw Error(ErrorKind::invalid, fmt::format("sweep {}={}: must be at least {:.3g}", name_of(request.axis),
                                                smallest, kFiner * end_time / kMostSteps));
}

SweepResult sweep(const SweepGround& ground, const SweepRequest& request, const CompareWatcher& watcher) {
  SweepResult result;
  result.request = request;
  request.axis == SweepAxis::iterations ? sweep_iterations(ground, watcher, result)
                                        : sweep_steps(ground, watcher, result);
  return result;
}

}  // namespace muslin
