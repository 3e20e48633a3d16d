#include <deque>

#include "muslin/model/forces.h"
#include "muslin/solver/contact_newton.h"
#include "muslin/solver/lbfgs.h"
#include "muslin/solver/line_search.h"
#include "muslin/solver/minimiser_step.h"
#include "muslin/solver/newton_system.h"
#include "muslin/solver/solver.h"

namespace muslin {

namespace {

constexpr double kShortStep = 0.5;         // of a direction, below which its matrix is given up
constexpr int kWindow = 3;                 // iterations over which progress is measured
constexpr double kSlow = 0.6 * 0.6 * 0.6;  // of g·d, that is left after a window of slow iterations
constexpr int kMostRebuilds = 2;           // in a step, because of slowness
constexpr int kLongStep = 25;              // iterations after which Newton's method takes over
constexpr double kLeastFlattened = 1e-6;   // of a slope, that a step is believed to take away
constexpr int kEasy = 12;                  // iterations of Newton's method after a step that was hard
constexpr double kMostParts = 1 << 20;     // of a step
constexpr double kCalm = 1e-6;             // of the energies that meet, by which their sum may rise
constexpr double kBack = 0.7;              // of a way, to go back to where energy is less
constexpr double kLeastShare = 1e-6;       // of a way that is worth going

/// The energy of an undisturbed step: motion, elasticity and constant forces. Backward Euler's minimum
/// never has more of it than the step began with (of convex energies), an iterate may. Of BDF2 that is not
/// so.
class EnergyWatch {
 public:
  EnergyWatch(const Task& task, Integrator integrator)
      : task_(task), model_(task.objective.model()), controls_(task.objective.controls()) {
    Points held = task.start;
    apply_pins(task.input, held);
    watches_ = integrator == Integrator::euler && held == task.start && model_.colliders.empty() &&
               !blows(controls_.wind) && controls_.force.cols() == 0;
    if (!watches_) return;
    const Points velocity =
        ((task.objective.target() - task.start) / task.h).colwise() - task.h * controls_.gravity;
    before_ = energy(task.start, velocity);
  }
  bool is_calm(const Points& x) const {
    if (!watches_) return true;
    const Energy after = energy(x, (x - task_.start) / task_.h);
    return after.sum <= before_.sum + kCalm * std::max(after.size, before_.size);
  }
  /// Goes back towards the start, where nothing moves, until energy is what it was. Whether it had to.
  bool calm_down(Points& x) const {
    if (is_calm(x)) return false;
    const Points way = x - task_.start;
    for (double share = 1; share > 0 && !is_calm(x);) {
      share = share > kLeastShare ? kBack * share : 0;
      x = task_.start + share * way;
    }
    return true;
  }

 private:
  struct Energy {
    double sum = 0, size = 0;  // [J]; size: of what is summed
  };
  Energy energy(const Points& x, const Points& velocity) const {
    const Points v = velocity.cwiseProduct(controls_.free);
    const double inner = kinetic_energy(model_, v) + elastic_energy(task_.objective.energies(), x);
    const double height = -controls_.gravity.dot((x - task_.start) * model_.mass);
    return {inner + height, std::max(inner, std::abs(inner + height))};
  }
  const Task& task_;
  const Model& model_;
  const Controls& controls_;
  bool watches_;
  Energy before_;
};

bool meets_anything(const Model& model) {
  return model.self_collision.enabled || std::any_of(model.colliders.begin(), model.colliders.end(),
                                                     [](const Collider& c) { return c.enabled; });
}

/// How quickly directions of one matrix lead on.
class Pace {
 public:
  void reset() { decreases_.clear(); }
  /// Takes note of g·d of an iteration; true if it is hardly less than that of some iterations ago.
  bool is_slow(double decrease) {
    decreases_.push_back(decrease);
    if (static_cast<int>(decreases_.size()) <= kWindow) return false;
    if (static_cast<int>(decreases_.size()) > kWindow + 1) decreases_.pop_front();
    return decrease > kSlow * decreases_.front();
  }

