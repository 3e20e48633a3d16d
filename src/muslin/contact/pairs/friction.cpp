#include "muslin/contact/pairs/friction.h"

#include <Eigen/Geometry>
#include <algorithm>

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

// Directions at right angles that turn with two directions: their bisectors. None of what is nearly parallel.
std::optional<Mat3> directions_of(const Vec3& a, const Vec3& b) {
  constexpr double kLeast = 1e-3;
  const Vec3 sum = a.normalized() + b.normalized(), difference = a.normalized() - b.normalized();
  if (!(std::min(sum.norm(), difference.norm()) > kLeast)) return {};
  Mat3 directions;
  directions << sum.normalized(), difference.normalized(), sum.cross(difference).normalized();
  return directions;
}

// Of its round body, of its triangle, or of its two edges.
std::optional<Mat3> directions_of(PairKind kind, const Meeting& meeting, const Points& x) {
  const Quad corners =
      meeting.frame >= 0 ? Quad(x.middleCols<4>(meeting.frame)) : gather(x, meeting.vertices);
  if (meeting.frame >= 0 || kind != PairKind::edge_edge)
    return directions_of(corners.col(2) - corners.col(1), corners.col(3) - corners.col(1));
  return directions_of(corners.col(1) - corners.col(0), corners.col(3) - corners.col(2));
}

// How a pair has turned on the way from x to y.
Mat3 turn_of(PairKind kind, const Meeting& meeting, const Points& x, const Points& y) {
  const std::optional<Mat3> before = directions_of(kind, meeting, x), after = directions_of(kind, meeting, y);
  return before && after ? Mat3(*after * before->transpose()) : Mat3(Mat3::Identity());
}

Vec3 part_of(PairKind kind, const Stencil<4>& vertices, const std::vector<ElasticSlip>& slips) {
  const ElasticSlip of{kind, vertices, Vec3::Zero()};
  const auto found = std::lower_bound(slips.begin(), slips.end(), of);
  return found != slips.end() && !(of < *found) ? found->part : of.part;
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
                               const Points& x_start, double stiffness, double eps,
                               const std::vector<ElasticSlip>& left)
    : eps_(eps) {
  MUSLIN_ASSERT(eps > 0);
  for (const auto& [p, closest] : active) {
    const ContactPair& pair = pairs[p];
    const double pressure = -barrier_of(pair, stiffness).slope(closest.distance);
    if (!(pair.friction > 0)) continue;
    Contact contact{
        pair.kind, meeting_of(pair, closest, x_start), closest.normal, {}, pair.friction * pressure};
    const Vec3 slip = contact.along_surface(eps * part_of(pair.kind, pair.vertices, left));
    contact.start = contact.meeting.between(x_start) - slip;
    contacts_.push_back(contact);
  }
}

std::vector<ElasticSlip> LaggedFriction::left_by(const Points& x_start, const Points& x_end) const {
  std::vector<ElasticSlip> left(contacts_.size());
  parallel_for(static_cast<int>(contacts_.size()), [&](int c) {
    const auto& [kind, meeting, normal, start, force] = contacts_[c];
    const Mat3 turn = turn_of(kind, meeting, x_start, x_end);
    const Vec3 between = turn.transpose() * meeting.between(x_end);
    const Vec3 part = contacts_[c].along_surface(between - start) / eps_;
    left[c] = {kind, meeting.vertices, turn * (part / std::max(1.0, part.norm()))};
  });
  std::sort(left.begin(), left.end());
  return left;
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
