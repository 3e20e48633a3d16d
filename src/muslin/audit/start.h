#pragma once
#include <functional>
#include <string>
#include <vector>

#include "muslin/model/model.h"
#include "muslin/model/state.h"

// What a cloth brings along that no solver can mend: looked for before a run, and before one goes on
// otherwise.

namespace muslin {

/// One kind of trouble with the start.
struct StartTrouble {
  /// What is wrong, in the order in which it is looked for.
  enum Kind {
    intersecting,  ///< triangles that meet (audit/triangles.h), not both of them on a border
    borders_meet,  ///< triangles that meet, both with a vertex on a border: they may slip past each other
    same_place,    ///< vertices in one place
    thin,          ///< triangles a millionth as high as they are long
    pinched,       ///< vertices whose triangles make several fans
    turned_over,   ///< neighbours that face different ways
    held_inside,  ///< held vertices inside colliders, from which what has them is not kept (scene_surfaces.h)
    pinned_inside,  ///< other pinned vertices inside colliders
    inside,         ///< vertices inside colliders that no pin holds
    too_near,  ///< elements of cloth nearer than they are kept apart; neighbours do not count (find_gaps)
    on_body,  ///< vertices on the surface of colliders, where a solver keeps them out: neither side is theirs
    near_body,  ///< vertices nearer to colliders than they are kept from them
    in_mesh,    ///< triangles that meet colliders that are meshes
    in_solid,  ///< triangles that meet other colliders; only between vertices, unless a solver keeps them out
    enclosed,  ///< pieces of cloth wholly inside colliders that are meshes
  };
  Kind kind;                            ///< which of them
  std::string what;                     ///< "pairs of triangles that intersect"
  int count = 0;                        ///< of them
  std::vector<std::string> named = {};  ///< the first of them, in words
  std::vector<int> triangles = {};      ///< where they are; may repeat
  double depth = 0;                     ///< [m] the deepest, where vertices or triangles are inside something
};

/// All kinds of trouble that the initial state has at these positions [m], 3×n, in the order of their kinds,
/// for a solver that keeps cloth out of colliders (model/settings.h) or one that does not; of each kind so
/// many are named. What cannot move is left out: triangles whose corners are all held where they are, against
/// each other and against bodies that stay, and what has held vertices inside a collider, against that one.
/// Edges with more than two triangles, triangles without area and loose vertices are refused by build_model.
/// `begins` is told each kind before it is looked for, which may take long.
std::vector<StartTrouble> find_start_troubles(const Model& model, const Points& positions, bool keeps_out,
                                              int named = 10000,
                                              const std::function<void(StartTrouble::Kind)>& begins = {});

/// Throws Error(invalid) where things meet that are to be kept apart: cloth and cloth if self_collision is
/// on, cloth and colliders that are meshes ever, cloth and all others if a solver keeps it out of them.
/// Contact cannot part them; a repair might, unless these are what it left (`is_repaired`).
void refuse_start(const Model& model, const std::vector<StartTrouble>& troubles, bool keeps_out,
                  bool is_repaired = false);

/// What a run says before it begins at these positions [m], one sentence a kind of trouble. Throws as
/// refuse_start does.
std::vector<std::string> check_start(const Model& model, const Points& positions, bool keeps_out,
                                     bool is_repaired = false);

/// What keeps a solver that keeps cloth out of colliders from going on from a state, in which cloth may hold
/// some of them up; of each kind so many are named. Looks for nothing that it could live with. Throws
/// Error(invalid) where positions are no numbers.
std::vector<StartTrouble> find_room_troubles(const Model& model, const Controls& controls, const State& state,
                                             int named);

/// Throws as refuse_start does where find_room_troubles finds anything.
void check_room(const Model& model, const Controls& controls, const State& state);
/// The same with the scene's own controls, as where no hand does anything.
inline void check_room(const Model& model, const State& state) { check_room(model, model.script, state); }

}  // namespace muslin
