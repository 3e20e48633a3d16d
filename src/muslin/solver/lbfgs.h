#pragma once
#include <deque>

#include "muslin/core/types.h"

namespace muslin {

/// What a minimiser remembers of its last steps: pairs of a move s and the change y of the gradient along it,
/// which bend an approximate inverse Hessian towards the true one [Nocedal 1980].
class Lbfgs {
 public:
  /// `most` pairs are remembered; with 0 the approximate inverse stays as it is.
  explicit Lbfgs(int most) : most_(most) {}

  void clear() { pairs_.clear(); }
  bool empty() const { return pairs_.empty(); }

  /// Remembers a pair. One along which the gradient did not grow is forgotten at once: it would make the
  /// approximation indefinite.
  void add(const Points& move, const Points& change) {
    if (most_ == 0) return;
    const double curvature = dot(move, change);
    if (!(curvature > kLeastCurvature * move.norm() * change.norm())) return;
    if (static_cast<int>(pairs_.size()) == most_) pairs_.pop_front();
    pairs_.push_back({move, change, 1 / curvature, 0});
  }

  /// direction = −B⁻¹ gradient, where apply(b, x) puts the product of the first approximate inverse and b in
  /// x. The two loops of [Nocedal 1980].
  template <class Apply>
  void direction(const Points& gradient, const Apply& apply, Points& direction) {
    rest_ = -gradient;
    for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair) {
      pair->share = pair->inverse_curvature * dot(pair->move, rest_);
      rest_ -= pair->share * pair->change;
    }
    apply(rest_, direction);
    for (const Pair& pair : pairs_)
      direction += (pair.share - pair.inverse_curvature * dot(pair.change, direction)) * pair.move;
  }

  static double dot(const Points& a, const Points& b) { return a.cwiseProduct(b).sum(); }

 private:
  static constexpr double kLeastCurvature = 1e-12;  ///< over the lengths of both, as a cosine
  struct Pair {
    Points move, change;
    double inverse_curvature;
    double share;  ///< of `move` in the direction, between the two loops
  };
  int most_;
  std::deque<Pair> pairs_;  ///< oldest first
  Points rest_;
};

}  // namespace muslin
