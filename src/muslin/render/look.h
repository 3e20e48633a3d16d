#pragma once
#include <optional>
#include <string>

#include "muslin/model/field.h"

// How a picture is drawn: plain structs with their fields, so that options and panels follow from them.

namespace muslin {

/// How light falls on cloth.
enum class Shading {
  cloth,         ///< woven cloth in soft light, with shadows
  phong,         ///< Blinn–Phong [Blinn 1977], one lamp
  normals,       ///< the normal as a colour
  mirror,        ///< the sky reflected
  bump,          ///< phong, normals tilted by a height texture
  displacement,  ///< bump, and vertices moved out by it
  custom,        ///< the student's shaders in Look::shaders (CS184)
};
template <>
struct EnumNames<Shading> {
  static constexpr std::array<std::string_view, 7> names{"cloth", "phong",        "normals", "mirror",
                                                         "bump",  "displacement", "custom"};
};

/// What colours the cloth is painted with.
enum class Pattern {
  weave,   ///< a faint weave in the colour of the piece
  checks,  ///< a checkerboard by uv
  image,   ///< the picture in Look::texture by uv
};
template <>
struct EnumNames<Pattern> {
  static constexpr std::array<std::string_view, 3> names{"weave", "checks", "image"};
};

/// A number a vertex that replaces the pattern by a colour, with a legend in units.
enum class Heat {
  none,
  strain,      ///< largest principal strain about the vertex [%]
  speed,       ///< [m/s]
  bending,     ///< bending energy per area [J/m²]
  contact,     ///< gap to the nearest collider [mm]
  difference,  ///< distance to the reference [mm]; only where there is one
};
template <>
struct EnumNames<Heat> {
  static constexpr std::array<std::string_view, 6> names{"none",    "strain",  "speed",
                                                         "bending", "contact", "difference"};
};

struct Look {
  Shading shading = Shading::cloth;
  Pattern pattern = Pattern::weave;
  Heat heat = Heat::none;
  std::optional<double> heat_low, heat_high;
  bool legend = true;
  bool wireframe = false;
  bool structural = false, shear = false, bend = false;
  bool shadows = true;
  bool ground = false;
  bool hem = true;
  std::string texture;
  std::optional<double> height;  ///< [m]
  std::string shaders;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("shading", self.shading, {"how light falls on cloth"});
    visit("pattern", self.pattern, {"what the cloth is painted with"});
    visit("heat", self.heat, {"a measure of every vertex as a colour"});
    visit("heat_low", self.heat_low, {"lower end of the colours, in the legend's unit; absent: measured"});
    visit("heat_high", self.heat_high, {"upper end of the colours; absent: measured"});
    visit("legend", self.legend, {"scale of the colours beside the picture"});
    visit("wireframe", self.wireframe, {"edges of the triangles"});
    visit("structural", self.structural, {"structural springs as lines"});
    visit("shear", self.shear, {"shear springs as lines"});
    visit("bend", self.bend, {"bend springs as lines"});
    visit("shadows", self.shadows, {"shadows of the lamp and of the sky"});
    visit("ground", self.ground, {"a floor below everything that catches shadows"});
    visit("hem", self.hem, {"a hem along borders, so that edges have a thickness that is seen"});
    visit("texture", self.texture,
          {"PNG or JPEG file: the image pattern, and the height of bump and displacement"});
    visit(
        "height", self.height,
        {"how far the white of the texture rises in bump and displacement; absent: by the size of the cloth",
         "m"});
    visit("shaders", self.shaders,
          {"folder of GLSL files for the custom shading, or one file NAME.frag in it"});
  }
};

}  // namespace muslin
