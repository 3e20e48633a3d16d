#include "muslin/contact/vertices/jumped.h"

#include <algorithm>

#include "muslin/core/parallel.h"

namespace muslin {

namespace {

/// A collider with an inside and an end, where it is at the end of a step.
class Body {
 public:
  /// `surface` must outlive it.
  Body(const Collider& collider, const PosedSurface& surface)
      : surface_(surface),
        is_convex_(collider.shape != Shape::mesh),
        shortest_way_through_(is_convex_ ? kShortest * width_of(collider) : 0) {}

  /// No way by which it is left on the far side is shorter [m].
  double shortest_way_through() const { return shortest_way_through_; }

  /// Whether the straight way between two places goes through.
  bool leads_through(const Vec3& from, const Vec3& to) const {
    const double length = (to - from).norm();
    if (length < shortest_way_through_ || surface_.is_farther(to, length)) return false;
    const double room = distance(to);
    if (room < 0 || room > length || distance(from) < 0) return false;
    const Vec3 inside = is_convex_ ? deepest(from, to) : first_inside(from, to, length);
    if (distance(inside) >= 0) return false;
    const double alike = normal(surface_between(inside, from)).dot(normal(surface_between(inside, to)));
    return alike < (is_convex_ ? 0 : kOpposite);
  }

 private:
  // No way through is shorter than this part of the width: on a ball, the chord between places whose normals
  // are at a right angle has the length √2 R.
  static constexpr double kShortest = 0.7;
  // Cosine of the normals where a mesh is entered and left: beyond it, a way cuts an edge no more, and goes
  // through. On a box all ways past an edge have 0, on a thin plate those through have −1.
  static constexpr double kOpposite = -0.5;

  double distance(const Vec3& place) const { return surface_.at(place).distance; }
  Vec3 normal(const Vec3& place) const { return surface_.at(place).normal; }

  /// Where the signed distance, a convex function along a line, is least: by thirds, to 10⁻⁹ of the way.
  Vec3 deepest(const Vec3& from, const Vec3& to) const {
    constexpr int kThirds = 52;  // (2/3)⁵² < 10⁻⁹
    double low = 0, high = 1;
    const auto at = [&](double t) -> Vec3 { return from + t * (to - from); };
    for (int k = 0; k < kThirds; ++k) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      if (distance(at(a)) < distance(at(b)))
        high = b;
      else
        low = a;
    }
    return at((low + high) / 2);
  }

  /// Along the way by steps that nothing is nearer than. Where those are short, at a surface, they begin at
  /// the least and double, so that what is thin is seen. `to` if there is no place inside.
  Vec3 first_inside(const Vec3& from, const Vec3& to, double length) const {
    constexpr double kCoarsest = 1.0 / 256, kFinest = 1e-9;  // of the way
    double least = kFinest;
    for (double t = 0; t < 1; t += least) {
      const Vec3 place = from + t * (to - from);
      const double room = distance(place);
      if (room < 0) return place;
      const double step = room / length;
      least = step < kCoarsest ? std::min(2 * least, kCoarsest) : kFinest;
      t += step;
    }
    return to;
  }

  Vec3 surface_between(Vec3 inside, Vec3 outside) const {
    constexpr int kHalvings = 40;  // 10⁻¹² of the way
    for (int k = 0; k < kHalvings; ++k) {
      const Vec3 middle = (inside + outside) / 2;
      (distance(middle) < 0 ? inside : outside) = middle;
    }
    return outside;
  }

  const PosedSurface& surface_;
  bool is_convex_;
  double shortest_way_through_;
};

}  // namespace

void find_jumped(const Model& model, const Input& input, const Points& start, ColliderProbes& probes,
                 const Points& end, StepReport& report) {
  constexpr double kLess = 1 - 1e-9;  // by more than what turning to and fro changes a length
  if (!end.allFinite()) return;
  probes.begin(model, input);
  int most = 0;
  for (int c = 0; c < static_cast<int>(model.colliders.size()); ++c) {
    const Collider& collider = model.colliders[c];
    const bool is_solid = width_of(collider) < kInfinity || model.collider_surfaces[c];
    if (!collider.enabled || !is_solid) continue;
    const PosedSurface& surface = probes[c];
    const Body body(collider, surface);
    const Pose &from = input.collider_start[c], &to = input.collider_end[c];
    const bool rests =
        from.rotation == to.rotation && from.translation == to.translation && !surface.deforms();
    const double short_way = rests ? kLess * body.shortest_way_through() : 0;
    const double deformation = surface.largest_deformation();
    const int jumped = parallel_sum(model.vertex_count(), 0, [&](int v) {
      if ((end.col(v) - start.col(v)).squaredNorm() < short_way * short_way) return 0;
      const double way = (end.col(v) - surface.carried_by_pose(start.col(v))).norm() + deformation;
      if (probes.is_farther(c, v, end.col(v), way)) return 0;
      return static_cast<int>(body.leads_through(surface.carried(start.col(v), end.col(v)), end.col(v)));
    });
    report.jumped += jumped;
    if (jumped > most) {
      most = jumped;
      report.jumped_collider = c;
    }
  }
}

}  // namespace muslin
