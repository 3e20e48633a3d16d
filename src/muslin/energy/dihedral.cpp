#include "muslin/energy/dihedral.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace muslin {

namespace {

// One of the two triangles at a hinge: the edge p q and the tip a, counter-clockwise. ∂θ = ∂(own) + ∂(other),
// where each triangle gives ∂θ/∂x_r = c_r (−n/h) to its three vertices [Tamstorf 2013].
struct Wing {
  Vec3 t, m, n;       // along the edge, to the tip, normal
  Vec3 c;             // (α − 1, −α, 1) of p, q, a, where α is the place of the tip's foot on the edge
  double per_height;  // 1/h [1/m]; 0 for a triangle without area
  double per_length;  // 1/l

  Wing(const Vec3& p, const Vec3& q, const Vec3& a) {
    const Vec3 edge = q - p, arm = a - p, doubled = edge.cross(arm);
    const double squared = edge.squaredNorm(), area = doubled.norm(), length = std::sqrt(squared);
    const bool sound = squared > 0 && area > 0;
    per_length = sound ? 1 / length : 0;
    per_height = sound ? length / area : 0;
    t = per_length * edge;
    n = sound ? Vec3(doubled / area) : Vec3::Zero();
    m = n.cross(t);
    const double alpha = sound ? arm.dot(edge) / squared : 0;
    c = Vec3(alpha - 1, -alpha, 1);
  }

  Vec3 slope(int r) const { return (-c[r] * per_height) * n; }

  /// The symmetric part of ∂²θ/∂x_r∂x_s; the parts that are left out cancel between the two triangles:
  ///   c_r c_s (m nᵀ + n mᵀ)/h² + (c_r d_s t nᵀ + d_r c_s n tᵀ)/h + d_r d_s (m nᵀ + n mᵀ)/2,  d = (−1, 1,
  ///   0)/l.
  Mat3 curvature(int r, int s) const {
    const Vec3 d(-per_length, per_length, 0);
    const Mat3 mn = m * n.transpose(), tn = t * n.transpose();
    return (c[r] * c[s] * per_height * per_height + d[r] * d[s] / 2) * (mn + mn.transpose()) +
           per_height * (c[r] * d[s] * tn + d[r] * c[s] * tn.transpose());
  }
};

// Slots of a plate stencil that a wing's p, q, a stand for.
struct PlacedWing {
  Wing wing;
  Stencil<3> slots;
};
std::array<PlacedWing, 2> wings(int k, const Local<6>& x) {
  const auto [p, q, a, b] = hinge_slots(k);
  return {PlacedWing{Wing(x.col(p), x.col(q), x.col(a)), {p, q, a}},
          PlacedWing{Wing(x.col(q), x.col(p), x.col(b)), {q, p, b}}};
}

void add_slope(const std::array<PlacedWing, 2>& both, double factor, Local<6>& gradient) {
  for (const auto& [wing, slots] : both)
    for (int r = 0; r < 3; ++r) gradient.col(slots[r]) += factor * wing.slope(r);
}

}  // namespace

Vec3 DihedralEnergy::angles(int e, const Local<6>& x) const {
  Vec3 angles = rest[e];
  for (int k = 0; k < 3; ++k) {
    if (is_border(vertices[e], k)) continue;
    const auto [p, q, a, b] = hinge_slots(k);
    angles[k] = dihedral_angle(x.col(p), x.col(q), x.col(a), x.col(b));
  }
  return angles;
}

double DihedralEnergy::value(int e, const Local<6>& x) const {
  const Vec3 bent = angles(e, x) - rest[e];
  return 0.5 * bent.dot(stiffness[e] * bent);
}

// Σ moments_k ∂θ_k/∂x
Local<6> DihedralEnergy::gradient_of(int e, const Vec3& moments, const Local<6>& x) const {
  Local<6> gradient = Local<6>::Zero();
  for (int k = 0; k < 3; ++k)
    if (!is_border(vertices[e], k)) add_slope(wings(k, x), moments[k], gradient);
  return gradient;
}

Local<6> DihedralEnergy::gradient(int e, const Local<6>& x) const {
  return gradient_of(e, stiffness[e] * (angles(e, x) - rest[e]), x);
}

double DihedralEnergy::condition(int e, int, const Local<6>& x, Local<6>& gradient) const {
  const Vec3 bent = angles(e, x) - rest[e], moments = stiffness[e] * bent;
  const double size = std::sqrt(std::max(0.0, bent.dot(moments)));
  gradient = size > 0 ? gradient_of(e, moments / size, x) : Local<6>::Zero();
  return size;
}

LocalHessian<6> DihedralEnergy::hessian(int e, const Local<6>& x) const {
  const Vec3 moments = stiffness[e] * (angles(e, x) - rest[e]);
  LocalHessian<6> h = hessian_psd(e, x);
  for (int k = 0; k < 3; ++k) {
    if (is_border(vertices[e], k)) continue;
    for (const auto& [wing, slots] : wings(k, x))
      for (int r = 0; r < 3; ++r)
        for (int s = 0; s < 3; ++s)
          h.block<3, 3>(3 * slots[r], 3 * slots[s]) += moments[k] * wing.curvature(r, s);
  }
  return h;
}

LocalHessian<6> DihedralEnergy::hessian_psd(int e, const Local<6>& x) const {
  Eigen::Matrix<double, 18, 3> slopes;
  for (int k = 0; k < 3; ++k) {
    Local<6> slope = Local<6>::Zero();
    if (!is_border(vertices[e], k)) add_slope(wings(k, x), 1, slope);
    slopes.col(k) = Eigen::Map<const Eigen::Matrix<double, 18, 1>>(slope.data());
  }
  return slopes * stiffness[e] * slopes.transpose();
}

void DihedralEnergy::damp(const Points& before, double h) {
  for (int e = 0; e < size(); ++e) {
    rest[e] += damping_shift(damping[e], h) * (angles(e, gather(before, vertices[e])) - rest[e]);
    stiffness[e] *= 1 + damping[e] / h;
  }
}

}  // namespace muslin
