#pragma once
#include <epoxy/gl.h>

#include <memory>

#include "muslin/render/renderer.h"

/// A view drawn into a texture, anti-aliased, for the window to show as often as it likes.
class StagePicture {
 public:
  void draw(muslin::Renderer& renderer, const muslin::View& view);
  /// By a renderer of its own, which keeps on the graphics card what stays from view to view.
  void draw(const muslin::View& view) { draw(renderer(), view); }
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