 private:
  std::deque<double> decreases_;  // oldest first
};

/// L-BFGS on F whose first inverse is a multigrid cycle on the Hessian at the predicted state. Where that
/// Hessian grows stale it is built anew; where that does not help, Newton's method with the same cycle as
/// preconditioner goes on from there, and begins the next steps until they are easy; so it does, with the
/// rows of contact, in steps in which cloth meets anything.
class QuasiNewton {
 public:
  static constexpr auto kContact = ContactForm::pairs;
  explicit QuasiNewton(const QuasiNewtonSettings& settings)
      : settings_(settings), system_(Preconditioner::multigrid), memory_(settings.history) {}

  void minimise(const Task& task, Points& x, StepReport& report) {
    const EnergyWatch watch(task, settings_.integrator);
    task.show(task.start);
    find_minimum(task, watch, x, report);
    // The straight way back is not known to be clear where cloth meets cloth.
    if (report.status != Status::not_converged || task.input.is_over()) return;
    if (meets_anything(task.objective.model())) return;
    if (!watch.calm_down(x)) return;
    report.residual.reset();
    task.show(x);
  }

 private:
  void find_minimum(const Task& task, const EnergyWatch& watch, Points& x, StepReport& report) {
    const Model& model = task.objective.model();
    const bool meets = meets_anything(model);
    if (!std::isfinite(x.squaredNorm())) {  // nothing to start from
      report.status = Status::diverged;
      return;
    }

    // 1. As if there were nothing to meet, unless that was hard in the last step
    if (meets || task.starts_with_newton) newton(task.objective).begin(task, x);
    Points wanted = x;
    bool is_clear = !meets || newton_->is_clear(wanted);
    if (is_clear && !task.starts_with_newton) {
      const bool arrived = descend(task, watch, wanted, report);
      is_clear = !meets || newton_->is_clear(wanted);
      if (is_clear && (arrived || report.iterations >= settings_.most_iterations())) {
        x = std::move(wanted);
        task.blocked.resize(3, 0);
        return;
      }
      if (is_clear) {
        if (!meets) newton(task.objective).begin(task, x);
        newton_->go_to(wanted);
      }
    }

    // 2. Something is met, and comes too fast
    if (!is_clear && task.may_be_cut && task.blocked.cols() == 0) {
      const double parts = newton_->relative_motion(wanted) / settings_.relative_motion;
      report.parts = static_cast<int>(std::clamp(std::ceil(parts), 1.0, kMostParts));
      if (report.parts > 1) return;
    }

    // 3. Something is met, or the minimum is hard to find
    if (!is_clear) newton_->coast(task);
    const int before = report.iterations, most = std::max(1, settings_.most_iterations() - before);
    newton_->minimise(task,
                      {nearness(task.h), most, settings_.forcing,
                       [&](const Points& g, const Points& d) {
                         find_pieces(task.objective);
                         const double way = pieces_.way_to_go(g, d, task.h);
                         return report.contacts > 0 ? std::max(way, way_of_pieces(g, task.h)) : way;
                       },
                       [&](const Points& at) { return report.contacts > 0 || watch.is_calm(at); }},
                      system_, x, report);
    ++report.handovers;
    if (is_clear) task.starts_with_newton = report.iterations - before > kEasy;
  }

  // Made when it is needed first: its trees of all triangles are large.
  ContactNewton& newton(const Objective& objective) {
    return newton_ ? *newton_ : newton_.emplace(objective.model(), objective.controls());
  }

  double nearness(double h) const { return settings_.nearness() * std::min(1.0, h / kNominalStep); }

  // What slides does not come to its speed if every step leaves a part of what it would have gained: friction
  // and weight leave little, with the same sign in every step. In contact, what is left of the forces on a
  // piece as a whole counts as a length, too, unless pins take it.
  double way_of_pieces(const Points& gradient, double h) const {
    return nearness(h) / (settings_.nearness() * ConnectedPieces::kLostAcceleration) *
           pieces_.lost_acceleration(gradient);
  }

