#include <algorithm>

#include "muslin/solver/families.h"
#include "muslin/solver/projection.h"
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
  int substeps(const Model& model, double frame_time) const override {
    const bool pulled = model.energies.anchors.size() > 0;
    if (!pulled && settings_.substeps) return *settings_.substeps;
    if (!pulled && !settings_.spring_forces) return 1;
    const Energies hand = only_hand(model);
    const Energies& energies = settings_.spring_forces ? model.energies : hand;
    const int n = model.vertex_count();
    const double stiffness = stiffness_bound(energies, n).cwiseQuotient(model.mass).maxCoeff();
    const double viscosity = viscosity_bound(energies, n).cwiseQuotient(model.mass).maxCoeff();
    const double longest = 4 / (viscosity + std::sqrt(viscosity * viscosity + 4 * stiffness));
    const double fewest = settings_.substeps.value_or(1);
    const double reserve = pulled && settings_.relaxation_sweeps > 0 ? 4.4 : 1.1;
    return static_cast<int>(std::clamp(std::ceil(reserve * frame_time / longest), fewest, kMostSubsteps));
  }

  std::string limits(const Model& model) const override {
    if (!settings_.spring_forces && model.energies.bending.size() + model.energies.dihedral.size() > 0)
      return "without spring forces only lengths are kept: the fabric's stiffness and bending are not used";
    if (settings_.stretch_limit && model.energies.springs.size() == 0)
      return "the stretch limit holds springs, and there are none";
    if (settings_.spring_forces && model.energies.baraff_witkin.is_limited())
      return "substeps are counted for cloth far from its strain limit; where it comes near, it needs "
             "50 times as many";
    return "";
  }

  StepReport step(const Model& model, const Input& input, State& state, double h) override {
    StepReport report;
    Points x = state.positions, v = state.velocities;

    // 1. Forces at the start of the step
    const Points acceleration = accelerations(model, state, h, report);

    // 2. Springs back to their lengths before the step [Mosegaard]
    for (int sweep = 0; sweep < settings_.relaxation_sweeps && !input.is_over(); ++sweep)
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
      for (int sweep = 0; sweep < settings_.limit_sweeps && !input.is_over(); ++sweep)
        sweep_lengths(model, {0, *settings_.stretch_limit}, settings_.split, x);

    // 6. In Verlet positions carry the velocity, so all corrections above change it
    if (settings_.verlet) v = (x - start) / h;

    finish_step(model, input, x, v, state, report);
    return report;
  }

 private:
  // Springs that are left to sweeps do not pull, but hands do.
  static Energies only_hand(const Model& model) {
    Energies hand;
    hand.anchors = model.energies.anchors;
    return hand;
  }

  Points accelerations(const Model& model, const State& state, double h, StepReport& report) {
    const Timer timer(report.solve_ms);
    Points acceleration = external_acceleration(model, state, h);
    if (!settings_.spring_forces && model.energies.anchors.size() == 0) return acceleration;
    const Energies hand = settings_.spring_forces ? Energies() : only_hand(model);
    const Energies& energies = settings_.spring_forces ? model.energies : hand;
    Points gradient = Points::Zero(3, model.vertex_count());
    const bool loses = is_damped(energies);
    if (loses) damp(energies, state.positions - h * state.velocities, h, damped_);
    add_elastic_gradient(loses ? damped_ : energies, state.positions, scratch_, gradient);
    acceleration -= gradient * model.mass.cwiseInverse().asDiagonal();
    return acceleration;
  }

  ExplicitSettings settings_;
  Scratch scratch_;
  Energies damped_;
};

}  // namespace

Support explicit_support(const SolverSettings& settings, std::string_view energy) {
  if (settings.explicit_.spring_forces || energy == SpringEnergy::kName || energy == AnchorEnergy::kName)
    return {};
  const bool bends = energy == BendingEnergy::kName || energy == DihedralEnergy::kName;
  return {bends ? Support::left_out : Support::refused, "explicit/spring_forces", "false"};
}

std::unique_ptr<Solver> make_explicit(const SolverSettings& settings) {
  return std::make_unique<Explicit>(settings.explicit_);
}

}  // namespace muslin
