#include "muslin/render/drawable.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "muslin/contact/vertices/posed_surface.h"
#include "muslin/geometry/mesh.h"
#include "muslin/geometry/topology.h"
#include "muslin/model/collider_shape.h"

namespace muslin {
namespace {

using Reflectance = Eigen::Vector3f;

// Indigo, unbleached muslin, madder, sage, ochre: linear reflectances.
const Reflectance kDyes[] = {{0.055f, 0.083f, 0.150f},
                             {0.640f, 0.545f, 0.420f},
                             {0.420f, 0.115f, 0.090f},
                             {0.220f, 0.290f, 0.190f},
                             {0.560f, 0.330f, 0.100f}};
const Reflectance kClay{0.27f, 0.255f, 0.24f};

constexpr float kStudio = 0.5f;  // what the lamps make of white, so that materials look as they do elsewhere

/// What a collider is painted with where no material says otherwise.
Reflectance paint_of(const Collider& collider) {
  if (!collider.colour) return kClay;
  const auto [red, green, blue] = linear(*collider.colour);
  return kStudio * Reflectance(red, green, blue);
}

/// The colour that a material gives a vertex, or else another.
Reflectance painted(const Colours* colours, int vertex, const Reflectance& otherwise) {
  if (!colours || vertex >= std::ssize(*colours)) return otherwise;
  const Reflectance& colour = (*colours)[vertex];
  return colour.minCoeff() < 0 ? otherwise : Reflectance(kStudio * colour);
}

constexpr int kAround = 96;   // segments of a full turn
constexpr int kQuarter = 24;  // segments from pole to equator
constexpr int kRings = 40;    // of a plane
constexpr int kCells = 24;    // along a side

/// A column of a rotation-symmetric outline: a circle of `radius` at `height` whose normal leans by `slope`.
struct Ring {
  double radius, height;
  double normal_out, normal_up;
};

/// Turns an outline, given from top to bottom, about the y axis of a pose.
Drawable turn(const std::vector<Ring>& outline, const Pose& pose) {
  const Vec3 right = pose.rotation.col(0), up = pose.rotation.col(1), front = pose.rotation.col(2);
  Drawable drawable;
  for (size_t r = 0; r < outline.size(); ++r)
    for (int i = 0; i <= kAround; ++i) {
      const Ring& ring = outline[r];
      const double angle = 2 * M_PI * i / kAround;
      const Vec3 out = std::cos(angle) * right - std::sin(angle) * front;
      const Vec3 position = pose.translation + ring.radius * out + ring.height * up;
      const Vec3 normal = ring.normal_out * out + ring.normal_up * up;
      const auto from_below = 1 - static_cast<float>(r) / static_cast<float>(outline.size() - 1);
      drawable.vertices.push_back({position.cast<float>(),
                                   normal.cast<float>(),
                                   Eigen::Vector2f::Zero(),
                                   kClay,
                                   {static_cast<float>(i) / kAround, from_below}});
    }
  for (int ring = 0; ring + 1 < static_cast<int>(outline.size()); ++ring)
    for (int i = 0; i < kAround; ++i) {
      const int above = ring * (kAround + 1) + i, below = above + kAround + 1;
      drawable.triangles.push_back({above, below, below + 1});
      drawable.triangles.push_back({above, below + 1, above + 1});
    }
  return drawable;
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

/// Each face is cut into cells, so that light that is computed at vertices can vary over it.
Drawable box_drawable(const Vec3& size, const Pose& pose) {
  Drawable drawable;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {1.0, -1.0}) {
      const int first = static_cast<int>(drawable.vertices.size());
      const Vec3 normal = side * Vec3::Unit(axis);
      const Vec3 u = Vec3::Unit((axis + 1) % 3) * side, v = Vec3::Unit((axis + 2) % 3);
      for (int j = 0; j <= kCells; ++j)
        for (int i = 0; i <= kCells; ++i) {
          const Vec3 corner = normal + (2.0 * i / kCells - 1) * u + (2.0 * j / kCells - 1) * v;
          const Vec3 position = pose.rotation * corner.cwiseProduct(size / 2) + pose.translation;
          drawable.vertices.push_back({position.cast<float>(), (pose.rotation * normal).cast<float>(),
                                       Eigen::Vector2f::Zero(), kClay});
        }
      for (int j = 0; j < kCells; ++j)
        for (int i = 0; i < kCells; ++i) {
          const int a = first + j * (kCells + 1) + i, b = a + 1, c = a + kCells + 1, d = c + 1;
          drawable.triangles.push_back({a, b, d});
          drawable.triangles.push_back({a, d, c});
        }
    }
  return drawable;
}

/// Of every corner of every triangle: the sum of the normals, by area, of the triangles about its vertex that
/// turn from it by less than a crease; and whether all of them did.
struct CornerNormals {
  std::vector<std::array<Vec3, 3>> normal;
  std::vector<bool> smooth;  ///< of triangles: at all three corners
};

CornerNormals corner_normals(const Points& places, const std::vector<Stencil<3>>& triangles) {
  constexpr double kCrease = 50 * M_PI / 180;  // between the edges of an icosahedron and of a hexagonal prism
  const double least = std::cos(kCrease);
  std::vector<Vec3> across;  // twice the area
  for (const auto& [a, b, c] : triangles)
    across.push_back(Vec3(places.col(b) - places.col(a)).cross(Vec3(places.col(c) - places.col(a))));
  const Incidence around = build_incidence(static_cast<int>(places.cols()), triangles);
  CornerNormals corners{std::vector<std::array<Vec3, 3>>(triangles.size()),
                        std::vector<bool>(triangles.size(), true)};
  for (size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int v = triangles[t][k];
      Vec3 sum = Vec3::Zero();
      for (int r = around.begin[v]; r < around.begin[v + 1]; ++r) {
        const Vec3& other = across[around.item[r]];
        if (across[t].dot(other) >= least * across[t].norm() * other.norm())
          sum += other;
        else
          corners.smooth[t] = false;
      }
      corners.normal[t][k] = sum.normalized();
    }
  return corners;
}

/// A triangle cut into cells², so that light that is computed at vertices can vary over it.
void add_cells(const std::array<DrawVertex, 3>& corner, int cells, Drawable& drawable) {
  const int first = static_cast<int>(drawable.vertices.size());
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells - j; ++i) {
      const float u = static_cast<float>(i) / static_cast<float>(cells);
      const float v = static_cast<float>(j) / static_cast<float>(cells), w = 1 - u - v;
      const auto mixed = [&](auto member) {
        return (w * corner[0].*member + u * corner[1].*member + v * corner[2].*member).eval();
      };
      DrawVertex vertex = corner[0];
      vertex.position = mixed(&DrawVertex::position);
      vertex.normal = mixed(&DrawVertex::normal).normalized();
      vertex.colour = mixed(&DrawVertex::colour);
      drawable.vertices.push_back(vertex);
    }
  const auto at = [&](int i, int j) { return first + j * (cells + 1) - j * (j - 1) / 2 + i; };
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells - j; ++i) {
      drawable.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
      if (i + 1 < cells - j) drawable.triangles.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
    }
}

