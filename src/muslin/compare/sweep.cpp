#include "muslin/compare/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "muslin/compare/common_step.h"
#include "muslin/compare/reference_step.h"
#include "muslin/compare/resolution.h"
#include "muslin/core/check.h"
#include "muslin/core/timer.h"

namespace muslin {

namespace {

constexpr int kFramesOfPath = 10;  // later the cloth may swing chaotically, and order is lost
constexpr int kFiner = 4;          // the step of the finest reference is this part of the finest swept
constexpr int kFinerCells = 2;     // and so are its cells along a side
constexpr double kMostSteps = 100000;

bool stopped(const CompareWatcher& watcher) { return watcher.stop && watcher.stop(); }

// One step of a solver as a row; the state stays as it was.
SweepRow row_of_step(const Model& model, Solver& solver, const State& before, const Input& input, double h,
                     ReferenceStep& reference) {
  SweepRow row;
  State state = before;
  StepReport report;
  {
    const Timer timer(row.ms);
    report = take_step(model, solver, input, state, h);
  }
  row.status = report.status;
  row.iterations = report.iterations;
  row.error = reference.error(state.positions);
  row.strain = edge_strain(model, state.positions);
  return row;
}

// The values of an axis, or the one that stands where it is not swept.
std::vector<double> values_of(const SweepRequest& request, SweepAxis axis, double otherwise) {
  for (const SweptAxis& swept : request)
    if (swept.axis == axis) return swept.values;
  return {otherwise};
}

// --- iterations ------------------------------------------------------------------------------------

void sweep_iterations(const SweepGround& ground, const CompareWatcher& watcher, SweepResult& result) {
  const auto& [model, comparison, starts] = ground;
  const CommonStep& step = comparison.step;
  References references(comparison.scene, step);
  std::map<std::pair<size_t, ContactForm>, ReferenceStep> taken;  // one a start and form of contact
  for (const double value : result.request.front().values) {
    if (stopped(watcher)) return;
    const SweepPoint point{static_cast<int>(value), step.h, 1};
    if (watcher.sweep) watcher.sweep(result.request, point);
    for (const SolverRecord& record : comparison.solvers) {
      if (record.refused) continue;
      const SolverSettings settings =
          settings_for(find_method(record.name), comparison.scene, step, point.iterations);
      const ContactForm form = contact_form(model, settings);
      const auto solver = make_solver(settings);
      for (size_t t = 0; t < starts.size(); ++t) {
        const Input input = scripted_input(model, starts[t].time, starts[t].time + step.h);
        auto reference = taken.find({t, form});
        if (reference == taken.end())
          reference = taken.try_emplace({t, form}, references.take(model, starts[t], input, form)).first;
        SweepRow row = row_of_step(model, *solver, starts[t], input, step.h, reference->second);
        row.solver = record.name;
        row.point = point;
        row.vertices = model.vertex_count();
        row.frame = comparison.traces[t].frame;
        result.rows.push_back(row);
      }
    }
  }
}

// --- time steps and resolutions --------------------------------------------------------------------

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
  Strain strain;
  double ms = 0;
};
Path path_of(const Model& model, Solver& solver, double h, int steps) {
  Path path{initial_state(model), Status::ok, {}, 0};
  {
    const Timer timer(path.ms);
    for (int k = 0; k < steps && path.status != Status::diverged; ++k) {
      const Input input = scripted_input(model, k * h, (k + 1) * h);
      path.status = std::max(path.status, take_step(model, solver, input, path.state, h).status);
    }
  }
  path.strain = edge_strain(model, path.state.positions);
  if (!(path.strain.max <= kAbsurdStrain)) path.status = Status::diverged;
  return path;
}

bool is_swept(const SweepRequest& request, SweepAxis axis) {
  return std::any_of(request.begin(), request.end(), [&](const SweptAxis& a) { return a.axis == axis; });
}

// A scene of another resolution only where that is asked for: cloth that is no grid has none.
Scene resolved(const Scene& scene, double resolution) {
  return resolution == 1 ? scene : at_resolution(scene, resolution);
}

/// The trajectories of a sweep, all to the same time.
class Paths {
 public:
  Paths(const SweepGround& ground, const CompareWatcher& watcher, SweepResult& result)
      : comparison_(ground.comparison), watcher_(watcher), result_(result) {
    result_.has_paths = true;
    result_.end_time = end_of_paths(comparison_.scene, comparison_.frames);
  }

  void run() {
    const SweepRequest& request = result_.request;
    find_truth();
    for (const double resolution : values_of(request, SweepAxis::resolution, 1)) {
      const Scene scene = resolved(comparison_.scene, resolution);
      const Model model = build_model(scene);
      const Points truth = resolution == result_.finest_resolution ? truth_ : sampled(truth_, finest_, scene);
      for (const double dt : values_of(request, SweepAxis::dt, comparison_.step.h))
        if (!stopped(watcher_)) run_steps(model, truth, dt, resolution);
    }
  }

