#include "muslin/audit/solids.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "muslin/core/check.h"
#include "muslin/core/maths.h"
#include "muslin/core/parallel.h"

namespace muslin {

namespace {

constexpr int kSections = 40;  // golden ones of an interval, to 4e-9 of it

// --- a solid in its own frame: centre at the origin, axis along y ---------------------------------------

constexpr double kEverywhere = std::numeric_limits<double>::infinity();

/// The audit's own mathematics of a shape; it shares none with contact, so that no error is in both.
struct JudgedShape {
  /// How deep a place is. Inside a convex solid the nearest way out is the least over its faces: a concave
  /// function.
  double (*depth)(const Collider&, const Vec3& p);
  /// Where the surface next to a place faces; not of unit length. The depth falls at least as fast that way.
  Vec3 (*outwards)(const Collider&, const Vec3& p);
  /// Radius of the ball around the centre that holds it all; infinite where none does.
  double (*reach)(const Collider&);
};

Vec3 away_from_axis(const Collider& c, const Vec3& p) {
  return p - Vec3(0, std::clamp(p.y(), -c.length / 2, c.length / 2), 0);
}
double to_side(const Collider& c, const Vec3& p) { return c.radius - maths::hypot(p.x(), p.z()); }
double to_cap(const Collider& c, const Vec3& p) { return c.length / 2 - std::abs(p.y()); }
Vec3 face_of_box(const Collider& c, const Vec3& p) {
  int axis = 0;
  (c.size / 2 - p.cwiseAbs()).minCoeff(&axis);
  return p[axis] * Vec3::Unit(axis);
}

/// Of every shape of the list: the compiler says which has no case.
JudgedShape judged_shape(Shape shape) {
  using C = Collider;
  using V = Vec3;
  const auto from_centre = [](const C&, const V& p) -> V { return p; };
  const auto everywhere = [](const C&) { return kEverywhere; };
  switch (shape) {
    case Shape::sphere:
      return {[](const C& c, const V& p) { return c.radius - p.norm(); }, from_centre,
              [](const C& c) { return c.radius; }};
    case Shape::plane:
      return {[](const C&, const V& p) { return -p.y(); }, from_centre, everywhere};
    case Shape::box:
      return {[](const C& c, const V& p) { return (c.size / 2 - p.cwiseAbs()).minCoeff(); }, face_of_box,
              [](const C& c) { return c.size.norm() / 2; }};
    case Shape::capsule:
      return {[](const C& c, const V& p) { return c.radius - away_from_axis(c, p).norm(); }, away_from_axis,
              [](const C& c) { return c.radius + c.length / 2; }};
    case Shape::cylinder:
      return {[](const C& c, const V& p) { return std::min(to_side(c, p), to_cap(c, p)); },
              [](const C& c, const V& p) -> V {
                return to_side(c, p) < to_cap(c, p) ? V(p.x(), 0, p.z()) : V(0, p.y(), 0);
              },
              [](const C& c) { return maths::hypot(c.radius, c.length / 2); }};
    case Shape::mesh:  // counts by its triangles alone
      return {[](const C&, const V&) { return -kEverywhere; }, from_centre, everywhere};
  }
  throw Error(ErrorKind::invalid, "colliders: a shape that is none of the list");
}

double local_depth(const Collider& collider, const Vec3& p) {
  return judged_shape(collider.shape).depth(collider, p);
}
Vec3 outwards(const Collider& collider, const Vec3& p) {
  return judged_shape(collider.shape).outwards(collider, p);
}
double reach(const Collider& collider) { return judged_shape(collider.shape).reach(collider); }

bool has_inside(const Collider& collider) {
  return collider.shape != Shape::mesh &&
         (collider.shape != Shape::plane || collider.friction_law != FrictionLaw::cs184);
}

/// Whether a solid can be passed through or cut between vertices that are outside.
bool is_bounded(const Collider& collider) { return reach(collider) < kEverywhere; }

Points local(const Pose& pose, const Points& points) {
  return pose.rotation.transpose() * (points.colwise() - pose.translation);
}

/// Action of all enabled colliders that satisfy `which`, with their number.
template <class Which, class Action>
void each_enabled(const std::vector<Collider>& colliders, const Which& which, const Action& action) {
  for (int c = 0; c < static_cast<int>(colliders.size()); ++c)
    if (colliders[c].enabled && which(colliders[c])) action(colliders[c], c);
}

// --- searches ------------------------------------------------------------------------------------------

/// Where in [0, 1] a concave function is highest.
template <class F>
double highest(const F& f) {
  constexpr double kGolden = 0.6180339887498949;
  double low = 0, high = 1;
  double left = 1 - kGolden, right = kGolden, at_left = f(left), at_right = f(right);
  for (int k = 0; k < kSections; ++k) {
    if (at_left < at_right) {
      low = left;
      left = right, at_left = at_right;
      right = low + kGolden * (high - low), at_right = f(right);
    } else {
      high = right;
      right = left, at_right = at_left;
      left = high - kGolden * (high - low), at_left = f(left);
    }
  }
  return (low + high) / 2;
}

/// Where the segment from inside to outside leaves.
Vec3 way_out(const Collider& collider, Vec3 inside, Vec3 outside) {
  for (int k = 0; k < kSections; ++k) {
    const Vec3 middle = (inside + outside) / 2;
    (local_depth(collider, middle) > 0 ? inside : outside) = middle;
  }
  return inside;
}

/// How far the surface is at least from a place inside, in the plane that has this normal.
double least_width(const Collider& collider, const Vec3& inside, const Vec3& normal) {
  constexpr int kRays = 16;
  const Vec3 u = normal.unitOrthogonal(), v = normal.cross(u);
  const double far = 2 * reach(collider);
  double least = kEverywhere;
  for (int k = 0; k < kRays; ++k) {
    const double angle = 2 * std::numbers::pi * k / kRays;
    const Vec3 end = inside + far * (maths::cos(angle) * u + maths::sin(angle) * v);
    least = std::min(least, (way_out(collider, inside, end) - inside).norm());
  }
  return least * maths::cos(2 * std::numbers::pi / kRays);  // it is convex: no farther between the rays
}

/// What the straight way from p to q passes, if it leads through; both outside.
std::optional<ThroughVertex> way_through(const Collider& collider, const Vec3& p, const Vec3& q) {
  const auto at = [&](double t) -> Vec3 { return p + t * (q - p); };
  const double length2 = (q - p).squaredNorm();
  const double nearest = length2 > 0 ? std::clamp(-p.dot(q - p) / length2, 0.0, 1.0) : 0;
  if (at(nearest).norm() > reach(collider)) return std::nullopt;
  const Vec3 deepest = at(highest([&](double t) { return local_depth(collider, at(t)); }));
  const double depth = local_depth(collider, deepest);
  if (depth <= kSurfaceRounding) return std::nullopt;
  const Vec3 in = way_out(collider, deepest, p), out = way_out(collider, deepest, q);
  const Vec3 normal_in = outwards(collider, in).normalized(),
             normal_out = outwards(collider, out).normalized();
  if (normal_in.dot(normal_out) >= 0) return std::nullopt;
  // Whatever goes from p to q crosses the plane midway between both faces, round the collider outside of it.
  const Vec3 normal = (normal_in - normal_out).normalized();
  const double width = least_width(collider, deepest, normal);
  const auto to_plane = [&](const Vec3& end) {
    const Vec3 from_deepest = end - deepest;
    const double height = normal.dot(from_deepest);
    return maths::hypot(height, std::max(width - (from_deepest - height * normal).norm(), 0.0));
  };
  return ThroughVertex{-1, -1, depth, (q - p).norm(), to_plane(p) + to_plane(q)};
}

/// The deepest place of a triangle.
Vec3 deepest_of(const Collider& collider, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto along = [&](double s) {  // from a to the side opposite
    const Vec3 end = b + s * (c - b);
    const double t = highest([&](double u) { return local_depth(collider, a + u * (end - a)); });
    return Vec3(a + t * (end - a));
  };
  return along(highest([&](double s) { return local_depth(collider, along(s)); }));
}

}  // namespace

double depth_inside(const Collider& collider, const Pose& pose, const Vec3& point) {
  if (!has_inside(collider)) return -std::numeric_limits<double>::infinity();
  return local_depth(collider, pose.rotation.transpose() * (point - pose.translation));
}

std::vector<InsideVertex> vertices_inside(const std::vector<Collider>& colliders,
                                          const std::vector<Pose>& poses, const Points& positions) {
  std::vector<InsideVertex> inside;
  each_enabled(colliders, has_inside, [&](const Collider& collider, int c) {
    const Points p = local(poses[c], positions);
    for (int v = 0; v < p.cols(); ++v)
      if (const double depth = local_depth(collider, p.col(v)); depth > kSurfaceRounding)
        inside.push_back({v, c, depth});
  });
  return inside;
}

std::vector<CutTriangle> triangles_cutting(const std::vector<Collider>& colliders,
                                           const std::vector<Pose>& poses, const Points& positions,
                                           const std::vector<Stencil<3>>& triangles) {
  std::vector<CutTriangle> cutting;
  each_enabled(colliders, is_bounded, [&](const Collider& collider, int c) {
    const Pose& pose = poses[c];
    const Points p = local(pose, positions);
    const auto look_at = [&](int t, std::vector<CutTriangle>& found) {
      const Vec3 corners[] = {p.col(triangles[t][0]), p.col(triangles[t][1]), p.col(triangles[t][2])};
      const Vec3 middle = (corners[0] + corners[1] + corners[2]) / 3;
      const Vec3 out = outwards(collider, middle).stableNormalized();
      double above = std::numeric_limits<double>::infinity();  // of the corner that lies deepest
      for (const Vec3& corner : corners) {
        if (local_depth(collider, corner) > kSurfaceRounding) return;
        above = std::min(above, out.dot(corner - middle));
      }
      if (local_depth(collider, middle) - above <= kSurfaceRounding) return;  // a concave function's tangent
      const Vec3 deepest = deepest_of(collider, corners[0], corners[1], corners[2]);
      const double depth = local_depth(collider, deepest);
      if (depth > kSurfaceRounding)
        found.push_back({t, c, depth, pose.rotation * deepest + pose.translation});
    };
    const auto found = parallel_collect<CutTriangle>(static_cast<int>(triangles.size()), look_at);
    cutting.insert(cutting.end(), found.begin(), found.end());
  });
  return cutting;
}

std::vector<ThroughVertex> vertices_through(const std::vector<Collider>& colliders, const Passage& passage) {
  std::vector<ThroughVertex> through;
  each_enabled(colliders, is_bounded, [&](const Collider& collider, int c) {
    const Points from = local(pose_at(collider, passage.begin), passage.from),
                 to = local(pose_at(collider, passage.end), passage.to);
    for (int v = 0; v < from.cols(); ++v) {
      if (local_depth(collider, from.col(v)) > kSurfaceRounding ||
          local_depth(collider, to.col(v)) > kSurfaceRounding)
        continue;
      if (auto way = way_through(collider, from.col(v), to.col(v))) {
        way->vertex = v;
        way->collider = c;
        through.push_back(*way);
      }
    }
  });
  return through;
}

}  // namespace muslin
