#include "muslin/io/run_tally.h"

#include <cmath>

namespace muslin {

namespace {

constexpr double kStill = 0.1;  // [m/s²] what would move the cloth's centre more within a frame moves it

}  // namespace

double lost_in(const FrameReport& frame) { return std::abs(frame.step.lost_gravity.value_or(0)); }

void RunTally::add(const FrameReport& frame) {
  const bool is_first = frames++ == 0;
  const StepReport& step = frame.step;
  not_converged += step.status == Status::not_converged;
  const double passed = frame.time - last.time;
  const bool stays = (frame.center_of_mass - last.center_of_mass).norm() <= kStill * passed * passed;
  const bool is_unsolved = lost_in(frame) > kUnsolved, is_missed = step.status != Status::ok;
  const bool is_moving = is_missed || !stays || step.lost_gravity.value_or(0) > kHangs;
  const auto count_worst = [&](bool counts, int& count, FrameReport& worst) {
    if (!counts) return;
    if (count++ == 0 || lost_in(worst) < lost_in(frame)) worst = frame;
  };
  unsolved += is_unsolved;
  count_worst(is_unsolved && is_missed, unsolved_missed, most_lost_missed);
  count_worst(is_unsolved && is_moving, unsolved_moving, most_lost_moving);
  knows_gravity = knows_gravity || step.lost_gravity.has_value();
  restarts += step.restarts;
  rejections += step.rejections;
  handovers += step.handovers;
  cut += step.cut;
  time_error += step.time_error.value_or(0);
  for (size_t k = 0; k < over_quality.size(); ++k)
    over_quality[k] += frame.strain_p99 > allowed_strain(static_cast<PositionQuality>(k));
  last = frame;
  const auto keep_if_larger = [&](FrameReport& kept, const auto& number) {
    if (is_first || number(kept) < number(frame)) kept = frame;
  };
  keep_if_larger(most_lost, lost_in);
  keep_if_larger(most_strained, [](const FrameReport& f) { return f.strain_p99; });
  keep_if_larger(most_limited, [](const FrameReport& f) { return f.limit_ratio; });
  keep_if_larger(most_blocked, [](const FrameReport& f) { return f.step.blocked; });
  keep_if_larger(most_jumped, [](const FrameReport& f) { return f.step.jumped; });
  keep_if_larger(most_mistimed, [](const FrameReport& f) { return f.step.time_error.value_or(0); });
  keep_if_larger(hardest, [](const FrameReport& f) { return f.work; });
}

}  // namespace muslin
