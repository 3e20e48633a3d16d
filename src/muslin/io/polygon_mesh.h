#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "muslin/core/problems.h"
#include "muslin/geometry/mesh.h"

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

  /// Places are bytes from now on, no longer lines.
  void use_bytes() { in_bytes_ = true; }
  /// "file:12" or "file: byte 345".
  std::string at(std::size_t place) const;

  /// Adds a vertex [m]; a problem if it is not finite.
  void add_vertex(const Vec3& position, std::size_t place);
  /// Adds a corner to the polygon that end_polygon will close; vertices count from 0 and may come later.
  void add_corner(int vertex) { corners_.push_back(vertex); }
  /// Closes a polygon; a problem if it has fewer than three corners.
  void end_polygon(std::size_t place);
  /// Forgets the corners since the last end_polygon.
  void drop_polygon() { corners_.resize(begin_of_open_polygon()); }

  /// The mesh, mended as read_mesh says. Throws Error(invalid) if there are problems.
  Mesh triangulate();

 private:
  struct Polygon {
    std::size_t end;  ///< behind its last corner
    std::size_t place;
  };

  std::size_t begin_of_open_polygon() const { return polygons_.empty() ? 0 : polygons_.back().end; }
  void check_corners();
  void cut_into_fans(Mesh& mesh);

  std::string name_;
  int first_index_;
  bool in_bytes_ = false;
  std::vector<int> corners_;
  std::vector<Polygon> polygons_;
};

/// "1 triangle", "2 triangles".
std::string counted(std::size_t count, const char* one, const char* many);

}  // namespace muslin
