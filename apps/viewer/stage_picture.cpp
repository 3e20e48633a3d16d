#include "stage_picture.h"

#include <algorithm>

using namespace muslin;

/// Where a picture of one size is drawn with one number of samples, and the texture that it ends in.
struct StagePicture::Buffers {
  int width, height, samples;
  GlName many{GlName::Kind::framebuffer}, one{GlName::Kind::framebuffer};
  GlName colour{GlName::Kind::renderbuffer}, depth{GlName::Kind::renderbuffer};
  GlName texture{GlName::Kind::texture};

  Buffers(int w, int h, int wanted_samples) : width(w), height(h), samples(wanted_samples) {
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindFramebuffer(GL_FRAMEBUFFER, one);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    if (samples == 1) {
      attach(depth, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, 0);
      return;
    }

    GLint most = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    glBindFramebuffer(GL_FRAMEBUFFER, many);
    attach(colour, GL_COLOR_ATTACHMENT0, GL_RGBA8, std::min(samples, most));
    attach(depth, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, std::min(samples, most));
  }

  void attach(GLuint buffer, GLenum place, GLenum format, int count) const {
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, count, format, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer);
  }
};

Renderer& StagePicture::renderer() {
  if (!renderer_) renderer_ = std::make_shared<Renderer>();
  return *renderer_;
}

void StagePicture::draw(Renderer& renderer, View view, const Drawing& drawing) {
  const int w = view.width = std::max(1, view.width / drawing.shrink);
  const int h = view.height = std::max(1, view.height / drawing.shrink);
  view.screen_scale /= drawing.shrink;
  if (!buffers_ || w != buffers_->width || h != buffers_->height || drawing.samples != buffers_->samples)
    buffers_ = std::make_shared<Buffers>(w, h, drawing.samples);
  if (drawing.samples == 1) {
    renderer.draw(view, buffers_->one);
  } else {
    renderer.draw(view, buffers_->many);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, buffers_->many);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, buffers_->one);
    glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

GLuint StagePicture::texture() const { return buffers_ ? static_cast<GLuint>(buffers_->texture) : 0; }
