#include "muslin/solver/quasi_newton/contact_newton.h"

#include <algorithm>

#include "muslin/core/vector.h"
#include "muslin/solver/line_search.h"

namespace muslin {

namespace {

constexpr double kShortest = 1e-6;  // of a safe step
constexpr double kFarEnough = 0.5;  // of a direction, that may be gone without looking for a better one
constexpr double kBefore = 0.7;     // of a length, before which the parabola of F has its minimum
constexpr double kBeyond = 1.5;     // of a full step, beyond which it has
constexpr double kFarthest = 8;     // full steps, as far as one goes then
constexpr double kLastMove = 0.16;  // of the thickness: the largest move that may be left
constexpr double kLastMoves = 5;    // of the tolerance: the same, where cloth is thin
constexpr double kSafe = 0.8;       // of a safe step, that is taken where something is in the way
constexpr double kPressed = 0.1;   // of the radius of a pair: a distance at which cloth gets time to give way
constexpr double kRestless = 0.5;  // of such a distance, that changes by more where cloth is not at rest
constexpr int kPatience = 3;       // times that cloth must be squeezed, and get time, before that is believed
constexpr double kCrushed = 1e-3;  // of the radius: a distance at which cloth at rest is squeezed, …
constexpr double kClosing = 0.5;   // … if what moves would take away so much of it
constexpr double kDriven = 0.1;    // of the usual errors of linear solves: what moves pulls hard
constexpr int kMostLinearIterations = 200;

/// How much of a way is gone of which so much is safe.
double share_of(double safe) { return safe < 1 ? kSafe * safe : 1; }

Points joined(const Points& cloth, const Points& bodies) {
  Points all(3, cloth.cols() + bodies.cols());
  all << cloth, bodies;
  return all;
}

}  // namespace

void ContactNewton::begin(const Task& task, const Points& x) {
  const SceneSurfaces& scene = contact_.scene();
  const Input& input = task.input;
  const Points there = scene.bodies_at(input.collider_start, input.time_start);
  start_ = joined(task.start, task.blocked.cols() == there.cols() ? task.blocked : there);
  goal_ = joined(x, scene.bodies_at(input.collider_end, input.time_end));
  contact_.begin(start_, goal_ - start_, task.h);
  all_ = start_;
}

void ContactNewton::go_to(const Points& x) {
  all_ = goal_;
  all_.leftCols(cloth()) = x;
}

void ContactNewton::coast(const Task& task) {
  const Controls& controls = task.objective.controls();
  direction_ = Points::Zero(3, all_.cols());
  direction_.leftCols(cloth()) =
      ((task.objective.target() - task.start).colwise() - task.h * task.h * controls.gravity)
          .cwiseProduct(controls.free);
  list_pairs_ahead();
  const double safe = contact_.safe_step(all_, direction_);
  step_ = all_ + share_of(safe) * direction_;
  if (value(task.objective, step_) < value(task.objective, all_)) std::swap(all_, step_);
}

// Of cloth to x, of bodies to their targets.
Points ContactNewton::way_to(const Points& x) const {
  Points way = goal_ - start_;
  way.leftCols(cloth()) = x - start_.leftCols(cloth());
  return way;
}

bool ContactNewton::is_clear(const Points& x) { return contact_.is_clear(start_, way_to(x)); }

double ContactNewton::relative_motion(const Points& x) const {
  return contact_.relative_motion(start_, way_to(x));
}

// What bodies and held components of pins still have to go.
Points ContactNewton::driven_way() const {
  Points way = goal_ - all_;
  way.leftCols(cloth()).setZero();
  for (const Filter::Held& held : held_.held()) {
    const Vec3 all = goal_.col(held.vertex) - all_.col(held.vertex);
    way.col(held.vertex) = all - held.free * all;
  }
  return way;
}

// Along the direction, in which what is driven goes all the way to its target, and cloth gives way: all of it
// if there is room, else most of what is safe. How much it was.
double ContactNewton::drive() {
  const double share = share_of(contact_.safe_step(all_, direction_));
  all_ += share * direction_;
  if (share < 1) return share;
  all_.rightCols(all_.cols() - cloth()) = goal_.rightCols(all_.cols() - cloth());  // to the bit
  for (const auto& [v, free, prescribed] : held_.held())
    all_.col(v) = free * all_.col(v) + (goal_.col(v) - free * goal_.col(v));
  return 1;
}

// Whether cloth that is pressed is not at rest: the direction, along which nothing else moves, leads there,
// and would change a distance by more than `part` of it.
bool ContactNewton::is_restless(const Task& task, double part, NewtonSystem& system, double forcing,
                                StepReport& report) {
  const Points still = Points::Zero(3, all_.cols());
  return contact_.least_share(all_) < kPressed && find_direction(task, still, system, forcing, report) &&
         contact_.largest_change(all_, direction_, kPressed) > part;
}

// Whether the direction, in which cloth gives way as well as it can, leads what is as near as can be nearer
// still.
bool ContactNewton::squeezes() const {
  return !contact_.approaching(all_, direction_, kCrushed, kClosing).empty();
}

// Bodies that press on what cannot give way stay where they are for the rest of the step, or all pins, if it
// is none. False if there is neither.
bool ContactNewton::stop_the_squeezing(const Points& driven) {
  const SceneSurfaces& scene = contact_.scene();
  std::vector<char> stops(scene.surfaces().pieces.size(), 0);
  for (const Stencil<4>& pair : contact_.approaching(all_, driven, kPressed, 0))
    for (const int v : pair)
      if (v >= cloth() && !driven.col(v).isZero(0)) stops[scene.surfaces().piece[v]] = 1;
  const bool bodies = std::any_of(stops.begin(), stops.end(), [](char s) { return s; });
  if (!bodies && driven.leftCols(cloth()).isZero(0)) return false;
  for (int v = 0; v < all_.cols(); ++v)
    if (v < cloth() ? !bodies : stops[scene.surfaces().piece[v]]) goal_.col(v) = all_.col(v);
  return true;
}

double ContactNewton::value(const Objective& objective, const Points& all) const {
  return objective.value(all.leftCols(cloth())) + contact_.value(all);
}

// As far along the direction as is safe and F falls; 0 if it does not. Where the parabola of F has its
// minimum well before that or beyond, as with a Hessian that is too stiff, it is tried, too.
double ContactNewton::search_line(const Objective& objective, double safe) {
  const double before = value(objective, all_), slope = dot(gradient_, direction_.leftCols(cloth()));
  const auto go = [&](double length, Points& place) {
    place = all_ + length * direction_;
    return value(objective, place);
  };
  if (safe == 0 || !(slope < 0)) return 0;
  double length = safe, after = go(length, step_);
  while (!(after <= before + kArmijo * length * slope + kNoise * std::abs(before))) {
    length /= 2;
    if (length <= kShortest * safe) return 0;
    after = go(length, step_);
  }

  const double bend = (after - before) / length - slope;
  double best = bend > 0 ? std::min(-slope * length / (2 * bend), kFarthest) : kFarthest;
  if (length == 1 && best > kBeyond) best *= contact_.safe_step(all_, best * direction_);
  if ((best < kBefore * length || (length == 1 && best > kBeyond)) && go(best, other_step_) < after) {
    length = best;
    std::swap(step_, other_step_);
  }
  std::swap(all_, step_);
  return length;
}

// Contact and the gradient of F at the iterate, of the pairs that are listed now.
void ContactNewton::evaluate(const Objective& objective, StepReport& report) {
  rows_ = contact_.rows(all_, report.contacts);
  objective.gradient(all_.leftCols(cloth()), scratch_, gradient_);
  rows_.add_gradient(gradient_);
  held_.apply(gradient_);
}

// H d = −∇F, with exact curvature until that is met to be negative, while what is driven moves by `driven`:
// to first order, cloth goes along with it. False if there is no such d.
bool ContactNewton::find_direction(const Task& task, const Points& driven, NewtonSystem& system,
                                   double forcing, StepReport& report) {
  const Points x = all_.leftCols(cloth());
  evaluate(task.objective, report);
  report.residual = root_mean_square(gradient_);
  if (!report.residual_start) report.residual_start = report.residual;
  Points d;
  const auto solve = [&](Hessian which) {
    system.assemble(task.objective, x, which);
    Points force = -gradient_;
    if (!driven.isZero(0)) {
      Points pull = Points::Zero(3, cloth());
      system.multiply(driven.leftCols(cloth()), pull);
      rows_.multiply_add(driven, pull);
      force -= pull;
      held_.apply(force);
    }
    d = Points::Zero(3, cloth());
    const PcgOptions options{forcing, kMostLinearIterations, Preconditioner::multigrid,
                             /*same_matrix=*/false, task.input.budget};
    return !system.solve(rows_, force, held_, options, d, report).negative_curvature;
  };
  const bool exact = convex_ && driven.isZero(0);
  if (exact) convex_ = solve(Hessian::exact);
  if (!exact || !convex_) solve(Hessian::projected);
  direction_ = driven;
  direction_.leftCols(cloth()) += d;
  return d.allFinite() && (!d.isZero(0) || gradient_.isZero(0) || !driven.isZero(0));
}

// The pairs along the direction, or half of it at least. Whether they had to be looked for.
bool ContactNewton::list_pairs_ahead() {
  if (contact_.covers_half(all_, direction_)) return false;
  contact_.detect(all_, direction_);
  return true;
}

// Where little of the direction may be gone, it becomes one that foresees what would be met, which else is
// found pair by pair, iteration by iteration.
ContactNewton::Outlook ContactNewton::look_ahead(const Task& task, NewtonSystem& system, double forcing,
                                                 StepReport& report) {
  Outlook outlook{1, false};
  const auto look = [&] {
    if (list_pairs_ahead()) {
      evaluate(task.objective, report);
      outlook.detected = true;
    }
    outlook.safe = contact_.safe_step(all_, direction_);
  };
  look();
  if (outlook.safe >= kFarEnough) return outlook;
  const ContactRows ahead = contact_.rows_ahead(all_, direction_);
  Points slope = gradient_, d = direction_.leftCols(cloth());
  ahead.add_gradient(slope);
  held_.apply(slope);
  const PcgOptions options{forcing, kMostLinearIterations, Preconditioner::multigrid, /*same_matrix=*/true,
                           task.input.budget};
  system.solve(rows_ + ahead, -slope, held_, options, d, report);
  if (!d.allFinite() || !(dot(gradient_, d) < 0)) return outlook;
  direction_.leftCols(cloth()) = d;
  look();
  return outlook;
}

void ContactNewton::minimise(const Task& task, const Enough& enough, NewtonSystem& system, Points& x,
                             StepReport& report) {
  held_ = held_axes(task.objective.controls());
  convex_ = true;
  report.status = Status::not_converged;
  const Points targets = goal_;
  const double last_move = std::max(kLastMove * contact_.thickness(), kLastMoves * enough.tolerance);
  bool may_wait = true, must_wait = false;
  int squeezed = 0;  // times in a row
  for (int k = 0; k <= enough.iterations && task.input.spend(work()); ++k) {
    // 1. Downwards, with what must move, unless that has to wait until cloth has given way
    const Points driven = driven_way();
    const bool is_there = driven.isZero(0);
    task.show(all_.leftCols(cloth()));
    const bool waits =
        !is_there && may_wait && is_restless(task, must_wait ? 0 : kRestless, system, enough.forcing, report);
    must_wait = false;
    const double forcing = is_there ? enough.forcing : kDriven * enough.forcing;
    if (!waits && !find_direction(task, driven, system, forcing, report)) break;
    const auto longest = [&] {
      return std::sqrt(direction_.leftCols(cloth()).colwise().squaredNorm().maxCoeff());
    };
    ++report.iterations;

    // 2. Before anything touches: at first to where all is driven, whatever that costs
    if (!is_there && !waits) {
      list_pairs_ahead();
      squeezed = squeezes() ? squeezed + 1 : 0;
      if (squeezed > kPatience && stop_the_squeezing(driven)) {
        report.jammed = true;
        continue;
      }
      if (squeezed > 0 && squeezed <= kPatience && may_wait) {
        must_wait = true;
        continue;
      }
      report.last_move = drive() * longest();
      may_wait = true;
      continue;
    }

    // 3. Then as far as F falls, until that is near enough
    const bool near = is_there &&
                      enough.way_to_go(gradient_, direction_.leftCols(cloth())) <= enough.tolerance &&
                      enough.is_calm(all_.leftCols(cloth()));
    if (near && k > 0 && (report.contacts == 0 || longest() <= last_move)) {
      report.status = Status::ok;
      break;
    }
    if (k == enough.iterations) break;
    const auto [safe, detected] = look_ahead(task, system, enough.forcing, report);
    const double length = search_line(task.objective, safe);
    report.last_move = length * longest();
    if (length > 0 || detected) continue;  // of other pairs, F may not have fallen that way
    if (waits) {
      may_wait = false;
      continue;
    }
    if (near) report.status = Status::ok;
    break;
  }
  x = all_.leftCols(cloth());
  report.least_distance = contact_.least_distance(all_);
  report.struck = contact_.is_struck(all_);
  report_held_up(targets, task.blocked, report);
}

// Pairs and vertices of bodies cost about as much as a vertex in an iteration of a linear solve.
std::int64_t ContactNewton::work() const {
  return 1 + (contact_.pair_count() + all_.cols()) / std::max(1, cloth());
}

// How far bodies and pins are from their targets.
void ContactNewton::report_held_up(const Points& targets, Points& blocked, StepReport& report) {
  goal_ = targets;
  const Points way = driven_way();
  const int bodies = static_cast<int>(all_.cols()) - cloth();
  if (way.rightCols(bodies).isZero(0))
    blocked.resize(3, 0);
  else
    blocked = all_.rightCols(bodies);
  int v = 0;
  const double most = way.colwise().norm().maxCoeff(&v);
  if (most <= kNoise * goal_.cwiseAbs().maxCoeff()) return;
  report.blocked = most;
  report.blocked_collider = v < cloth() ? -1 : contact_.scene().collider_of(v);
}

}  // namespace muslin
