#include "muslin/model/report.h"

#include <algorithm>

namespace muslin {

std::string describe(Failure failure) {
  switch (failure) {
    case Failure::not_finite:
      return "positions are no longer finite numbers";
    case Failure::overstretched:
      return "an edge is over a hundred times as long as at rest";
    case Failure::over_budget:
      return "the frame took all the work that solver/budget allows";
    case Failure::stuck:
      return "cloth stands still although its forces do not balance: the solver found no way on";
    case Failure::none:
      break;
  }
  return "";
}

void accumulate(StepReport& whole, const StepReport& step) {
  StepReport sum = step;
  sum.status = std::max(whole.status, step.status);
  add_work(sum, whole);
  sum.rejections += whole.rejections;
  sum.shortened += whole.shortened;
  sum.cut += whole.cut;
  sum.min_gap = std::min(whole.min_gap, step.min_gap);
  sum.least_distance = std::min(whole.least_distance, step.least_distance);
  if (whole.distance_left) sum.distance_left = std::max(*whole.distance_left, sum.distance_left.value_or(0));
  if (whole.time_error) sum.time_error = *whole.time_error + sum.time_error.value_or(0);
  sum.steps += whole.steps;
  sum.jumped += whole.jumped;
  if (whole.jumped > step.jumped) sum.jumped_collider = whole.jumped_collider;
  whole = sum;
}

void add_work(StepReport& whole, const StepReport& step) {
  whole.iterations += step.iterations;
  whole.linear_iterations += step.linear_iterations;
  whole.restarts += step.restarts;
  whole.rebuilds += step.rebuilds;
  whole.setups += step.setups;
  whole.detections += step.detections;
  whole.handovers += step.handovers;
  whole.solve_ms += step.solve_ms;
  whole.contact_ms += step.contact_ms;
}

}  // namespace muslin
