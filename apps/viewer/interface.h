#pragma once
#include "window.h"

/// Dear ImGui on a window.
class Interface {
 public:
  explicit Interface(const Window& window);
  ~Interface();
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;

  /// Everything between is drawn by `end`, onto an empty window of that size [pixels].
  void begin() const;
  void end(int width, int height) const;
};
