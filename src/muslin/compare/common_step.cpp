#include "muslin/compare/common_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "muslin/core/maths.h"
#include "muslin/solver/solver.h"

namespace muslin {

namespace {

double velocity_loss(SolverSettings settings) {
  double loss = 0;
  each_family(settings, [&](std::string_view name, auto& family) {
    if (name == settings.family) loss = family.velocity_loss;
  });
  return loss;
}

bool is_implicit_in_time(std::string_view family) {
  return std::any_of(solvers().begin(), solvers().end(), [&](const SolverEntry& entry) {
    return entry.name == family && entry.implicit_in_time;
  });
}

// The fraction that `steps` equal steps must take away each, so that together they take away `whole`.
double loss_of_each(double whole, double steps) {
  return steps == 1 ? whole : 1 - maths::pow(1 - whole, 1 / steps);
}

}  // namespace

CommonStep common_step(const Scene& scene, const Model& model, std::optional<int> substeps) {
  const SolverSettings settings = settled(scene.solver, model, scene.frame_time);
  const int own = make_solver(settings)->substeps(model, model.script, scene.frame_time);
  CommonStep step;
  step.substeps = substeps ? *substeps : is_implicit_in_time(scene.solver.family) ? own : 1;
  step.h = scene.frame_time / step.substeps;
  step.velocity_loss = loss_of_each(velocity_loss(scene.solver), double(step.substeps) / own);
  return step;
}

CommonStep with_step(const CommonStep& step, double h) {
  CommonStep other = step;
  other.velocity_loss = loss_of_each(step.velocity_loss, step.h / h);
  other.h = h;
  return other;
}

SolverSettings settings_for(const Method& method, const Scene& scene, const CommonStep& step,
                            std::optional<int> iterations) {
  SolverSettings settings = scene.solver;
  PositionSettings& position = settings.position;
  position.quality.reset();  // what it chose stands there (settled); all take the common step
  const double sweeps_a_frame = double(position.iterations) * position.steps();
  position.iterations =
      std::max(position.iterations, static_cast<int>(std::lround(sweeps_a_frame / step.substeps)));
  each_family(settings, [&](std::string_view, auto& family) {
    family.substeps = 1;
    family.velocity_loss = step.velocity_loss;
    if constexpr (requires { family.iterations; })
      if (iterations) family.iterations = *iterations;
    if constexpr (requires { family.integrator; }) family.integrator = Integrator::euler;
    if constexpr (requires { family.adaptive; }) family.adaptive = false;
  });
  method.choose(settings);
  return settings;
}

SolverSettings reference_settings(const Scene& scene, const CommonStep& step) {
  SolverSettings settings = settings_for(find_method("newton"), scene, step, {});
  settings.newton.iterations = 200;
  settings.newton.tolerance = 1e-10;
  settings.newton.residual = 0;
  settings.newton.linear = LinearSolver::pcg;
  settings.newton.preconditioner = Preconditioner::multigrid;
  settings.newton.forcing = 1e-6;  // Newton's own convergence then decides
  settings.newton.curvature = Curvature::on_demand;
  return settings;
}

SolverSettings pair_reference_settings(const Scene& scene, const CommonStep& step) {
  SolverSettings settings = settings_for(find_method("quasi_newton"), scene, step, {});
  settings.quasi_newton.iterations = 400;
  settings.quasi_newton.tolerance = 1e-9;
  settings.quasi_newton.forcing = 1e-6;
  return settings;
}

SolverSettings over_frames(SolverSettings settings, const CommonStep& step) {
  each_family(settings, [&](std::string_view, auto& family) { family.substeps = step.substeps; });
  return settings;
}

Scene scene_in_comparison(std::string_view method, const Scene& scene, const Model& model) {
  const CommonStep step = common_step(scene, model, {});
  Scene own = scene;
  own.solver = settled(scene.solver, model, scene.frame_time);
  own.solver = over_frames(
      method == kReference ? reference_settings(own, step) : settings_for(find_method(method), own, step, {}),
      step);
  return own;
}

std::vector<std::string> overruled(const Scene& scene, const CommonStep& step) {
  std::vector<std::string> notes;
  SolverSettings settings = scene.solver;
  each_family(settings, [&](std::string_view name, auto& family) {
    if (name != settings.family) return;
    if constexpr (requires { family.integrator; })
      if (family.integrator != Integrator::euler) notes.push_back("BDF2 gives way to backward Euler");
    if constexpr (requires { family.adaptive; })
      if (family.adaptive) notes.push_back("adaptive steps give way to equal ones");
  });
  const int sweeps = settings.position.iterations * settings.position.steps();
  if (settings.position.steps() > step.substeps)
    notes.push_back(fmt::format(
        "PBD and XPBD take the common step too and keep their {} sweeps a frame; as methods of small steps "
        "they do better in {} steps of one sweep or a few",
        sweeps, settings.position.steps()));
  return notes;
}

}  // namespace muslin
