#include "muslin/solver/quasi_newton/stop_criteria.h"

#include <algorithm>
#include <cmath>

#include "muslin/solver/newton_system.h"

namespace muslin {

namespace {

constexpr double kLeastRate =
    0.2;  // bounds of the ratio of successive directions; buckling cloth reaches 0.9
constexpr double kLargestRate = 0.75;
constexpr double kUsualRate = 0.6;  // assumed where no ratio is known
constexpr double kTelling = 0.7;    // least fraction of a direction taken, for its length to predict the next
constexpr double kOfMotion = 0.05;  // tolerance of a stage, over the motion in it
constexpr double kAtRest = 0.02;    // least factor of the tolerance, so that cloth comes to its equilibrium
constexpr double kUnbalanced = 0.1;  // net acceleration of a piece that stands still [m/s²]: 1 % of gravity

// Displacement by velocity alone, without gravity [m].
Points inertial_motion(const StepProblem& problem) {
  const Objective& objective = problem.objective;
  Points motion = objective.target() - problem.start;
  for (int v = 0; v < motion.cols(); ++v)
    motion.col(v) -= objective.model().mass[v] / objective.inertia(v) * objective.controls().gravity;
  return motion.cwiseProduct(objective.controls().free);
}

}  // namespace

StopCriteria::StopCriteria(const QuasiNewtonSettings& settings, const StepProblem& problem,
                           const ConnectedPieces& pieces, const EnergyBound& bound)
    : problem_(problem), pieces_(pieces), bound_(bound) {
  const double part = std::min(1.0, problem.h / kNominalStep);
  const bool by_stages = settings.integrator == Integrator::sdirk2;
  const double shortened = by_stages ? part * part : part;
  tolerance_ = settings.nearness() * shortened;
  in_contact_ = settings.nearness_in_contact() * shortened;
  if (by_stages && !settings.tolerance) {
    const double motion = length(inertial_motion(problem));
    for (double* tolerance : {&tolerance_, &in_contact_})
      *tolerance = std::min(*tolerance, std::max(kOfMotion * motion, kAtRest * *tolerance));
  }
  seconds_squared_ = in_contact_ / settings.lost_acceleration();
  if (!settings.milliseconds) return;
  // Two stages, and one step of backward Euler where cloth hits something
  const double solves = settings.integrator == Integrator::sdirk2 ? 3 : 1;
  const std::chrono::duration<double, std::milli> time(*settings.milliseconds / solves);
  late_.at(Stop::Clock::now() + std::chrono::duration_cast<Stop::Clock::duration>(time));
}

double StopCriteria::distance(const Points& gradient, const Points& direction, double slope_reduction) const {
  return pieces_.distance_estimate(gradient, direction, problem_.h) / std::sqrt(slope_reduction);
}

double StopCriteria::length(const Points& direction) const {
  return pieces_.root_mean_square(problem_.objective.model(), direction);
}

double StopCriteria::shift(const Points& direction) const {
  return seconds_squared_ * pieces_.shift(problem_.objective.model(), direction) / (problem_.h * problem_.h);
}

double StopCriteria::lost_momentum(const Points& direction) const {
  return seconds_squared_ * pieces_.mean_motion(problem_.objective.model(), direction) /
         (problem_.h * problem_.h);
}

int StopCriteria::stuck(const Points& x, const Points& gradient) const {
  const Model& model = problem_.objective.model();
  std::vector<char> moved(pieces_.count(), 0);
  std::vector<Vec3> force(pieces_.count(), Vec3::Zero());
  std::vector<double> mass(pieces_.count(), 0);
  for (int v = 0; v < pieces_.size(); ++v) {
    const int piece = pieces_.piece_of(v);
    if (x.col(v) != problem_.start.col(v)) moved[piece] = 1;
    force[piece] += gradient.col(v);
    mass[piece] += model.mass[v];
  }
  for (int v = 0; v < pieces_.size(); ++v)
    if (const int piece = pieces_.piece_of(v);
        !moved[piece] && force[piece].norm() > kUnbalanced * mass[piece])
      return v;
  return -1;
}

// The part of a direction that was not taken is contained in the next one.
void ConvergenceEstimate::add_direction(double length) {
  const bool tells = length_ > 0 && fraction_ > kTelling;
  rate_ = tells ? std::clamp(length / length_ - std::max(0.0, 1 - fraction_), kLeastRate, kLargestRate)
                : kUsualRate;
  length_ = length;
}

}  // namespace muslin
