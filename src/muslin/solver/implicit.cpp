#include <functional>

#include "muslin/solver/chebyshev.h"
#include "muslin/solver/objective.h"
#include "muslin/solver/safeguard.h"
#include "muslin/solver/solver.h"
#include "muslin/solver/step.h"

namespace muslin {

namespace {

class Implicit final : public Solver {
 public:
  explicit Implicit(const ImplicitSettings& settings) : settings_(settings) {}

  int substeps(const Model&, const Controls&, double) const override { return settings_.substeps; }

  StepReport advance(const Model& model, const Input& input, State& state, double h) override {
    const Controls& controls = *input.controls;
    StepReport report;

    // 1. Where inertia and external forces alone would take the cloth
    const Points start = state.positions;
    const Points target = predictor(model, controls, state, h, settings_.velocity_loss);
    Points x =
        settings_.start_with_gravity ? target : inertial_start(model, state, h, settings_.velocity_loss);
    apply_pins(input, x);

    // 2. Minimise F, outside the colliders
    const Projection project = [&](Points& iterate) {
      contact_ =
          settings_.contact_within ? push_out(model, input, start, memory_.probes, iterate) : ContactReport{};
    };
    {
      const Timer timer(report.solve_ms);
      const Energies& energies = energies_of_step(model, controls, start, h, energies_);
      const Objective objective(model, controls, energies, target, h);
      step_ = inverse_diagonal(model, objective);
      descend(objective, project, input, x, report);
      account_for_residual(model, objective, project, x, report);
    }

    // 3. Contact that the descent did not see
    resolve_contacts(model, input, start, memory_, x, report);
    report.contacts = std::max(report.contacts, contact_.contacts);

    // 4. v = (x_{n+1} − x_n)/h
    finish_step(model, input, x, (x - start) / h, memory_, state, report);
    return report;
  }

 private:
  using Projection = std::function<void(Points&)>;

  // x ← ω(x − α D⁻¹∇F − x_last) + x_last until no vertex has more than the tolerance to go. Chebyshev is not
  // monotone, but it must not end worse than it began: every few iterations F is looked at, and if it rose
  // above its start, the best iterate seen comes back, with a shorter step and Chebyshev beginning anew.
  // Every iterate is projected out of the colliders: where that settles, D times the projection's move is the
  // contact force, and friction is Coulomb's.
  void descend(const Objective& objective, const Projection& project, const Input& input, Points& x,
               StepReport& report) {
    project(x);
    show(x);
    Points last = x, next;
    Safeguard safeguard(objective, x);
    Chebyshev chebyshev(settings_.acceleration, settings_.rho, settings_.delay);
    double alpha = 1;
    bool converged = settings_.tolerance == 0;
    for (int k = 0; k < settings_.iterations && !input.is_over(); ++k) {
      objective.gradient(x, scratch_, gradient_);
      if (k == 0) report.residual_start = root_mean_square(gradient_);
      const double omega = chebyshev.next();
      next = last + omega * (x - last - alpha * gradient_ * step_.asDiagonal());
      project(next);
      report.last_move = chebyshev.watch(x, next);
      last.swap(x);
      x.swap(next);
      report.iterations = k + 1;
      show(x);

      const bool settled =
          settings_.tolerance > 0 && chebyshev.distance_estimate(report.last_move) <= settings_.tolerance;
      const bool look = settings_.check_every > 0 &&
                        ((k + 1) % settings_.check_every == 0 || settled || k + 1 == settings_.iterations);
      if (look && !safeguard.accept(x)) {
        last = x;
        alpha *= Safeguard::kStepCut;
        chebyshev.restart();
        ++report.restarts;
      } else if (settled) {
        converged = true;
        break;
      }
    }
    if (!converged) report.status = Status::not_converged;
  }

  // D⁻¹, a number a vertex: friction compares moves, and only an even D makes them forces.
  Scalars inverse_diagonal(const Model& model, const Objective& objective) const {
    Scalars diagonal = 0.5 * stiffness_bound(objective.energies(), model.vertex_count());
    if (settings_.direction == Direction::uniform)
      diagonal.setConstant(settings_.uniform_factor * greatest_stiffness(objective.energies()));
    for (int v = 0; v < model.vertex_count(); ++v) diagonal[v] += objective.inertia(v);
    return diagonal.cwiseInverse();
  }

  // The force that is still unbalanced: −∇F, in contact D (Π(x − D⁻¹∇F) − x); and, without contact, its sum
  // along gravity over the weight that is free to fall.
  void account_for_residual(const Model& model, const Objective& objective, const Projection& project,
                            const Points& x, StepReport& report) {
    objective.gradient(x, scratch_, gradient_);
    Points moved = x - gradient_ * step_.asDiagonal();
    project(moved);
    if (contact_.contacts > 0) gradient_ = (x - moved) * step_.cwiseInverse().asDiagonal();
    report.residual = root_mean_square(gradient_);
    // What stands on a solid loses its weight rightly.
    if (contact_.contacts == 0) report.lost_gravity = lost_gravity(model, objective.controls(), gradient_);
  }

  ImplicitSettings settings_;
  Scratch scratch_;
  Points gradient_;
  Energies energies_;      // of a step that is damped or pulled
  Scalars step_;           // D⁻¹ [m/N]
  ContactReport contact_;  // of the latest projection
  VertexMemory memory_;
};

void choose(SolverSettings& settings, Acceleration acceleration) {
  settings.family = "implicit";
  settings.implicit.acceleration = acceleration;
}

}  // namespace

SolverEntry implicit_family() {
  return {.summary = "implicit Euler as energy minimisation: diagonal descent, plain or with Chebyshev",
          .make = [](const SolverSettings& settings) -> std::unique_ptr<Solver> {
            return std::make_unique<Implicit>(settings.implicit);
          },
          .methods = {{40,
                       "implicit_plain",
                       "Plain descent",
                       "down the gradient, every vertex for itself",
                       {"#c03a08", "#f2551c", "18 4"},
                       [](SolverSettings& s) { choose(s, Acceleration::none); }},
                      {50,
                       "chebyshev",
                       "Chebyshev",
                       "plain descent that carries on in the direction it was going",
                       {"#bb8600", "#ffd166", "8 3"},
                       [](SolverSettings& s) { choose(s, Acceleration::chebyshev); }},
                      {130,
                       "implicit",
                       "Implicit",
                       "the descent family as the scene sets it",
                       {"#183054", "#c0b4b4", "4 2"},
                       [](SolverSettings& s) { s.family = "implicit"; }}}};
}

}  // namespace muslin
