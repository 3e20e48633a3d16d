#include "muslin/solver/families.h"
#include "muslin/solver/projection.h"
#include "muslin/solver/step.h"

namespace muslin {

namespace {

constexpr double kMostSubsteps = 1e6;  // beyond, a frame would not end; the run then diverges and says so

class Explicit final : public Solver {
 public:
  explicit Explicit(const ExplicitSettings& settings) : settings_(settings) {}

  /// Verlet is stable for h < 2/ω; ω² is bounded by the largest row sum of M⁻¹H (Gershgorin). A tenth is kept
  /// in hand.
  int substeps(const Model& model, double frame_time) const override {
    if (settings_.substeps) return *settings_.substeps;
    if (!settings_.spring_forces) return 1;
    const Scalars bound = stiffness_bound(model.energies, model.vertex_count());
    const double omega = std::sqrt(bound.cwiseQuotient(model.mass).maxCoeff());
    return static_cast<int>(std::clamp(std::ceil(1.1 * frame_time * omega / 2), 1.0, kMostSubsteps));
  }

  std::string limits(const Model& model) const override {
    if (!settings_.spring_forces && model.energies.bending.size() > 0)
      return "without spring forces only lengths are kept: the fabric's stiffness and bending are not used";
    return "";
  }

  StepReport step(const Model& model, const Input& input, State& state, double h) override {
    StepReport report;
    Points x = state.positions, v = state.velocities;

    // 1. Forces at the start of the step
    const Points acceleration = accelerations(model, state, h, report);

    // 2. Springs back to their lengths before the step [Mosegaard]
    for (int sweep = 0; sweep < settings_.relaxation_sweeps; ++sweep)
      sweep_lengths(model, kRigid, settings_.split, x);
    if (settings_.verlet) v += (x - state.positions) / h;
    const Points start = x;

    // 3. x ← x + (1 − loss)(x − x_last) + h² a, written with v = (x − x_last)/h
    v = damped(model, v, h, settings_.velocity_loss) + h * acceleration;
    x += h * v;
    apply_pins(model, input, x);

    // 4. Contact
    resolve_contacts(model, input, start, x, report);
    if (!settings_.verlet) v = (x - start) / h;

    // 5. No spring longer than the limit [Provot 1995]
    if (settings_.stretch_limit)
      for (int sweep = 0; sweep < settings_.limit_sweeps; ++sweep)
        sweep_lengths(model, {0, *settings_.stretch_limit}, settings_.split, x);

    // 6. In Verlet positions carry the velocity, so all corrections above change it
    if (settings_.verlet) v = (x - start) / h;

    finish_step(model, input, x, v, state, report);
    return report;
  }

 private:
  Points accelerations(const Model& model, const State& state, double h, StepReport& report) {
    const Timer timer(report.solve_ms);
    Points acceleration = external_acceleration(model, state, h);
    if (!settings_.spring_forces) return acceleration;
    Points gradient = Points::Zero(3, model.vertex_count());
    add_elastic_gradient(model.energies, state.positions, scratch_, gradient);
    acceleration -= gradient * model.mass.cwiseInverse().asDiagonal();
    return acceleration;
  }

  ExplicitSettings settings_;
  Scratch scratch_;
};

}  // namespace

std::unique_ptr<Solver> make_explicit(const SolverSettings& settings) {
  return std::make_unique<Explicit>(settings.explicit_);
}

}  // namespace muslin
