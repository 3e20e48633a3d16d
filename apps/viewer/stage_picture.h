#pragma once
#include <epoxy/gl.h>

#include <memory>

#include "muslin/render/renderer.h"

/// A view drawn into a texture, anti-aliased, for the window to show as often as it likes.
class StagePicture {
 public:
  void draw(muslin::Renderer& renderer, const muslin::View& view);
  GLuint texture() const;
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  struct Buffers;
  std::shared_ptr<Buffers> buffers_;
  int width_ = 0, height_ = 0;
};
