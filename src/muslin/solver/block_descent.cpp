#include <Eigen/Cholesky>

#include "muslin/core/parallel.h"
#include "muslin/energy/vertex.h"
#include "muslin/geometry/vertex_colouring.h"
#include "muslin/solver/chebyshev.h"
#include "muslin/solver/families.h"
#include "muslin/solver/minimiser_step.h"
#include "muslin/solver/safeguard.h"

namespace muslin {

namespace {

constexpr int kLookEvery = 8;        // iterations between two looks at F
constexpr int kDelay = 8;            // plain iterations before Chebyshev begins
constexpr int kGrainVertices = 128;  // a vertex visits some thirty elements

// A vertex after another goes to the minimum of F's quadratic model about it, all others resting. F sinks
// with nearly every move; a look at it every few iterations catches the rest. Vertices of one colour share no
// element and move at once.
class BlockDescent {
 public:
  static constexpr auto kContact = ContactForm::energy;
  explicit BlockDescent(const BlockDescentSettings& settings) : settings_(settings) {}

  void minimise(const Task& task, Points& x, StepReport& report) {
    const Objective& objective = task.objective;
    prepare(objective);
    task.show(x);
    const bool accelerated = settings_.acceleration == Acceleration::chebyshev;
    Chebyshev chebyshev(settings_.acceleration, settings_.rho, kDelay);
    objective.lag(x);
    Safeguard safeguard(objective, x);
    Points last = x, next;
    bool converged = settings_.tolerance == 0;
    for (int k = 1; report.iterations < settings_.iterations && !task.input.is_over(); ++k) {
      // 1. Sweep, for Chebyshev there and back: only then do errors shrink without turning, as it takes them
      // to
      objective.lag(x);
      next = x;
      for (const Group& group : groups_) move(objective, group, next);
      for (auto group = groups_.rbegin(); accelerated && group != groups_.rend(); ++group)
        move(objective, *group, next);
      report.iterations += accelerated ? 2 : 1;

      // 2. Accelerate
      if (const double omega = chebyshev.next(); omega > 1) accelerate(omega, last, next);
      report.last_move = chebyshev.watch(x, next);
      last.swap(x);
      x.swap(next);
      task.show(x);

      // 3. Look at F, and begin anew with shorter moves if it rose
      const bool settled =
          settings_.tolerance > 0 && chebyshev.way_to_go(report.last_move) <= settings_.tolerance;
      const bool is_last = report.iterations >= settings_.iterations;
      if (!settled && !is_last && k % kLookEvery != 0) continue;
      if (!safeguard.accept(x)) {
        last = x;
        length_ *= Safeguard::kStepCut;
        chebyshev.restart();
        ++report.restarts;
      } else if (settled) {
        converged = true;
        break;
      }
    }
    if (!converged) report.status = Status::not_converged;
  }

 private:
  using Group = std::vector<int>;

  void prepare(const Objective& objective) {
    const int n = objective.model().vertex_count();
    length_ = 1;
    touches_.assign(n, false);
    if (!groups_.empty()) return;
    groups_ = colour_vertices(
        n, [&](int v, const auto& visit) { for_each_neighbour(objective.energies(), v, visit); });
  }

  void move(const Objective& objective, const Group& group, Points& x) {
    parallel_for(
        static_cast<int>(group.size()), [&](int i) { move_vertex(objective, group[i], x); }, kGrainVertices);
  }

  // To the minimum of the quadratic model about x_v, with length_ 1 [Chen 2024, eq. 5 to 8]. Colliders begin
  // and end to press within a move, so that a model of them taken where it begins would throw vertices in and
  // out for ever: it is taken again where the move ended.
  void move_vertex(const Objective& objective, int v, Points& x) {
    const double inertia = objective.inertia(v);
    const Vec3 start = x.col(v);
    Vec3 gradient = inertia * (start - objective.target().col(v));
    Mat3 block = inertia * Mat3::Identity();
    objective.energies().each([&](const auto& energy) { add_vertex_terms(energy, x, v, gradient, block); });
    const Vec3 free = objective.controls().free.col(v);
    Vec3 end = start;
    for (int k = 0; k < (objective.contact() ? 2 : 1); ++k) {
      Vec3 force = gradient + block * (end - start);
      Mat3 stiffness = block;
      if (const ContactEnergy* contact = objective.contact()) {
        force += contact->gradient(v, end);
        stiffness += contact->hessian_psd(v, end);
      }
      end -= solve_in_free_axes(stiffness, force, free);
    }
    touches_[v] = objective.contact() && objective.contact()->hessian_psd(v, end).trace() > 0;
    x.col(v) = start + length_ * (end - start);
  }

  static Vec3 solve_in_free_axes(Mat3 stiffness, Vec3 force, const Vec3& free) {
    for (int axis = 0; axis < 3; ++axis) {
      if (free[axis] != 0) continue;
      force[axis] = 0;
      stiffness.row(axis).setZero();
      stiffness.col(axis).setZero();
      stiffness(axis, axis) = 1;
    }
    return stiffness.llt().solve(force);
  }

  // Not where cloth touches: over-relaxed, it would lose touch and fall back again.
  void accelerate(double omega, const Points& last, Points& next) const {
    parallel_for(static_cast<int>(next.cols()), [&](int v) {
      if (!touches_[v]) next.col(v) = last.col(v) + omega * (next.col(v) - last.col(v));
    });
  }

  BlockDescentSettings settings_;
  std::vector<Group> groups_;
  std::vector<char> touches_;  // one a vertex: pressed by a collider when it last moved
  double length_ = 1;          // of moves, shorter after every restart
};

}  // namespace

std::unique_ptr<Solver> make_block_descent(const SolverSettings& settings) {
  return std::make_unique<MinimiserStep<BlockDescent, BlockDescentSettings>>(settings.block_descent);
}

}  // namespace muslin
