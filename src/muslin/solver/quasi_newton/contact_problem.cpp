#include "muslin/solver/quasi_newton/contact_problem.h"

#include <algorithm>

#include "muslin/solver/line_search.h"
#include "muslin/solver/newton_system.h"

namespace muslin {

namespace {

constexpr double kSafe = 0.8;  // fraction taken of a safe step, which itself leaves a tenth of the gap
constexpr double kMinimumGap =
    1e-3;                         // gap over the radius at which cloth can give way no more, and is jammed
constexpr double kClosing = 0.5;  // if the direction takes this fraction of the gap

double fraction_of(double safe) { return safe < 1 ? kSafe * safe : 1; }

Points joined(const Points& cloth, const Points& bodies) {
  Points all(3, cloth.cols() + bodies.cols());
  all << cloth, bodies;
  return all;
}

}  // namespace

ContactProblem::ContactProblem(PairContact& pairs, const StepProblem& problem, const Points& wanted)
    : pairs_(pairs),
      step_(problem),
      objective_(problem.objective),
      held_(held_axes(problem.objective.controls())) {
  const SceneSurfaces& scene = pairs.scene();
  const Input& input = problem.input;
  const Points there = scene.bodies_at(input.collider_start, input.time_start);
  start_ = joined(problem.start, problem.blocked.cols() == there.cols() ? problem.blocked : there);
  targets_ = joined(wanted, scene.bodies_at(input.collider_end, input.time_end));
  goal_ = targets_;
  pairs.begin(start_, goal_ - start_, problem.duration, problem.slips, problem.struck);
  objective_.add(pairs);
}

Points ContactProblem::arrived(const Points& x) const {
  Points all = goal_;
  all.leftCols(cloth()) = x;
  return all;
}

Points ContactProblem::inertial_start() {
  const Controls& controls = objective_.controls();
  Points direction = Points::Zero(3, start_.cols());
  for (int v = 0; v < cloth(); ++v) {
    const double h2 = objective_.model().mass[v] / objective_.inertia(v);
    const Vec3 moved = objective_.target().col(v) - step_.start.col(v) - h2 * controls.gravity;
    direction.col(v) = moved.cwiseProduct(controls.free.col(v));
  }
  list_pairs_ahead(start_, direction);
  Points moved = start_ + fraction_of(objective_.safe_step(start_, direction)) * direction;
  return objective_.value(moved) < objective_.value(start_) ? moved : start_;
}

// Displacement of cloth to x and of bodies to their targets, from the start.
Points ContactProblem::way_to(const Points& x) const {
  Points way = goal_ - start_;
  way.leftCols(cloth()) = x - start_.leftCols(cloth());
  return way;
}

Points ContactProblem::motion_to(const Points& goal, const Points& all) const {
  Points way = goal - all;
  way.leftCols(cloth()).setZero();
  for (const Filter::Held& held : held_.held()) {
    const Vec3 whole = goal.col(held.vertex) - all.col(held.vertex);
    way.col(held.vertex) = whole - held.free * whole;
  }
  return way;
}

Points ContactProblem::prescribed_motion(const Points& all) const { return motion_to(goal_, all); }

double ContactProblem::advance(Points& all, const Points& direction) const {
  const double length = fraction_of(objective_.safe_step(all, direction));
  all += length * direction;
  if (length < 1) return length;
  all.rightCols(all.cols() - cloth()) = goal_.rightCols(all.cols() - cloth());  // to the bit
  for (const auto& [v, free, prescribed] : held_.held())
    all.col(v) = free * all.col(v) + (goal_.col(v) - free * goal_.col(v));
  return 1;
}

bool ContactProblem::jams(const Points& all, const Points& direction) const {
  return !pairs_.approaching(all, direction, kMinimumGap, kClosing).empty();
}

bool ContactProblem::block_jammed(const Points& all, const Points& prescribed) {
  const Surfaces& surfaces = pairs_.scene().surfaces();
  std::vector<char> stops(surfaces.pieces.size(), 0);
  for (const Stencil<4>& pair : pairs_.approaching(all, prescribed, kPressed, 0))
    for (const int v : pair)
      if (v >= cloth() && !prescribed.col(v).isZero(0)) stops[surfaces.piece[v]] = 1;
  const bool bodies = std::any_of(stops.begin(), stops.end(), [](char s) { return s; });
  if (!bodies && prescribed.leftCols(cloth()).isZero(0)) return false;
  for (int v = 0; v < all.cols(); ++v)
    if (v < cloth() ? !bodies : stops[surfaces.piece[v]]) goal_.col(v) = all.col(v);
  return true;
}

bool ContactProblem::block_all(const Points& all) {
  const bool is_short = !prescribed_motion(all).isZero(0);
  goal_.rightCols(all.cols() - cloth()) = all.rightCols(all.cols() - cloth());
  for (const Filter::Held& held : held_.held()) goal_.col(held.vertex) = all.col(held.vertex);
  return is_short;
}

void ContactProblem::report_blocked(const Points& all, Points& blocked, StepReport& report) const {
  const Points way = motion_to(targets_, all);
  const int bodies = static_cast<int>(all.cols()) - cloth();
  if (way.rightCols(bodies).isZero(0))
    blocked.resize(3, 0);
  else
    blocked = all.rightCols(bodies);
  int v = 0;
  const double most = way.colwise().norm().maxCoeff(&v);
  if (most <= kNoise * targets_.cwiseAbs().maxCoeff()) return;
  report.blocked = most;
  report.blocked_collider = v < cloth() ? -1 : pairs_.scene().collider_of(v);
}

bool ContactProblem::list_pairs_ahead(const Points& all, const Points& direction) {
  if (pairs_.covers_half(all, direction)) return false;
  pairs_.detect(all, direction);
  return true;
}

}  // namespace muslin
