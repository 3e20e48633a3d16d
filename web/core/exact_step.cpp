#include "exact_step.h"

#include "muslin/compare/common_step.h"
#include "muslin/compare/trace.h"
#include "muslin/core/stop_scope.h"

namespace muslin::web {

namespace {

// The reference is a step of backward Euler: beside another integrator it would tell the difference of the
// two.
bool takes_euler_steps(SolverSettings settings) {
  bool is_euler = true;
  each_family(settings, [&](std::string_view name, auto& family) {
    if constexpr (requires { family.integrator; })
      if (name == settings.family) is_euler = family.integrator == Integrator::euler;
  });
  return is_euler;
}

Scalars lengths(const Points& columns) { return columns.colwise().norm().transpose(); }

}  // namespace

ExactStep::ExactStep(Simulation& simulation)
    : simulation_(simulation),
      step_(common_step(simulation.scene(), simulation.model(), simulation.substeps())),
      form_(contact_form(simulation.model(), simulation.scene().solver)) {
  make_references();
  simulation_.watch_steps([this](const State& before, const Input& input, const State& after) {
    if (input.ends_frame) watched_ = {before, input, after};
  });
}

void ExactStep::measure(Stop::Clock::time_point latest) {
  last_.reset();
  if (!takes_euler_steps(simulation_.settings())) return;
  if (!watched_ || !watched_->after.positions.allFinite()) return;
  Stop stop;
  stop.at(latest);
  Budget budget(simulation_.scene().solver.budget, stop);
  watched_->input.budget = &budget;
  try {
    const StopScope scope(stop);
    ReferenceStep reference =
        references_->take(simulation_.model(), watched_->before, watched_->input, form_);
    if (!budget.was_stopped()) {
      const Points& x = watched_->after.positions;
      Exactness exactness{
          reference.error(x), reference.reference(), lengths(x - reference.after().positions), {}, {}};
      if (exactness.error.residual) exactness.residual = lengths(reference.gradient(x));
      exactness.share_of_gap = reference.shares_of_gap(x);
      last_ = std::move(exactness);
    }
  } catch (const Stopped&) {  // in the midst of a loop: what its solver keeps is half written
    make_references();
  }
  watched_.reset();
}

Trace ExactStep::trace() const {
  const Model& model = simulation_.model();
  const State& start = simulation_.state();
  const Input input = make_input(model, simulation_.controls(), start.time, start.time + step_.h);
  References references(simulation_.scene(), step_);
  ReferenceStep reference = references.take(model, start, input, form_);
  return trace_step(model, *make_solver(simulation_.settings()), start, input, step_.h, reference);
}

}  // namespace muslin::web
