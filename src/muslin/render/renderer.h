#pragma once
#include <functional>
#include <optional>

#include "muslin/render/gl.h"
#include "muslin/render/lighting.h"
#include "muslin/render/lines.h"
#include "muslin/render/student.h"
#include "muslin/render/text.h"
#include "muslin/render/texture.h"

namespace muslin {

/// Draws views into whatever OpenGL 3.3 core context is current, a window's or an OffscreenContext.
///
/// What does not change from view to view is kept on the graphics card: shapes, depth maps, the light of the
/// sky. A view of the same stage from elsewhere only costs its pixels.
class Renderer {
 public:
  Renderer();
  /// Draws into a framebuffer of the view's size (0: the window's own). Throws Error(file or invalid) if the
  /// texture of the look cannot be read; then the last one stays.
  void draw(const View& view, GLuint framebuffer = 0);

  /// Why the shaders of the last custom look are not in use, with file names and line numbers; "" if they
  /// are. Until they are mended, the last ones that compiled are drawn with, or the cloth look. Files are
  /// looked at again at most every quarter of a second.
  const std::string& shader_log() const { return student_.log(); }

  /// Calls `after` with the name of every phase of a frame when its commands are given (for benchmarks).
  void watch(std::function<void(const char* phase)> after) { after_ = std::move(after); }

 private:
  void update(const View& view);
  void upload(const View& view);
  void light(const View& view);
  void draw_backdrop(const View& view) const;
  void draw_surfaces(const View& view) const;
  void draw_cloth(const View& view) const;
  void prepare_textures(const View& view);
  bool custom(const View& view) const { return view.look.shading == Shading::custom && student_.ready(); }
  void draw_annotations(const View& view);
  void use(const Program& program, const View& view) const;
  void phase(const char* name) const {
    if (after_) after_(name);
  }

  Program backdrop_, plane_, solid_, cloth_, phong_, normals_, mirror_;
  Lighting lighting_;
  DrawBuffer cloth_buffer_, solid_buffer_, plane_buffer_;
  Lines lines_;
  StudentShaders student_;
  WatchedImage file_;
  bool weave_ = true;  // no file: heights of a weave
  Image heights_;      // of bump and displacement
  float side_ = 1;     // of the normals that heights rise to
  Texture image_texture_, height_texture_;
  Overlay overlay_;
  GlName no_vertices_{GlName::Kind::vertex_array};  // core profile wants an array even for the backdrop
  GlName heat_colours_{GlName::Kind::texture};
  std::optional<View> seen_;  // what is on the graphics card
  Ball ball_;                 // about its stage
  std::function<void(const char*)> after_;
};

}  // namespace muslin