 private:
  // The reference trajectory in steps that are finer than all that are swept, and cells.
  void find_truth() {
    const SweepRequest& request = result_.request;
    const auto extreme = [&](SweepAxis axis, double own) {
      const std::vector<double> values = values_of(request, axis, own);
      return axis == SweepAxis::dt ? *std::min_element(values.begin(), values.end())
                                   : *std::max_element(values.begin(), values.end());
    };
    if (is_swept(request, SweepAxis::resolution))
      result_.finest_resolution = kFinerCells * extreme(SweepAxis::resolution, 1);
    const double smallest = extreme(SweepAxis::dt, comparison_.step.h);
    const int finer = is_swept(request, SweepAxis::dt) ? kFiner : 1;
    const int steps = finer * steps_until(result_.end_time, smallest);
    result_.finest_step = result_.end_time / steps;
    finest_ = resolved(comparison_.scene, result_.finest_resolution);
    const Model model = build_model(finest_);
    const CommonStep step = with_step(comparison_.step, result_.finest_step);
    const auto reference = make_solver(reference_settings(finest_, step));
    truth_ = path_of(model, *reference, step.h, steps).state.positions;
  }

  // All solvers in steps of dt, at every number of iterations.
  void run_steps(const Model& model, const Points& truth, double dt, double resolution) {
    const Scene& scene = comparison_.scene;
    const int steps = steps_until(result_.end_time, dt);
    const CommonStep step = with_step(comparison_.step, result_.end_time / steps);
    const State start = initial_state(model);
    const Input input = scripted_input(model, 0, step.h);
    const auto reference = make_solver(reference_settings(scene, step));
    References references(scene, step);
    std::map<ContactForm, ReferenceStep> taken;
    SweepPoint point{comparison_.iterations, step.h, resolution};
    const auto add = [&](const std::string& name, Solver& solver, ContactForm form) {
      if (stopped(watcher_)) return;
      auto held = taken.find(form);
      if (held == taken.end())
        held = taken.try_emplace(form, references.take(model, start, input, form)).first;
      SweepRow row = row_of_step(model, solver, start, input, step.h, held->second);
      const Path path = path_of(model, solver, step.h, steps);
      row.solver = name;
      row.point = point;
      row.vertices = model.vertex_count();
      row.status = std::max(row.status, path.status);
      row.strain = path.strain;
      row.ms = path.ms;
      if (path.status != Status::diverged) row.path_error = position_error(path.state.positions, truth);
      result_.rows.push_back(row);
    };
    if (watcher_.sweep) watcher_.sweep(result_.request, point);
    add(comparison_.reference.name, *reference, ContactForm::energy);
    for (const double iterations :
         values_of(result_.request, SweepAxis::iterations, comparison_.iterations.value_or(0))) {
      if (iterations > 0) point.iterations = static_cast<int>(iterations);
      for (const SolverRecord& record : comparison_.solvers) {
        if (record.refused) continue;
        const SolverSettings settings = settings_for(find_method(record.name), scene, step, point.iterations);
        add(record.name, *make_solver(settings), contact_form(model, settings));
      }
    }
  }

  const Comparison& comparison_;
  const CompareWatcher& watcher_;
  SweepResult& result_;
  Scene finest_;
  Points truth_;
};

}  // namespace

double swept_step(const Scene& scene, int frames, double dt) {
  const double end_time = end_of_paths(scene, frames);
  return end_time / steps_until(end_time, dt);
}

void check_sweep(const SweepRequest& request, const Scene& scene, int frames) {
  if (request.empty()) throw Error(ErrorKind::invalid, "sweep: needs at least one axis");
  for (const SweptAxis& swept : request) {
    const std::string_view axis = name_of(swept.axis);
    if (swept.values.empty())
      throw Error(ErrorKind::invalid, fmt::format("sweep {}: needs at least one value", axis));
    const auto [least, most] = std::minmax_element(swept.values.begin(), swept.values.end());
    const double end_time = end_of_paths(scene, frames), steps = kFiner * end_time / *least;
    if (!(*least > 0) || (swept.axis == SweepAxis::dt && !(steps <= kMostSteps)))
      throw Error(ErrorKind::invalid, fmt::format("sweep {}={}: must be at least {:.3g}", axis, *least,
                                                  kFiner * end_time / kMostSteps));
    if (std::count_if(request.begin(), request.end(),
                      [&](const SweptAxis& other) { return other.axis == swept.axis; }) > 1)
      throw Error(ErrorKind::invalid, fmt::format("sweep: {} stands twice in a product", axis));
    if (swept.axis == SweepAxis::resolution) at_resolution(scene, kFinerCells * *most);  // throws
  }
}

std::string name_of(const SweepRequest& request) {
  std::string name;
  for (const SweptAxis& swept : request) name += (name.empty() ? "" : "@") + std::string(name_of(swept.axis));
  return name;
}

SweepResult sweep(const SweepGround& ground, const SweepRequest& request, const CompareWatcher& watcher) {
  SweepResult result;
  result.request = request;
  if (request.size() == 1 && request.front().axis == SweepAxis::iterations)
    sweep_iterations(ground, watcher, result);
  else
    Paths(ground, watcher, result).run();
  return result;
}

}  // namespace muslin
