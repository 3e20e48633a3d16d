#include "muslin/compare/work_precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "muslin/compare/common_step.h"
#include "muslin/compare/reference_step.h"
#include "muslin/core/check.h"
#include "muslin/core/timer.h"
#include "muslin/model/measure.h"
#include "muslin/simulation.h"

namespace muslin {

namespace {

constexpr int kReferenceFiner = 4;        // the reference takes so many steps for one of the finest run
constexpr int kOfExplicit[] = {1, 2, 4};  // times the steps that it needs to stay stable

// How an integrator is named on plots.
std::string label_of(Integrator integrator) {
  std::string label(name_of(integrator));
  if (integrator == Integrator::euler) return "Euler";
  std::transform(label.begin(), label.end(), label.begin(), [](unsigned char c) { return std::toupper(c); });
  return label;
}

std::vector<std::string> all_families() {
  std::vector<std::string> names;
  for (const Method& method : methods())
    if (std::count(kFamilies.begin(), kFamilies.end(), method.name)) names.emplace_back(method.name);
  return names;
}

/// The integrator of the family that runs, if it has one.
std::optional<Integrator> integrator_of(const SolverSettings& settings) {
  std::optional<Integrator> found;
  each_family(settings, [&](std::string_view name, const auto& family) {
    if constexpr (requires { family.integrator; })
      if (name == settings.family) found = family.integrator;
  });
  return found;
}

bool is_adaptive(const SolverSettings& settings) {
  bool adaptive = false;
  each_family(settings, [&](std::string_view name, const auto& family) {
    if constexpr (requires { family.adaptive; })
      if (name == settings.family) adaptive = family.adaptive;
  });
  return adaptive;
}

// The same loss of velocity a second for all, whatever their steps.
void set_loss(SolverSettings& settings, double loss) {
  each_family(settings, [&](std::string_view, auto& family) { family.velocity_loss = loss; });
}

/// Positions frame by frame, as far as a run went, with what they cost.
struct Motion {
  std::vector<Points> positions;
  std::vector<double> ms;
  int unsolved_frames = 0;
  bool diverged = false, stopped = false, is_too_long = false;
};

class Diagram {
 public:
  Diagram(const Scene& scene, const WorkPrecisionOptions& options, const WorkWatcher& watcher)
      : options_(options), watcher_(watcher), model_(build_model(scene)) {
    result_.scene = scene;
    result_.frames = options.frames.value_or(std::clamp(scene.frames, 1, kWorkPrecisionFrames));
    result_.vertex_count = model_.vertex_count();
    result_.triangle_count = static_cast<int>(model_.triangles.size());
    result_.warnings = model_.warnings;
    WorkReference& reference = result_.reference;
    reference.steps = options.reference_steps.value_or(kReferenceFiner * options.steps.back());
    reference.check_steps = std::max(1, reference.steps / 2);
    const SolverSettings settings = reference_settings(reference.steps);
    reference.method = settings.family;
    reference.integrator = name_of(*integrator_of(settings));
    for (const std::string& name : options.solvers.empty() ? all_families() : options.solvers)
      enter(find_method(name));
  }

  WorkPrecision run() {
    if (watcher_.began) watcher_.began(result_);
    find_reference();
    for (WorkLine& line : result_.lines)
      if (!result_.interrupted && result_.reference.failure.empty() && line.refusal.empty()) run(line);
    return std::move(result_);
  }

 private:
  // --- settings ------------------------------------------------------------------------------------

  double loss_of(int steps) const { return common_step(result_.scene, model_, steps).velocity_loss; }

  /// So many equal steps a frame by a method.
  SolverSettings stepped(const Method& method, int steps, std::optional<Integrator> integrator) const {
    SolverSettings settings = result_.scene.solver;
    settings.position.quality.reset();
    each_family(settings, [&](std::string_view, auto& family) {
      family.substeps = steps;
      if constexpr (requires { family.adaptive; }) family.adaptive = false;
      if constexpr (requires { family.integrator; })
        if (integrator) family.integrator = *integrator;
    });
    set_loss(settings, loss_of(steps));
    method.choose(settings);
    return settings;
  }

  /// What `muslin run --solver` takes, adaptive steps included.
  SolverSettings own(const Method& method) const {
    SolverSettings settings = result_.scene.solver;
    method.choose(settings);
    set_loss(settings, loss_of(steps_of(settings)));
    return settings;
  }

