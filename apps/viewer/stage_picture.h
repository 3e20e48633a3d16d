#pragma once
#include <epoxy/gl.h>

#include <memory>

#include "muslin/render/renderer.h"

/// A view drawn into a texture, anti-aliased, for the window to show as often as it likes. Its renderer is
/// its own: what stays from view to view stays on the graphics card.
class StagePicture {
 public:
  void draw(const muslin::View& view);
  muslin::Renderer& renderer();
  GLuint texture() const;
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  struct Buffers;
  std::shared_ptr<Buffers> buffers_;
  std::shared_ptr<muslin::Renderer> renderer_;
  int width_ = 0, height_ = 0;
};
