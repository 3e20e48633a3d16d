#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/render/gl.h"

// Words and plain shapes over a picture, placed in pixels from its upper left corner.

namespace muslin {

using Ink = Eigen::Vector4f;  ///< sRGB and how much it covers, 0 to 1

/// One size of DejaVu Sans: the letters as a picture, and where each goes. Letters are Unicode up to U+017F,
/// and Greek and a few signs (² ³ · × ° − – — … ≤ ≥ √); others become a box.
class Font {
 public:
  explicit Font(double pixels);
  ~Font();
  double pixels() const;
  /// Of one line [pixels].
  double width(std::string_view text) const;

 private:
  friend class Sketch;
  friend class Overlay;
  struct Sheet;
  std::unique_ptr<Sheet> sheet_;
};

enum class Align { left, middle, right };

/// Shapes and words to lay over a picture.
class Sketch {
 public:
  void triangle(const Vec2& a, const Vec2& b, const Vec2& c, const Ink& ink);
  /// A rectangle whose ink runs evenly from its lower to its upper edge.
  void box(const Vec2& upper_left, const Vec2& lower_right, const Ink& lower, const Ink& upper);
  void box(const Vec2& upper_left, const Vec2& lower_right, const Ink& ink) {
    box(upper_left, lower_right, ink, ink);
  }
  void rounded_box(const Vec2& upper_left, const Vec2& lower_right, double radius, const Ink& ink);
  /// One line of UTF-8, `place` on its base line.
  void text(const Font& font, const Vec2& place, std::string_view words, Align align, const Ink& ink);

 private:
  friend class Overlay;
  struct Corner {
    Eigen::Vector2f pixel, glyph;
    Ink ink;
  };
  std::vector<Corner> corners_;  // three a triangle
};

/// Draws sketches.
class Overlay {
 public:
  Overlay();
  ~Overlay();
  /// The letters of a size, kept.
  const Font& font(double pixels);
  /// Over a picture of this size; all words in letters of `font`. Leaves blending off.
  void draw(const Sketch& sketch, const Font& font, int width, int height) const;

 private:
  Program program_;
  GlName array_{GlName::Kind::vertex_array}, corners_{GlName::Kind::buffer};
  std::vector<std::unique_ptr<Font>> fonts_;
};

}  // namespace muslin
