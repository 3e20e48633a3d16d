#include "muslin/render/surface.h"

#include <algorithm>
#include <cmath>

#include "muslin/geometry/mesh.h"

namespace muslin {
namespace {

using Colour = Eigen::Vector3f;

// Indigo, unbleached muslin, madder, sage, ochre: linear reflectances.
const Colour kDyes[] = {{0.055f, 0.083f, 0.150f},
                        {0.640f, 0.545f, 0.420f},
                        {0.420f, 0.115f, 0.090f},
                        {0.220f, 0.290f, 0.190f},
                        {0.560f, 0.330f, 0.100f}};
const Colour kClay{0.27f, 0.255f, 0.24f};

constexpr int kAround = 96;   // segments of a full turn
constexpr int kQuarter = 24;  // segments from pole to equator
constexpr int kRings = 72;    // of a plane

/// A column of a rotation-symmetric outline: a circle of `radius` at `height` whose normal leans by `slope`.
struct Ring {
  double radius, height;
  double normal_out, normal_up;
};

/// Turns an outline, given from top to bottom, about the local axis.
Surface turn(const std::vector<Ring>& outline, const Mat3& frame, const Vec3& center) {
  Surface surface;
  for (const Ring& ring : outline)
    for (int i = 0; i <= kAround; ++i) {
      const double angle = 2 * M_PI * i / kAround;
      const Vec3 out = std::cos(angle) * frame.col(0) + std::sin(angle) * frame.col(1);
      const Vec3 position = center + ring.radius * out + ring.height * frame.col(2);
      const Vec3 normal = ring.normal_out * out + ring.normal_up * frame.col(2);
      surface.vertices.push_back(
          {position.cast<float>(), normal.cast<float>(), Eigen::Vector2f::Zero(), kClay});
    }
  for (int ring = 0; ring + 1 < static_cast<int>(outline.size()); ++ring)
    for (int i = 0; i < kAround; ++i) {
      const int above = ring * (kAround + 1) + i, below = above + kAround + 1;
      surface.triangles.push_back({above, below, below + 1});
      surface.triangles.push_back({above, below + 1, above + 1});
    }
  return surface;
}

/// Sphere (length 0) or capsule.
std::vector<Ring> round_outline(double radius, double length) {
  std::vector<Ring> outline;
  for (const double side : {1.0, -1.0})
    for (int i = 0; i <= kQuarter; ++i) {
      const double angle = M_PI / 2 * (side > 0 ? i : kQuarter - i) / kQuarter;
      const double out = std::sin(angle), up = side * std::cos(angle);
      outline.push_back({radius * out, radius * up + side * length / 2, out, up});
    }
  return outline;
}

std::vector<Ring> cylinder_outline(double radius, double height) {
  std::vector<Ring> outline;
  const double h = height / 2;
  for (int i = 0; i <= kQuarter; ++i) outline.push_back({radius * i / kQuarter, h, 0, 1});
  for (int i = 0; i <= kQuarter; ++i) outline.push_back({radius, h - height * i / kQuarter, 1, 0});
  for (int i = kQuarter; i >= 0; --i) outline.push_back({radius * i / kQuarter, -h, 0, -1});
  return outline;
}

/// Columns right, back, along; right-handed.
Mat3 frame_about(const Vec3& axis) {
  Mat3 frame;
  frame.col(2) = axis.normalized();
  frame.col(0) = frame.col(2).unitOrthogonal();
  frame.col(1) = frame.col(2).cross(frame.col(0));
  return frame;
}

/// Each face is cut into cells, so that light that is computed at vertices can vary over it.
Surface box_surface(const Vec3& size, const Pose& pose) {
  constexpr int kCells = 24;
  Surface surface;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {1.0, -1.0}) {
      const int first = static_cast<int>(surface.vertices.size());
      const Vec3 normal = side * Vec3::Unit(axis);
      const Vec3 u = Vec3::Unit((axis + 1) % 3) * side, v = Vec3::Unit((axis + 2) % 3);
      for (int j = 0; j <= kCells; ++j)
        for (int i = 0; i <= kCells; ++i) {
          const Vec3 corner = normal + (2.0 * i / kCells - 1) * u + (2.0 * j / kCells - 1) * v;
          const Vec3 position = pose.rotation * corner.cwiseProduct(size / 2) + pose.translation;
          surface.vertices.push_back({position.cast<float>(), (pose.rotation * normal).cast<float>(),
                                      Eigen::Vector2f::Zero(), kClay});
        }
      for (int j = 0; j < kCells; ++j)
        for (int i = 0; i < kCells; ++i) {
          const int a = first + j * (kCells + 1) + i, b = a + 1, c = a + kCells + 1, d = c + 1;
          surface.triangles.push_back({a, b, d});
          surface.triangles.push_back({a, d, c});
        }
    }
  return surface;
}

}  // namespace

void Surface::append(const Surface& other) {
  const int first = static_cast<int>(vertices.size());
  vertices.insert(vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const Stencil<3>& t : other.triangles) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

Surface cloth_surface(const Stage& stage) {
  const Points normals = vertex_normals(stage.positions, stage.triangles);
  Surface surface;
  surface.triangles = stage.triangles;
  surface.vertices.resize(stage.positions.cols());
  for (int v = 0; v < stage.positions.cols(); ++v) {
    const Vec2 uv = stage.uv.empty() ? Vec2(0, 0) : stage.uv[v];
    const size_t piece = stage.piece.empty() ? 0 : stage.piece[v];
    surface.vertices[v] = {stage.positions.col(v).cast<float>(), normals.col(v).cast<float>(),
                           uv.cast<float>(), kDyes[piece % std::size(kDyes)]};
  }
  return surface;
}

Surface solid_surface(const PosedCollider& posed, double shrink) {
  const Collider& collider = posed.collider;
  const Mat3 frame = posed.pose.rotation * frame_about(collider.axis);
  const double radius = collider.radius - shrink;
  switch (collider.shape) {
    case Shape::sphere:
      return turn(round_outline(radius, 0), frame, posed.pose.translation);
    case Shape::capsule:
      return turn(round_outline(radius, collider.length), frame, posed.pose.translation);
    case Shape::cylinder:
      return turn(cylinder_outline(radius, collider.length - 2 * shrink), frame, posed.pose.translation);
    case Shape::box:
      return box_surface(collider.size - Vec3::Constant(2 * shrink), posed.pose);
    case Shape::plane:
      break;
  }
  return {};
}

Surface plane_surface(const Vec3& point, const Vec3& normal, const Vec3& middle, double radius) {
  const Mat3 frame = frame_about(normal);
  const Vec3 center = middle - (middle - point).dot(frame.col(2)) * frame.col(2);
  std::vector<Ring> outline;
  for (int i = 0; i <= kRings; ++i) {
    const double share = static_cast<double>(i) / kRings;
    outline.push_back({radius * share * share, 0, 0, 1});
  }
  Surface surface = turn(outline, frame, center);
  for (SurfaceVertex& vertex : surface.vertices)
    vertex.uv.x() = (vertex.position - center.cast<float>()).norm() / static_cast<float>(radius);
  return surface;
}

}  // namespace muslin
