#pragma once
#include <string>
#include <vector>

#include "muslin/io/frame_writer.h"
#include "muslin/model/model.h"
#include "muslin/model/motion.h"
#include "muslin/model/state.h"

namespace muslin {

/// A surface that frames hold: a cloth of the scene, or a collider. Numbers of vertices are its own, 0 to
/// vertex_count.
struct WrittenBody {
  std::string name;
  int first_vertex = 0;  ///< of a cloth, in the user's order
  int vertex_count = 0;
  std::vector<int> face_end;          ///< one a polygon: behind its last corner
  std::vector<int> corners;           ///< of all polygons
  std::vector<Stencil<3>> triangles;  ///< what the polygons are cut into
  std::vector<std::array<Vec2, 3>>
      triangle_uv;                    ///< of their corners where some vertex has several; else none
  std::vector<Vec2> uv;               ///< one a vertex, or none
  std::vector<Vec2> corner_uv;        ///< one of each of `corners` where some vertex has several; else none
  std::vector<int> pinned;            ///< vertices that the scene holds, in any direction
  int collider = -1;                  ///< index into Model::colliders; -1: a cloth
  Points shape{3, 0};                 ///< of a collider: its vertices in its own frame at time 0 [m]
  bool deforms = false;               ///< whether that shape changes
  std::optional<Colour> colour = {};  ///< that the scene says
};

/// The cloths of a model.
std::vector<WrittenBody> written_cloths(const Model& model);

/// The colliders that are enabled. Round shapes become meshes whose vertices are on the surface. A plane is a
/// triangle about its centre, wide enough for the cloth at the start.
std::vector<WrittenBody> written_colliders(const Model& model);

/// Those of a state (State::blocked). Colliders that deform are left out: no pose tells where they are.
BlockedBodies blocked_bodies(const Model& model, const State& state);

/// Where such a collider is at a time [s]: blocked, or where its motion has it.
Pose pose_of_body(const Model& model, const WrittenBody& body, double time, const BlockedBodies& blocked);

/// The vertices of such a collider at a time [s], in the frame of its pose [m].
Points shape_of_body(const Model& model, const WrittenBody& body, double time);

/// The vertices of a cloth [m] of positions that have the model's order.
Points positions_of_body(const Model& model, const WrittenBody& body, const Points& positions);

}  // namespace muslin
