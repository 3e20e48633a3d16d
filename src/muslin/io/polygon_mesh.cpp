#include "muslin/io/polygon_mesh.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "muslin/model/scene.h"

namespace muslin {

namespace {

using Edge = Stencil<2>;

constexpr std::size_t kMaxTriangles = 2 * std::size_t{kMaxVertices};  // what a surface of that size has

Edge sorted_edge(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

void sort_unique(std::vector<Edge>& edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

/// Removes triangles that have the same three vertices as an earlier one; returns how many.
std::size_t drop_duplicates(std::vector<Stencil<3>>& triangles) {
  struct Key {
    Stencil<3> vertices;
    std::size_t triangle;
    bool operator<(const Key& other) const {
      return vertices != other.vertices ? vertices < other.vertices : triangle < other.triangle;
    }
  };
  std::vector<Key> keys;
  keys.reserve(triangles.size());
  for (const Stencil<3>& triangle : triangles) {
    keys.push_back({triangle, keys.size()});
    std::sort(keys.back().vertices.begin(), keys.back().vertices.end());
  }
  std::sort(keys.begin(), keys.end());
  std::vector<bool> repeats(triangles.size());
  for (std::size_t k = 1; k < keys.size(); ++k)
    repeats[keys[k].triangle] = keys[k].vertices == keys[k - 1].vertices;

  std::size_t kept = 0;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    if (!repeats[t]) triangles[kept++] = triangles[t];
  const std::size_t dropped = triangles.size() - kept;
  triangles.resize(kept);
  return dropped;
}

std::size_t count_loose(int vertex_count, const std::vector<Stencil<3>>& triangles) {
  std::vector<bool> used(vertex_count);
  for (const Stencil<3>& triangle : triangles)
    for (const int v : triangle) used[v] = true;
  return static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
}

}  // namespace

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string PolygonMesh::at(std::size_t place) const {
  return fmt::format("{}:{}{}", name_, in_bytes_ ? " byte " : "", place);
}

void PolygonMesh::add_vertex(const Vec3& position, std::size_t place) {
  if (positions.size() == kMaxVertices)
    problems.fail(at(place), "a mesh must have at most {} vertices, got more", kMaxVertices);
  if (!position.allFinite())
    problems.add(at(place), "coordinates must be finite, got {} {} {}", position.x(), position.y(),
                 position.z());
  positions.push_back(position);
}

void PolygonMesh::end_polygon(std::size_t place) {
  const std::size_t size = corners_.size() - begin_of_open_polygon();
  if (size < 3) {
    problems.add(at(place), "a face must have at least 3 vertices, got {}", size);
    drop_polygon();
    return;
  }
  polygons_.push_back({corners_.size(), place});
  if (corners_.size() - 2 * polygons_.size() > kMaxTriangles)
    problems.fail(at(place), "a mesh must have at most {} triangles, got more", kMaxTriangles);
}

void PolygonMesh::check_corners() {
  const int count = static_cast<int>(positions.size());
  const bool complete = !problems.any();  // else some may be missing because they were refused
  if (complete && count == 0) problems.add(name_, "a mesh must have vertices, found none");
  if (complete && polygons_.empty()) problems.add(name_, "a mesh must have faces, found none");
  std::size_t corner = 0;
  for (const Polygon& polygon : polygons_)
    for (; corner < polygon.end && count > 0; ++corner)
      if (corners_[corner] < 0 || corners_[corner] >= count)
        problems.add(at(polygon.place), "a face must use vertices {} to {}, got {}", first_index_,
                     count - 1 + first_index_, std::int64_t{corners_[corner]} + first_index_);
}

void PolygonMesh::cut_into_fans(Mesh& mesh) {
  std::vector<Edge> sides;
  std::vector<Edge> cuts;
  std::size_t degenerate = 0;
  std::size_t begin = 0;
  for (const Polygon& polygon : polygons_) {
    const int* const corner = corners_.data() + begin;
    const std::size_t size = polygon.end - begin;
    begin = polygon.end;
    for (std::size_t k = 0; k < size; ++k) sides.push_back(sorted_edge(corner[k], corner[(k + 1) % size]));
    for (std::size_t k = 1; k + 1 < size; ++k) {
      const auto [a, b, c] = std::array{corner[0], corner[k], corner[k + 1]};
      if (a == b || b == c || c == a) {
        ++degenerate;
        continue;
      }
      mesh.triangles.push_back({a, b, c});
      if (k > 1) cuts.push_back(sorted_edge(a, b));
      if (k + 2 < size) cuts.push_back(sorted_edge(a, c));
    }
  }
  if (degenerate > 0)
    repairs.push_back("dropped " + counted(degenerate, "triangle", "triangles") + " with a repeated vertex");

  // A cut that is also a side of some polygon belongs to the shape.
  sort_unique(sides);
  sort_unique(cuts);
  std::set_difference(cuts.begin(), cuts.end(), sides.begin(), sides.end(),
                      std::back_inserter(mesh.diagonals));
}

Mesh PolygonMesh::triangulate() {
  check_corners();
  problems.throw_if_any();

  Mesh mesh;
  mesh.positions.resize(3, static_cast<Eigen::Index>(positions.size()));
  for (std::size_t v = 0; v < positions.size(); ++v)
    mesh.positions.col(static_cast<Eigen::Index>(v)) = positions[v];
  cut_into_fans(mesh);
  if (mesh.triangles.empty())
    problems.fail(name_, "a mesh must have a triangle of three different vertices, found none");

  const std::size_t repeated = drop_duplicates(mesh.triangles);
  if (repeated > 0)
    repairs.push_back("dropped " + counted(repeated, "triangle", "triangles") +
                      " with the same vertices as another");
  const std::size_t loose = count_loose(mesh.vertex_count(), mesh.triangles);
  if (loose > 0) repairs.push_back("kept " + counted(loose, "vertex", "vertices") + " that no face uses");
  mesh.uv = std::move(uv);
  mesh.repairs = std::move(repairs);
  return mesh;
}

}  // namespace muslin
