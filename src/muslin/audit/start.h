#pragma once
#include <string>
#include <vector>

#include "muslin/model/model.h"

// What a cloth brings along that no solver can mend: looked for before a run.

namespace muslin {

/// One kind of trouble with the start.
struct StartTrouble {
  enum Kind {
    intersecting,   ///< triangles that meet (audit/triangles.h), not both of them on a border
    borders_meet,   ///< triangles that meet, both with a vertex on a border: they may slip past each other
    same_place,     ///< vertices in one place
    thin,           ///< triangles a millionth as high as they are long
    pinched,        ///< vertices whose triangles make several fans
    turned_over,    ///< neighbours that face different ways
    pinned_inside,  ///< pinned vertices inside colliders
    inside,         ///< other vertices inside colliders
    too_near,       ///< elements of cloth nearer than its thickness; neighbours do not count (find_gaps)
    in_mesh,        ///< triangles that meet colliders that are meshes
    enclosed,       ///< pieces of cloth wholly inside colliders that are meshes
  };
  Kind kind;
  std::string what;                     ///< "pairs of triangles that intersect"
  int count = 0;                        ///< of them
  std::vector<std::string> first = {};  ///< the first few in words
  std::vector<int> triangles = {};      ///< where they are; may repeat
};

/// All kinds of trouble that there are, in the order of their kinds. `positions`: the initial state's.
/// Edges with more than two triangles, triangles without area and loose vertices are refused by build_model.
std::vector<StartTrouble> find_start_troubles(const Model& model, const Points& positions);

/// Throws Error(invalid) where triangles intersect that are to be kept apart: those of cloth if
/// self_collision is on, those of colliders ever. Contact cannot part them.
void refuse_start(const Model& model, const std::vector<StartTrouble>& troubles);

/// What a run says before it begins, one sentence a kind of trouble. Throws as refuse_start does.
std::vector<std::string> check_start(const Model& model);

}  // namespace muslin