  int steps_of(const SolverSettings& settings) const {
    const SolverSettings numbers = settled(settings, model_, result_.scene.frame_time);
    return make_solver(numbers)->substeps(model_, model_.script, result_.scene.frame_time);
  }

  /// So near each step's minimum that only the error of time is left, and of the second order; of the first
  /// where steps lose velocity, of which bdf2 loses half as much again as it is told to.
  SolverSettings reference_settings(int steps) const {
    const CommonStep step = common_step(result_.scene, model_, steps);
    const Integrator integrator = step.velocity_loss > 0 ? Integrator::euler : Integrator::bdf2;
    SolverSettings pairs = over_frames(pair_reference_settings(result_.scene, step), step);
    pairs.quasi_newton.integrator = integrator;
    if (find_refusal(model_, pairs).empty()) return pairs;
    SolverSettings newton = over_frames(muslin::reference_settings(result_.scene, step), step);
    newton.newton.integrator = integrator;
    if (const std::string refusal = find_refusal(model_, newton); !refusal.empty())
      throw Error(ErrorKind::invalid, "there is no reference to compare with: " + refusal);
    return newton;
  }

  // Explicit steps begin where they are stable.
  std::vector<int> steps_for(const Method& method) const {
    SolverSettings settings = stepped(method, 1, {});
    if (settings.family != "explicit") return options_.steps;
    settings.explicit_.substeps.reset();
    const int least = steps_of(settings);
    std::vector<int> steps;
    for (const int times : kOfExplicit) steps.push_back(times * least);
    return steps;
  }

  // What the scene's own check would say of these settings, or what of the model they cannot run.
  std::string refusal_of(const SolverSettings& settings) const {
    Scene scene = result_.scene;
    scene.solver = settings;
    const std::vector<Problem> problems = find_problems(scene);
    return problems.empty() ? find_refusal(model_, settings)
                            : fmt::format("{}: {}", problems.front().path, problems.front().message);
  }

  void enter(const Method& method) {
    const bool has_choice = integrator_of(stepped(method, 1, {})).has_value();
    std::vector<std::optional<Integrator>> integrators{std::nullopt};
    if (has_choice && !options_.integrators.empty())
      integrators.assign(options_.integrators.begin(), options_.integrators.end());
    for (const std::optional<Integrator>& integrator : integrators) {
      const SolverSettings settings = stepped(method, 1, integrator);
      WorkLine line;
      line.method = line.name = method.name;
      line.label = method.label;
      if (integrator) {
        line.name += fmt::format("_{}", name_of(*integrator));
        line.label += " " + label_of(*integrator);
      }
      if (has_choice) line.integrator = name_of(*integrator_of(settings));
      line.refusal = refusal_of(settings);
      if (line.refusal.empty())
        line.limits = limits_of(*make_solver(settings), model_, settings, result_.scene.frame_time);
      result_.lines.push_back(std::move(line));
    }
  }

  // --- runs ----------------------------------------------------------------------------------------

  Motion motion_of(const SolverSettings& settings, std::optional<int> threads, double longest) {
    Scene scene = result_.scene;
    scene.solver = settings;
    Simulation simulation(scene);
    if (threads) simulation.set_threads(*threads);
    Motion motion;
    double seconds = 0;
    for (int frame = 1; frame <= result_.frames; ++frame) {
      motion.stopped = watcher_.stop && watcher_.stop();
      motion.is_too_long = seconds > longest;
      if (motion.stopped || motion.is_too_long) break;
      const double start = thread_milliseconds();
      const StepReport report = simulation.advance();
      motion.ms.push_back(thread_milliseconds() - start);
      seconds += 1e-3 * motion.ms.back();
      motion.diverged = report.status == Status::diverged ||
                        !(edge_strain(simulation.model(), simulation.state().positions).max <= kAbsurdStrain);
      if (motion.diverged) break;
      motion.unsolved_frames += report.status == Status::not_converged;
      motion.positions.push_back(simulation.positions());
    }
    return motion;
  }

  void find_reference() {
    WorkReference& reference = result_.reference;
    const double forever = std::numeric_limits<double>::infinity();
    Motion motion = motion_of(reference_settings(reference.steps), {}, forever);
    const Motion check =
        motion.stopped ? Motion() : motion_of(reference_settings(reference.check_steps), {}, forever);
    result_.interrupted = motion.stopped || check.stopped;
    if (result_.interrupted) return;
    if (motion.diverged || check.diverged)
      reference.failure = fmt::format("diverged with {} steps a frame",
                                      motion.diverged ? reference.steps : reference.check_steps);
    const size_t frames = std::min(motion.positions.size(), check.positions.size());
    const Points start = Simulation(result_.scene).positions();
    for (size_t f = 0; f < frames; ++f) {
      reference.doubt.push_back(position_error(motion.positions[f], check.positions[f]).rms);
      reference.travelled.push_back(position_error(motion.positions[f], start).rms);
    }
    reference.unsolved_frames = motion.unsolved_frames;
    truth_ = std::move(motion.positions);
    if (watcher_.reference) watcher_.reference(reference);
  }

