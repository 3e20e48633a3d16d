#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/core/problems.h"
#include "muslin/geometry/mesh.h"
#include "muslin/geometry/polygon_cut.h"

namespace muslin {

/// Vertices and polygons as a mesh file lists them, and where; every reader fills one.
class PolygonMesh {
 public:
  /// `name` stands for the file in messages, which count its vertices from `first_index`.
  PolygonMesh(std::string name, int first_index) : name_(std::move(name)), first_index_(first_index) {}

  Problems problems;
  std::vector<Vec3> positions;
  std::vector<Vec2> uv;              ///< one a vertex, or none at all
  std::vector<std::string> repairs;  ///< what the reader mended

  PolygonsAs polygons_as = PolygonsAs::cut;

  /// Places are bytes from now on, no longer lines.
  void use_bytes() { in_bytes_ = true; }
  /// "file:12" or "file: byte 345".
  std::string at(std::size_t place) const;

  /// Adds a vertex [m]; a problem if it is not finite.
  void add_vertex(const Vec3& position, std::size_t place);
  /// Adds a corner to the polygon that end_polygon will close; vertices, texture coordinates and normals
  /// count from 0 and may come later.
  void add_corner(int vertex, int texture_vertex = Polygons::kNone, int normal = Polygons::kNone);
  /// Closes a polygon; a problem if it has fewer than three corners.
  void end_polygon(std::size_t place);
  /// Forgets the corners since the last end_polygon.
  void drop_polygon();
  /// The polygons that end from now on have this name; "": none.
  void name_polygons(std::size_t naming, std::string_view name);
  /// A file of materials.
  void add_library(std::string_view name);

  /// The coordinates that corners have by add_corner, as the file lists them: a vertex gets the first that a
  /// corner gives it, its triangles all of them.
  void attach_uv(std::vector<Vec2> listed);
  /// Normals that are the same have one number: `normals` are those that corners have by add_corner.
  void join_normals(const std::vector<std::array<float, 3>>& normals);

  /// The mesh, mended as read_mesh says. Throws Error(invalid) if there are problems.
  Mesh triangulate();

 private:
  void open_part();
  void check_corners();
  void refuse(int polygon, const std::vector<int>& corners, const PolygonFault& fault);
  void cut_polygons(Mesh& mesh);
  void find_diagonals(Mesh& mesh) const;

  std::string name_;
  int first_index_;
  bool in_bytes_ = false;
  Polygons polygons_;
  std::vector<std::uint32_t> places_;                              // of polygons
  std::array<std::string, kNamings.size()> names_;                 // of the polygons that end now
  std::array<std::map<std::string, int>, kNamings.size()> known_;  // names in polygons_
  bool renamed_ = true;                                            // since the last part began
  bool has_seams_ = false;  // some vertex has several texture coordinates
};

/// The first face that one of two meshes has and the other has not, in the order of their files: its number,
/// or -1. Faces are polygons where both meshes know theirs, else triangles.
int first_other_face(const Mesh& a, const Mesh& b);
/// The vertices of a face so numbered, "5 4 3"; "none" where there are fewer faces.
std::string vertices_of_face(const Mesh& mesh, int face);

/// "1 triangle", "2 triangles".
std::string counted(std::size_t count, const char* one, const char* many);

}  // namespace muslin
