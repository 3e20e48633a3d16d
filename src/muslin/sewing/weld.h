#pragma once
#include <string>
#include <vector>

#include "muslin/model/grasp.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"

namespace muslin {

/// Why a stitch whose ends are near each other stays open.
enum class WeldRefusal {
  far,      ///< its ends are not yet near enough
  blocked,  ///< cloth or a body is in between
  folded,   ///< triangles would meet elsewhere than at the seam
  crowded,  ///< an edge would have three triangles, or a triangle two corners in one place
};

/// The stitches that can be closed between two frames.
struct WeldPlan {
  std::vector<Stencil<2>> closed{};     ///< as pairs of the user's vertices
  Points places{3, 0};                  ///< of all vertices of the model [m], those of one class in one place
  std::vector<WeldRefusal> refusals{};  ///< one a stitch of the model; of closed ones without meaning
};

/// What of the open stitches may become one now: ends nearer to each other than one and a half times the
/// distance that cloth keeps, or than three tenths of the mean edge, whose common place, the mean by mass,
/// all can be moved to without anything meeting on the way, as continuous collision detection certifies, and
/// where no two triangles meet but in what they share, as exact predicates do. The mean keeps momentum.
WeldPlan plan_weld(const Model& model, const Controls& controls, const State& state);

/// A state of one model as that of another, in which more of the same vertices are one: places as the plan
/// has them, velocities by mass.
State welded_state(const State& state, const Points& places, const Model& before, const Model& after);

/// Columns of one model, one a vertex, as another has them: of vertices that are one there, the mean by mass.
Points mean_of_welded(const Points& columns, const Model& before, const Model& after);

/// What hands do, in the numbers of the other model. Of grips that are one vertex there, the first stays.
Grasp renumbered(Grasp grasp, const Model& before, const Model& after);

}  // namespace muslin
