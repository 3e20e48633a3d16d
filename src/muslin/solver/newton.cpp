#include "muslin/solver/line_search.h"
#include "muslin/solver/minimiser_step.h"
#include "muslin/solver/newton_system.h"
#include "muslin/solver/solver.h"

namespace muslin {

namespace {

constexpr int kMostHalvings = 30;

/// Newton's method with line search on F.
class Newton {
 public:
  static constexpr auto kContact = ContactForm::energy;
  explicit Newton(const NewtonSettings& settings) : settings_(settings), system_(settings.preconditioner) {}

  void minimise(const Task& task, Points& x, StepReport& report) {
    const Objective& objective = task.objective;
    const Filter filter = pin_filter(task.input, x);
    report.status = Status::not_converged;
    task.show(x);
    bool is_short = false;  // the last direction
    for (int k = 0; k < settings_.iterations && task.input.spend(); ++k) {
      // 1. Where F falls
      if (k > 0) objective.lag(x);
      objective.gradient(x, scratch_, gradient_);
      const double residual = root_mean_square(gradient_);
      if (k == 0) report.residual_start = residual;
      if (residual <= settings_.residual * *report.residual_start || (is_short && !pieces_lack_force(task))) {
        report.status = Status::ok;
        return;
      }

      // 2. H d = −∇F
      find_direction(task, x, filter, residual / *report.residual_start, report);

      // 3. As far along d as F falls
      const bool was_in_rounding = k > 0 && in_rounding_;
      const double length = search_line(objective, x);
      x += length * direction_;
      task.show(x);
      const double before = report.last_move;
      const double way = std::sqrt(direction_.colwise().squaredNorm().maxCoeff());
      report.last_move = length * way;
      report.iterations = k + 1;

      // 4. Enough, or as near as numbers of this size can tell
      const bool at_rounding =
          in_rounding_ && (length == 0 || (was_in_rounding && report.last_move >= before));
      is_short = way <= settings_.tolerance;
      if ((is_short && !objective.contact()) || at_rounding) {
        report.status = Status::ok;
        return;
      }
      if (length == 0) {  // no way down
        if (is_short) report.status = Status::ok;
        return;
      }
    }
  }

 private:
  // Slips that friction allows are shorter than any tolerance: of what slides, forces tell.
  bool pieces_lack_force(const Task& task) {
    if (pieces_.size() == 0) pieces_ = system_.pieces(task.objective);
    return pieces_.lost_acceleration(gradient_) >
           ConnectedPieces::tolerated_acceleration(settings_.tolerance);
  }

  // The relative error of linear solves falls with the residual, so that convergence stays superlinear [Dembo
  // 1982]. An indefinite exact Hessian gives way to the projected one, for this iteration.
  void find_direction(const Task& task, const Points& x, const Filter& filter, double relative_residual,
                      StepReport& report) {
    const PcgOptions options{std::min(settings_.forcing, std::sqrt(relative_residual)),
                             settings_.linear_iterations, settings_.preconditioner, /*same_matrix=*/false,
                             task.input.budget};
    const Points force = -gradient_;
    const auto solve = [&](Hessian which) {
      direction_ = Points::Zero(3, x.cols());
      system_.assemble(task.objective, x, which);
      return system_.solve(settings_.linear, force, filter, options, direction_, report);
    };
    if (settings_.curvature == Curvature::on_demand && !solve(Hessian::exact).negative_curvature) return;
    solve(Hessian::projected);
  }

  // Halves the step until F falls by a share of what its slope promises [Armijo 1966]; 0 if it never does.
  // Where the slope promises less than F's rounding, it must not rise as steeply there [Hager & Zhang 2005,
  // eq. 4].
  double search_line(const Objective& objective, const Points& x) {
    const double slope = gradient_.cwiseProduct(direction_).sum(), value = objective.value(x);
    in_rounding_ = -slope <= kNoise * std::abs(value);
    const auto falls = [&](double length) {
      const Points trial = x + length * direction_;
      if (!in_rounding_) return objective.value(trial) <= value + kArmijo * length * slope;
      objective.gradient(trial, scratch_, trial_gradient_);
      return trial_gradient_.cwiseProduct(direction_).sum() <= (2 * kArmijo - 1) * slope;
    };
    double length = 1;
    for (int k = 0; k < kMostHalvings; ++k, length /= 2)
      if (falls(length)) return length;
    return 0;
  }

  NewtonSettings settings_;
  NewtonSystem system_;
  ConnectedPieces pieces_;
  Scratch scratch_;
  Points gradient_, direction_, trial_gradient_;
  bool in_rounding_ = false;  // the last direction promised less than F can tell
};

}  // namespace

SolverEntry newton_family() {
  return {
      .summary =
          "Newton's method on the incremental potential: line search, projected curvature, PCG or Cholesky",
      .make = [](const SolverSettings& settings) -> std::unique_ptr<Solver> {
        return std::make_unique<MinimiserStep<Newton, NewtonSettings>>(settings.newton);
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
