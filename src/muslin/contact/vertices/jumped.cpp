#include "muslin/contact/vertices/jumped.h"

#include "muslin/contact/vertices/gap.h"
#include "muslin/core/parallel.h"

namespace muslin {

namespace {

/// A bounded convex collider in its own frame.
class Body {
 public:
  explicit Body(const Collider& collider)
      : collider_(collider), shortest_way_through_(kShortest * width_of(collider)) {}

  /// No way by which it is left on the far side is shorter [m].
  double shortest_way_through() const { return shortest_way_through_; }

  /// Whether the straight way between two places goes through.
  bool leads_through(const Vec3& from, const Vec3& to) const {
    if ((to - from).norm() < shortest_way_through_) return false;
    if (distance(from) < 0 || distance(to) < 0) return false;
    const Vec3 inside = deepest(from, to);
    if (distance(inside) >= 0) return false;
    return normal(surface_between(inside, from)).dot(normal(surface_between(inside, to))) < 0;
  }

 private:
  // No way through is shorter than this part of the width: on a ball, the chord between places whose normals
  // are at a right angle has the length √2 R.
  static constexpr double kShortest = 0.7;

  double distance(const Vec3& place) const { return surface_of(collider_, {}, place).distance; }
  Vec3 normal(const Vec3& place) const { return surface_of(collider_, {}, place).normal; }

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

  Vec3 surface_between(Vec3 inside, Vec3 outside) const {
    constexpr int kHalvings = 40;  // 10⁻¹² of the way
    for (int k = 0; k < kHalvings; ++k) {
      const Vec3 middle = (inside + outside) / 2;
      (distance(middle) < 0 ? inside : outside) = middle;
    }
    return outside;
  }

  const Collider& collider_;
  double shortest_way_through_;
};

Vec3 local(const Pose& pose, const Vec3& place) {
  return pose.rotation.transpose() * (place - pose.translation);
}

}  // namespace

void find_jumped(const Model& model, const Input& input, const Points& start, const Points& end,
                 StepReport& report) {
  constexpr double kLess = 1 - 1e-9;  // by more than what turning into the body's frame changes a length
  if (!end.allFinite()) return;
  int most = 0;
  for (int c = 0; c < static_cast<int>(model.colliders.size()); ++c) {
    const Collider& collider = model.colliders[c];
    if (!collider.enabled || width_of(collider) == kInfinity) continue;
    const Body body(collider);
    const Pose &from = input.collider_start[c], &to = input.collider_end[c];
    const bool rests = from.rotation == to.rotation && from.translation == to.translation;
    const double short_way = rests ? kLess * body.shortest_way_through() : 0;
    const int jumped = parallel_sum(model.vertex_count(), 0, [&](int v) {
      if ((end.col(v) - start.col(v)).squaredNorm() < short_way * short_way) return 0;
      return static_cast<int>(body.leads_through(local(from, start.col(v)), local(to, end.col(v))));
    });
    report.jumped += jumped;
    if (jumped > most) {
      most = jumped;
      report.jumped_collider = c;
    }
  }
}

}  // namespace muslin
