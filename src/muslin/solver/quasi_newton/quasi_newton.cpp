#include <algorithm>
#include <cmath>

#include "muslin/solver/minimiser_step.h"
#include "muslin/solver/quasi_newton/contact_newton.h"
#include "muslin/solver/quasi_newton/free_solve.h"

namespace muslin {

namespace {

// Iterations of Newton's method after which a step was hard, and the next one starts with Newton's method: a
// free solve that gives up takes up to 25 iterations of its own (free_solve.cpp), which are then spared. With
// 6, hang takes 2.6 times the work, flag 8 % less; with 24, flag 15 % less; drape and fold do not depend on
// it.
constexpr int kEasy = 12;
// Iterations of a step that would else take momentum of a piece, or leave bodies where they were: half of
// them for either. Where settings say how many iterations there may be, so many there are.
constexpr int kInNeed = 120;
// Most parts of a step that may be asked for: a bound for numbers, not for methods, as halvings end far
// before.
constexpr double kMostParts = 1 << 20;

bool meets_anything(const Model& model) {
  return model.self_collision.enabled || std::any_of(model.colliders.begin(), model.colliders.end(),
                                                     [](const Collider& c) { return c.enabled; });
}

/// A free solve (L-BFGS over multigrid), if nothing is met on the way to its minimum. If something is, or the
/// minimum is hard to find, Newton's method with contact goes on, and begins the next steps until they are
/// easy.
class QuasiNewton {
 public:
  static constexpr auto kContact = ContactForm::pairs;
  explicit QuasiNewton(const QuasiNewtonSettings& settings)
      : settings_(settings), system_(Preconditioner::multigrid), free_solve_(settings) {}

  void minimise(const StepProblem& problem, Points& x, StepReport& report) {
    find_minimum(problem, x, report);
    if (pairs_) report.detections = pairs_->take_detections();
  }

 private:
  void find_minimum(const StepProblem& problem, Points& x, StepReport& report) {
    const Objective& objective = problem.objective;
    const bool meets = meets_anything(objective.model());
    const EnergyBound bound(problem, settings_.integrator);
    if (pieces_.size() == 0) pieces_ = system_.pieces(objective);
    const StopCriteria criteria(settings_, problem, pieces_, bound);
    problem.show(problem.start);
    if (!std::isfinite(x.squaredNorm())) report.status = Status::diverged;  // nothing to start from
    if (report.status == Status::diverged) return;

    // 1. As if there were nothing to meet, unless that was hard in the last step
    std::optional<ContactProblem> contact;
    if (meets || problem.starts_with_newton) contact.emplace(pairs(objective), problem, x);
    Points wanted = x;
    bool is_clear = !meets || contact->is_clear(wanted);
    const bool is_tried = is_clear && !problem.starts_with_newton;
    if (is_tried) {
      const bool arrived = free_solve_.minimise(problem, criteria, system_, wanted, report);
      is_clear = !meets || contact->is_clear(wanted);
      const bool is_over = report.iterations >= settings_.most_iterations() || criteria.is_late();
      if (is_clear && (arrived || is_over)) {
        x = std::move(wanted);
        problem.blocked.resize(3, 0);
        problem.slips.clear();
        if (!arrived && !meets) stay_within(bound, problem, x, report);
        return;
      }
    }

    // 2. Something is met, and comes too fast
    if (!is_clear && is_too_fast(*contact, wanted, report)) return;

    // 3. Something is met, or the minimum is hard to find
    if (!contact) contact.emplace(pairs(objective), problem, x);
    Points from = !is_clear  ? contact->inertial_start()
                  : is_tried ? contact->arrived(wanted)
                             : contact->start();
    x = solve_in_contact(*contact, criteria, std::move(from), report);
    if (is_clear && !criteria.is_late()) problem.starts_with_newton = newton_iterations_ > kEasy;
    if (!meets) stay_within(bound, problem, x, report);
  }

  // Asks for a step in parts where it may be cut, and what meets moves far.
  bool is_too_fast(const ContactProblem& contact, const Points& wanted, StepReport& report) const {
    const StepProblem& problem = contact.step();
    if (!problem.input.may_be_cut || problem.blocked.cols() > 0) return false;
    const double parts = contact.relative_motion(wanted) / settings_.relative_motion;
    report.parts = static_cast<int>(std::clamp(std::ceil(parts), 1.0, kMostParts));
    return report.parts > 1;
  }

  Points solve_in_contact(ContactProblem& contact, const StopCriteria& criteria, Points from,
                          StepReport& report) {
    const int before = report.iterations, most = std::max(1, settings_.most_iterations() - before);
    ContactNewton newton(contact, criteria, system_, settings_.forcing, report);
    const int in_need = settings_.iterations ? most : std::max(most, kInNeed - before);
    Points x = newton.minimise(std::move(from), most, in_need);
    ++report.handovers;
    newton_iterations_ = report.iterations - before;
    return x;
  }

  // Backtracks to the energy bound what did not converge, unless the way back may be barred: only straight
  // ways between cloth and cloth are known to be clear that were looked at.
  static void stay_within(const EnergyBound& bound, const StepProblem& problem, Points& x,
                          StepReport& report) {
    if (report.status != Status::not_converged || problem.input.is_over() || !bound.backtrack(x)) return;
    report.residual.reset();
    problem.show(x);
  }

  // Made when they are needed first: trees of all triangles are large.
  PairContact& pairs(const Objective& objective) {
    return pairs_ ? *pairs_ : pairs_.emplace(objective.model(), objective.controls());
  }

  QuasiNewtonSettings settings_;
  NewtonSystem system_;
  FreeSolve free_solve_;
  ConnectedPieces pieces_;
  std::optional<PairContact> pairs_;
  int newton_iterations_ = 0;  // of the last step with Newton's method
};

}  // namespace

SolverEntry quasi_newton_family() {
  return {.summary = "L-BFGS that begins with a multigrid cycle; Newton's method where that is slow",
          .make = [](const SolverSettings& settings) -> std::unique_ptr<Solver> {
            QuasiNewtonSettings chosen = settings.quasi_newton;
            chosen.adaptive = chosen.halves();
            chosen.accuracy = chosen.error_of_frame();
            return std::make_unique<MinimiserStepOf<QuasiNewton, QuasiNewtonSettings>>(chosen);
          },
          .keeps_out = true,
          .keeps_pairs_apart = [](const SolverSettings&) { return true; },
          .tells_convergence = true,
          .methods = {{110,
                       "quasi_newton",
                       "Quasi-Newton",
                       "one multigrid cycle an iteration, corrected by what the last ones taught",
                       {"#609c48", "#0cfc9c", "14 3 5 3"},
                       [](SolverSettings& s) { s.family = "quasi_newton"; }}}};
}

}  // namespace muslin
