#include "muslin/solver/line_search.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/parallel.h"
#include "muslin/core/vector.h"

namespace muslin {

namespace {

constexpr double kCut = 0.5;  // factor of a step that does not pass: halving, as everybody does
// A parabola is tried where its minimum is before 0.7 or beyond 1.5 of the step: in between, what it could
// gain, (1 − length)² of the decrease, is less than an evaluation costs. It is one measurement of a Hessian
// that is too stiff, so no more than 8 times the step is believed. Half or double of any: hang, flag and
// drape within 15 %, mostly less work (docs/performance/constants.md).
constexpr double kBefore = 0.7, kBeyond = 1.5, kFarthest = 8;
// The least slope reduction that is believed.
constexpr double kLeastReduction = 1e-6;

/// One search; see search_line.
class Search {
 public:
  Search(const Objective& objective, const Iterate& from, const Points& direction, const LineSearch& rules,
         Scratch& scratch)
      : objective_(objective),
        from_(from),
        direction_(direction),
        rules_(rules),
        scratch_(scratch),
        slope_(dot(from.gradient, direction)) {}

  LineStep run(Iterate& next) {
    LineStep step;
    step.in_rounding = in_rounding_ = -slope_ <= kNoise * std::abs(from_.value);
    if (!(slope_ < 0) || rules_.longest == 0) return step;
    for (double length = rules_.longest; length >= rules_.shortest * rules_.longest; length *= kCut) {
      const bool moved = go(length, next.x);
      if (!moved && rules_.rounding != Rounding::tolerated) return step;
      if (!accepts(length, next)) continue;
      step.length = rules_.parabola ? try_parabola(length, next) : length;
      return step;
    }
    return step;
  }

 private:
  // Whether a number changed on the way.
  bool go(double length, Points& x) const {
    x.resize(3, from_.x.cols());
    return parallel_sum(static_cast<int>(x.cols()), 0, [&](int v) {
             x.col(v) = from_.x.col(v) + length * direction_.col(v);
             return x.col(v) != from_.x.col(v) ? 1 : 0;
           }) > 0;
  }

  // [Hager & Zhang 2005, eq. 4]
  bool is_flat(const Iterate& next) const {
    return dot(next.gradient, direction_) <= (2 * kArmijo - 1) * slope_;
  }

  bool accepts(double length, Iterate& next) {
    const double enough = from_.value + kArmijo * length * slope_;
    if (rules_.rounding == Rounding::by_slope && in_rounding_) {
      objective_.gradient(next.x, scratch_, next.gradient);
      return is_flat(next);
    }
    // The first length is most often enough, and two passes cost more than one.
    const bool with_gradient = rules_.wants_gradient && length == rules_.longest;
    next.value = with_gradient ? objective_.value_and_gradient(next.x, scratch_, next.gradient)
                               : objective_.value(next.x);
    const double tolerated = rules_.rounding == Rounding::tolerated ? kNoise * std::abs(from_.value) : 0;
    const bool falls = next.value <= enough + tolerated;
    const bool may_be_hidden = rules_.rounding == Rounding::flattens;
    if (!falls && !(may_be_hidden && next.value <= from_.value * (1 + kNoise))) return false;
    if (rules_.wants_gradient && !with_gradient) objective_.gradient(next.x, scratch_, next.gradient);
    return falls || is_flat(next);
  }

  // The length that is gone in the end. A full step may be left behind, as far as is safe.
  double try_parabola(double length, Iterate& next) {
    const double bend = (next.value - from_.value) / length - slope_;
    double best = bend > 0 ? std::min(-slope_ * length / (2 * bend), kFarthest) : kFarthest;
    const bool is_beyond = length == 1 && best > kBeyond;
    if (is_beyond) best *= objective_.safe_step(from_.x, best * direction_);
    if (!(best < kBefore * length || (length == 1 && best > kBeyond))) return length;
    Iterate other;
    go(best, other.x);
    other.value = objective_.value(other.x);
    if (!(other.value < next.value)) return length;
    std::swap(next, other);
    return best;
  }

  const Objective& objective_;
  const Iterate& from_;
  const Points& direction_;
  const LineSearch& rules_;
  Scratch& scratch_;
  const double slope_;
  bool in_rounding_ = false;
};

}  // namespace

void evaluate(const Objective& objective, Scratch& scratch, Iterate& iterate) {
  iterate.value = objective.value_and_gradient(iterate.x, scratch, iterate.gradient);
}

LineStep search_line(const Objective& objective, const Iterate& from, const Points& direction,
                     const LineSearch& rules, Scratch& scratch, Iterate& next) {
  return Search(objective, from, direction, rules, scratch).run(next);
}

double slope_reduction(const Iterate& from, const Iterate& next, const Points& direction, double length) {
  const double slope = dot(from.gradient, direction), left = dot(next.gradient, direction);
  return std::clamp((1 - left / slope) / length, kLeastReduction, 1.0);
}

}  // namespace muslin
