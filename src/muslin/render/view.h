#pragma once
#include <Eigen/Geometry>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "muslin/core/types.h"
#include "muslin/model/model.h"
#include "muslin/model/motion.h"
#include "muslin/render/look.h"

// What a picture shows. Plain structs: the renderer reads them and keeps nothing of them.

namespace muslin {

using Extent = Eigen::AlignedBox3d;

/// A linear reflectance a vertex; where it is negative, the renderer's own colour.
using Colours = std::vector<Eigen::Vector3f>;

/// A collider where it is at the instant of the picture.
struct PosedCollider {
  Collider collider;
  Pose pose;
  Points shape = Points(3, 0);                       ///< of a mesh: its vertices in the frame of the pose [m]
  std::shared_ptr<const Colours> colours = nullptr;  ///< of a mesh: by its materials
  std::shared_ptr<const ClosedSurface> surface = nullptr;  ///< of a mesh that has an inside
};

/// A measure of every vertex, to be shown as colours.
struct HeatMap {
  std::string title, unit;   ///< "strain", "%"
  Scalars values;            ///< one a vertex; empty: no heat map
  double low = 0, high = 1;  ///< ends of the colours
};

/// A spring to draw as a line.
struct SpringLine {
  Stencil<2> vertices;
  SpringClass kind;
};

/// Everything in front of the camera.
struct Stage {
  Points positions;  ///< of the cloth [m], 3×n
  std::vector<Stencil<3>> triangles;
  std::vector<Vec2> uv;    ///< weave coordinates a vertex; empty: plain cloth
  std::vector<int> piece;  ///< piece of cloth a vertex belongs to, for its colour; empty: all the same
  std::vector<PosedCollider> colliders;
  std::vector<SpringLine> springs = {};
  HeatMap heat = {};
  std::vector<int> marked = {};                      ///< vertices to mark with a dot: pins, what a hand holds
  std::optional<double> ground = {};                 ///< height of a floor that only catches shadows [m]
  std::shared_ptr<const Colours> colours = nullptr;  ///< of the cloth: by the scene or its materials
  std::optional<Colour> background = {};             ///< behind everything; none: pale paper
};

/// A pinhole camera.
struct Camera {
  Vec3 eye{0, 1, 4};
  Vec3 target{0, 0, 0};
  Vec3 up{0, 1, 0};
  double field_of_view = 30;  ///< vertical [deg]
};

/// How finely light is worked out. All looks and shapes are the same.
enum class Quality {
  draft,  ///< while cloth moves before a person without graphics card
  good,   ///< in a window
  best,   ///< pictures
};

/// A stage, a camera and the size of the picture.
struct View {
  Stage stage;
  Camera camera;
  int width = 960, height = 720;  ///< [pixels]
  Look look = {};
  std::string caption = {};  ///< words in the upper left corner; lines end with \n
  Quality quality = Quality::best;
  double screen_scale = 1;  ///< pixels of the picture to one of a plain screen: letters stay legible
  double covered_top = 0,
         covered_bottom = 0;  ///< fractions of the height that others write over: no legend there
};

/// Whether a look shows a class of springs.
bool shows(const Look& look, SpringClass kind);

/// A run at an instant: each cloth of the model in its colour.
Stage make_stage(const Model& model, const Controls& controls, const State& state);
inline Stage make_stage(const Model& model, const State& state) {
  return make_stage(model, model.script, state);
}

/// The same with what a look wants to be measured. `Heat::difference` is left to the caller.
Stage make_stage(const Model& model, const Controls& controls, const State& state, const Look& look);
inline Stage make_stage(const Model& model, const State& state, const Look& look) {
  return make_stage(model, model.script, state, look);
}

/// The measure of every vertex of a state; ends of the colours round, from the values unless the look says.
/// Gaps end at a round 2 % of the cloth's size, for only near ones matter. Nothing for Heat::none, and for
/// Heat::difference title and unit alone.
HeatMap measure_heat(const Model& model, const Controls& controls, const State& state, const Look& look);
inline HeatMap measure_heat(const Model& model, const State& state, const Look& look) {
  return measure_heat(model, model.script, state, look);
}

/// The cosine of the slope up to which a plane is a level floor.
inline constexpr double kLevel = 0.999;

/// The box about cloth and solids [m]; planes and the ground have no end and do not count.
Extent bounds(const Stage& stage);

/// Sets the ends of the colours: what the look says, else 0 and a round number (1, 2 or 5 times a power of
/// ten) that hundredths of the values at most exceed, and `least` at least.
void set_ends(const Look& look, double least, HeatMap& heat);

/// What a picture must not cut off [m], 3×n each.
struct Outline {
  Points things;  ///< cloth and solids
  Points shadow;  ///< that they throw on a level floor near below them
};
Outline outline(const Stage& stage);

/// The outlines of the stages of a film. Of each, what reaches farthest in many directions stands for all.
class Outlines {
 public:
  void add(const Outline& outline);
  /// What a camera has to frame.
  Outline all() const;

 private:
  std::vector<Vec3> things_, shadow_;
};

/// A camera that looks down on the broad side of the outline's box from the right and shows all of it. Where
/// the picture has room to spare, the things are in its middle. `covered` is the fraction of its width, at
/// its right, that something covers: they are beside it.
Camera frame_all(const Outline& outline, double aspect, double covered = 0);
/// The same of a box.
Camera frame_all(const Extent& box, double aspect);

}  // namespace muslin
