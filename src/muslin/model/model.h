#pragma once
#include <string>
#include <vector>

#include "muslin/core/types.h"
#include "muslin/energy/energies.h"
#include "muslin/geometry/mesh.h"
#include "muslin/geometry/ordering.h"
#include "muslin/model/scene.h"
#include "muslin/model/state.h"

namespace muslin {

/// One cloth's place in the arrays of the model.
struct ClothRange {
  std::string name;
  int first_vertex, vertex_count;
  int first_triangle, triangle_count;
  double thickness;  ///< [m]
};

/// One of the scene's cloths as frames hold it. Numbers are the user's.
struct WrittenMesh {
  std::string name;
  int first_vertex, vertex_count;
  int first_triangle, triangle_count;
  std::vector<Vec2> uv = {};                           ///< one a vertex, or none
  std::shared_ptr<const Polygons> polygons = nullptr;  ///< of its file; null: triangles
};

/// A held vertex.
struct PinnedVertex {
  int vertex;
  Vec3 fixed;  ///< 1 on held axes, 0 on free ones
  Vec3 place;  ///< where the scene puts it [m]
  int motion;  ///< index into Model::pin_motions
};

/// What pins do together.
struct PinMotion {
  Motion motion;
  Vec3 center = Vec3::Zero();  ///< of rotations [m]
};

/// Everything constant during a run. Written by build_model alone. Vertices and triangles are in the model's
/// own order, in which neighbours are near each other in memory; the scene, frames and messages have the
/// user's.
struct Model {
  std::vector<ClothRange> cloths;    ///< a cloth of the scene, or one of several objects of its mesh
  std::vector<WrittenMesh> written;  ///< one of each of the scene's cloths
  Numbering vertex_numbers;    ///< all cloths' vertices one after another, as their meshes or grids have them
  Numbering triangle_numbers;  ///< triangles likewise
  Points start;                ///< positions at time 0 [m]
  Points start_velocity;       ///< [m/s]
  std::vector<Stencil<3>> triangles;
  std::vector<RestTriangle> rest_triangles;  ///< one a triangle
  std::vector<Vec2> uv;                      ///< one a vertex; (0, 0) where a cloth has none
  std::vector<Stencil<2>> edges;             ///< unique edges of the triangles
  std::vector<double> edge_length;           ///< rest lengths [m]
  std::vector<double> triangle_mass;         ///< [kg], thirds of which never sum to more than a vertex has
  Incidence triangle_incidence;
  Scalars mass;         ///< [kg] a vertex
  Points free;          ///< 1 on free axes, 0 on held ones
  Points inverse_mass;  ///< [1/kg] 1/mass on free axes, 0 on held ones
  std::vector<PinnedVertex> pins;
  std::vector<PinMotion> pin_motions;
  Energies energies;  ///< springs, bending, …
  std::vector<Collider> colliders;
  SelfCollision self_collision;
  double self_distance = 0;  ///< [m] kept between vertices of cloth
  Scalars half_thickness;    ///< [m] a vertex: distance kept from colliders
  Vec3 gravity;
  double damping = 0;  ///< [1/s]
  Wind wind;
  std::uint64_t seed = 0;
  std::vector<std::string> warnings;  ///< what was mended or looks unintended, for the face to print

  int vertex_count() const { return static_cast<int>(mass.size()); }
  /// Vertices of the meshes and grids: more where some are sewn together.
  int user_vertex_count() const { return vertex_numbers.user_count(vertex_count()); }
};

/// The user's triangle of a number, in the user's numbers of vertices.
Stencil<3> user_triangle(const Model& model, int number);

/// Builds the constant part of a run. Throws Error(invalid or file) for what find_problems cannot see:
/// unreadable or broken meshes, fabrics that springs cannot represent.
Model build_model(const Scene& scene);

/// The state at time 0: start positions with pins where their motion has them then.
State initial_state(const Model& model);

}  // namespace muslin
