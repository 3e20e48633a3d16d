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

/// The connected pieces of a cloth, as its elements bind it together, and what a gradient of F leaves of them
/// as wholes.
class ConnectedPieces {
 public:
  /// What pieces in contact may be short of [m/s² a metre of tolerance]: of the usual 0.1 mm, 0.1 m/s². What
  /// slides does not come to its speed if every step leaves a part of what it would have gained: friction and
  /// weight leave little, with the same sign in every step. Half or double: a ball that turns under cloth
  /// (spin) takes 13 or 11 % more work; what slides, docs/contact.md.
  static constexpr double kLostAcceleration = 1e3;

  /// What a step with this tolerance [m] may leave [m/s²]: not less than 1e-5 of gravity, as friction that is
  /// lagged by an iteration circles about its place with something of that size.
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

  /// The largest h √(−g·d / M) of a piece [m]: about the root mean square of what its vertices still have to
  /// go.
  double distance_estimate(const Points& gradient, const Points& direction, double h) const;

  /// The largest root mean square of a direction over a piece [m], by mass.
  double root_mean_square(const Model& model, const Points& direction) const;

  /// The piece of a vertex, from 0, and how many there are.
  int piece_of(int vertex) const { return piece_[vertex]; }
  int count() const { return static_cast<int>(mass_.size()); }

  /// The longest mean of a direction over the free mass of a piece [m], held or not.
  double mean_motion(const Model& model, const Points& direction) const;

  /// How far a direction moves a piece as a whole, at most [m], along axes that no vertex holds.
  double shift(const Model& model, const Points& direction) const;

  /// The largest acceleration that a piece as a whole is short of [m/s²], along axes that no vertex holds.
  double lost_acceleration(const Points& gradient) const;

  /// How far Newton's method on F moves every piece as a whole, along axes that no vertex holds, 3×n [m]:
  /// −(Σ H)⁻¹ Σ g, with the parts of the Hessian that do not come of elasticity.
  Points translations(const Points& gradient, const std::vector<Mat3>& stiffness) const;

 private:
  double largest_of_pieces(const std::vector<Vec3>& sums) const;

  std::vector<int> piece_;    // of every vertex
  std::vector<double> mass_;  // [kg] of what is free in every piece
  std::vector<Vec3> free_;    // of every piece: 1 along axes that no vertex holds, else 0
};

}  // namespace muslin
