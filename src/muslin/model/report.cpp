#include "muslin/model/report.h"

#include <algorithm>

namespace muslin {

void accumulate(StepReport& whole, const StepReport& step) {
  StepReport sum = step;
  sum.status = std::max(whole.status, step.status);
  sum.iterations += whole.iterations;
  sum.linear_iterations += whole.linear_iterations;
  sum.restarts += whole.restarts;
  sum.rebuilds += whole.rebuilds;
  sum.handovers += whole.handovers;
  sum.rejections += whole.rejections;
  sum.shortened += whole.shortened;
  sum.cut += whole.cut;
  sum.min_gap = std::min(whole.min_gap, step.min_gap);
  sum.least_distance = std::min(whole.least_distance, step.least_distance);
  sum.solve_ms += whole.solve_ms;
  sum.contact_ms += whole.contact_ms;
  whole = sum;
}

}  // namespace muslin
