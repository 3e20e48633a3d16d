#pragma once
#include <vector>

#include "muslin/render/view.h"

namespace muslin {

/// What the shaders read of one vertex. The order of members is the order of the shaders' inputs.
struct DrawVertex {
  Eigen::Vector3f position;  ///< [m]
  Eigen::Vector3f normal;    ///< unit length
  Eigen::Vector2f uv;        ///< weave coordinates; of planes: (distance from the middle / radius, 0)
  Eigen::Vector3f colour;    ///< linear reflectance; of planes: below 0 that of the backdrop
  Eigen::Vector2f texture_uv = Eigen::Vector2f::Zero();  ///< 0 to 1 over a piece of cloth, or around a solid
  float heat = 0;                                        ///< fraction of the heat map's range
};

/// Triangles to draw.
struct Drawable {
  std::vector<DrawVertex> vertices;
  std::vector<Stencil<3>> triangles;  ///< counter-clockwise seen from outside

  void append(const Drawable& other);
};

/// The cloth, smooth normals, one colour a piece; texture coordinates reach from 0 to 1 over every piece.
Drawable cloth_drawable(const Stage& stage);

/// Length of a side of a square as large as a piece of cloth on average [m].
double cloth_size(const Stage& stage);

/// How deep the inside of a triangle lies in a solid that its corners only touch [m]: drawn smaller by this,
/// a solid does not show through cloth on it. What corners themselves intrude stays visible; at most 5 % of
/// the solid's radius or half width. A thin disc keeps half of its height, and becomes narrower by up to 10
/// %. 0 for a mesh without an inside.
double sag(const Stage& stage, const PosedCollider& posed);

/// A solid, `shrink` [m] smaller all around; nothing for a plane.
Drawable solid_drawable(const PosedCollider& posed, double shrink);

/// A disc of a plane about the foot of `middle`; finer towards its middle. Without a colour of its own it has
/// that of the backdrop.
Drawable plane_drawable(const PosedCollider& plane, const Vec3& middle, double radius);

}  // namespace muslin
