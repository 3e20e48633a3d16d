#include <algorithm>

#include "muslin/core/parallel.h"
#include "muslin/energy/vertex.h"
#include "muslin/geometry/vertex_colouring.h"
#include "muslin/solver/chebyshev.h"
#include "muslin/solver/connected_pieces.h"
#include "muslin/solver/line_search.h"
#include "muslin/solver/minimiser_step.h"
#include "muslin/solver/safeguard.h"
#include "muslin/solver/solver.h"

namespace muslin {

namespace {

constexpr int kLookEvery = 8;  // iterations between two looks at F: 4 or 16, hang keeps its bits
// Plain iterations before Chebyshev begins: with 4, steps end too early (hang 71 mm off), with 16 they take 4
// % more.
constexpr int kDelay = 8;
constexpr int kGrainVertices = 128;  // a vertex visits some thirty elements

// A vertex after another goes to the minimum of F's quadratic model about it, all others resting. F sinks
// with nearly every move; a look at it every few iterations catches the rest. Vertices of one colour share no
// element and move at once.
class BlockDescent {
 public:
  static constexpr auto kContact = ContactForm::energy;
  explicit BlockDescent(const BlockDescentSettings& settings) : settings_(settings) {}

  void minimise(const StepProblem& problem, Points& x, StepReport& report) {
    const Objective& objective = problem.objective;
    prepare(objective);
    problem.show(x);
    const bool accelerated = settings_.acceleration == Acceleration::chebyshev;
    Chebyshev chebyshev(settings_.acceleration, settings_.rho, kDelay);
    Safeguard safeguard(objective, x);
    Points last = x, next;
    bool converged = settings_.tolerance == 0;
    for (int k = 1; report.iterations < settings_.iterations && !problem.input.is_over(); ++k) {
      // 1. Sweep
      if (k > 1) objective.lag(x);
      next = x;
      sweep(objective, accelerated, next);
      report.iterations += accelerated ? 2 : 1;

      // 2. Accelerate
      if (const double omega = chebyshev.next(); omega > 1) accelerate(omega, last, next);
      report.last_move = chebyshev.watch(x, next);
      last.swap(x);
      x.swap(next);
      problem.show(x);

      // 3. Look at F, and begin anew with shorter moves if it rose
      const bool settled = settings_.tolerance > 0 &&
                           chebyshev.distance_estimate(report.last_move) <= settings_.tolerance &&
                           !pieces_lack_force(objective, x);
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
    pieces_ = ConnectedPieces(objective.model(), objective.controls().free, [&](int v, const auto& visit) {
      for_each_neighbour(objective.energies(), v, visit);
    });
  }

  // For Chebyshev there and back: only then do errors shrink without turning, as it takes them to.
  void sweep(const Objective& objective, bool there_and_back, Points& x) {
    for (const Group& group : groups_) move(objective, group, x);
    for (auto group = groups_.rbegin(); there_and_back && group != groups_.rend(); ++group)
      move(objective, *group, x);
    if (std::find(touches_.begin(), touches_.end(), true) != touches_.end()) move_pieces(objective, x);
  }

  void move(const Objective& objective, const Group& group, Points& x) {
    parallel_for(
        static_cast<int>(group.size()), [&](int i) { move_vertex(objective, group[i], x); }, kGrainVertices);
  }

  // To the minimum of the quadratic model of elasticity about x_v and of contact, with length_ 1 [Chen 2024,
  // eq. 5 to 8].
  void move_vertex(const Objective& objective, int v, Points& x) {
    const double inertia = objective.inertia(v);
    const Vec3 start = x.col(v);
    Vec3 gradient = inertia * (start - objective.target().col(v));
    Mat3 block = inertia * Mat3::Identity();
    objective.energies().each([&](const auto& energy) { add_vertex_terms(energy, x, v, gradient, block); });
    const Vec3 free = objective.controls().free.col(v);
    const ContactEnergy* contact = objective.contact();
    const Vec3 end = contact ? minimum_in_contact(*contact, v, start, gradient, block, free)
                             : Vec3(start - solve_in_free_axes(block, gradient, free));
    touches_[v] = contact && contact->hessian_psd(v, end).trace() > 0;
    x.col(v) = start + length_ * (end - start);
  }

  // Colliders begin and end to press within a move, and slips turn: no quadratic model of that leads to the
  // minimum at once. Newton's method with a line search does in two to four iterations.
  static Vec3 minimum_in_contact(const ContactEnergy& contact, int v, const Vec3& start, const Vec3& gradient,
                                 const Mat3& block, const Vec3& free) {
    constexpr int kMostIterations = 8, kMostHalvings = 12;
    constexpr double kSmall = 1e-3;  // of the move: what is left is the next sweep's
    const auto value = [&](const Vec3& x) {
      const Vec3 move = x - start;
      return gradient.dot(move) + 0.5 * move.dot(block * move) + contact.value(v, x);
    };
    Vec3 x = start;
    double least = value(x);
    for (int k = 0; k < kMostIterations; ++k) {
      const Vec3 slope = gradient + block * (x - start) + contact.gradient(v, x);
      const Vec3 direction = -solve_in_free_axes(block + contact.hessian_psd(v, x), slope, free);
      const double promised = kArmijo * slope.cwiseProduct(free).dot(direction);
      double length = 1, there = value(x + direction);
      for (int j = 0; j < kMostHalvings && !(there <= least + length * promised); ++j) {
        length /= 2;
        there = value(x + length * direction);
      }
      if (!(there < least)) return x;
      x += length * direction;
      least = there;
      if (length * direction.norm() <= kSmall * (x - start).norm()) return x;
    }
    return x;
  }

  // A sweep moves stiff cloth as a whole by no more than inertia over stiffness of what is left: friction and
  // weight would never bring it to its speed. So pieces go as wholes where F is least, by Newton's method.
  void move_pieces(const Objective& objective, Points& x) {
    objective.gradient(x, scratch_, here_.gradient);
    stiffness_.resize(x.cols());
    parallel_for(static_cast<int>(x.cols()), [&](int v) {
      stiffness_[v] = objective.inertia(v) * Mat3::Identity() + objective.contact()->hessian_psd(v, x.col(v));
    });
    const Points way = pieces_.translations(here_.gradient, stiffness_);
    here_.x = x;
    here_.value = objective.value(x);
    if (search_line(objective, here_, way, kSearch, scratch_, next_).length > 0) x.swap(next_.x);
  }

  // In contact, not before pieces as wholes have the acceleration that they should.
  bool pieces_lack_force(const Objective& objective, const Points& x) {
    if (!objective.contact()) return false;
    objective.gradient(x, scratch_, here_.gradient);
    return pieces_.lost_acceleration(here_.gradient) >
           ConnectedPieces::tolerated_acceleration(settings_.tolerance);
  }

  // Not where cloth touches: over-relaxed, it would lose touch and fall back again.
  void accelerate(double omega, const Points& last, Points& next) const {
    parallel_for(static_cast<int>(next.cols()), [&](int v) {
      if (!touches_[v]) next.col(v) = last.col(v) + omega * (next.col(v) - last.col(v));
    });
  }

  static constexpr LineSearch kSearch{Rounding::none, /*longest=*/1, /*shortest=*/1e-6, /*parabola=*/false,
                                      /*wants_gradient=*/false};  // of pieces as wholes

  BlockDescentSettings settings_;
  std::vector<Group> groups_;
  ConnectedPieces pieces_;
  Scratch scratch_;
  Iterate here_, next_;  // of a move of pieces
  std::vector<Mat3> stiffness_;
  std::vector<char> touches_;  // one a vertex: pressed by a collider when it last moved
  double length_ = 1;          // of moves, shorter after every restart
};

}  // namespace

SolverEntry block_descent_family() {
  return {
      .summary = "block coordinate descent: a 3x3 Newton step a vertex, colour by colour, with Chebyshev",
      .make = [](const SolverSettings& settings) -> std::unique_ptr<Solver> {
        return std::make_unique<MinimiserStepOf<BlockDescent, BlockDescentSettings>>(settings.block_descent);
      },
      .methods = {{60,
                   "block_descent",
                   "Block descent",
                   "every vertex solves its own 3x3 system, colour after colour",
                   {"#006d4e", "#12a374", "5 3"},
                   [](SolverSettings& s) { s.family = "block_descent"; }}}};
}

}  // namespace muslin
