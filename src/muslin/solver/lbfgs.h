#pragma once
#include <cmath>
#include <deque>
#include <utility>

#include "muslin/core/vector.h"

namespace muslin {

/// Limited-memory BFGS [Nocedal 1980]: pairs of a step s and the change y of the gradient along it update an
/// approximate inverse Hessian.
class Lbfgs {
 public:
  /// Keeps at most `most` pairs. With 0, the initial inverse is used as it is.
  explicit Lbfgs(int most) : most_(most) {}

  void clear() { pairs_.clear(); }
  bool empty() const { return pairs_.empty(); }

  /// Adds a pair. One with sᵀy ≤ 0 is discarded, since it would make the approximation indefinite.
  void add(const Points& from, const Points& to, const Points& gradient_from, const Points& gradient_to) {
    if (most_ == 0) return;
    subtract(to, from, spare_.move);
    subtract(gradient_to, gradient_from, spare_.change);
    const double curvature = dot(spare_.move, spare_.change);
    const double lengths = std::sqrt(dot(spare_.move, spare_.move) * dot(spare_.change, spare_.change));
    if (!(curvature > kLeastCurvature * lengths)) return;
    spare_.inverse_curvature = 1 / curvature;
    pairs_.push_back(std::move(spare_));
    if (static_cast<int>(pairs_.size()) <= most_) return;
    spare_ = std::move(pairs_.front());  // reuse its memory
    pairs_.pop_front();
  }

  /// direction = −B⁻¹ gradient by the two-loop recursion [Nocedal 1980]. apply(b, x) sets x to the product of
  /// the initial inverse and b.
  template <class Apply>
  void direction(const Points& gradient, const Apply& apply, Points& direction) {
    rest_ = -gradient;
    for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair) {
      pair->alpha = pair->inverse_curvature * dot(pair->move, rest_);
      muslin::add(-pair->alpha, pair->change, rest_);
    }
    apply(rest_, direction);
    for (const Pair& pair : pairs_)
      muslin::add(pair.alpha - pair.inverse_curvature * dot(pair.change, direction), pair.move, direction);
  }

 private:
  static constexpr double kLeastCurvature = 1e-12;  ///< over the lengths of both, as a cosine
  struct Pair {
    Points move, change;
    double inverse_curvature = 0;
    double alpha = 0;  ///< α of the first loop
  };
  int most_;
  std::deque<Pair> pairs_;  ///< oldest first
  Pair spare_;
  Points rest_;
};

}  // namespace muslin
