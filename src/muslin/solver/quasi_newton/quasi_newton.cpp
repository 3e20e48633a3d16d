#include <algorithm>
#include <cmath>

#include "muslin/solver/minimiser_step.h"
#include "muslin/solver/quasi_newton/contact_newton.h"
#include "muslin/solver/quasi_newton/free_solve.h"

namespace muslin {

namespace {

constexpr int kEasy = 12;     // iterations of Newton's method above which the next step begins with it, too
constexpr int kInNeed = 120;  // most iterations of a step that would lose momentum or leave bodies behind
constexpr double kMostParts = 1 << 20;  // of a step; far beyond the bound on halvings

bool meets_anything(const Model& model) {
  return model.self_collision.enabled || std::any_of(model.colliders.begin(), model.colliders.end(),
                                                     [](const Collider& c) { return c.enabled; });
}

/// Each step is first solved without contact, by L-BFGS over multigrid. If cloth meets something on the way
/// to that minimum, or the minimum is hard to find, Newton's method with contact takes over. It also begins
/// the next steps until they are easy again.
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
    if (!std::isfinite(x.squaredNorm())) report.status = Status::diverged;  // no finite start
    if (report.status == Status::diverged) return;

    // 1. Solve without contact, unless that was hard in the last step
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

    // 2. Ask for shorter steps where cloth meets something too fast
    if (!is_clear && is_too_fast(*contact, wanted, report)) return;

    // 3. Solve with contact, or what the free solve gave up
    if (!contact) contact.emplace(pairs(objective), problem, x);
    Points from = !is_clear  ? contact->inertial_start()
                  : is_tried ? contact->arrived(wanted)
                             : contact->start();
    x = solve_in_contact(*contact, criteria, std::move(from), report);
    if (is_clear && !criteria.is_late()) problem.starts_with_newton = newton_iterations_ > kEasy;
    if (!meets) stay_within(bound, problem, x, report);
  }

  // True if the step must be cut, since two sides that meet move too far; report.parts says into how many.
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

  // Moves a step that did not converge back to the energy bound. Not in contact: the way back is not known to
  // be clear.
  static void stay_within(const EnergyBound& bound, const StepProblem& problem, Points& x,
                          StepReport& report) {
    if (report.status != Status::not_converged || problem.input.is_over() || !bound.backtrack(x)) return;
    report.residual.reset();
    problem.show(x);
  }

  // Made on first use: its trees of triangles are large.
  PairContact& pairs(const Objective& objective) {
    return pairs_ ? *pairs_ : pairs_.emplace(objective.model(), objective.controls());
  }

  QuasiNewtonSettings settings_;
  NewtonSystem system_;
  FreeSolve free_solve_;
  ConnectedPieces pieces_;
  std::optional<PairContact> pairs_;
  int newton_iterations_ = 0;  // of the last step that used Newton's method
};

}  // namespace

SolverEntry quasi_newton_family() {
  return {.summary = "L-BFGS over a multigrid cycle; Newton's method in contact and where that is slow",
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
                       "one multigrid cycle an iteration, corrected by L-BFGS",
                       {"#609c48", "#0cfc9c", "14 3 5 3"},
                       [](SolverSettings& s) { s.family = "quasi_newton"; }}}};
}

}  // namespace muslin
