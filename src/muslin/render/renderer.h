#pragma once
#include <functional>
#include <optional>

#include "muslin/render/gl.h"
#include "muslin/render/lighting.h"
#include "muslin/render/lines.h"
#include "muslin/render/text.h"

namespace muslin {

/// Draws views into whatever OpenGL 3.3 core context is current, a window's or an OffscreenContext.
///
/// What does not change from view to view is kept on the graphics card: shapes, depth maps, the light of the
/// sky. A view of the same stage from elsewhere only costs its pixels.
class Renderer {
 public:
  Renderer();
  /// Draws into a framebuffer of the view's size (0: the window's own).
  void draw(const View& view, GLuint framebuffer = 0);

  /// Calls `after` with the name of every phase of a frame when its commands are given (for benchmarks).
  void watch(std::function<void(const char* phase)> after) { after_ = std::move(after); }

 private:
  void update(const View& view);
  void upload(const View& view);
  void light(const View& view);
  void draw_backdrop(const View& view) const;
  void draw_surfaces(const View& view) const;
  void draw_annotations(const View& view);
  void use(const Program& program, const View& view) const;
  void phase(const char* name) const {
    if (after_) after_(name);
  }

  Program backdrop_, plane_, solid_, cloth_;
  Lighting lighting_;
  DrawBuffer cloth_buffer_, solid_buffer_, plane_buffer_;
  Lines lines_;
  Overlay overlay_;
  GlName no_vertices_{GlName::Kind::vertex_array};  // core profile wants an array even for the backdrop
  GlName heat_colours_{GlName::Kind::texture};
  std::optional<View> seen_;  // what is on the graphics card
  Ball ball_;                 // about its stage
  std::function<void(const char*)> after_;
};

}  // namespace muslin
