#include "muslin/contact/friction.h"

#include <Eigen/Geometry>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/energy/energy.h"

namespace muslin {

namespace {

// f₀ of [Li 2020] and its derivatives: beyond eps the slip itself (Coulomb), below a cubic.
struct SmoothSlip {
  double value, slope, curvature;
};
SmoothSlip smooth_slip(double slip, double eps) {
  if (slip >= eps) return {slip, 1, 0};
  const double y = slip / eps;
  return {eps * (y * y - y * y * y / 3 + 1.0 / 3), y * (2 - y), 2 * (1 - y) / eps};
}

}  // namespace

LaggedFriction::LaggedFriction(const std::vector<ContactPair>& pairs, const std::vector<ActivePair>& active,
                               const Points& x_start, double stiffness, double eps)
    : eps_(eps) {
  MUSLIN_ASSERT(eps > 0);
  for (const auto& [p, closest] : active) {
    const ContactPair& pair = pairs[p];
    const double pressure = -barrier_of(pair, stiffness).slope(closest.distance);
    if (pair.friction > 0)
      contacts_.push_back({pair.vertices, closest.weight, closest.normal,
                           gather(x_start, pair.vertices) * closest.weight, pair.friction * pressure});
  }
}

Vec3 LaggedFriction::Contact::slip(const Points& x) const {
  const Vec3 moved = gather(x, vertices) * weight - start;
  return moved - normal.dot(moved) * normal;
}

double LaggedFriction::value(const Points& x) const {
  return parallel_sum(static_cast<int>(contacts_.size()), 0.0, [&](int c) {
    return contacts_[c].force * smooth_slip(contacts_[c].slip(x).norm(), eps_).value;
  });
}

void LaggedFriction::append_rows(const Points& x, std::vector<ContactRow>& rows) const {
  rows.reserve(rows.size() + 2 * contacts_.size());
  for (const Contact& contact : contacts_) {
    const Vec3 slip = contact.slip(x);
    const double length = slip.norm();
    const Vec3 along = length > 0 ? Vec3(slip / length) : contact.normal.unitOrthogonal();
    const Vec3 across = contact.normal.cross(along);
    const auto [value, slope, curvature] = smooth_slip(length, eps_);
    // A slip across turns the force: slope / length, which is 2/eps at no slip at all.
    const double turning = length > 0 ? slope / length : curvature;
    rows.push_back(
        {contact.vertices, contact.weight, along, contact.force * slope, contact.force * curvature});
    rows.push_back({contact.vertices, contact.weight, across, 0, contact.force * turning});
  }
}

}  // namespace muslin
