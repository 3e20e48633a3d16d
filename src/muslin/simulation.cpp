#include "muslin/simulation.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/check.h"
#include "muslin/core/timer.h"
#include "muslin/model/measure.h"

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
}  // namespace

Simulation::Simulation(const Scene& scene)
    : scene_(checked(scene)), model_(build_model(scene)), solver_(make_solver(scene.solver)) {
  if (const std::string refusal = find_refusal(model_, scene.solver); !refusal.empty())
    throw Error(ErrorKind::invalid, refusal);
  if (const std::string limits = solver_->limits(model_); !limits.empty()) model_.warnings.push_back(limits);
  substeps_ = solver_->substeps(model_, scene.frame_time);
  reset();
}

FrameReport Simulation::step() {
  FrameReport report;
  {
    const Timer timer(report.ms);
    const double h = scene_.frame_time / substeps_;
    const double frame_start = frame_ * scene_.frame_time;
    for (int s = 0; s < substeps_ && report.step.status != Status::diverged; ++s) {
      const Input input = scripted_input(model_, frame_start + s * h, frame_start + (s + 1) * h);
      const StepReport step = solver_->step(model_, input, state_, h);
      touched_ = touched_ || step.contacts > 0;
      accumulate(report.step, step);
      state_.time = input.time_end;
      ++state_.step;
    }
    ++frame_;
  }
  measure(report);
  if (!(report.strain_max <= kAbsurdStrain)) report.step.status = Status::diverged;
  return report;
}

void Simulation::reset() { restore(initial_state(model_), 0); }

void Simulation::restore(const State& state, int frame) {
  MUSLIN_ASSERT(state.positions.cols() == model_.vertex_count());
  state_ = state;
  frame_ = frame;
  touched_ = frame > 0 && (!model_.colliders.empty() || model_.self_distance > 0);
}

FrameReport Simulation::report() const {
  FrameReport report;
  measure(report);
  return report;
}

void Simulation::measure(FrameReport& report) const {
  report.frame = frame_;
  report.time = state_.time;
  report.hash = hash(state_);
  const Strain strain = edge_strain(model_, state_.positions);
  report.strain_max = strain.max;
  report.strain_p99 = strain.p99;
  report.strain_mean = strain.mean;
  report.kinetic_energy = kinetic_energy(model_, state_.velocities);
  report.elastic_energy = elastic_energy(model_.energies, state_.positions);
  report.potential_energy = potential_energy(model_, state_.positions);
  report.center_of_mass = center_of_mass(model_, state_.positions);
  if (falls_freely(model_) && !touched_)
    report.free_fall_error = report.center_of_mass - free_fall(model_, state_.time);
}

}  // namespace muslin