/// Into how many cells along a side a triangle is cut: of those of a box as large as all.
int cells_of(const Stencil<3>& triangle, const Points& places, double size) {
  double longest = 0;
  for (int k = 0; k < 3; ++k)
    longest = std::max(longest, (places.col(triangle[k]) - places.col(triangle[(k + 1) % 3])).norm());
  return size > 0 ? std::clamp(static_cast<int>(std::lround(kCells * longest / size)), 1, 2 * kCells) : 1;
}

/// Smooth but for creases. What encloses nothing is seen from both sides.
Drawable mesh_drawable(const PosedCollider& posed, double shrink) {
  std::vector<Stencil<3>> triangles = posed.collider.mesh->mesh->triangles;
  const PosedSurface surface(posed.collider, posed.surface, posed.pose);
  for (int t = 0; t < std::ssize(triangles); ++t)
    if (surface.looks_inwards(t)) std::swap(triangles[t][1], triangles[t][2]);
  Points places = (posed.pose.rotation * posed.shape).colwise() + posed.pose.translation;
  const Points normals = vertex_normals(places, triangles);
  const CornerNormals corners = corner_normals(places, triangles);
  const double size = (places.rowwise().maxCoeff() - places.rowwise().minCoeff()).maxCoeff();
  if (shrink > 0)
    for (auto place : places.colwise()) place -= shrink * surface.at(place).normal;
  const auto vertex = [&](int v, const Vec3& normal) -> DrawVertex {
    return {places.col(v).cast<float>(), normal.cast<float>(), Eigen::Vector2f::Zero(),
            painted(posed.colours.get(), v, paint_of(posed.collider))};
  };
  Drawable drawable;
  for (const double side : {1.0, -1.0}) {
    if (posed.surface && side < 0) continue;
    const int first = static_cast<int>(drawable.vertices.size());
    for (int v = 0; v < places.cols(); ++v) drawable.vertices.push_back(vertex(v, side * normals.col(v)));
    for (size_t t = 0; t < triangles.size(); ++t) {
      std::array<int, 3> order{0, 1, 2};
      if (side < 0) std::swap(order[1], order[2]);
      const auto corner = [&](int k) { return triangles[t][order[k]]; };
      const int cells = cells_of(triangles[t], places, size);
      if (corners.smooth[t] && cells == 1) {
        drawable.triangles.push_back({first + corner(0), first + corner(1), first + corner(2)});
        continue;
      }
      std::array<DrawVertex, 3> own;
      for (int k = 0; k < 3; ++k) own[k] = vertex(corner(k), side * corners.normal[t][order[k]]);
      add_cells(own, cells, drawable);
    }
  }
  return drawable;
}

}  // namespace

