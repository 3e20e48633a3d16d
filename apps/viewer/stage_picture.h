#pragma once
#include <epoxy/gl.h>

#include <memory>
#include <utility>

#include "muslin/render/renderer.h"
#include "pace.h"

/// A view drawn into a texture, anti-aliased, for the window to show as often as it likes.
class StagePicture {
 public:
  void draw(muslin::Renderer& renderer, muslin::View view, const Drawing& drawing = {});
  /// By a renderer of its own, which keeps on the graphics card what stays from view to view.
  void draw(muslin::View view, const Drawing& drawing) { draw(renderer(), std::move(view), drawing); }
  muslin::Renderer& renderer();
  GLuint texture() const;

 private:
  struct Buffers;
  std::shared_ptr<Buffers> buffers_;
  std::shared_ptr<muslin::Renderer> renderer_;
};
