#pragma once
#include "muslin/render/image.h"
#include "muslin/render/view.h"

namespace muslin {

class Renderer;

/// An OpenGL context without window, display server or graphics card.
class OffscreenContext {
 public:
  /// Current on this thread from now on. Throws Error(file) that says what is missing.
  OffscreenContext();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;

 private:
  void* display_;
  void* context_;
};

/// Draws a view with as many samples a pixel as the context has, at most `most_samples`. Throws
/// Error(invalid) if the picture is larger than the context can draw, or the shaders of a custom look are
/// wrong.
Image draw_image(Renderer& renderer, const View& view, int most_samples = 8);

}  // namespace muslin
