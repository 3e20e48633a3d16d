#include <algorithm>

#include "muslin/energy/assembly.h"
#include "muslin/linear/cholesky.h"
#include "muslin/solver/chebyshev.h"
#include "muslin/solver/lbfgs.h"
#include "muslin/solver/line_search.h"
#include "muslin/solver/minimiser_step.h"
#include "muslin/solver/solver.h"

namespace muslin {

namespace {

constexpr int kMeasuredFrom = 4;  // iterations before their rate is measured: 2 the same on hang, 8 +5 %

// M/h² + Σ majorants, one number for two vertices, factored. It stays the same from step to step, and with it
// the factor, until cloth touches colliders: their stiffness, on the diagonal, must be in it, or no direction
// is any good.
class ConstantMatrix {
 public:
  // For a step that begins to descend from x. False if the matrix is not positive definite.
  bool prepare(const Objective& objective, const Points& x) {
    if (assembly_.pattern()->rows() == 0)
      assembly_ = HessianAssembly(objective.energies(), objective.model().vertex_count());
    Eigen::SparseMatrix<double> matrix = assembly_.majorant_matrix(objective.energies());
    matrix.diagonal() += diagonal_at(objective, x);
    if (is_same(matrix)) return is_positive_;
    matrix_.swap(matrix);
    is_positive_ = cholesky_.factorize(matrix_, objective.controls().free);
    return is_positive_;
  }

  void solve(const Points& b, Points& x) const { cholesky_.solve(b, x); }

 private:
  // Its places are the assembly's.
  bool is_same(const Eigen::SparseMatrix<double>& matrix) const {
    return std::equal(matrix.valuePtr(), matrix.valuePtr() + matrix.nonZeros(), matrix_.valuePtr(),
                      matrix_.valuePtr() + matrix_.nonZeros());
  }

  static Scalars diagonal_at(const Objective& objective, const Points& x) {
    Scalars diagonal(objective.model().vertex_count());
    for (int v = 0; v < diagonal.size(); ++v) {
      diagonal[v] = objective.inertia(v);
      if (objective.contact()) diagonal[v] += objective.contact()->hessian_psd(v, x.col(v)).norm();
    }
    return diagonal;
  }

  HessianAssembly assembly_;
  Eigen::SparseMatrix<double> matrix_;
  AxisCholesky cholesky_;
  bool is_positive_ = false;
};

// Descends along −B⁻¹∇F, where B is first the constant matrix that local and global steps of projective
// dynamics amount to, and then what L-BFGS learns [Liu 2017, alg. 1].
class Projective {
 public:
  static constexpr auto kContact = ContactForm::energy;
  explicit Projective(const ProjectiveSettings& settings) : settings_(settings), memory_(settings.history) {}

  void minimise(const StepProblem& problem, Points& x, StepReport& report) {
    report.status = settings_.tolerance > 0 ? Status::not_converged : Status::ok;
    here_.x = x;
    evaluate(problem.objective, scratch_, here_);
    if (matrix_.prepare(problem.objective, x)) descend(problem, report);
    x = here_.x;
  }

 private:
  void descend(const StepProblem& problem, StepReport& report) {
    const Objective& objective = problem.objective;
    memory_.clear();
    Chebyshev progress(Acceleration::none, {}, kMeasuredFrom);
    report.residual_start = root_mean_square(here_.gradient);
    problem.show(here_.x);
    while (report.iterations < settings_.iterations && !problem.input.is_over()) {
      // 1. Friction follows x, which makes F another one
      if (objective.contact() && report.iterations > 0) {
        objective.lag(here_.x);
        evaluate(objective, scratch_, here_);
      }

      // 2. As far along the direction as F decreases
      memory_.direction(
          here_.gradient, [&](const Points& b, Points& y) { matrix_.solve(b, y); }, direction_);
      const double length = search_line(objective, here_, direction_, LineSearch(), scratch_, next_).length;
      progress.next();
      const double whole = progress.watch(here_.x, here_.x + direction_);
      const double promised =
          length > 0 ? whole / slope_reduction(here_, next_, direction_, length) : whole;  // B is too stiff
      ++report.iterations;

      // 3. Learn from it, or forget what was learnt
      if (length > 0) {
        memory_.add(here_.x, next_.x, here_.gradient, next_.gradient);
        std::swap(here_, next_);
        report.last_move = length * whole;
        problem.show(here_.x);
      }
      if (settings_.tolerance > 0 &&
          std::max(progress.distance_estimate(whole), promised) <= settings_.tolerance) {
        report.status = Status::ok;
        return;
      }
      if (length > 0) continue;
      if (memory_.empty()) {  // no way down: rounding hides what is left, if it is little
        if (settings_.tolerance > 0 && whole <= settings_.tolerance) report.status = Status::ok;
        return;
      }
      memory_.clear();
      ++report.restarts;
    }
  }

  ProjectiveSettings settings_;
  ConstantMatrix matrix_;
  Lbfgs memory_;
  Scratch scratch_;
  Points direction_;
  Iterate here_, next_;
};

}  // namespace

SolverEntry projective_family() {
  return {.summary = "projective dynamics in gradient form: one matrix, factored once, and L-BFGS on top",
          .make = [](const SolverSettings& settings) -> std::unique_ptr<Solver> {
            return std::make_unique<MinimiserStepOf<Projective, ProjectiveSettings>>(settings.projective);
          },
          .methods = {{70,
                       "projective",
                       "Projective",
                       "one matrix, factored once, for every step and iteration",
                       {"#1f9dc9", "#8fdcff", "12 4"},
                       [](SolverSettings& s) { s.family = "projective"; }}}};
}

}  // namespace muslin
