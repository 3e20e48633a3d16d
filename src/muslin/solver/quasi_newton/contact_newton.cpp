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
// The same below which the search counts as stuck, and turns of what is met are foreseen, too.
constexpr double kStuck = 0.1;
// The largest move of a vertex that may be left in contact, over the thickness, so that none is left on its
// way through a gap while the mean is at rest; where cloth is thin, over the tolerance. Values of the torture
// scenes. 0.08: drape −6, fold −5 %; 0.32, and half or double of the second: drape, fold and twist keep their
// bits.
constexpr double kLastMove = 0.16, kLastMoves = 5;
// Fraction of a direction from which on it counts as gone.
constexpr double kWhole = 0.9;
// Over the tolerance: length of a direction that may be the last, and what its linear solve may leave.
constexpr double kLastDirection = 2. / 3, kOfLinearSolve = 0.3;
// Without contact: what a direction leaves of the distance at least, and what the last quarter of the
// iterations of its linear solve may have gained of its energy. Of 11 000 random steps 1.4 % end farther than
// three tolerances from the minimum; with 0.7 of the first 1.0 %, with 0.1 or 0.3 of the second 1.0 or 1.7 %,
// without it 2.3 %. Free-hanging skirts take 4 to 6 % more time for it, with 0.1 8 to 10 %.
constexpr double kLeastOfFree = 0.5, kMostGainedLate = 0.2;
// Change of a distance, over that distance, beyond which cloth that is pressed (kPressed) is unsettled. Half,
// as the barrier's stiffness is another then, and the direction is not worth more. Half or double: drape,
// fold and twist keep their bits.
constexpr double kUnsettled = 0.5;
// Change of such a distance, over what it has become, with which a step does not end: half of what it is
// where the distance has doubled, as it does while a pair that is pressed too deep leaves. Without that, half
// of a sheet that begins at 10⁻⁷ m from a floor stays there (tests/validation/step_end_test.cpp).
constexpr double kLeaving = kUnsettled / 2;
// Times in a row that something must be jammed, and cloth gets time, before that is believed: cloth that can
// give way has done so by then. 1 or 6: spin, twist and pull, where nothing jams, keep their bits.
constexpr int kPatience = 3;
// Factor of the error of linear solves while something is prescribed: what moves pulls hard, and what is left
// of that pull is an error of all other forces. Half or double: twist +4 %, spin and pull keep their bits.
constexpr double kOfPrescribed = 0.1;
// Factor of the error of linear solves with a model of the curvature, while that is below a half: where cloth
// buckles, its directions are too short however well they are solved for. A turning skirt takes 320 conjugate
// gradients a frame for 415 and as many iterations, a thick drape 70 for 114; with 3 they take 382 and 83.
constexpr double kOfModel = 2, kMostOfModel = 0.5;
// Contacts a vertex above which every solve has a cycle of its own: contact makes iterations dearer, not
// set-ups, and a thick drape took a tenth more time with cycles of earlier iterates.
constexpr double kFewContacts = 0.25;
// Most iterations of a linear solve: beyond, a direction of less precision is better than none.
constexpr int kMostLinearIterations = 200;

}  // namespace

Points ContactNewton::minimise(Points from, int most_iterations, int in_need) {
  here_.x = std::move(from);
  report_.status = Status::not_converged;
  report_.distance_left.reset();
  Patience patience;
  bool is_short = false;  // what is prescribed was stopped on its way
  const int most_of_way = most_iterations + (in_need - most_iterations) / 2;
  for (int k = 0; k <= in_need && step_.input.spend(work()); ++k) {
    if (k > 0 && criteria_.is_late()) break;
    if (k == most_of_way && in_need > most_iterations) is_short = contact_.block_all(here_.x);
    // 1. Downwards, with what is prescribed, unless that has to wait until cloth has given way
    const Points prescribed = contact_.prescribed_motion(here_.x);
    const bool is_there = prescribed.isZero(0);
    const bool is_last = k == in_need || (k >= most_iterations && is_there && !loses_momentum());
    step_.show(here_.x.leftCols(cloth()));
    if (is_there && is_last) break;
    const bool is_waiting = !is_there && waits(patience);
    if (!is_waiting && !find_direction(prescribed, is_there ? forcing_ : kOfPrescribed * forcing_)) break;
    ++report_.iterations;

    // 2. At first to where all is prescribed, whatever that costs
    if (!is_there && !is_waiting) {
      move_prescribed(prescribed, patience);
      continue;
    }

    // 3. Then as far as F falls, before anything touches, until what is left is near enough
    if (is_last) break;
    const bool goes_on = descend();
    if (is_there) report_.distance_left = distance_left();
    const bool was_last = is_there && (k > 0 || !goes_on) && is_near();
    if (was_last && !is_short) report_.status = Status::ok;  // or rounding hides what is left
    if (was_last || (!goes_on && !is_waiting)) break;
    if (!goes_on) patience.may_wait = false;
  }
  evaluate();
  report_.residual = root_mean_square(here_.gradient);
  if (report_.status != Status::ok && !report_.jammed && !criteria_.is_late())
    report_.stuck = criteria_.stuck(here_.x.leftCols(cloth()), here_.gradient);
  report_.least_distance = contact_.pairs().least_distance(here_.x);
  report_.struck = contact_.pairs().is_struck(here_.x);
  contact_.report_blocked(here_.x, step_.blocked, report_);
  if (!step_.touched.empty()) contact_.pairs().mark_touched(here_.x, step_.touched);
  step_.slips = contact_.pairs().slips_left(contact_.start(), here_.x);
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
  const Points still = Points::Zero(3, here_.x.cols());
  return contact_.pairs().least_ratio(here_.x) < kPressed && find_direction(still, forcing_) &&
         is_pressed_and_moving(change);
}

