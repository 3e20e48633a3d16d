#include <algorithm>

#include "muslin/solver/objective.h"
#include "muslin/solver/projection.h"
#include "muslin/solver/solver.h"
#include "muslin/solver/step.h"

namespace muslin {

namespace {

constexpr double kMostSubsteps = 1e6;  // beyond, a frame would not end; the run then diverges and says so

class Explicit final : public Solver {
 public:
  explicit Explicit(const ExplicitSettings& settings) : settings_(settings) {}

  /// Verlet is stable for h²ω² + 2hω²τ < 4, with damping forces that lag by half a step; ω² and ω²τ are
  /// bounded by the largest row sums of M⁻¹H (Gershgorin). A tenth is kept in hand.
  /// A scene's own number is made larger where a hand's pull needs it, and more so where sweeps use up what
  /// stability allows: a mode that they end at once, x ← −(h²ω² + 2hω²τ) x, leaves 1 in place of 4.
  int substeps(const Model& model, const Controls& controls, double frame_time) const override {
    const bool pulled = controls.pulls.size() > 0;
    if (!pulled && settings_.substeps) return *settings_.substeps;
    if (!pulled && !settings_.spring_forces) return 1;
    const Energies pulls = only_pulls(controls);
    const auto greatest_rate = [&](const auto& bound_of) {
      Scalars bound = bound_of(pulls, model.vertex_count());
      if (settings_.spring_forces) bound += bound_of(model.energies, model.vertex_count());
      return bound.cwiseQuotient(model.mass).maxCoeff();
    };
    const double stiffness = greatest_rate(stiffness_bound), viscosity = greatest_rate(viscosity_bound);
    const double longest = 4 / (viscosity + std::sqrt(viscosity * viscosity + 4 * stiffness));
    const double fewest = settings_.substeps.value_or(1);
    const double reserve = pulled && settings_.relaxation_sweeps > 0 ? 4.4 : 1.1;
    return static_cast<int>(std::clamp(std::ceil(reserve * frame_time / longest), fewest, kMostSubsteps));
  }

  std::string limits(const Model& model, double) const override {
    if (!settings_.spring_forces && model.energies.bending.size() + model.energies.dihedral.size() > 0)
      return "without spring forces only lengths are kept: the fabric's stiffness and bending are not used";
    if (settings_.stretch_limit && model.energies.springs.size() == 0)
      return "the stretch limit holds springs, and there are none";
    if (settings_.spring_forces && is_limited(model.energies.baraff_witkin))
      return "substeps are counted for cloth far from its strain limit; where it comes near, it needs "
             "50 times as many";
    return "";
  }

  StepReport advance(const Model& model, const Input& input, State& state, double h) override {
    const Controls& controls = *input.controls;
    StepReport report;
    Points x = state.positions, v = state.velocities;

    // 1. Forces at the start of the step
    const Points acceleration = accelerations(model, controls, state, h, report);

    // 2. Springs back to their lengths before the step [Mosegaard]
    for (int sweep = 0; sweep < settings_.relaxation_sweeps && !input.is_over(); ++sweep)
      sweep_lengths(model, controls, kRigid, settings_.split, x);
    if (settings_.verlet) v += (x - state.positions) / h;
    const Points start = x;

    // 3. x ← x + (1 − loss)(x − x_last) + h² a, written with v = (x − x_last)/h
    v = predicted_velocities(model, v, acceleration, h, settings_.velocity_loss);
    x += h * v;
    apply_pins(input, x);

    // 4. Contact
    resolve_contacts(model, input, start, memory_, x, report);
    if (!settings_.verlet) v = (x - start) / h;

    // 5. No spring longer than the limit [Provot 1995]
    if (settings_.stretch_limit)
      for (int sweep = 0; sweep < settings_.limit_sweeps && !input.is_over(); ++sweep)
        sweep_lengths(model, controls, {0, *settings_.stretch_limit}, settings_.split, x);

    // 6. In Verlet positions carry the velocity, so all corrections above change it
    if (settings_.verlet) v = (x - start) / h;

    finish_step(model, input, x, v, memory_, state, report);
    return report;
  }

 private:
  static Energies only_pulls(const Controls& controls) {
    Energies pulls;
    pulls.pulls = controls.pulls;
    return pulls;
  }

  Points accelerations(const Model& model, const Controls& controls, const State& state, double h,
                       StepReport& report) {
    const Timer timer(report.solve_ms);
    Points acceleration = external_acceleration(model, controls, state, h);
    if (!settings_.spring_forces && controls.pulls.size() == 0) return acceleration;
    const Energies& energies = energies_with_forces(model, controls, state, h);
    Points gradient = Points::Zero(3, model.vertex_count());
    add_elastic_gradient(energies, state.positions, scratch_, gradient);
    acceleration -= gradient * model.mass.cwiseInverse().asDiagonal();
    return acceleration;
  }

  // Springs that are left to sweeps do not pull, but hands do.
  const Energies& energies_with_forces(const Model& model, const Controls& controls, const State& state,
                                       double h) {
    const Points before = state.positions - h * state.velocities;
    if (settings_.spring_forces) return energies_of_step(model, controls, before, h, energies_);
    damp(controls.pulls, before, h, energies_.pulls);
    return energies_;
  }

  ExplicitSettings settings_;
  Scratch scratch_;
  Energies energies_;  // of a step that is damped or pulled
  VertexMemory memory_;
};

Support explicit_support(const SolverSettings& settings, std::string_view energy) {
  if (settings.explicit_.spring_forces || energy == SpringEnergy::kName || energy == AnchorEnergy::kName)
    return {};
  const bool bends = energy == BendingEnergy::kName || energy == DihedralEnergy::kName;
  return {bends ? Support::left_out : Support::refused, "explicit/spring_forces", "false"};
}

}  // namespace

SolverEntry explicit_family() {
  return {.summary = "Verlet or symplectic Euler on springs, Provot's stretch limit, Mosegaard's relaxation",
          .make = [](const SolverSettings& settings) -> std::unique_ptr<Solver> {
            return std::make_unique<Explicit>(settings.explicit_);
          },
          .support = explicit_support,
          .implicit_in_time = false,
          .methods = {{10,
                       "explicit",
                       "Explicit",
                       "forces at the beginning of the step move the cloth; nothing is solved",
                       {"#a58b73", "#86644b", "3 5"},
                       [](SolverSettings& s) { s.family = "explicit"; }}}};
}

}  // namespace muslin