  // From x to the minimum, or as near as it comes without difficulty. Whether it arrived.
  bool descend(const Task& task, const EnergyWatch& watch, Points& x, StepReport& report) {
    const Objective& objective = task.objective;
    report.status = Status::not_converged;
    here_.x = x;
    evaluate(objective, scratch_, here_);
    report.residual_start = root_mean_square(here_.gradient);
    task.show(here_.x);
    filter_ = pin_filter(task.input, here_.x);
    follow(task, watch, report);
    x = here_.x;
    return report.status == Status::ok;
  }

  void follow(const Task& task, const EnergyWatch& watch, StepReport& report) {
    const Objective& objective = task.objective;
    const double tolerance = nearness(task.h);
    const int most = settings_.most_iterations();
    if (!rebuild(objective)) return;
    int slow_rebuilds = 0;
    double flattened = 1;  // share of the slope that the last step's length has taken away

    for (int k = 0; k <= most && task.input.spend(); ++k) {
      // 1. Downwards
      if (!find_direction()) return;

      // 2. Near enough?
      const double way = pieces_.way_to_go(here_.gradient, direction_, task.h) / std::sqrt(flattened);
      if (k > 0 && way <= tolerance && watch.is_calm(here_.x)) {
        report.status = Status::ok;
        return;
      }
      if (k == most) return;

      // 3. As far as F falls
      const bool fresh = memory_.empty();  // a direction of H at the iterate
      const double decrease = -dot(here_.gradient, direction_);
      const double length = search_line(objective, here_, direction_, scratch_, next_, kShortStep);
      report.iterations = k + 1;
      if (length > 0) {
        flattened =
            std::clamp((1 + dot(next_.gradient, direction_) / decrease) / length, kLeastFlattened, 1.0);
        memory_.add(here_.x, next_.x, here_.gradient, next_.gradient);
        std::swap(here_, next_);
        report.last_move = length * std::sqrt(direction_.colwise().squaredNorm().maxCoeff());
        task.show(here_.x);
      } else if (fresh) {  // no way down: rounding hides what is left, if it is little
        if (k > 0 && way <= tolerance && watch.is_calm(here_.x)) report.status = Status::ok;
        return;
      }

      // 4. A matrix that no longer fits, or too many iterations
      const bool slow = pace_.is_slow(decrease);
      if (k > kLongStep || (slow && slow_rebuilds == kMostRebuilds)) return;
      if (length < kShortStep || slow) {
        if (slow) ++slow_rebuilds;
        ++report.rebuilds;
        if (!rebuild(objective)) return;
      }
    }
  }

  // The Hessian at the iterate, and cycles on it. False if it is not positive definite.
  bool rebuild(const Objective& objective) {
    memory_.clear();
    pace_.reset();
    system_.assemble(objective, here_.x, Hessian::projected);
    find_pieces(objective);
    return system_.update_multigrid(filter_);
  }

  void find_pieces(const Objective& objective) {
    if (pieces_.size() == 0) pieces_ = system_.pieces(objective);
  }

  bool find_direction() {
    memory_.direction(
        here_.gradient, [&](const Points& b, Points& d) { system_.cycle(b, d); }, direction_);
    return direction_.allFinite();
  }

  QuasiNewtonSettings settings_;
  NewtonSystem system_;
  Lbfgs memory_;
  Pace pace_;
  ConnectedPieces pieces_;
  Filter filter_;
  Scratch scratch_;
  Points direction_;
  Iterate here_, next_;
  std::optional<ContactNewton> newton_;  // finishes what is in contact, or difficult
};

}  // namespace

SolverEntry quasi_newton_family() {
  return {.summary = "L-BFGS that begins with a multigrid cycle; Newton's method where that is slow",
          .make = [](const SolverSettings& settings) -> std::unique_ptr<Solver> {
            QuasiNewtonSettings chosen = settings.quasi_newton;
            chosen.adaptive = chosen.halves();
            return std::make_unique<MinimiserStep<QuasiNewton, QuasiNewtonSettings>>(chosen);
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
