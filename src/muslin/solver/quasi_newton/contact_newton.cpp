#include "muslin/solver/quasi_newton/contact_newton.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/vector.h"

namespace muslin {

namespace {

// What half and double of these do to work and result: docs/performance/constants.md.
constexpr double kFarEnough = 0.5;  // safe fraction of a direction below which contact ahead is foreseen
constexpr double kStuck = 0.1;      // the same below which turning contact normals are foreseen, too
constexpr double kWhole = 0.9;      // fraction of a direction from which on it counts as taken
constexpr double kLastMove = 0.16;  // largest move of a vertex left in contact, over the contact distance
constexpr double kLastMoves = 5;    // the same over the tolerance, for thin cloth
constexpr double kLastDirection = 2. / 3;  // length of a direction that may be the last, over the tolerance
constexpr double kOfLinearSolve = 0.3;     // error that its linear solve may leave, over the tolerance
constexpr double kLeastOfFree = 0.5;       // without contact: least assumed ratio of successive distances
constexpr double kMostGainedLate =
    0.2;                            // and energy gained in the last quarter of PCG above which it goes on
constexpr double kUnsettled = 0.5;  // relative change of the distance of a pressed pair: it is not at rest
constexpr double kLeaving = kUnsettled / 2;  // the same with which a step does not end (step_end_test.cpp)
constexpr int kPatience = 3;                 // jammed iterations in a row, before a body is blocked
constexpr double kOfPrescribed = 0.1;        // factor of the linear error while pins and bodies pull on cloth
constexpr double kOfModel = 2;         // factor of the linear error with the positive model of the Hessian,
constexpr double kMostOfModel = 0.5;   // up to this error: where cloth buckles, its directions are too short
constexpr double kFewContacts = 0.25;  // contacts a vertex above which the cycle is set up in every solve
constexpr int kMostLinearIterations = 200;

}  // namespace

Points ContactNewton::minimise(Points from, int most_iterations, int in_need) {
  here_.x = std::move(from);
  report_.status = Status::not_converged;
  report_.distance_left.reset();
  bool is_short = false;  // something prescribed was blocked before its target
  const int most_prescribed = most_iterations + (in_need - most_iterations) / 2;
  for (int k = 0; k <= in_need && step_.input.spend(work()); ++k) {
    if (k > 0 && criteria_.is_late()) break;
    if (k == most_prescribed && in_need > most_iterations) is_short = contact_.block_all(here_.x);
    const Points prescribed = contact_.prescribed_motion(here_.x);
    const bool is_there = prescribed.isZero(0);
    const bool is_last = k == in_need || (k >= most_iterations && is_there && !loses_momentum());
    step_.show(here_.x.leftCols(cloth()));
    if (is_there && is_last) break;

    // 1. Solve for a direction. To relax, that of cloth alone is known already.
    const Phase phase = is_there ? Phase::descend : must_relax() ? Phase::relax : Phase::prescribe;
    const double forcing = is_there ? forcing_ : kOfPrescribed * forcing_;
    if (phase != Phase::relax && !find_direction(prescribed, forcing)) break;
    ++report_.iterations;

    // 2. Move bodies and pins, whatever that costs in F
    if (phase == Phase::prescribe) {
      prescribe(prescribed);
      continue;
    }

    // 3. Decrease F before anything touches, until the minimum is near
    if (is_last) break;
    const bool goes_on = descend();
    if (is_there) report_.distance_left = distance_left();
    const bool is_minimum = is_there && (k > 0 || !goes_on) && is_near();
    if (is_minimum && !is_short) report_.status = Status::ok;
    if (is_minimum || (!goes_on && phase == Phase::descend)) break;
    if (!goes_on) jam_.may_relax = false;
  }
  finish();
  return here_.x.leftCols(cloth());
}

void ContactNewton::finish() {
  evaluate();
  const PairContact& pairs = contact_.pairs();
  report_.residual = root_mean_square(here_.gradient);
  if (report_.status != Status::ok && !report_.jammed && !criteria_.is_late())
    report_.stuck = criteria_.stuck(here_.x.leftCols(cloth()), here_.gradient);
  report_.least_distance = pairs.least_distance(here_.x);
  report_.struck = pairs.is_struck(here_.x);
  contact_.report_blocked(here_.x, step_.blocked, report_);
  if (!step_.touched.empty()) pairs.mark_touched(here_.x, step_.touched);
  step_.slips = pairs.slips_left(contact_.start(), here_.x);
}

// --- prescribed motion -----------------------------------------------------------------------------

// True if cloth that is pressed has to give way before anything prescribed moves on.
bool ContactNewton::must_relax() {
  const bool relaxes = jam_.may_relax && is_unsettled(jam_.must_relax ? 0 : kUnsettled);
  jam_.must_relax = false;
  return relaxes;
}

// True if Newton's direction of cloth alone changes the distance of a pressed pair by more than `change` of
// it. The direction is kept.
bool ContactNewton::is_unsettled(double change) {
  const Points still = Points::Zero(3, here_.x.cols());
  return contact_.pairs().least_ratio(here_.x) < kPressed && find_direction(still, forcing_) &&
         is_pressed_and_moving(change);
}

bool ContactNewton::is_pressed_and_moving(double change) const {
  return contact_.pairs().largest_change(here_.x, direction_, kPressed) > change;
}

// Goes along the direction as far as there is room. Cloth that is jammed gets time; then what jams it is
// blocked where it is.
void ContactNewton::prescribe(const Points& prescribed) {
  is_value_known_ = false;
  moved_.resize(3, 0);
  contact_.list_pairs_ahead(here_.x, direction_);
  jam_.count = contact_.jams(here_.x, direction_) ? jam_.count + 1 : 0;
  if (jam_.count > kPatience && contact_.block_jammed(here_.x, prescribed)) {
    report_.jammed = true;
    return;
  }
  if (jam_.count > 0 && jam_.count <= kPatience && jam_.may_relax) {
    jam_.must_relax = true;
    return;
  }
  report_.last_move = contact_.advance(here_.x, direction_) * longest_move();
  jam_.may_relax = true;
}

// --- the direction ---------------------------------------------------------------------------------

// Rows of contact and the gradient of F at the iterate, with the pairs listed now.
void ContactNewton::evaluate() {
  rows_ = contact_.objective().rows(here_.x, moved_.cols() > 0 ? &moved_ : nullptr, report_.contacts);
  contact_.objective().gradient(here_.x, rows_, scratch_, here_.gradient);
}

// Solves H d = −∇F − H p, where p is the prescribed motion. H is the exact Hessian until it shows negative
// curvature, then its positive model. False if no direction was found.
bool ContactNewton::find_direction(const Points& prescribed, double forcing) {
  evaluate();
  report_.residual = root_mean_square(here_.gradient);
  if (!report_.residual_start) report_.residual_start = report_.residual;
  const bool moves = !prescribed.isZero(0), exact = convex_ && !moves;
  Points d;
  if (exact) convex_ = solve(Hessian::exact, prescribed, forcing, d);
  const double loose = std::max(forcing, std::min(kOfModel * forcing, kMostOfModel));
  if (!exact || !convex_) solve(Hessian::model, prescribed, moves ? forcing : loose, d);
  if (!moves && (!d.allFinite() || d.isZero(0)))
    d = system_.solve_by_diagonal(rows_, -here_.gradient, step_.objective.controls().free);
  direction_ = prescribed;
  direction_.leftCols(cloth()) += d;
  return d.allFinite() && (!d.isZero(0) || here_.gradient.isZero(0) || moves);
}

// False if the matrix has negative curvature.
bool ContactNewton::solve(Hessian which, const Points& prescribed, double forcing, Points& d) {
  system_.assemble_lean(contact_.objective(), here_.x.leftCols(cloth()), which);
  Points force = -here_.gradient;
  if (!prescribed.isZero(0)) {
    Points pull = Points::Zero(3, cloth());
    system_.multiply_lean(prescribed.leftCols(cloth()), pull);
    rows_.multiply_add(prescribed, pull);
    force -= pull;
    held_.apply(force);
  }
  d = Points::Zero(3, cloth());
  const bool is_new = report_.contacts > kFewContacts * cloth() || !cycle_.serves(which, forcing);
  PcgOptions options{forcing, kMostLinearIterations, Preconditioner::multigrid, /*same_cycle=*/!is_new,
                     step_.input.budget};
  PcgReport pcg = system_.solve(rows_, force, held_, options, d, report_);
  cycle_.took(pcg, which, forcing, is_new);
  linear_error_ = pcg.error;
  if (!prescribed.isZero(0) || pcg.negative_curvature || !d.allFinite()) return !pcg.negative_curvature;

  // Stiff pairs hide soft modes from the residual: the last direction is solved to the tolerance
  const double tolerance = criteria_.tolerance(report_.contacts);
  const double distance = criteria_.distance(here_.gradient, d);
  double wanted = 1;
  if (criteria_.length(d) < kLastDirection * tolerance) wanted = kOfLinearSolve * tolerance / distance;
  if (report_.contacts == 0 && kLeastOfFree * distance <= tolerance) {
    wanted = std::min(wanted, forcing_);
    options.most_gained_late = kMostGainedLate;
  }
  if (!(pcg.error > wanted || pcg.gained_late > options.most_gained_late)) return true;
  options.tolerance = wanted;
  options.same_cycle = true;
  pcg = system_.solve(rows_, force, held_, options, d, report_);
  linear_error_ = pcg.error;
  return !pcg.negative_curvature;
}

// --- the step --------------------------------------------------------------------------------------

// Estimated distance to the minimum [m]: the part of the direction that was not taken, by its energy, and
// what follows it. In contact that is the sum of later directions and the error of the linear solve, since
// the energy of stiff pairs tells no length; without contact, energy also sees soft and long modes.
double ContactNewton::distance_left() const {
  const double taken = accepted(), distance = criteria_.distance(here_.gradient, direction_);
  const double after = report_.contacts > 0 ? estimate_.remaining() + linear_error_ * distance
                                            : std::max(estimate_.rate(), kLeastOfFree) * distance;
  return taken * after + (1 - taken) * distance;
}

// Fraction of the direction that was taken.
double ContactNewton::accepted() const { return estimate_.fraction() >= kWhole ? 1 : estimate_.fraction(); }

// Length of all that remains to go, over the direction's.
double ContactNewton::remaining() const {
  const double taken = accepted();
  return taken * estimate_.rate() + (1 - taken);
}

// True if the distance is tolerated and, in contact, that of every piece as a whole and of every vertex, too.
bool ContactNewton::is_near() const {
  const double tolerance = criteria_.tolerance(report_.contacts);
  if (!(report_.distance_left <= tolerance)) return false;
  if (report_.contacts == 0) return criteria_.bounds_energy(here_.x.leftCols(cloth()));
  if (is_pressed_and_moving(kLeaving)) return false;  // little motion, but half of a force
  const double last_move = std::max(kLastMove * contact_.pairs().thickness(), kLastMoves * tolerance);
  return remaining() * criteria_.shift(direction_) <= tolerance && remaining() * longest_move() <= last_move;
}

// True if a piece would lose more momentum than is tolerated if the step ended here.
bool ContactNewton::loses_momentum() const {
  if (direction_.cols() == 0) return true;  // only relaxed so far
  return !(remaining() * criteria_.lost_momentum(direction_.leftCols(cloth())) <=
           criteria_.tolerance(report_.contacts));
}

// Goes along the direction as far as is safe and F decreases. False if the descent is over. With a new list
// of pairs it is not, even if F did not decrease.
bool ContactNewton::descend() {
  double safe = 1;
  bool is_new = look_ahead(safe);
  estimate_.add_direction(criteria_.length(direction_));
  if (safe >= kStuck || criteria_.pieces().count() == 1) {
    search(direction_, safe, 1);
    return estimate_.fraction() > 0 || is_new;
  }
  // One piece is stopped; the others go on
  const auto [way, least] = each_as_far_as_safe();
  if (contact_.list_pairs_ahead(here_.x, way)) {
    evaluate();
    is_new = true;
    is_value_known_ = false;
  }
  search(way, contact_.objective().safe_step(here_.x, way), least);
  return report_.last_move > 0 || is_new;
}

// Line search along a way of which a fraction is safe. `least`: its smallest part of the direction.
void ContactNewton::search(const Points& way, double safe, double least) {
  const LineSearch rules{Rounding::tolerated, safe, 1e-6, /*parabola=*/true, /*wants_gradient=*/false};
  if (!is_value_known_) here_.value = contact_.objective().value(here_.x);
  const double length = search_line(contact_.objective(), here_, way, rules, scratch_, next_).length;
  if (length > 0) {
    std::swap(here_.x, next_.x);
    here_.value = next_.value;
    moved_ = length * way;
  }
  is_value_known_ = true;
  report_.last_move = length * std::sqrt(way.leftCols(cloth()).colwise().squaredNorm().maxCoeff());
  estimate_.accept_step(length * least);
}

// Scales the direction of every piece by the fraction that is safe for it and its neighbours. Also returns
// the least of these fractions.
std::pair<Points, double> ContactNewton::each_as_far_as_safe() const {
  std::vector<int> piece(here_.x.cols(), -1);
  for (int v = 0; v < cloth(); ++v) piece[v] = criteria_.pieces().piece_of(v);
  const std::vector<double> safe =
      contact_.pairs().safe_steps(here_.x, direction_, piece, criteria_.pieces().count());
  Points way = direction_;
  for (int v = 0; v < cloth(); ++v) way.col(v) *= safe[piece[v]];
  return {std::move(way), *std::min_element(safe.begin(), safe.end())};
}

// Finds the safe fraction of the direction. Where it is small, replaces the direction by one that foresees
// contact, which would otherwise be found pair by pair, iteration by iteration. True if pairs were listed
// anew.
bool ContactNewton::look_ahead(double& safe) {
  bool is_new = false;
  const auto look = [&] {
    if (contact_.list_pairs_ahead(here_.x, direction_)) {
      evaluate();
      is_new = true;
      is_value_known_ = false;
    }
    safe = contact_.objective().safe_step(here_.x, direction_);
  };
  look();
  if (safe < kFarEnough && foresee(/*turns=*/false)) look();
  if (safe < kStuck && foresee(/*turns=*/true)) look();
  return is_new;
}

// Replaces the direction by one that foresees the contacts it would meet. False if there is none.
bool ContactNewton::foresee(bool turns) {
  const ContactRows ahead = contact_.pairs().rows_ahead(here_.x, direction_, turns);
  Points slope = here_.gradient, d = direction_.leftCols(cloth());
  ahead.add_gradient(slope);
  held_.apply(slope);
  const PcgOptions options{forcing_, kMostLinearIterations, Preconditioner::multigrid, /*same_cycle=*/true,
                           step_.input.budget};
  const PcgReport pcg = system_.solve(rows_ + ahead, -slope, held_, options, d, report_);
  if (!d.allFinite() || !(dot(here_.gradient, d) < 0)) return false;
  direction_.leftCols(cloth()) = d;
  linear_error_ = pcg.error;
  return true;
}

double ContactNewton::longest_move() const {
  return std::sqrt(direction_.leftCols(cloth()).colwise().squaredNorm().maxCoeff());
}

// Work of an iteration, in linear iterations over the cloth: a pair or a vertex of a body costs about as much
// as a vertex.
std::int64_t ContactNewton::work() const {
  return 1 + (contact_.pairs().pair_count() + here_.x.cols()) / std::max(1, cloth());
}

}  // namespace muslin
