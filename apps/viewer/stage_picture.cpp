#include "stage_picture.h"

#include <algorithm>

using namespace muslin;

struct StagePicture::Buffers {
  GlName many{GlName::Kind::framebuffer}, one{GlName::Kind::framebuffer};
  GlName colour{GlName::Kind::renderbuffer}, depth{GlName::Kind::renderbuffer};
  GlName texture{GlName::Kind::texture};

  Buffers(int width, int height) {
    GLint samples = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    samples = std::min(samples, 4);
    glBindFramebuffer(GL_FRAMEBUFFER, many);
    attach(colour, GL_COLOR_ATTACHMENT0, GL_RGBA8, width, height, samples);
    attach(depth, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, width, height, samples);

    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, one);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  }

  static void attach(GLuint buffer, GLenum place, GLenum format, int width, int height, int samples) {
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer);
  }
};

Renderer& StagePicture::renderer() {
  if (!renderer_) renderer_ = std::make_shared<Renderer>();
  return *renderer_;
}

void StagePicture::draw(Renderer& renderer, const View& view) {
  if (!buffers_ || view.width != width_ || view.height != height_) {
    width_ = view.width;
    height_ = view.height;
    buffers_ = std::make_shared<Buffers>(width_, height_);
  }
  renderer.draw(view, buffers_->many);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, buffers_->many);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, buffers_->one);
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

GLuint StagePicture::texture() const { return buffers_ ? static_cast<GLuint>(buffers_->texture) : 0; }
