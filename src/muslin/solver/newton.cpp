#include "muslin/solver/line_search.h"
#include "muslin/solver/minimiser_step.h"
#include "muslin/solver/newton_system.h"
#include "muslin/solver/solver.h"

namespace muslin {

namespace {

// Of a full step: thirty halvings, a guard against directions that lead nowhere.
constexpr double kShortestStep = 1e-9;

/// Newton's method with line search on F.
class Newton {
 public:
  static constexpr auto kContact = ContactForm::energy;
  explicit Newton(const NewtonSettings& settings) : settings_(settings), system_(settings.preconditioner) {}

  void minimise(const StepProblem& problem, Points& x, StepReport& report) {
    const Objective& objective = problem.objective;
    const Filter filter = pin_filter(problem.input, x);
    report.status = Status::not_converged;
    problem.show(x);
    here_.x = x;
    LineStep step;
    bool is_short = false;  // the last direction
    for (int k = 0; k < settings_.iterations && problem.input.spend(); ++k) {
      // 1. Where F falls
      if (k > 0) objective.lag(here_.x);
      objective.gradient(here_.x, scratch_, here_.gradient);
      const double residual = root_mean_square(here_.gradient);
      if (k == 0) report.residual_start = residual;
      if (residual <= settings_.residual * *report.residual_start ||
          (is_short && !pieces_lack_force(objective))) {
        report.status = Status::ok;
        break;
      }

      // 2. H d = −∇F
      find_direction(problem, filter, residual / *report.residual_start, report);

      // 3. As far along d as F falls
      const bool was_in_rounding = step.in_rounding;
      step = descend(problem);
      const double before = report.last_move;
      const double way = std::sqrt(direction_.colwise().squaredNorm().maxCoeff());
      report.last_move = step.length * way;
      report.iterations = k + 1;

      // 4. Enough, or as near as numbers of this size can tell
      const bool at_rounding =
          step.in_rounding && (step.length == 0 || (was_in_rounding && report.last_move >= before));
      is_short = way <= settings_.tolerance;
      if ((is_short && (!objective.contact() || step.length == 0)) || at_rounding) report.status = Status::ok;
      if (report.status == Status::ok || step.length == 0) break;  // 0: no way down
    }
    x = here_.x;
  }

 private:
  // Slips that friction allows are shorter than any tolerance: of what slides, forces tell.
  bool pieces_lack_force(const Objective& objective) {
    if (pieces_.size() == 0) pieces_ = system_.pieces(objective);
    return pieces_.lost_acceleration(here_.gradient) >
           ConnectedPieces::tolerated_acceleration(settings_.tolerance);
  }

  // The relative error of linear solves falls with the residual, so that convergence stays superlinear [Dembo
  // 1982]. An indefinite exact Hessian gives way to the projected one, for this iteration.
  void find_direction(const StepProblem& problem, const Filter& filter, double relative_residual,
                      StepReport& report) {
    const PcgOptions options{std::min(settings_.forcing, std::sqrt(relative_residual)),
                             settings_.linear_iterations, settings_.preconditioner, /*same_cycle=*/false,
                             problem.input.budget};
    const Points force = -here_.gradient;
    const auto solve = [&](Hessian which) {
      direction_ = Points::Zero(3, here_.x.cols());
      system_.assemble(problem.objective, here_.x, which);
      return system_.solve(settings_.linear, force, filter, options, direction_, report);
    };
    if (settings_.curvature == Curvature::on_demand && !solve(Hessian::exact).negative_curvature) return;
    solve(Hessian::projected);
  }

  LineStep descend(const StepProblem& problem) {
    here_.value = problem.objective.value(here_.x);
    const LineStep step = search_line(problem.objective, here_, direction_, kSearch, scratch_, next_);
    if (step.length > 0) std::swap(here_.x, next_.x);
    problem.show(here_.x);
    return step;
  }

  static constexpr LineSearch kSearch{Rounding::by_slope, /*longest=*/1, kShortestStep, /*parabola=*/false,
                                      /*wants_gradient=*/false};

  NewtonSettings settings_;
  NewtonSystem system_;
  ConnectedPieces pieces_;
  Scratch scratch_;
  Points direction_;
  Iterate here_, next_;
};

}  // namespace

SolverEntry newton_family() {
  return {
      .summary =
          "Newton's method on the incremental potential: line search, projected curvature, PCG or Cholesky",
      .make = [](const SolverSettings& settings) -> std::unique_ptr<Solver> {
        return std::make_unique<MinimiserStepOf<Newton, NewtonSettings>>(settings.newton);
      },
      .tells_convergence = true,
      .methods = {{90,
                   "newton",
                   "Newton",
                   "linear systems until nothing moves",
                   {"#1f4fd8", "#6f9dff", "24 3"},
                   [](SolverSettings& s) { s.family = "newton"; }},
                  {100,
                   "newton_multigrid",
                   "Newton multigrid",
                   "Newton whose linear systems are solved on meshes of all sizes at once",
                   {"#0c00b4", "#186c84", "24 3 2 3"},
                   [](SolverSettings& s) {
                     s.family = "newton";
                     s.newton.preconditioner = Preconditioner::multigrid;
                   }}}};
}

}  // namespace muslin
