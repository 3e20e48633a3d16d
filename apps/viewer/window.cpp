#include "window.h"

#include <epoxy/gl.h>
// GLFW after epoxy, which takes the place of the system's GL header
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <utility>

#include "muslin/core/check.h"

using muslin::Error;
using muslin::ErrorKind;

namespace {

std::string last_words() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text ? text : "";
}

/// What OpenGL the display has instead of the one that was asked for.
std::string version_found() {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow* window = glfwCreateWindow(16, 16, "", nullptr, nullptr);
  if (!window) return "none";
  glfwMakeContextCurrent(window);
  const auto* version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
  const std::string text = version ? version : "unknown";
  glfwDestroyWindow(window);
  return text;
}

}  // namespace

Window::Window(const std::string& title, int width, int height, double scale) : scale_(scale) {
  if (!glfwInit())
    throw Error(ErrorKind::file,
                "muslin view: needs a display, got: " + last_words() + "\nmuslin render works without one");
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, scale > 0 ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);  // the stage is drawn into buffers of its own
  const double by_hand = scale > 0 ? scale : 1;
  window_ = glfwCreateWindow(static_cast<int>(width * by_hand), static_cast<int>(height * by_hand),
                             title.c_str(), nullptr, nullptr);
  if (!window_) {
    const std::string found = version_found();
    glfwTerminate();
    throw Error(ErrorKind::file,
                fmt::format("muslin view: needs OpenGL 3.3, the display has {}\nmuslin render draws without "
                            "the display, in software",
                            found));
  }
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  listen();
}

Window::~Window() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

Window& Window::of(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }

void Window::listen() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int button, int action, int modifiers) {
    of(window).add({action == GLFW_PRESS ? Event::Kind::press : Event::Kind::release, button, modifiers});
  });
  glfwGetCursorPos(window_, &pointer_x_, &pointer_y_);
  glfwSetCursorPosCallback(window_, [](GLFWwindow* window, double x, double y) {
    of(window).pointer_x_ = x;
    of(window).pointer_y_ = y;
    of(window).add({Event::Kind::move});
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* window, double, double y) {
    Event event{Event::Kind::wheel};
    event.y = y;
    of(window).events_.push_back(event);
  });
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int, int action, int modifiers) {
    if (action != GLFW_RELEASE) of(window).add({Event::Kind::key, key, modifiers});
  });
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    for (int i = 0; i < count; ++i) {
      Event event{Event::Kind::drop};
      event.path = paths[i];
      of(window).events_.push_back(event);
    }
  });
}

void Window::add(Event event) {
  int window_width = 0, window_height = 0;
  glfwGetWindowSize(window_, &window_width, &window_height);
  if (window_width > 0) event.x = pointer_x_ * width() / window_width;
  if (window_height > 0) event.y = pointer_y_ * height() / window_height;
  events_.push_back(event);
}

std::vector<Event> Window::wait(double seconds) {
  if (seconds > 0)
    glfwWaitEventsTimeout(seconds);
  else
    glfwPollEvents();
  return std::exchange(events_, {});
}

void Window::wake() { glfwPostEmptyEvent(); }

void Window::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }

bool Window::wants_to_close() const { return glfwWindowShouldClose(window_); }

bool Window::is_visible() const {
  return !glfwGetWindowAttrib(window_, GLFW_ICONIFIED) && width() > 0 && height() > 0;
}

void Window::show_picture() { glfwSwapBuffers(window_); }

int Window::width() const {
  int width = 0;
  glfwGetFramebufferSize(window_, &width, nullptr);
  return width;
}

int Window::height() const {
  int height = 0;
  glfwGetFramebufferSize(window_, nullptr, &height);
  return height;
}

double Window::scale() const {
  if (scale_ > 0) return scale_;
  float x = 1;
  glfwGetWindowContentScale(window_, &x, nullptr);
  return x;
}
