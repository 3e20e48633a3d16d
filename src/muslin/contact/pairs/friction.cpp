#include "muslin/contact/pairs/friction.h"

#include <Eigen/Geometry>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/energy/energy.h"

namespace muslin {

namespace {

// f₀ of [Li 2020] and its derivatives: beyond eps the slip itself (Coulomb), below a cubic. Secant: its slope
// over the slip.
struct SmoothSlip {
  double value, slope, curvature, secant;
};
SmoothSlip smooth_slip(double slip, double eps) {
  if (slip >= eps) return {slip, 1, 0, 1 / slip};
  const double y = slip / eps;
  return {eps * (y * y - y * y * y / 3 + 1.0 / 3), y * (2 - y), 2 * (1 - y) / eps, (2 - y) / eps};
}

}  // namespace

Vec3 Meeting::between(const Points& x) const {
  Vec3 sum = gather(x, vertices) * weight;
  if (frame >= 0) sum += x.middleCols<4>(frame) * frame_weight;
  return sum;
}

Meeting meeting_of(const ContactPair& pair, const Closest& closest, const Points& x) {
  Meeting meeting{pair.vertices, closest.weight, -1, Eigen::Vector4d::Zero()};
  if (pair.frame < 0) return meeting;
  // 1. The side of the body bears no longer
  const int first = pair.round_a ? 0 : first_of_b(pair.kind), end = pair.round_a ? first_of_b(pair.kind) : 4;
  Vec3 place = Vec3::Zero();  // of the nearest point of the element
  for (int k = first; k < end; ++k) {
    place += std::abs(closest.weight[k]) * x.col(pair.vertices[k]);
    meeting.weight[k] = 0;
  }

  // 2. From there to the surface, and to weights of the frame
  const double sign = pair.round_a ? 1 : -1;
  place -= sign * pair.inset * closest.normal;
  const auto frame = x.middleCols<4>(pair.frame);
  const Mat3 axes = frame.rightCols<3>().colwise() - frame.col(0);
  const Vec3 along = axes.inverse() * (place - frame.col(0));
  meeting.frame = pair.frame;
  meeting.frame_weight << sign * (1 - along.sum()), sign * along;
  return meeting;
}

LaggedFriction::LaggedFriction(const std::vector<ContactPair>& pairs, const std::vector<ActivePair>& active,
                               const Points& x_start, double stiffness, double eps)
    : eps_(eps) {
  MUSLIN_ASSERT(eps > 0);
  for (const auto& [p, closest] : active) {
    const ContactPair& pair = pairs[p];
    const double pressure = -barrier_of(pair, stiffness).slope(closest.distance);
    if (!(pair.friction > 0)) continue;
    const Meeting meeting = meeting_of(pair, closest, x_start);
    contacts_.push_back({meeting, closest.normal, meeting.between(x_start), pair.friction * pressure});
  }
}

Vec3 LaggedFriction::Contact::slip(const Points& x) const {
  return along_surface(meeting.between(x) - start);
}

double LaggedFriction::value(const Points& x) const {
  return parallel_sum(static_cast<int>(contacts_.size()), 0.0, [&](int c) {
    return contacts_[c].force * smooth_slip(contacts_[c].slip(x).norm(), eps_).value;
  });
}

double LaggedFriction::most() const {
  double sum = 0;
  for (const Contact& contact : contacts_) sum += contact.force;
  return sum;
}

void LaggedFriction::append_rows(const Points& x, const Points* moved, std::vector<ContactRow>& rows) const {
  rows.reserve(rows.size() + 2 * contacts_.size());
  for (const Contact& contact : contacts_) {
    const auto& [vertices, weight, frame, frame_weight] = contact.meeting;
    const Vec3 slip = contact.slip(x);
    const double length = slip.norm();
    const Vec3 along = length > 0 ? Vec3(slip / length) : contact.normal.unitOrthogonal();
    const Vec3 across = contact.normal.cross(along);
    const double change = moved ? contact.along_surface(contact.meeting.between(*moved)).norm() : kInfinity;
    const double changed = change < length ? change / length : 1;
    const auto [value, slope, curvature, secant] = smooth_slip(length, eps_);
    rows.push_back({vertices, weight, along, contact.force * slope,
                    contact.force * (curvature + changed * (secant - curvature)), frame, frame_weight});
    rows.push_back({vertices, weight, across, 0, contact.force * secant, frame, frame_weight});
  }
}

}  // namespace muslin