// Whether the direction changes a distance of what is pressed at the iterate by more than `change` of it.
bool ContactNewton::is_pressed_and_moving(double change) const {
  return contact_.pairs().largest_change(here_.x, direction_, kPressed) > change;
}

// Along the direction as far as there is room. What jams cloth gets time, then it stops where it is.
void ContactNewton::move_prescribed(const Points& prescribed, Patience& patience) {
  is_value_known_ = false;
  moved_.resize(3, 0);
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
  rows_ = contact_.objective().rows(here_.x, moved_.cols() > 0 ? &moved_ : nullptr, report_.contacts);
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
  const double loose = std::max(forcing, std::min(kOfModel * forcing, kMostOfModel));
  if (!exact || !convex_) solve(Hessian::model, prescribed, moves ? forcing : loose, d);
  if (!moves && (!d.allFinite() || d.isZero(0)))
    d = system_.solve_by_diagonal(rows_, -here_.gradient, step_.objective.controls().free);
  direction_ = prescribed;
  direction_.leftCols(cloth()) += d;
  return d.allFinite() && (!d.isZero(0) || here_.gradient.isZero(0) || moves);
}

// False if curvature is negative.
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

  // Stiff pairs hide soft modes: the last direction is solved for as well as the step shall be
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

// [m] to the minimum. What was not gone of the direction, as its energy says; and after it, in contact, the
// later directions and what the linear solve has left: energies of stiff pairs tell no length. Without
// contact they do, of soft and long ways, too.
double ContactNewton::distance_left() const {
  const double gone = part_gone(), distance = criteria_.distance(here_.gradient, direction_);
  const double after = report_.contacts > 0 ? way_left_.after() + linear_error_ * distance
                                            : std::max(way_left_.rate(), kLeastOfFree) * distance;
  return gone * after + (1 - gone) * distance;
}

// The part of the direction that was gone.
double ContactNewton::part_gone() const { return way_left_.fraction() >= kWhole ? 1 : way_left_.fraction(); }

// Whether what is left is near enough, and in contact no piece as a whole and no vertex has farther to go.
bool ContactNewton::is_near() const {
  const double tolerance = criteria_.tolerance(report_.contacts);
  if (!(report_.distance_left <= tolerance)) return false;
  if (report_.contacts == 0) return criteria_.is_calm(here_.x.leftCols(cloth()));
  if (is_pressed_and_moving(kLeaving)) return false;  // little in metres, half of a force
  const double gone = part_gone(), left = gone * way_left_.rate() + (1 - gone);  // of the direction
  const double last_move = std::max(kLastMove * contact_.pairs().thickness(), kLastMoves * tolerance);
  return left * criteria_.shift(direction_) <= tolerance && left * longest_move() <= last_move;
}

// Whether a piece would go on in another way by more than is tolerated, had it gone the rest of the
// direction.
bool ContactNewton::loses_momentum() const {
  if (direction_.cols() == 0) return true;  // all that was done is to wait
  const double gone = part_gone(), left = gone * way_left_.rate() + (1 - gone);
  return !(left * criteria_.lost_momentum(direction_.leftCols(cloth())) <=
           criteria_.tolerance(report_.contacts));
}

// As far along the direction as is safe and F falls. Whether the descent goes on: of pairs that were looked
// for anew, F may not have fallen that way.
bool ContactNewton::descend() {
  double safe = 1;
  bool is_new = look_ahead(safe);
  way_left_.add(criteria_.length(direction_));
  if (safe >= kStuck || criteria_.pieces().count() == 1) {
    search(direction_, safe, 1);
    return way_left_.fraction() > 0 || is_new;
  }
  // What is not in trouble goes on
  const auto [way, least] = each_as_far_as_safe();
  if (contact_.list_pairs_ahead(here_.x, way)) {
    evaluate();
    is_new = true;
    is_value_known_ = false;
  }
  search(way, contact_.objective().safe_step(here_.x, way), least);
  return report_.last_move > 0 || is_new;
}

// Along a way, of which a part is safe, and which has no less than a fraction of the direction anywhere.
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
  way_left_.went(length * least);
}

// The direction with that fraction of it for every piece which is safe for the pieces that it is near, and
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
  if (safe < kFarEnough && foresee(/*turns=*/false)) look();
  if (safe < kStuck && foresee(/*turns=*/true)) look();
  return is_new;
}

// Whether there is a direction that foresees what the direction would meet, and it is taken.
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

// In iterations: pairs and vertices of bodies cost about as much as a vertex in one of a linear solve.
std::int64_t ContactNewton::work() const {
  return 1 + (contact_.pairs().pair_count() + here_.x.cols()) / std::max(1, cloth());
}

}  // namespace muslin
