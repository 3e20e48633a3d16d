#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "muslin/core/types.h"
#include "muslin/energy/energies.h"
#include "muslin/geometry/ordering.h"
#include "muslin/geometry/topology.h"
#include "muslin/model/controls.h"
#include "muslin/model/scene.h"
#include "muslin/model/state.h"

namespace muslin {

class ClosedSurface;

/// One cloth's place in the arrays of the model.
struct ClothRange {
  std::string name;    ///< of the cloth, with that of the object where a mesh has several
  int first_vertex;    ///< in the model's order
  int vertex_count;    ///< vertices follow each other
  int first_triangle;  ///< in the model's order
  int triangle_count;  ///< triangles follow each other
  double thickness;    ///< [m]
};

/// A cloth that was made as a grid: what is structured can be found. build_model never renumbers grids, so
/// that vertex (i, j) is first_vertex + j·nu + i, with i along u (warp) and j along v (weft).
struct GridPatch {
  int cloth;         ///< index into Model::cloths
  int first_vertex;  ///< of (0, 0)
  int nu;            ///< vertices along u
  int nv;            ///< vertices along v
  Vec2 spacing;      ///< [m] between neighbours at rest, along u and v
  Vec2 bend;         ///< bending rigidity of the plate along u and v [N m]; 0: does not resist

  /// The model's number of vertex (i, j), 0 ≤ i < nu, 0 ≤ j < nv.
  int vertex(int i, int j) const { return first_vertex + j * nu + i; }

  /// The model's number of the vertex in the middle; of an even number of them, the one behind it.
  int middle() const { return vertex(nu / 2, nv / 2); }
};

/// One of the scene's cloths as frames hold it. Numbers are the user's.
struct WrittenMesh {
  std::string name;                                    ///< of the cloth
  int first_vertex;                                    ///< in the user's order
  int vertex_count;                                    ///< vertices that were sewn together count each
  int first_triangle;                                  ///< in the user's order
  int triangle_count;                                  ///< polygons are cut into triangles
  std::vector<Vec2> uv = {};                           ///< one a vertex, or none
  std::shared_ptr<const Polygons> polygons = nullptr;  ///< of its file; null: triangles
  std::vector<std::array<Vec2, 3>> triangle_uv =
      {};                             ///< of the corners of its triangles, in the user's order,
                                      ///< where those of their vertices may differ; else none
  std::optional<Colour> colour = {};  ///< that the scene says
};

/// A seam with its stitches. Numbers are the user's.
struct ModelSeam {
  std::string name;                    ///< with that of its cloth
  double start = 0;                    ///< [s] when it begins to close
  double speed = 0;                    ///< [m/s]
  std::vector<Stencil<2>> stitches{};  ///< the two vertices of each, of side a and of side b
  std::vector<double> lengths{};       ///< how far these are apart at time 0 [m]
  std::vector<double> stiffness{};     ///< of each [N/m]
};

/// A stitch of a seam.
struct StitchOfSeam {
  int seam;    ///< index into Model::seams
  int stitch;  ///< index into its stitches
};

/// Everything constant during a run: build_model and started_from alone make one, and nothing changes it
/// afterwards. Vertices and triangles are in the model's own order, in which neighbours are near each other
/// in memory; the scene, frames and messages have the user's.
struct Model {
  std::vector<ClothRange> cloths;    ///< a cloth of the scene, or one of several objects of its mesh
  std::vector<GridPatch> grids;      ///< those of the cloths that were made as grids
  std::vector<WrittenMesh> written;  ///< one of each of the scene's cloths
  Numbering vertex_numbers;    ///< all cloths' vertices one after another, as their meshes or grids have them
  Numbering triangle_numbers;  ///< triangles likewise
  Points start;                ///< positions at time 0 [m]
  Points start_velocity;       ///< [m/s]
  std::vector<Stencil<3>> triangles;         ///< of all cloths, counter-clockwise seen from the front
  std::vector<RestTriangle> rest_triangles;  ///< one a triangle
  std::vector<Vec2> uv;                      ///< one a vertex; (0, 0) where a cloth has none
  std::vector<Stencil<2>> edges;             ///< unique edges of the triangles
  std::vector<double> edge_length;           ///< rest lengths [m]
  std::vector<double> triangle_mass;         ///< [kg], thirds of which never sum to more than a vertex has
  Incidence triangle_incidence;              ///< the triangles about every vertex
  Scalars mass;                              ///< [kg] a vertex
  std::vector<ModelSeam> seams;              ///< all that are sewn during the run, closed or open
  std::vector<StitchOfSeam> stitches;        ///< one an element of energies.stitches: those that are open
  std::vector<char>
      is_sewn;  ///< one a vertex: it is several of the user's that seams have closed; none: no vertex is
  Energies energies;                ///< springs, bending, …; no pulls
  std::vector<Collider> colliders;  ///< as the scene has them, those that are not enabled included
  /// One a collider, in its frame, at time 0: of a mesh that is closed; else null.
  std::vector<std::shared_ptr<const ClosedSurface>> collider_surfaces;
  SelfCollision self_collision;  ///< as the scene has it
  double self_distance = 0;      ///< [m] kept between vertices of cloth
  Scalars half_thickness;        ///< [m] a vertex: distance kept from colliders
  Scalars friction;  ///< one a vertex: the coefficient that a region gives it, NaN where none does; or empty
  double damping = 0;      ///< [1/s] rate at which velocities decay
  std::uint64_t seed = 0;  ///< of gusts and of the start's jitter
  Controls script;         ///< what the scene prescribes of all that may change, at time 0
  std::vector<PinnedVertex>
      late_pins;                      ///< those of the scene that act from a later time on: PinMotion::since
  std::vector<Stencil<2>> attached;   ///< (vertex, cloth): what springs fasten to another cloth, sorted
  std::uint64_t revision = 0;         ///< another one for every model (next_revision)
  std::vector<std::string> warnings;  ///< what was mended or looks unintended, for the face to print

  /// Vertices of all cloths, n.
  int vertex_count() const { return static_cast<int>(mass.size()); }
  /// Vertices of the meshes and grids: more where some are sewn together.
  int user_vertex_count() const { return vertex_numbers.user_count(vertex_count()); }
};

/// The user's triangle of a number, in the user's numbers of vertices.
Stencil<3> user_triangle(const Model& model, int number);

/// Builds the constant part of a run. Throws Error(invalid or file) for what find_problems cannot see:
/// unreadable or broken meshes, fabrics that springs cannot represent.
Model build_model(const Scene& scene);

/// The same with pairs of the user's vertices that seams have closed: they are one.
Model build_model(const Scene& scene, const std::vector<Stencil<2>>& closed);

/// The same model with other start positions [m], 3×n and finite, or Error(invalid); lengths and pins stay.
Model started_from(Model model, const Points& positions);

/// The state at time 0: start positions with pins where their motion has them then.
State initial_state(const Model& model);

}  // namespace muslin
