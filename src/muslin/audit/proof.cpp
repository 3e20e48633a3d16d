#include "muslin/audit/proof.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "muslin/audit/bodies.h"
#include "muslin/audit/gap.h"

namespace muslin {

namespace {

constexpr double kSlack = 0.25;  // deflection over the distance that contact would have had to keep
/// A way that is twice as long as the straight one comes aside of it by at most this part of that: √3/2.
constexpr double kAside = 0.8660254037844386;
constexpr double kFaster = 2;  // than it goes: so fast nothing goes round

/// Distance from p to the segment from a to b.
double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const double length2 = (b - a).squaredNorm();
  const double s = length2 > 0 ? std::clamp((b - a).dot(p - a) / length2, 0.0, 1.0) : 0;
  return (a + s * (b - a) - p).norm();
}

}  // namespace

double Interval::deflection(int vertex) const {
  if (earlier.cols() == 0) return kInfinity;
  const Vec3 on = 2 * before.col(vertex) - earlier.col(vertex);
  return distance_to_segment(after.col(vertex), on, on + fall);
}

Passages::Passages(const Surface& surface) : pieces_(surface.piece.size()) {
  std::vector<std::map<std::pair<int, int>, int>> sides(pieces_.size());
  for (const Stencil<3>& t : surface.triangles) {
    const int piece = surface.piece[t[0]];
    pieces_[piece].triangles.push_back(t);
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      sides[piece][std::minmax(a, b)] += a < b ? 1 : -1;
    }
  }
  for (std::size_t p = 0; p < pieces_.size(); ++p)
    for (const auto& [ends, times] : sides[p])
      if (times != 0) pieces_[p].border.push_back({ends.first, ends.second, times});
}

// The surface after, the one before turned over and the band that the border draws between them are closed
// together, so that the point is inside a whole number of times. With `own`, the border has the sides about
// it.
std::optional<int> Passages::count(const Interval& interval, int piece, const Vec3& p, const Vec3& q,
                                   int own) const {
  if (piece < 0) return std::nullopt;
  const auto before = [&](int v) -> Vec3 { return interval.before.col(v) - p; };
  const auto after = [&](int v) -> Vec3 { return interval.after.col(v) - q; };
  double turns = 0;
  const auto draw_band = [&](const Side& side) {
    const Vec3 a = before(side.from), b = before(side.to), c = after(side.to), d = after(side.from);
    turns -= side.times * (winding_of(b, a, d) + winding_of(b, d, c));
    const Vec3 origin = Vec3::Zero();
    const double nearest = std::min(vertex_triangle_gap(origin, b, a, d).distance,
                                    vertex_triangle_gap(origin, b, d, c).distance);
    return nearest > kAside * std::max((d - a).norm(), (c - b).norm());
  };
  const auto is_own = [own](int v) { return v == own; };
  for (const Side& side : pieces_[piece].border)
    if (!is_own(side.from) && !is_own(side.to) && !draw_band(side)) return std::nullopt;
  for (const Stencil<3>& t : pieces_[piece].triangles) {
    const auto at = std::find_if(t.begin(), t.end(), is_own);
    if (at == t.end()) {
      turns += winding_of(after(t[0]), after(t[1]), after(t[2])) -
               winding_of(before(t[0]), before(t[1]), before(t[2]));
      continue;
    }
    const auto k = at - t.begin();
    if (!draw_band({t[(k + 2) % 3], t[(k + 1) % 3], 1})) return std::nullopt;
  }
  const double whole = std::round(turns);
  if (!(std::abs(turns - whole) < 0.01)) return std::nullopt;  // the point is on the surface
  return static_cast<int>(whole);
}

bool is_proved(const Surface& surface, const Passages& passages, const Interval& interval,
               const Crossing& crossing) {
  const Stencil<4> v = vertices_of(surface, crossing);
  const auto went_on = [&](int i) { return interval.deflection(i) <= kSlack * crossing.distance; };
  if (!crossing.turned && std::all_of(v.begin(), v.end(), went_on)) return true;
  const auto passed = [&](int vertex, int other) {
    const bool own = surface.piece[vertex] == surface.piece[other];
    return passages
               .count(interval, surface.piece[other], interval.before.col(vertex), interval.after.col(vertex),
                      own ? vertex : -1)
               .value_or(0) != 0;
  };
  const int other = crossing.kind == PairOf::vertex_triangle ? v[1] : v[2];
  return passed(v[0], other) || passed(other, v[0]);
}

bool is_proved(const Surface& surface, const Passages& passages, const Interval& interval,
               const ThroughVertex& through, const Vec3& center_before, const Vec3& center_after) {
  const int v = through.vertex;
  if (const auto count = passages.count(interval, surface.piece[v], center_before, center_after))
    return *count != 0;
  if (interval.deflection(v) <= kSlack * 2 * through.depth) return true;
  if (interval.earlier.cols() == 0) return false;
  const Vec3 went = interval.before.col(v) - interval.earlier.col(v);  // and so did the collider, or it stood
  const double way = std::max({through.way, went.norm(), (went - (center_after - center_before)).norm()});
  return through.way_round > kFaster * way;
}

}  // namespace muslin
