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
  static constexpr int kNone = -1;  ///< in place of an index: there is none

  /// Polygons from `first` up to the next part, which have all their names in common.
  struct Part {
    int first = 0;          ///< number of its first polygon
    int object = kNone;     ///< index into `objects`, or kNone
    int group = kNone;      ///< index into `groups`, or kNone
    int material = kNone;   ///< index into `materials`, or kNone
    int smoothing = kNone;  ///< index into `smoothings`, or kNone
  };

  std::vector<int> end;              ///< one a polygon: behind its last corner
  std::vector<int> corners;          ///< vertices
  std::vector<int> corner_uv;        ///< indices into `uv`, or kNone; empty if no corner has any
  std::vector<int> corner_normal;    ///< corners of a vertex that share a normal have the same number; kNone:
                                     ///< no normal; empty if no corner has any
  std::vector<Vec2> uv;              ///< texture coordinates as the file has them (vt)
  std::vector<Part> parts;           ///< at least one, by `first`
  std::vector<std::string> objects;  ///< what stands behind o
  std::vector<std::string> groups;   ///< what stands behind g: several groups may be one entry, as "a b"
  std::vector<std::string> materials;   ///< what stands behind usemtl
  std::vector<std::string> smoothings;  ///< what stands behind s: a number, or "off"
  std::vector<std::string> libraries;   ///< what stands behind mtllib

  /// How many polygons there are.
  int count() const { return static_cast<int>(end.size()); }
  /// Where the corners of a polygon begin; they go up to end[polygon].
  int begin_of(int polygon) const { return polygon == 0 ? 0 : end[polygon - 1]; }
  /// The polygon behind the last one of a part.
  int end_of_part(std::size_t part) const {
    return part + 1 == parts.size() ? count() : parts[part + 1].first;
  }
};

/// A statement of OBJ files that names the faces below it.
struct Naming {
  std::string_view keyword;                   ///< "usemtl"
  std::string_view words;                     ///< "material", for messages
  std::vector<std::string> Polygons::*names;  ///< the list of its names
  int Polygons::Part::*of_part;               ///< the entry of that list which a part has
};
/// o: a body of its own.
inline constexpr Naming kObject{"o", "object", &Polygons::objects, &Polygons::Part::object};
/// g: a face may be in several.
inline constexpr Naming kGroup{"g", "group", &Polygons::groups, &Polygons::Part::group};
/// usemtl: how a face looks.
inline constexpr Naming kMaterial{"usemtl", "material", &Polygons::materials, &Polygons::Part::material};
/// s: faces of one group share normals.
inline constexpr Naming kSmoothing{"s", "smoothing group", &Polygons::smoothings, &Polygons::Part::smoothing};
/// All four, in the order in which OBJ files are written.
inline constexpr std::array<Naming, 4> kNamings{kObject, kGroup, kMaterial, kSmoothing};

/// The names of one kind, without repetition, as the file begins to use them. Of groups, which may be several
/// in one statement, each.
std::vector<std::string> names_of(const Polygons& polygons, const Naming& naming);

/// One a polygon: whether it has that name.
std::vector<bool> polygons_named(const Polygons& polygons, const Naming& naming, std::string_view name);

/// The polygons that are chosen, of vertices with new numbers: vertex v becomes number[v].
Polygons chosen(const Polygons& polygons, const std::vector<bool>& choice, const std::vector<int>& number);

}  // namespace muslin