void Drawable::append(const Drawable& other) {
  const int first = static_cast<int>(vertices.size());
  vertices.insert(vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const Stencil<3>& t : other.triangles) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

namespace {

/// Where uv lies within the range of its piece, 0 to 1.
std::vector<Vec2> texture_places(const Stage& stage) {
  std::vector<Vec2> places(stage.positions.cols(), Vec2::Zero());
  if (stage.uv.empty()) return places;
  const auto piece = [&](size_t v) { return stage.piece.empty() ? 0 : stage.piece[v]; };
  std::map<int, Eigen::AlignedBox2d> ranges;
  for (size_t v = 0; v < places.size(); ++v) ranges[piece(v)].extend(stage.uv[v]);
  for (size_t v = 0; v < places.size(); ++v) {
    const Eigen::AlignedBox2d& range = ranges.at(piece(v));
    places[v] = (stage.uv[v] - range.min()).cwiseQuotient(range.sizes().cwiseMax(1e-12));
  }
  return places;
}

}  // namespace

double cloth_size(const Stage& stage) {
  double area = 0;
  for (const Stencil<3>& t : stage.triangles)
    area += triangle_area(stage.positions.col(t[0]), stage.positions.col(t[1]), stage.positions.col(t[2]));
  const int pieces = stage.piece.empty() ? 1 : 1 + *std::max_element(stage.piece.begin(), stage.piece.end());
  return std::sqrt(area / pieces);
}

Drawable cloth_drawable(const Stage& stage) {
  const Points normals = vertex_normals(stage.positions, stage.triangles);
  const int count = static_cast<int>(stage.positions.cols());
  const HeatMap& heat = stage.heat;
  const std::vector<Vec2> places = texture_places(stage);
  Drawable drawable;
  drawable.triangles = stage.triangles;
  drawable.vertices.resize(count);
  for (int v = 0; v < count; ++v) {
    const Vec2 uv = stage.uv.empty() ? Vec2(0, 0) : stage.uv[v];
    const size_t piece = stage.piece.empty() ? 0 : stage.piece[v];
    drawable.vertices[v] = {stage.positions.col(v).cast<float>(), normals.col(v).cast<float>(),
                            uv.cast<float>(),
                            painted(stage.colours.get(), v, kDyes[piece % std::size(kDyes)])};
    drawable.vertices[v].texture_uv = places[v].cast<float>();
    if (heat.values.size() == count)
      drawable.vertices[v].heat = static_cast<float>((heat.values[v] - heat.low) / (heat.high - heat.low));
  }
  return drawable;
}

double sag(const Stage& stage, const PosedCollider& posed) {
  if (posed.collider.shape == Shape::mesh && !posed.surface) return 0;
  const PosedSurface surface(posed.collider, posed.surface, posed.pose);
  const auto gap = [&](const Vec3& place) {
    return surface.is_farther(place, 0) ? 0 : surface.at(place).distance;
  };
  double deepest = 0;
  for (const Stencil<3>& t : stage.triangles) {
    const Vec3 a = stage.positions.col(t[0]), b = stage.positions.col(t[1]), c = stage.positions.col(t[2]);
    for (const Vec3& inner : {Vec3((a + b + c) / 3), Vec3((a + b) / 2), Vec3((b + c) / 2), Vec3((c + a) / 2)})
      if (const double depth = -gap(inner); depth > deepest)
        deepest = std::max(deepest, depth + std::min({0.0, gap(a), gap(b), gap(c)}));
  }
  // So little that nobody sees the shape change, and never through a thin disc
  constexpr double kMost = 0.05;
  const Collider& collider = posed.collider;
  if (posed.surface) return std::min(1.05 * deepest, kMost * posed.shape.colwise().norm().maxCoeff());
  if (collider.shape == Shape::cylinder) return std::min(1.05 * deepest, kMost * collider.radius);
  const double width = width_of(collider), size = shape_of(collider).is_round ? collider.radius : width / 2;
  return std::min({1.05 * deepest, kMost * size, width / 4});
}

namespace {

/// A convex shape by the mesh that encloses it, drawn in to its surface.
Drawable surface_drawable(const Collider& collider, const Pose& pose, double shrink) {
  const ColliderShape& shape = shape_of(collider);
  const Mesh mesh = shape.mesh(collider, shape.width(collider) / kAround, kAround);
  Drawable drawable;
  for (const auto& corner : mesh.positions.colwise()) {
    const auto [distance, normal] = shape.surface(collider, corner);
    const Vec3 place = corner - (distance + shrink) * normal;
    drawable.vertices.push_back({(pose.rotation * place + pose.translation).cast<float>(),
                                 (pose.rotation * normal).cast<float>(), Eigen::Vector2f::Zero(), kClay});
  }
  drawable.triangles = mesh.triangles;
  return drawable;
}

Drawable shape_drawable(const PosedCollider& posed, double shrink) {
  const Collider& collider = posed.collider;
  const double radius = collider.radius - shrink;
  // Outlines that are turned and faces that are cut up carry the light better than the general way.
  if (collider.shape == Shape::sphere) return turn(round_outline(radius, 0), posed.pose);
  if (collider.shape == Shape::capsule) return turn(round_outline(radius, collider.length), posed.pose);
  if (collider.shape == Shape::cylinder) {
    // A thin disc keeps half of its height, and gives way to what cuts its rim sideways instead.
    const double down = std::min(shrink, collider.length / 4),
                 in = std::min(2 * shrink, 4 * shrink - 3 * down);
    return turn(cylinder_outline(collider.radius - in, collider.length - 2 * down), posed.pose);
  }
  if (collider.shape == Shape::box)
    return box_drawable(collider.size - Vec3::Constant(2 * shrink), posed.pose);
  return surface_drawable(collider, posed.pose, shrink);
}

}  // namespace

Drawable solid_drawable(const PosedCollider& posed, double shrink) {
  if (posed.collider.shape == Shape::plane) return {};  // plane_drawable
  if (posed.collider.shape == Shape::mesh) return mesh_drawable(posed, shrink);
  Drawable drawable = shape_drawable(posed, shrink);
  for (DrawVertex& vertex : drawable.vertices) vertex.colour = paint_of(posed.collider);
  return drawable;
}

Drawable plane_drawable(const PosedCollider& plane, const Vec3& middle, double radius) {
  constexpr float kBackdrop = -1;  // what plane.frag takes for no colour
  const Vec3 normal = plane.pose.rotation.col(1);
  const Vec3 foot = middle - (middle - plane.pose.translation).dot(normal) * normal;
  std::vector<Ring> outline;
  for (int i = 0; i <= kRings; ++i) {
    const double fraction = static_cast<double>(i) / kRings;
    outline.push_back({radius * fraction * fraction, 0, 0, 1});
  }
  Drawable drawable = turn(outline, {plane.pose.rotation, foot});
  for (DrawVertex& vertex : drawable.vertices) {
    vertex.uv.x() = (vertex.position - foot.cast<float>()).norm() / static_cast<float>(radius);
    vertex.colour =
        plane.collider.colour ? paint_of(plane.collider) : Reflectance(Reflectance::Constant(kBackdrop));
  }
  return drawable;
}

}  // namespace muslin
