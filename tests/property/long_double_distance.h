#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "muslin/geometry/distance.h"

// The distance of a pair by another road than the library's: brute force over all combinations of features,
// each by its normal equations in long double. No cases, no regions: the least of all feasible points is the
// nearest.

namespace muslin::reference {

using Real = long double;
using Vec3L = Eigen::Matrix<Real, 3, 1>;
using QuadL = Eigen::Matrix<Real, 3, 4>;

/// Least |c + s·u| over 0 ≤ s ≤ 1: both ends, and the foot if it is inside.
inline Real segment_distance(const Vec3L& c, const Vec3L& u) {
  Real least = std::min(c.norm(), Vec3L(c + u).norm());
  const Real s = -c.dot(u) / u.dot(u);
  if (s > 0 && s < 1) least = std::min(least, Vec3L(c + s * u).norm());
  return least;
}

/// Height of zero over the plane c + s·u + t·v if its foot fulfils `inside(s, t)`, else infinite.
template <class Inside>
Real plane_distance(const Vec3L& c, const Vec3L& u, const Vec3L& v, const Inside& inside) {
  const Vec3L n(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  const auto triple = [](const Vec3L& a, const Vec3L& b, const Vec3L& d) {
    return a[0] * (b[1] * d[2] - b[2] * d[1]) + a[1] * (b[2] * d[0] - b[0] * d[2]) +
           a[2] * (b[0] * d[1] - b[1] * d[0]);
  };
  const Real nn = n.dot(n);
  if (!(nn > 0)) return std::numeric_limits<Real>::infinity();
  Real s = 0, t = 0;
  Vec3L foot = c;
  for (int repeat = 0; repeat < 4; ++repeat) {  // Cramer's rule, refined: slivers lose half of the digits
    const Real more_s = -triple(foot, v, n) / nn, more_t = -triple(u, foot, n) / nn;
    s += more_s, t += more_t;
    foot = c + s * u + t * v;
  }
  return inside(s, t) ? foot.norm() : std::numeric_limits<Real>::infinity();
}

inline Real distance(PairKind kind, const QuadL& x) {
  Real least = std::numeric_limits<Real>::infinity();
  const auto segment = [&](int p, int a, int b) {  // vertex p and edge a b
    least = std::min(least, segment_distance(x.col(p) - x.col(a), x.col(a) - x.col(b)));
  };
  if (kind == PairKind::point_triangle) {
    segment(0, 1, 2), segment(0, 2, 3), segment(0, 3, 1);
    return std::min(least, plane_distance(x.col(0) - x.col(1), x.col(1) - x.col(2), x.col(1) - x.col(3),
                                          [](Real s, Real t) { return s >= 0 && t >= 0 && s + t <= 1; }));
  }
  segment(0, 2, 3), segment(1, 2, 3), segment(2, 0, 1), segment(3, 0, 1);
  return std::min(least, plane_distance(x.col(0) - x.col(2), x.col(1) - x.col(0), x.col(2) - x.col(3),
                                        [](Real s, Real t) { return s >= 0 && s <= 1 && t >= 0 && t <= 1; }));
}
inline Real distance(PairKind kind, const Quad& x) { return distance(kind, QuadL(x.cast<Real>())); }

/// The four vertices on their straight ways.
inline QuadL at(const Quad& start, const Quad& end, double time) {
  const QuadL from = start.cast<Real>();
  return from + Real(time) * (end.cast<Real>() - from);
}

}  // namespace muslin::reference
