#include "muslin/solver/quasi_newton/contact_newton.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/vector.h"

namespace muslin {

namespace {

// Fraction of a direction that may be gone without looking for a better one: half, as a line search halves
// anyway. Looking ahead took 23 iterations a frame instead of 43 (docs/decisions, foreseen contact). ¼ or 1:
// drape and fold −9 to +6 %.
constexpr double kFarEnough = 0.5;
// The largest move of a vertex that may be left in contact, over the thickness, so that none is left on its
// way through a gap while the mean is at rest; where cloth is thin, over the tolerance. Values of the torture
// scenes. 0.08: drape −6, fold −5 %; 0.32, and half or double of the second: drape, fold and twist keep their
// bits.
constexpr double kLastMove = 0.16, kLastMoves = 5;
// Change of a distance, over that distance, beyond which cloth that is pressed (kPressed) is unsettled. Half,
// as the barrier's stiffness is another then, and the direction is not worth more. Half or double: drape,
// fold and twist keep their bits.
constexpr double kUnsettled = 0.5;
// Times in a row that something must be jammed, and cloth gets time, before that is believed: cloth that can
// give way has done so by then. 1 or 6: spin, twist and pull, where nothing jams, keep their bits.
constexpr int kPatience = 3;
// Factor of the error of linear solves while something is prescribed: what moves pulls hard, and what is left
// of that pull is an error of all other forces. Half or double: twist +4 %, spin and pull keep their bits.
constexpr double kOfPrescribed = 0.1;
// Most iterations of a linear solve: beyond, a direction of less precision is better than none.
constexpr int kMostLinearIterations = 200;

}  // namespace

Points ContactNewton::minimise(Points from, int most_iterations) {
  here_.x = std::move(from);
  report_.status = Status::not_converged;
  Patience patience;
  for (int k = 0; k <= most_iterations && step_.input.spend(work()); ++k) {
    // 1. Downwards, with what is prescribed, unless that has to wait until cloth has given way
    const Points prescribed = contact_.prescribed_motion(here_.x);
    const bool is_there = prescribed.isZero(0);
    step_.show(here_.x.leftCols(cloth()));
    const bool is_waiting = !is_there && waits(patience);
    if (!is_waiting && !find_direction(prescribed, is_there ? forcing_ : kOfPrescribed * forcing_)) break;
    ++report_.iterations;

    // 2. At first to where all is prescribed, whatever that costs
    if (!is_there && !is_waiting) {
      move_prescribed(prescribed, patience);
      continue;
    }

    // 3. Then as far as F falls, before anything touches, until that is near enough
    const Points x = here_.x.leftCols(cloth());
    const bool is_near =
        is_there && criteria_.is_near_in_contact(x, here_.gradient, direction_, report_.contacts);
    const bool is_done = is_near && k > 0 && is_at_rest();
    if (is_done) report_.status = Status::ok;
    if (is_done || k == most_iterations) break;
    if (descend()) continue;
    if (!is_waiting && is_near) report_.status = Status::ok;
    if (!is_waiting) break;
    patience.may_wait = false;
  }
  report_.least_distance = contact_.pairs().least_distance(here_.x);
  report_.struck = contact_.pairs().is_struck(here_.x);
  contact_.report_blocked(here_.x, step_.blocked, report_);
  return here_.x.leftCols(cloth());
}

// --- prescribed motion -----------------------------------------------------------------------------

bool ContactNewton::waits(Patience& patience) {
  const bool waits = patience.may_wait && is_unsettled(patience.must_wait ? 0 : kUnsettled);
  patience.must_wait = false;
  return waits;
}

// Whether cloth that is pressed is not at rest: the direction, along which nothing else moves, leads there,
// and would change a distance by more than `change` of it.
bool ContactNewton::is_unsettled(double change) {
  const PairContact& pairs = contact_.pairs();
  const Points still = Points::Zero(3, here_.x.cols());
  return pairs.least_ratio(here_.x) < kPressed && find_direction(still, forcing_) &&
         pairs.largest_change(here_.x, direction_, kPressed) > change;
}

// Along the direction as far as there is room. What jams cloth gets time, then it stops where it is.
void ContactNewton::move_prescribed(const Points& prescribed, Patience& patience) {
  is_value_known_ = false;
  contact_.list_pairs_ahead(here_.x, direction_);
  patience.jams = contact_.jams(here_.x, direction_) ? patience.jams + 1 : 0;
  if (patience.jams > kPatience && contact_.block_jammed(here_.x, prescribed)) {
    report_.jammed = true;
    return;
  }
  if (patience.jams > 0 && patience.jams <= kPatience && patience.may_wait) {
    patience.must_wait = true;
    return;
  }
  report_.last_move = contact_.advance(here_.x, direction_) * longest_move();
  patience.may_wait = true;
}

// --- the direction ---------------------------------------------------------------------------------

// Pairs and the gradient of F at the iterate, of the pairs that are listed now.
void ContactNewton::evaluate() {
  rows_ = contact_.objective().rows(here_.x, report_.contacts);
  contact_.objective().gradient(here_.x, rows_, scratch_, here_.gradient);
}

// H d = −∇F, with exact curvature until that is met to be negative, while what is prescribed moves: to first
// order, cloth goes along with it. False if there is no such d.
bool ContactNewton::find_direction(const Points& prescribed, double forcing) {
  evaluate();
  report_.residual = root_mean_square(here_.gradient);
  if (!report_.residual_start) report_.residual_start = report_.residual;
  const bool moves = !prescribed.isZero(0), exact = convex_ && !moves;
  Points d;
  if (exact) convex_ = solve(Hessian::exact, prescribed, forcing, d);
  if (!exact || !convex_) solve(Hessian::model, prescribed, forcing, d);
  direction_ = prescribed;
  direction_.leftCols(cloth()) += d;
  return d.allFinite() && (!d.isZero(0) || here_.gradient.isZero(0) || moves);
}

// False if curvature is negative.
bool ContactNewton::solve(Hessian which, const Points& prescribed, double forcing, Points& d) {
  system_.assemble(contact_.objective(), here_.x.leftCols(cloth()), which);
  Points force = -here_.gradient;
  if (!prescribed.isZero(0)) {
    Points pull = Points::Zero(3, cloth());
    system_.multiply(prescribed.leftCols(cloth()), pull);
    rows_.multiply_add(prescribed, pull);
    force -= pull;
    held_.apply(force);
  }
  d = Points::Zero(3, cloth());
  const PcgOptions options{forcing, kMostLinearIterations, Preconditioner::multigrid, /*same_matrix=*/false,
                           step_.input.budget};
  return !system_.solve(rows_, force, held_, options, d, report_).negative_curvature;
}

// --- the step --------------------------------------------------------------------------------------

// Whether the direction is short for contact to have been seen as it is.
bool ContactNewton::is_at_rest() const {
  const double tolerated =
      std::max(kLastMove * contact_.pairs().thickness(), kLastMoves * criteria_.tolerance());
  return report_.contacts == 0 || longest_move() <= tolerated;
}

// As far along the direction as is safe and F falls. Whether the descent goes on: of pairs that were looked
// for anew, F may not have fallen that way.
bool ContactNewton::descend() {
  LineSearch rules{Rounding::tolerated, 1, 1e-6, /*parabola=*/true, /*wants_gradient=*/false};
  const bool is_new = look_ahead(rules.longest);
  if (!is_value_known_) here_.value = contact_.objective().value(here_.x);
  const double length = search_line(contact_.objective(), here_, direction_, rules, scratch_, next_).length;
  if (length > 0) {
    std::swap(here_.x, next_.x);
    here_.value = next_.value;
  }
  is_value_known_ = true;
  report_.last_move = length * longest_move();
  return length > 0 || is_new;
}

// How much of the direction may be gone. Where that is little, it becomes one that foresees what would be
// met, which else is found pair by pair, iteration by iteration. Whether pairs were looked for anew.
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
  if (safe >= kFarEnough) return is_new;
  const ContactRows ahead = contact_.pairs().rows_ahead(here_.x, direction_);
  Points slope = here_.gradient, d = direction_.leftCols(cloth());
  ahead.add_gradient(slope);
  held_.apply(slope);
  const PcgOptions options{forcing_, kMostLinearIterations, Preconditioner::multigrid, /*same_matrix=*/true,
                           step_.input.budget};
  system_.solve(rows_ + ahead, -slope, held_, options, d, report_);
  if (!d.allFinite() || !(dot(here_.gradient, d) < 0)) return is_new;
  direction_.leftCols(cloth()) = d;
  look();
  return is_new;
}

double ContactNewton::longest_move() const {
  return std::sqrt(direction_.leftCols(cloth()).colwise().squaredNorm().maxCoeff());
}

// In iterations: pairs and vertices of bodies cost about as much as a vertex in one of a linear solve.
std::int64_t ContactNewton::work() const {
  return 1 + (contact_.pairs().pair_count() + here_.x.cols()) / std::max(1, cloth());
}

}  // namespace muslin
