#include "muslin/contact/vertices/touch.h"
#include "muslin/solver/minimiser_step.h"
#include "muslin/solver/newton_system.h"
#include "muslin/solver/solver.h"

namespace muslin {

namespace {

/// One linearised implicit step from the positions at its beginning: (M/h² + K) Δx = −∇F(x_n), which is
/// (M − h ∂f/∂v − h² ∂f/∂x) Δv = h (f + h ∂f/∂x v) [Baraff 1998, eq. 16]. Pins and contacts are constraints
/// of the conjugate gradients, exact whatever the number of iterations.
class LinearisedStep {
 public:
  static constexpr auto kContact = ContactForm::held;
  explicit LinearisedStep(const BaraffWitkinSettings& settings)
      : settings_(settings), system_(settings.preconditioner) {}

  void minimise(const StepProblem& problem, Points& x, StepReport& report) {
    const Objective& objective = problem.objective;
    const Points& start = problem.start;

    // 1. Linearise about the beginning of the step
    objective.gradient(start, scratch_, gradient_);
    report.residual_start = root_mean_square(gradient_);
    system_.assemble(objective, start, Hessian::projected);
    const Filter pins = pin_filter(problem.input, start);

    // 2. Solve, beginning with what inertia alone would do, until the contacts agree with the solution
    TouchSet touches(objective.model(), problem.input, start, problem.h);
    Points move = x - start;
    const PcgOptions options{settings_.linear_tolerance, settings_.linear_iterations,
                             settings_.preconditioner, /*same_cycle=*/false, problem.input.budget};
    for (int pass = 0; pass < kMostPasses && !problem.input.is_over(); ++pass) {
      Filter filter = pins;
      touches.hold(filter);
      Points force = -gradient_;
      const std::vector<TouchSet::Drag> drags = touches.drags();
      for (const auto& [v, friction, block, with_surface] : drags) {
        force.col(v) += friction + block * with_surface;
        system_.diagonal(v) += block;
      }
      if (!system_.solve(LinearSolver::pcg, force, filter, options, move, report).converged)
        report.status = Status::not_converged;
      ++report.iterations;
      problem.show(start + move);
      system_.multiply(move, constraint_force_);
      constraint_force_ -= force;
      for (const auto& [v, friction, block, with_surface] : drags) system_.diagonal(v) -= block;
      if (touches.update(move, constraint_force_) == 0) break;
    }

    // 3. The step's end
    report.contacts = touches.contacts();
    report.last_move = std::sqrt(move.colwise().squaredNorm().maxCoeff());
    x = start + move;
  }

 private:
  static constexpr int kMostPasses = 10;  // of contact in a step; 5 and 20 change its work by 3 %

  BaraffWitkinSettings settings_;
  NewtonSystem system_;
  Scratch scratch_;
  Points gradient_, constraint_force_;
};

}  // namespace

SolverEntry baraff_witkin_family() {
  return {.summary = "Baraff and Witkin's linearised step: exact constraints, adaptive time step",
          .make = [](const SolverSettings& settings) -> std::unique_ptr<Solver> {
            return std::make_unique<MinimiserStepOf<LinearisedStep, BaraffWitkinSettings>>(
                settings.baraff_witkin);
          },
          .methods = {{80,
                       "baraff_witkin",
                       "Baraff–Witkin",
                       "one linear system a step, then on to the next",
                       {"#56442c", "#c0ea20", "9 3 2 3 2 3"},
                       [](SolverSettings& s) { s.family = "baraff_witkin"; }}}};
}

}  // namespace muslin
