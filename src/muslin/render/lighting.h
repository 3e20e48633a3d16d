#pragma once
#include <memory>
#include <vector>

#include "muslin/render/projection.h"

namespace muslin {

class Program;
class DepthMaps;
class DrawBuffer;

/// Towards the lamp.
Vec3 key_direction();

/// What throws shadows. Of solids only the faces towards the light are drawn: the others are behind them.
struct Casters {
  const DrawBuffer &cloth, &solids;
};

/// One key lamp with soft shadows, and the whole sky about it: the sky is cut into directions, the stage is
/// drawn from each as a depth map, and every vertex sums up the light of those directions that see it. Hence
/// the dark in folds and below solids. All of it is kept until the stage changes. In drafts a quarter of the
/// sky's maps is drawn at every change: the dark in a fold follows the cloth by up to three pictures.
class Lighting {
 public:
  Lighting();
  ~Lighting();

  /// What the lamp and the sky see of `casters`. Leaves another framebuffer bound.
  void draw_depth(const Ball& stage, Quality quality, bool shadows, const Casters& casters);
  /// The light of the sky on the vertices of `lit`, after `draw_depth`.
  void bake_sky(const std::vector<const DrawBuffer*>& lit) const;
  /// What fragments need of the lamp.
  void apply(const Program& program) const;

 private:
  void draw_map(const DepthMaps& maps, int layer, const Vec3& direction, const Casters& casters) const;

  std::unique_ptr<Program> depth_, sky_;
  std::unique_ptr<DepthMaps> key_map_, sky_maps_;
  Ball stage_;
  Quality quality_ = Quality::best;
  bool shadows_ = false;
  int turn_ = 0;  ///< which part of the sky's maps was drawn last
};

}  // namespace muslin
