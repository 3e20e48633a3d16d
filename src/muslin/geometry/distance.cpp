#include "muslin/geometry/distance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace muslin {

namespace {

// Squared lengths below this are too small to divide by: such features are points.
constexpr double kNoLength = 1e-200;
// u and v are nearly parallel where sin² of their angle is below this; then the foot of zero on their plane
// may be far off by rounding, and must prove itself against all borders.
constexpr double kThin = 1e-6;

// A point of a patch, and its place `gap` in space.
struct Candidate {
  double s, t;
  Vec3 gap;
};

// The nearest to zero of some points of a patch.
struct Least {
  Candidate best{0, 0, Vec3::Zero()};
  double squared = std::numeric_limits<double>::infinity();
  bool settled = false;

  // `certain`: it is known to be the nearest. Squares of distances alone decide only to half of the digits.
  void consider(const Candidate& candidate, bool certain) {
    const double square = candidate.gap.squaredNorm();
    if (settled || (square >= squared && !certain)) return;
    best = candidate;
    squared = square;
    settled = certain;
  }
};

// The x in [0, 1] for which |from + x·edge| is least.
double nearest_along(const Vec3& from, const Vec3& edge) {
  const double square = edge.squaredNorm();
  return square > kNoLength ? std::clamp(-from.dot(edge) / square, 0.0, 1.0) : 0;
}

// Some unit vector at right angles to u and v.
Vec3 common_normal(const Vec3& u, const Vec3& v) {
  const Vec3 normal = u.cross(v);
  if (const double length = normal.norm(); length > 0) return normal / length;
  const Vec3& longer = u.squaredNorm() > v.squaredNorm() ? u : v;
  return longer.squaredNorm() > kNoLength ? longer.unitOrthogonal() : Vec3::UnitY();
}

template <PairKind kind>
PatchPoint nearest(const Patch& patch) {
  constexpr bool square = kind == PairKind::edge_edge;
  const Vec3 &corner = patch.corner, &u = patch.u, &v = patch.v;

  // 1. The foot of zero on the plane of the patch. `height` stands on u; taking the part along u out of the
  //    corner before it meets `height` keeps the rounding of thin patches small (modified Gram–Schmidt).
  const double uu = u.squaredNorm(), vv = v.squaredNorm();
  const double per_uu = uu > kNoLength ? 1 / uu : 0;
  const double lean = u.dot(v) * per_uu, along = corner.dot(u) * per_uu;
  const Vec3 height = v - lean * u;
  const double hh = height.squaredNorm();
  const double t = hh > kNoLength ? -(corner - along * u).dot(height) / hh : 0;
  const double s = -along - lean * t;
  const bool inside = s >= 0 && t >= 0 && (square ? s <= 1 && t <= 1 : s + t <= 1);
  const bool thin = uu <= kNoLength || hh <= kThin * vv;
  if (inside && !thin) {
    const Vec3 normal = u.cross(height) / std::sqrt(uu * hh);
    const double distance = normal.dot(corner);
    return {s, t, std::abs(distance), distance < 0 ? Vec3(-normal) : normal};
  }

  // 2. Elsewhere the nearest point is on one of the borders that the foot lies beyond: from there to the foot
  //    the distance falls all the way, so the way there must leave the patch at once. The least distance to
  //    such a border, unless it is at a corner, is the least of all, for at that point it falls only
  //    outwards.
  Least least;
  const auto inner = [&](double x) { return !thin && x > 0 && x < 1; };
  const auto along_u = [&](double at_t, const Vec3& from) {
    const double x = nearest_along(from, u);
    least.consider({x, at_t, from + x * u}, inner(x));
  };
  const auto along_v = [&](double at_s, const Vec3& from) {
    const double x = nearest_along(from, v);
    least.consider({at_s, x, from + x * v}, inner(x));
  };
  if (thin || s < 0) along_v(0, corner);
  if (thin || t < 0) along_u(0, corner);
  if constexpr (square) {
    if (thin || s > 1) along_v(1, corner + u);
    if (thin || t > 1) along_u(1, corner + v);
  } else if (thin || s + t > 1) {
    const Vec3 from = corner + u, edge = v - u;
    const double x = nearest_along(from, edge);
    least.consider({1 - x, x, from + x * edge}, inner(x));
  }
  if (thin && inside) least.consider({s, t, corner + s * u + t * v}, false);

  const double distance = std::sqrt(least.squared);
  const Vec3 normal = distance > 0 ? Vec3(least.best.gap / distance) : common_normal(u, v);
  return {least.best.s, least.best.t, distance, normal};
}

// The foot of zero on the plane, as in step 1 above, wherever it is.
template <>
PatchPoint nearest<PairKind::point_plane>(const Patch& patch) {
  const auto& [corner, u, v] = patch;
  const double uu = u.squaredNorm(), lean = u.dot(v) / uu, along = corner.dot(u) / uu;
  const Vec3 height = v - lean * u;
  const double hh = height.squaredNorm(), t = -(corner - along * u).dot(height) / hh;
  const Vec3 normal = u.cross(height) / std::sqrt(uu * hh);
  const double distance = normal.dot(corner);
  return {-along - lean * t, t, std::abs(distance), distance < 0 ? Vec3(-normal) : normal};
}

}  // namespace

