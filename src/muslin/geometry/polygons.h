#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/core/types.h"

namespace muslin {

/// The faces of a mesh as its file has them, with the names and the texture coordinates that triangles lose.
/// Frames are written back with them.
struct Polygons {
  static constexpr int kNone = -1;

  /// Polygons from `first` up to the next part. Names are indices into the lists below, or kNone.
  struct Part {
    int first = 0;
    int object = kNone, group = kNone, material = kNone, smoothing = kNone;
  };

  std::vector<int> end;            ///< one a polygon: behind its last corner
  std::vector<int> corners;        ///< vertices
  std::vector<int> corner_uv;      ///< indices into `uv`, or kNone; empty if no corner has any
  std::vector<int> corner_normal;  ///< corners of a vertex that share a normal have the same number; kNone:
                                   ///< no normal; empty if no corner has any
  std::vector<Vec2> uv;
  std::vector<Part> parts;                                          ///< at least one
  std::vector<std::string> objects, groups, materials, smoothings;  ///< what stands behind o, g, usemtl and s
  std::vector<std::string> libraries;                               ///< what stands behind mtllib

  int count() const { return static_cast<int>(end.size()); }
  int begin_of(int polygon) const { return polygon == 0 ? 0 : end[polygon - 1]; }
  int end_of_part(std::size_t part) const {
    return part + 1 == parts.size() ? count() : parts[part + 1].first;
  }
};

/// A statement of OBJ files that names the faces below it.
struct Naming {
  std::string_view keyword, words;
  std::vector<std::string> Polygons::*names;
  int Polygons::Part::*of_part;
};
inline constexpr Naming kObject{"o", "object", &Polygons::objects, &Polygons::Part::object};
inline constexpr Naming kGroup{"g", "group", &Polygons::groups, &Polygons::Part::group};
inline constexpr Naming kMaterial{"usemtl", "material", &Polygons::materials, &Polygons::Part::material};
inline constexpr Naming kSmoothing{"s", "smoothing group", &Polygons::smoothings, &Polygons::Part::smoothing};
inline constexpr std::array<Naming, 4> kNamings{kObject, kGroup, kMaterial, kSmoothing};

/// The names of one kind, without repetition, as the file begins to use them. Of groups, which may be several
/// in one statement, each.
std::vector<std::string> names_of(const Polygons& polygons, const Naming& naming);

/// One a polygon: whether it has that name.
std::vector<bool> polygons_named(const Polygons& polygons, const Naming& naming, std::string_view name);

/// The polygons that are chosen, of vertices with new numbers: vertex v becomes number[v].
Polygons chosen(const Polygons& polygons, const std::vector<bool>& choice, const std::vector<int>& number);

}  // namespace muslin