  void run(WorkLine& line) {
    const Method& method = find_method(line.method);
    std::optional<Integrator> integrator;
    for (size_t k = 0; k < EnumNames<Integrator>::names.size(); ++k)
      if (EnumNames<Integrator>::names[k] == line.integrator) integrator = Integrator{static_cast<int>(k)};
    for (const int steps : steps_for(method)) add(line, stepped(method, steps, integrator), steps, false);
    add_own(line, own(method), integrator);
  }

  // A run of its own only where it is none of the others.
  void add_own(WorkLine& line, const SolverSettings& settings, std::optional<Integrator> integrator) {
    if (integrator_of(settings) != integrator || result_.interrupted) return;
    const int steps = steps_of(settings);
    const bool is_plain = !is_adaptive(settings) && !settings.position.quality;
    const auto same = std::find_if(line.points.begin(), line.points.end(),
                                   [&](const WorkPoint& point) { return point.steps == steps; });
    if (is_plain && same != line.points.end())
      same->own = true;
    else
      add(line, settings, steps, true);
  }

  void add(WorkLine& line, const SolverSettings& settings, int steps, bool own) {
    if (result_.interrupted) return;
    WorkPoint point;
    point.steps = steps;
    point.own = own;
    try {
      Motion motion = motion_of(settings, 1, options_.longest);
      result_.interrupted = motion.stopped;
      if (motion.stopped) return;
      for (size_t f = 0; f < motion.positions.size(); ++f)
        point.error.push_back(position_error(motion.positions[f], truth_[f]).rms);
      point.ms = std::move(motion.ms);
      point.unsolved_frames = motion.unsolved_frames;
      point.diverged = motion.diverged;
      if (motion.diverged) point.remark = fmt::format("diverged in frame {}", point.error.size() + 1);
      if (motion.is_too_long)
        point.remark = fmt::format("ended after {} frame{}, which took {:.3g} s", point.error.size(),
                                   point.error.size() == 1 ? "" : "s",
                                   1e-3 * std::accumulate(point.ms.begin(), point.ms.end(), 0.0));
    } catch (
        const Error& error) {  // a family says what it cannot run with one, at the latest in its first step
      point.remark = error.what();
    }
    line.points.push_back(std::move(point));
    if (watcher_.point) watcher_.point(line, line.points.back());
  }

  const WorkPrecisionOptions& options_;
  const WorkWatcher& watcher_;
  Model model_;
  WorkPrecision result_;
  std::vector<Points> truth_;
};

void check(const WorkPrecisionOptions& options) {
  if (options.steps.empty() || !std::is_sorted(options.steps.begin(), options.steps.end()) ||
      options.steps.front() < 1)
    throw Error(ErrorKind::invalid, "steps: must be numbers from 1 on, ascending");
  if (options.frames && *options.frames < 1)
    throw Error(ErrorKind::invalid, fmt::format("frames: must be at least 1, got {}", *options.frames));
  if (options.reference_steps && *options.reference_steps < 2)
    throw Error(ErrorKind::invalid,
                fmt::format("reference_steps: must be at least 2, got {}", *options.reference_steps));
}

}  // namespace

std::optional<WorkSummary> summary_until(const WorkPoint& point, int frame) {
  if (frame < 1 || point.error.size() < static_cast<size_t>(frame)) return {};
  const auto end = point.error.begin() + frame;
  return WorkSummary{std::accumulate(point.ms.begin(), point.ms.begin() + frame, 0.0) / frame,
                     std::accumulate(point.error.begin(), end, 0.0) / frame,
                     *std::max_element(point.error.begin(), end), point.error[frame - 1]};
}

std::vector<int> looked_at(int frames) {
  std::vector<int> all{(frames + 2) / 3, (2 * frames + 2) / 3, frames};
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

WorkPrecision work_precision(const Scene& scene, const WorkPrecisionOptions& options,
                             const WorkWatcher& watcher) {
  check(options);
  return Diagram(scene, options, watcher).run();
}

}  // namespace muslin