Patch patch_of(PairKind kind, const Quad& x) {
  if (kind != PairKind::edge_edge) return {x.col(0) - x.col(1), x.col(1) - x.col(2), x.col(1) - x.col(3)};
  return {x.col(0) - x.col(2), x.col(1) - x.col(0), x.col(2) - x.col(3)};
}

PatchPoint nearest_to_zero(PairKind kind, const Patch& patch) {
  switch (kind) {
    case PairKind::point_triangle:
      return nearest<PairKind::point_triangle>(patch);
    case PairKind::edge_edge:
      return nearest<PairKind::edge_edge>(patch);
    case PairKind::point_plane:
      break;
  }
  return nearest<PairKind::point_plane>(patch);
}

Closest closest_points(PairKind kind, const Quad& x) {
  const auto [s, t, distance, normal] = nearest_to_zero(kind, patch_of(kind, x));
  // On the border s + t = 1 the sum is 1 after rounding, too: its opposite vertex gets exactly 0.
  if (kind != PairKind::edge_edge) return {distance, normal, {1, -(1 - (s + t)), -s, -t}};
  return {distance, normal, {1 - s, s, -(1 - t), -t}};
}

namespace {

// How the nearest points may slide within their features: 0, 1 or 2 numbers θ move them.
struct Slides {
  int count = 0;
  Vec3 direction[2];         // of the difference a − b, orthonormal: q
  Eigen::Vector4d slope[2];  // ∂weight/∂θ

  // The nearest point of one side may move from its vertex i towards its vertex j.
  void add(const Quad& x, int i, int j) {
    Vec3 edge = x.col(j) - x.col(i);
    Eigen::Vector4d change = Eigen::Vector4d::Unit(j) - Eigen::Vector4d::Unit(i);
    const double full = edge.norm();
    for (int k = 0; k < count; ++k) {
      const double shared = edge.dot(direction[k]);
      edge -= shared * direction[k];
      change -= shared * slope[k];
    }
    const double length = edge.norm();
    if (count == 2 || length <= 1e-14 * full) return;  // parallel features: nothing new is free
    direction[count] = edge / length;
    slope[count] = change / length;
    ++count;
  }
};

Slides slides_of(const Closest& closest, const Quad& x) {
  Slides slides;
  for (const double side : {1.0, -1.0}) {
    int first = -1;  // vertex of this side that bears on the distance
    for (int i = 0; i < 4; ++i) {
      if (closest.weight[i] * side <= 0) continue;
      if (first < 0)
        first = i;
      else
        slides.add(x, first, i);
    }
  }
  return slides;
}

}  // namespace

// Let w(θ) be the weights of points that slide by θ, g(θ) = Σ wᵢ xᵢ their difference and J = ∂g/∂θ. The
// nearest ones have Jᵀ g = 0, which says how θ follows x (implicit function theorem). With θ scaled so that
// the columns q of J are orthonormal, and ẇ = ∂w/∂θ, the derivative of the gradient w ⊗ n is, block by block,
//
//   Hᵢⱼ = wᵢ wⱼ T / d − Σ_θ (wᵢ ẇⱼ q nᵀ + ẇᵢ wⱼ n qᵀ + d ẇᵢ ẇⱼ n nᵀ),   T = 1 − n nᵀ − Σ_θ q qᵀ
//
// T is what is left of the tangents: nothing, where two of them are free.
Mat12 distance_hessian(const Closest& closest, const Quad& x) {
  const auto& [distance, n, weight] = closest;
  const Slides slides = slides_of(closest, x);
  Mat3 rest = Mat3::Zero();
  if (slides.count < 2) rest = Mat3::Identity() - n * n.transpose();
  if (slides.count == 1) rest -= slides.direction[0] * slides.direction[0].transpose();

  Mat12 hessian;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      Mat3 block = weight[i] * weight[j] / distance * rest;
      for (int k = 0; k < slides.count; ++k) {
        const Vec3& q = slides.direction[k];
        const double si = slides.slope[k][i], sj = slides.slope[k][j];
        block -= weight[i] * sj * q * n.transpose() + si * weight[j] * n * q.transpose() +
                 distance * si * sj * n * n.transpose();
      }
      hessian.block<3, 3>(3 * i, 3 * j) = block;
    }
  return hessian;
}

// Of each slide, −∂²d/∂x² = p tᵀ + t pᵀ + d t tᵀ with p = w ⊗ q and t = ẇ ⊗ n, which are at right angles: its
// positive eigenvector, long as the root of the eigenvalue.
std::vector<Quad> distance_turns(const Closest& closest, const Quad& x) {
  const auto& [distance, n, weight] = closest;
  const Slides slides = slides_of(closest, x);
  std::vector<Quad> turns;
  for (int k = 0; k < slides.count; ++k) {
    const double by_motion = weight.norm(), by_turn = slides.slope[k].norm();
    const double half = distance * by_turn * by_turn / 2, mixed = by_motion * by_turn;
    const double value = half + std::sqrt(half * half + mixed * mixed);
    const double length = std::sqrt(value / (mixed * mixed + value * value));
    turns.push_back(length * mixed / by_motion * slides.direction[k] * weight.transpose() +
                    length * value / by_turn * n * slides.slope[k].transpose());
  }
  return turns;
}

}  // namespace muslin
