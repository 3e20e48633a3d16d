#pragma once
#include <string>
#include <vector>

struct GLFWwindow;

/// What hands did to the window, in its order: nothing is lost between two pictures.
struct Event {
  enum class Kind { press, release, move, wheel, key, drop };
  Kind kind;
  int code = 0;           ///< mouse button or key of GLFW
  int modifiers = 0;      ///< GLFW_MOD_*
  double x = 0, y = 0;    ///< pointer [pixels of the picture]; wheel: y in notches
  std::string path = {};  ///< of a dropped file
};

/// A window with an OpenGL 3.3 core context that is current on this thread.
class Window {
 public:
  /// `width` and `height` are of a plain screen; `scale` 0: as the screen says. Throws muslin::Error that
  /// says what is missing: a display, or a newer OpenGL.
  Window(const std::string& title, int width, int height, double scale);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Events since the last call, after waiting for one for at most `seconds`.
  std::vector<Event> wait(double seconds);
  /// Ends a wait from any thread.
  static void wake();

  void set_title(const std::string& title);
  bool wants_to_close() const;
  bool is_visible() const;
  void show_picture();
  int width() const;     ///< [pixels of the picture]
  int height() const;    ///< [pixels of the picture]
  double scale() const;  ///< pixels of the picture a pixel of a plain screen
  GLFWwindow* handle() const { return window_; }

 private:
  static Window& of(GLFWwindow* window);
  void listen();
  void add(Event event);

  GLFWwindow* window_ = nullptr;
  double scale_;  ///< 0: as the screen says
  // Where the latest event in order left it; where it is by now, glfwGetCursorPos tells, may be elsewhere.
  double pointer_x_ = 0, pointer_y_ = 0;
  std::vector<Event> events_;
};
