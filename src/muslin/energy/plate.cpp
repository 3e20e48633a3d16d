#include "muslin/energy/plate.h"

#include <algorithm>

namespace muslin {

namespace {

// Cotangent of the angle at `corner` between the directions to a and b.
double cotangent(const Vec3& corner, const Vec3& a, const Vec3& b) {
  const Vec3 u = a - corner, v = b - corner;
  return u.dot(v) / u.cross(v).norm();
}

// b = Σ wᵢ xᵢ over edge p q with tips a and b, of length l θ for a small angle θ [Bergou 2006].
Eigen::Vector4d hinge_weights(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b) {
  const double p_own = cotangent(p, q, a), q_own = cotangent(q, p, a);
  const double p_other = cotangent(p, q, b), q_other = cotangent(q, p, b);
  return {q_own + q_other, p_own + p_other, -(p_own + q_own), -(p_other + q_other)};
}

// Height of a triangle's tip over its edge, times the edge's length.
double doubled_area(const Vec3& p, const Vec3& q, const Vec3& tip) { return (q - p).cross(tip - p).norm(); }

// C ← C − C s sᵀ C / sᵀ C s on C = G Gᵀ: what is left of C where the rotation that makes s is free.
void release(const Vec3& s, Mat3& g) {
  constexpr double kNothingLeft = 1e-24;  // of C along s, to be released a second time
  const Vec3 moment = g.transpose() * s;
  const double squared = moment.squaredNorm();
  if (squared <= kNothingLeft * g.squaredNorm() * s.squaredNorm()) return;
  g -= (g * moment / squared) * moment.transpose();
}

}  // namespace

PlateTriangle plate_triangle(const PlateStencil& stencil, const Local<6>& rest, const Vec3& warp,
                             const Rigidity& rigidity) {
  const Vec3 doubled = Vec3(rest.col(1) - rest.col(0)).cross(Vec3(rest.col(2) - rest.col(0)));
  const Vec3 normal = doubled.normalized(), weft = normal.cross(warp);
  const double area = doubled.norm() / 2;

  PlateTriangle plate;
  plate.hinges.setZero();
  Mat3 bends;  // column k: S for f_k b_k / A = 1
  for (int k = 0; k < 3; ++k) {
    const auto [p, q, a, b] = hinge_slots(k);
    const Vec3 xp = rest.col(p), xq = rest.col(q), xa = rest.col(a), xb = rest.col(b);
    plate.length[k] = (xq - xp).norm();
    const Vec3 outward = (xq - xp).cross(normal).normalized();
    const double nu = outward.dot(warp), nv = outward.dot(weft);
    bends.col(k) = Vec3(nu * nu, nv * nv, 2 * nu * nv);
    if (is_border(stencil, k)) continue;
    const Eigen::Vector4d weights = hinge_weights(xp, xq, xa, xb);
    for (const auto& [slot, weight] :
         {std::pair{p, weights[0]}, {q, weights[1]}, {a, weights[2]}, {b, weights[3]}})
      plate.hinges(k, slot) = weight;
  }

  // C = G Gᵀ without what the free borders release.
  const double twist = std::sqrt(rigidity.warp * rigidity.weft) / 2;
  Mat3 g = Vec3(std::sqrt(rigidity.warp), std::sqrt(rigidity.weft), std::sqrt(twist)).asDiagonal();
  for (int k = 0; k < 3; ++k)
    if (is_border(stencil, k)) release(bends.col(k), g);

  plate.root.setZero();
  for (int k = 0; k < 3; ++k) {
    if (is_border(stencil, k)) continue;
    const auto [p, q, a, b] = hinge_slots(k);
    const double other = doubled_area(rest.col(p), rest.col(q), rest.col(b));
    const double weight = 2 * area / (2 * area + other);
    plate.root.col(k) = weight / std::sqrt(area) * g.transpose() * bends.col(k);
  }
  return plate;
}

PlateHinges::PlateHinges(int vertex_count, const std::vector<PlateStencil>& stencils)
    : of_element(stencils.size(), Stencil<3>{-1, -1, -1}) {
  // 1. Every hinge as its elements see it, from the end of its edge that has the lower number
  struct Seen {
    Stencil<4> vertices;
    int place;
  };
  std::vector<Seen> seen;
  for (int e = 0; e < static_cast<int>(stencils.size()); ++e)
    for (int k = 0; k < 3; ++k) {
      if (is_border(stencils[e], k)) continue;
      Stencil<4> own;
      for (int i = 0; i < 4; ++i) own[i] = stencils[e][hinge_slots(k)[i]];
      if (own[1] < own[0]) own = {own[1], own[0], own[3], own[2]};
      seen.push_back({own, 3 * e + k});
    }
  std::sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) {
    return a.vertices != b.vertices ? a.vertices < b.vertices : a.place < b.place;
  });

  // 2. Two that are one
  for (const auto& [own, place] : seen) {
    const bool is_new = vertices.empty() || vertices.back() != own || places.back()[1] >= 0;
    if (is_new) {
      vertices.push_back(own);
      places.push_back({place, -1});
    } else {
      places.back()[1] = place;
    }
    of_element[place / 3][place % 3] = size() - 1;
  }
  incidence = build_incidence(vertex_count, vertices);
}

}  // namespace muslin
