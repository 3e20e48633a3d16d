#pragma once
#include <vector>

#include "muslin/render/view.h"

namespace muslin {

/// What the shaders read of one vertex. The order of members is the order of the shaders' inputs.
struct SurfaceVertex {
  Eigen::Vector3f position;  ///< [m]
  Eigen::Vector3f normal;    ///< unit length
  Eigen::Vector2f uv;        ///< weave coordinates; of planes: (distance from the middle / radius, 0)
  Eigen::Vector3f colour;    ///< linear reflectance
};

/// Triangles to draw.
struct Surface {
  std::vector<SurfaceVertex> vertices;
  std::vector<Stencil<3>> triangles;  ///< counter-clockwise seen from outside

  void append(const Surface& other);
};

/// The cloth, smooth normals, one colour a piece.
Surface cloth_surface(const Stage& stage);

/// A sphere, box, capsule or cylinder, `shrink` [m] smaller all around; nothing for a plane.
Surface solid_surface(const PosedCollider& posed, double shrink);

/// A disc of the plane through `point` about the foot of `middle`; finer towards its middle.
Surface plane_surface(const Vec3& point, const Vec3& normal, const Vec3& middle, double radius);

}  // namespace muslin
