#pragma once
#include "muslin/model/scene.h"

namespace muslin {

/// A rigid place: x = rotation · local + translation.
struct Pose {
  Mat3 rotation = Mat3::Identity();  ///< orthogonal, determinant 1
  Vec3 translation = Vec3::Zero();   ///< [m]
};

/// The displacement of a motion at a time [m].
Vec3 offset_at(const Motion& motion, double time);

/// Whether a motion is anywhere else at some time than at the start.
bool moves(const Motion& motion);
/// Whether a collider is, or its mesh deforms.
bool moves(const Collider& collider);

/// Where a motion takes a place to: turned about a centre, then displaced [m].
Vec3 place_at(const Motion& motion, const Vec3& center, const Vec3& place, double time);

/// Where a collider is at a time: its centre, its own rotation and its motion; shifted by an offset [m].
Pose pose_at(const Collider& collider, double time, const Vec3& offset = Vec3::Zero());

/// All colliders; those without an offset are where their motion has them.
std::vector<Pose> poses_at(const std::vector<Collider>& colliders, double time,
                           const std::vector<Vec3>& offsets = {});

/// Colliders where they are at some instant.
struct PlacedColliders {
  std::vector<Pose> poses;     ///< one a collider
  std::vector<Points> shapes;  ///< of those that are meshes: their vertices in the frame of the pose [m], 3×n
};
/// Where colliders are at a time [s], shifted by offsets [m] where there are any.
PlacedColliders placed_at(const std::vector<Collider>& colliders, double time,
                          const std::vector<Vec3>& offsets = {});

/// The points of a mesh file where the scene puts them: scaled, turned and moved [m], 3×n.
Points placed(const MeshFile& file, const Points& points);

/// The vertices of a collider that is a mesh, in its own frame at a time [m], 3×n.
Points shape_at(const Collider& collider, double time);

/// Rotation about x, then y, then z by angles in degrees.
Mat3 rotation_xyz(const Vec3& degrees);

}  // namespace muslin
