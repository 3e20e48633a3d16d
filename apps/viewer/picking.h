#pragma once
#include <optional>
#include <vector>

#include "muslin/render/view.h"

// What of a stage lies under the pointer.

/// A half line in space.
struct Ray {
  muslin::Vec3 origin;
  muslin::Vec3 direction;  ///< unit length

  muslin::Vec3 at(double distance) const { return origin + distance * direction; }
};

/// Where the camera sees pixel (x, y) of a picture of width × height, y downwards.
Ray camera_ray(const muslin::Camera& camera, double x, double y, double width, double height);

/// The nearest thing that a ray meets.
struct Pick {
  enum class Kind { vertex, collider };
  Kind kind = Kind::vertex;
  int index = 0;        ///< of the vertex of the cloth, or of the collider on the stage
  muslin::Vec3 point;   ///< where the ray meets it [m]
  double distance = 0;  ///< along the ray [m]
};

/// Cloth by its triangles (the corner nearest to the ray), colliders by their surfaces; planes are floors
/// that nobody takes hold of, but they hide what is behind them.
std::optional<Pick> pick(const muslin::Stage& stage, const Ray& ray);

/// The vertices of the cloth inside a closed line on a picture of width × height [pixels, y downwards];
/// `through`: also those that something hides.
std::vector<int> vertices_inside(const muslin::Stage& stage, const muslin::Camera& camera,
                                 const std::vector<muslin::Vec2>& line, double width, double height,
                                 bool through);

/// Where a ray meets the plane through `point` that faces the camera.
muslin::Vec3 on_camera_plane(const Ray& ray, const muslin::Camera& camera, const muslin::Vec3& point);
