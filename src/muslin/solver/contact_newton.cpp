#include "muslin/solver/contact_newton.h"

#include "muslin/core/vector.h"

namespace muslin {

namespace {

constexpr double kArmijo = 1e-4;     // of the decrease that the slope promises
constexpr double kRounding = 1e-12;  // of F: a smaller decrease is lost in the sum
constexpr double kShortest = 1e-6;   // of a safe step
constexpr double kLastMove = 0.16;   // of the thickness: the largest move that may be left
constexpr double kForcing = 0.1;     // relative error of linear solves, at most
constexpr int kMostLinearIterations = 200;

Points joined(const Points& cloth, const Points& bodies) {
  Points all(3, cloth.cols() + bodies.cols());
  all << cloth, bodies;
  return all;
}

}  // namespace

void ContactNewton::begin(const Task& task, const Points& x) {
  const SceneSurfaces& scene = contact_.scene();
  const Input& input = task.input;
  start_ =
      joined(task.start, task.held_up.cols() > 0 ? task.held_up
                                                 : scene.bodies_at(input.collider_start, input.time_start));
  goal_ = joined(x, scene.bodies_at(input.collider_end, input.time_end));
  contact_.begin(start_, goal_ - start_, task.h);
}

bool ContactNewton::is_clear(const Points& x) {
  Points way = goal_ - start_;
  way.leftCols(cloth()) = x - start_.leftCols(cloth());
  return contact_.is_clear(start_, way);
}

// What bodies and held components of pins still have to go.
Points ContactNewton::driven_way() const {
  Points way = goal_ - all_;
  way.leftCols(cloth()).setZero();
  for (const Filter::Held& held : held_.held())
    way.col(held.vertex) = (goal_.col(held.vertex) - all_.col(held.vertex)) -
                           held.free * (goal_.col(held.vertex) - all_.col(held.vertex));
  return way;
}

// All the way if nothing is in it, or half as far as is safe. Whether it was all the way.
bool ContactNewton::drive(const Points& displacement) {
  if (displacement.isZero(0)) return true;
  if (!contact_.covers_half(all_, displacement)) contact_.detect(all_, displacement);
  const double safe = contact_.safe_step(all_, displacement);
  if (safe < 1)
    all_ += safe / 2 * displacement;
  else
    all_ += displacement;
  return safe == 1;
}

double ContactNewton::value(const Objective& objective, const Points& all) const {
  return objective.value(all.leftCols(cloth())) + contact_.value(all);
}

// As far along the direction as is safe and F falls; 0 if it does not.
double ContactNewton::search_line(const Objective& objective) {
  const double before = value(objective, all_), slope = dot(gradient_, direction_.leftCols(cloth()));
  const double safe = contact_.safe_step(all_, direction_);
  for (double length = safe; length > kShortest * safe; length /= 2) {
    step_ = all_ + length * direction_;
    const double after = value(objective, step_);
    if (after <= before + kArmijo * length * slope + kRounding * std::abs(before)) {
      std::swap(all_, step_);
      return length;
    }
  }
  return 0;
}

void ContactNewton::minimise(const Task& task, const Enough& enough, NewtonSystem& system,
                             const WayToGo& way_to_go, Points& x, StepReport& report) {
  const Objective& objective = task.objective;
  held_ = held_axes(objective.model());
  all_ = start_;
  report.status = Status::not_converged;
  for (int k = 0;; ++k) {
    // 1. As far as there is room: at first all that is wanted, then what must be
    const bool arrived = drive(k == 0 ? Points(goal_ - all_) : driven_way()) || driven_way().isZero(0);
    x = all_.leftCols(cloth());
    task.show(x);

    // 2. H d = −∇F
    ContactRows rows = contact_.rows(all_, report.contacts);
    objective.gradient(x, scratch_, gradient_);
    rows.add_gradient(gradient_);
    held_.apply(gradient_);
    report.residual = root_mean_square(gradient_);
    if (k == 0) report.residual_start = report.residual;
    system.assemble(objective, x, Hessian::projected);
    Points d = Points::Zero(3, cloth());
    system.solve(rows, -gradient_, held_,
                 {std::min(enough.forcing, kForcing), kMostLinearIterations, Preconditioner::multigrid}, d,
                 report);
    if (!d.allFinite()) break;
    direction_ = Points::Zero(3, all_.cols());
    direction_.leftCols(cloth()) = d;

    // 3. Near enough?
    const double longest = std::sqrt(d.colwise().squaredNorm().maxCoeff());
    if (arrived && k > 0 && way_to_go(gradient_, d) <= enough.tolerance &&
        longest <= kLastMove * contact_.thickness()) {
      report.status = Status::ok;
      break;
    }
    if (k == enough.iterations) break;

    // 4. On, before anything touches
    if (!contact_.covers_half(all_, direction_)) contact_.detect(all_, direction_);
    const double length = search_line(objective);
    report.iterations = k + 1;
    report.last_move = length * longest;
    if (length == 0 && arrived) {
      if (way_to_go(gradient_, d) <= enough.tolerance) report.status = Status::ok;
      break;
    }
  }
  x = all_.leftCols(cloth());
  report.least_distance = contact_.least_distance(all_);
  if (driven_way().isZero(0))
    task.held_up.resize(3, 0);
  else
    task.held_up = all_.rightCols(all_.cols() - cloth());
}

}  // namespace muslin
