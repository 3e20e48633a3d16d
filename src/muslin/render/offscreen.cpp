#include "muslin/render/offscreen.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <fmt/format.h>

#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/render/renderer.h"

namespace muslin {
namespace {

[[noreturn]] void fail(const char* what) {
  throw Error(ErrorKind::file, fmt::format("no OpenGL 3.3 from EGL: {} (EGL error 0x{:04x}); install "
                                           "libegl1 and libgl1-mesa-dri",
                                           what, eglGetError()));
}

EGLDisplay open_display() {
  // Without it epoxy would end the program.
  if (!::dlopen("libEGL.so.1", RTLD_LAZY))
    throw Error(ErrorKind::file,
                "no pictures: libEGL.so.1 is not there; install libegl1 and libgl1-mesa-dri");
  EGLDisplay display = EGL_NO_DISPLAY;
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
    display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
  display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
  fail("no display could be opened");
}

EGLContext open_context(EGLDisplay display) {
  if (!epoxy_has_egl_extension(display, "EGL_KHR_surfaceless_context"))
    fail("the display cannot draw without a surface");
  if (!eglBindAPI(EGL_OPENGL_API)) fail("the display knows no desktop OpenGL");
  const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0) fail("no configuration fits");
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                            3,
                            EGL_CONTEXT_MINOR_VERSION,
                            3,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                            EGL_NONE};
  const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  if (context == EGL_NO_CONTEXT) fail("the context was refused");
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return context;
  eglDestroyContext(display, context);
  fail("the context cannot be made current");
}

/// A framebuffer with colour and depth; `samples` 0: what others are resolved into.
class Target {
 public:
  Target(int width, int height, int samples) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    attach(colour_, GL_COLOR_ATTACHMENT0, GL_RGBA8, width, height, samples);
    attach(depth_, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, width, height, samples);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      throw Error(ErrorKind::invalid,
                  fmt::format("a picture of {}x{} pixels with {} samples: not enough memory to draw", width,
                              height, samples));
  }
  GLuint framebuffer() const { return framebuffer_; }

 private:
  static void attach(GLuint buffer, GLenum place, GLenum format, int width, int height, int samples) {
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer);
  }

  GlName framebuffer_{GlName::Kind::framebuffer};
  GlName colour_{GlName::Kind::renderbuffer}, depth_{GlName::Kind::renderbuffer};
};

int limit(GLenum name) {
  GLint value = 0;
  glGetIntegerv(name, &value);
  return value;
}

}  // namespace

OffscreenContext::OffscreenContext() : display_(open_display()), context_(open_context(display_)) {}

OffscreenContext::~OffscreenContext() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
}

Image draw_image(Renderer& renderer, const View& view, int most_samples) {
  const int w = view.width, h = view.height, most = limit(GL_MAX_RENDERBUFFER_SIZE);
  if (w < 1 || h < 1 || w > most || h > most)
    throw Error(ErrorKind::invalid,
                fmt::format("picture size: must be 1 to {} pixels, got {}x{}", most, w, h));

  const int count = std::min(most_samples, limit(GL_MAX_SAMPLES));
  const Target samples(w, h, count > 1 ? count : 0);
  renderer.draw(view, samples.framebuffer());
  if (view.look.shading == Shading::custom && !renderer.shader_log().empty())
    throw Error(ErrorKind::invalid, renderer.shader_log());

  const Target resolved(w, h, 0);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, samples.framebuffer());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved.framebuffer());
  glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);

  Image image{w, h, std::vector<Pixel>(static_cast<size_t>(w) * h)};
  glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved.framebuffer());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, w, h, GL_RGB, GL_UNSIGNED_BYTE, image.pixels.data());
  for (int y = 0; y < h / 2; ++y)  // OpenGL's rows go up
    std::swap_ranges(&image.pixels[static_cast<size_t>(y) * w], &image.pixels[static_cast<size_t>(y) * w] + w,
                     &image.pixels[static_cast<size_t>(h - 1 - y) * w]);
  return image;
}

}  // namespace muslin
