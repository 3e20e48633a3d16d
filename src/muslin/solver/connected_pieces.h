#pragma once
#include <Eigen/Cholesky>
#include <vector>

#include "muslin/solver/objective.h"

namespace muslin {

/// A⁻¹ b along free axes, 0 along others; A must be positive definite.
inline Vec3 solve_in_free_axes(Mat3 A, Vec3 b, const Vec3& free) {
  for (int axis = 0; axis < 3; ++axis) {
    if (free[axis] != 0) continue;
    b[axis] = 0;
    A.row(axis).setZero();
    A.col(axis).setZero();
    A(axis, axis) = 1;
  }
  return A.llt().solve(b);
}

/// The pieces of cloth that elements connect, and measures of what a gradient or a direction does to each as
/// a whole.
class ConnectedPieces {
 public:
  /// Acceleration that a piece in contact may lack, per metre of tolerance [1/s²]: 0.1 m/s² for 0.1 mm. It
  /// has a bound because the error has the same sign in every step: cloth that slides would never reach its
  /// speed (docs/contact.md; half and double: docs/performance/constants.md).
  static constexpr double kLostAcceleration = 1e3;

  /// Acceleration [m/s²] that a step with this tolerance [m] may lack. At least 1e-5 of gravity: friction
  /// lagged by an iteration oscillates with that amplitude.
  static double tolerated_acceleration(double tolerance) {
    return std::max(kLostAcceleration * tolerance, 1e-4);
  }

  ConnectedPieces() = default;
  /// neighbours(v, visit) calls visit(u) for every vertex u that shares an element with v.
  template <class Neighbours>
  ConnectedPieces(const Model& model, const Points& free, const Neighbours& neighbours)
      : piece_(model.vertex_count(), -1) {
    std::vector<int> stack;
    for (int v = 0; v < model.vertex_count(); ++v) {
      if (piece_[v] >= 0) continue;
      const int piece = static_cast<int>(mass_.size());
      mass_.push_back(0);
      free_.push_back(Vec3::Ones());
      stack.push_back(v);
      piece_[v] = piece;
      while (!stack.empty()) {
        const int u = stack.back();
        stack.pop_back();
        mass_[piece] += model.mass[u] * free.col(u).sum() / 3;
        free_[piece] = free_[piece].cwiseProduct(free.col(u));
        neighbours(u, [&](int w) {
          if (piece_[w] >= 0) return;
          piece_[w] = piece;
          stack.push_back(w);
        });
      }
    }
  }

  int size() const { return static_cast<int>(piece_.size()); }

  /// The largest h √(−g·d / M) of a piece [m]: about the root mean square of its vertices' remaining motion.
  double distance_estimate(const Points& gradient, const Points& direction, double h) const;

  /// The largest root mean square of a direction over a piece [m], by mass.
  double root_mean_square(const Model& model, const Points& direction) const;

  /// The piece of a vertex, from 0, and how many there are.
  int piece_of(int vertex) const { return piece_[vertex]; }
  int count() const { return static_cast<int>(mass_.size()); }

  /// The longest mean of a direction over a piece [m], weighted by free mass.
  double mean_motion(const Model& model, const Points& direction) const;

  /// The longest mean of a direction over a piece [m], along axes on which none of its vertices is held.
  double shift(const Model& model, const Points& direction) const;

  /// The largest acceleration that a piece as a whole lacks [m/s²], along axes on which no vertex is held.
  double lost_acceleration(const Points& gradient) const;

  /// Newton steps of every piece as a rigid translation, −(Σ H)⁻¹ Σ g, along axes on which no vertex is held;
  /// 3×n [m]. H leaves out elasticity, which translations do not change.
  Points translations(const Points& gradient, const std::vector<Mat3>& stiffness) const;

 private:
  double largest_of_pieces(const std::vector<Vec3>& sums) const;

  std::vector<int> piece_;    // of every vertex
  std::vector<double> mass_;  // free mass of every piece [kg]
  std::vector<Vec3> free_;    // of every piece: 0 along axes on which a vertex is held, else 1
};

}  // namespace muslin
