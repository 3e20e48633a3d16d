#pragma once
#include <optional>
#include <string>
#include <vector>

#include "muslin/geometry/mesh.h"
#include "muslin/geometry/topology.h"
#include "muslin/model/scene.h"

namespace muslin {

/// Cloth that hangs together by its objects' names or by seams, ready for masses and elements.
struct ClothPiece {
  std::string name;
  Mesh mesh;                    ///< at the start [m], sewn, in an order that suits the cache
  std::optional<Mesh> pattern;  ///< what it is without load [m], before it is sewn: the same triangles in the
                                ///< same order; absent: the mesh itself
  std::vector<int> vertices;    ///< the number of each in the scene's cloth; the least of those sewn together
  std::vector<int> triangles;   ///< likewise
};

/// One of the scene's cloths, cut into pieces.
struct Pieces {
  std::vector<ClothPiece> pieces;
  std::vector<int> place;  ///< where each vertex of the scene's cloth is among those of all pieces
  std::shared_ptr<const Polygons> polygons;
  std::vector<std::string> words;  ///< what the user should know, one sentence each
};

/// `cloth "skirt"`, as messages begin.
std::string quoted(const Cloth& cloth);

/// The mesh or grid of a cloth where the scene puts it [m], as it is numbered there.
Mesh placed_mesh(const Cloth& cloth);

/// The pieces of a cloth whose placed mesh is `mesh`: every object that shares no vertex with others is one.
/// Throws Error(invalid) where edges have more than two triangles, or seams are wider than edges are long.
/// `closed` are pairs of vertices that seams have made one.
Pieces cut_into_pieces(const Cloth& cloth, Mesh mesh, const std::vector<Stencil<2>>& closed = {});

/// Borders that lie on one another and are not sewn.
struct OpenSeams {
  int pairs = 0;     ///< of vertices in one place; 0: there are none
  double merge = 0;  ///< ClothMesh::merge that sews them [m]
  int cloth = 0;     ///< whose they are
};

/// Those of a mesh.
OpenSeams find_open_seams(const Mesh& mesh, const Topology& topology);
/// Those of a scene's cloths, as they are merged; only of cloths that have any.
std::vector<OpenSeams> find_open_seams(const Scene& scene);
/// What they are, and what sews them; "" without any.
std::string describe(const OpenSeams& seams);
/// OpenSeams::merge as a scene has it: "1e-4".
std::string merge_text(const OpenSeams& seams);

/// Vertices of borders on edges of borders that they do not belong to: what looks joined gapes there.
struct LooseJoints {
  int count = 0;
  std::vector<std::string> named{};  ///< the first three: "vertex 34 lies on edge 4-9"
};

/// Those of a mesh as it is sewn, whose numbers are the mesh's.
LooseJoints find_loose_joints(const Mesh& mesh, const Topology& topology);
/// What they are, and what helps; "" without any.
std::string describe(const LooseJoints& joints);

/// Why a mesh encloses nothing, as a clause ("is open, or turns its front, at edge 3-7"), or "".
std::string why_open(const Mesh& mesh);

/// The part of a mesh that is one object, with its vertices in their order; `vertices` become their numbers
/// in the whole. Nothing if no polygon has that name.
std::optional<Mesh> object_of(const Mesh& mesh, const std::string& name, std::vector<int>& vertices);

}  // namespace muslin
