#pragma once
#include "muslin/render/gl.h"

namespace muslin {

/// Draws views into whatever OpenGL 3.3 core context is current, a window's or an OffscreenContext.
///
/// Light comes from one key lamp with soft shadows and from the whole sky about it: the sky is cut into a few
/// directions, the stage is drawn from each as a depth map, and every vertex sums up the light of those
/// directions that see it. Hence the dark in folds and below solids.
class Renderer {
 public:
  Renderer();
  /// Draws into a framebuffer of the view's size (0: the window's own).
  void draw(const View& view, GLuint framebuffer = 0);

 private:
  struct Light;
  void upload(const Stage& stage, const Box& box);
  void draw_depth(const Light& light) const;
  void set_light(const Program& program, const View& view, const Light& light) const;

  Program depth_, backdrop_, plane_, solid_, cloth_;
  DepthMaps key_map_, sky_maps_;
  DrawBuffer cloth_buffer_, solid_buffer_, plane_buffer_;
  GlName no_vertices_{GlName::Kind::vertex_array};  // core profile wants an array even for the backdrop
};

}  // namespace muslin
