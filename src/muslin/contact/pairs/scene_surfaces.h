#pragma once
#include <optional>
#include <vector>

#include "muslin/contact/pairs/surfaces.h"
#include "muslin/model/model.h"
#include "muslin/model/motion.h"

namespace muslin {

/// Which of the surfaces of a scene.
enum class Members { all, cloth, bodies };

/// How analytic colliders are among them: as contact sees them, or all as meshes that enclose them, with
/// edges about as long as those of cloth.
enum class Solids { exact, meshes };

/// All surfaces of a scene for contact that holds whole triangles apart: first the vertices of cloth,
/// numbered as in the model, then those of every enabled collider, in its own frame: balls, capsules, planes
/// and boxes as they are, cylinders as meshes that enclose them (solids.h). Cloth is as thick as it keeps
/// from itself, or as its fabric is where it does not, but not thinner than a hundredth of the mean edge.
class SceneSurfaces {
 public:
  SceneSurfaces(const Model& model, const Controls& controls, Members members = Members::all,
                Solids solids = Solids::exact);
  explicit SceneSurfaces(const Model& model) : SceneSurfaces(model, model.script) {}

  const Surfaces& surfaces() const { return surfaces_; }
  int cloth_count() const { return cloth_count_; }  ///< vertices of cloth that are among them

  /// Where the vertices of bodies are at a time, when colliders have these poses, 3×m [m]: to be appended to
  /// cloth.
  Points bodies_at(const std::vector<Pose>& poses, double time) const;

  /// Colliders where the vertices of bodies are, 3×m [m], and not where they are placed: by the nearest poses
  /// in the sense of least squares; those that deform by their shapes.
  PlacedColliders placed_by(const Points& bodies, PlacedColliders placed) const;

  /// The collider that a vertex (beyond cloth) belongs to.
  int collider_of(int vertex) const;

 private:
  struct Body {
    int collider, first, count;
    std::optional<Collider> deforming;  // what moves its vertices besides its pose
  };
  void add_cloth(const Model& model, const Controls& controls, double edge);
  void add_bodies(const Model& model, double edge, Solids solids);
  void note_held_inside(const Model& model, const Controls& controls);
  void note_fastened(const Model& model, const Controls& controls);

  Surfaces surfaces_;
  std::vector<Body> bodies_;
  int cloth_count_;
};

/// Vertices of cloth that are held along all axes and begin inside a collider or on it, as (vertex,
/// collider), sorted, and the ends of held edges that dip into one. A garment's held rows often cut into the
/// skin that they follow: nothing could give way there. Pieces of cloth wholly inside a collider have none:
/// it may be their room. Meshes that are not closed have no inside.
std::vector<Stencil<2>> held_inside(const Model& model, const Controls& controls);

/// Colliders in a state: where they should be at its time, but for those that cloth blocks
/// (State::blocked).
PlacedColliders placed_in(const Model& model, const Controls& controls, const State& state);
inline PlacedColliders placed_in(const Model& model, const State& state) {
  return placed_in(model, model.script, state);
}

/// Stiffness of contact [N/m]: that of the membrane, or what stops a vertex within a 60th of a second if that
/// is more; and the more, the thinner cloth is for its mesh, since what an edge pulls with has to be held by
/// what is left of the thickness. Whatever the step is, contact is one and the same.
double contact_stiffness(const Model& model, double thickness);

}  // namespace muslin
