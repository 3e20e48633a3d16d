#include "muslin/io/polygon_mesh.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

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

/// Which triangles have the same three vertices as an earlier one.
std::vector<bool> find_duplicates(const std::vector<Stencil<3>>& triangles) {
  std::vector<std::pair<Stencil<3>, int>> keys;  // its vertices in order, and the triangle
  keys.reserve(triangles.size());
  for (const Stencil<3>& triangle : triangles) {
    keys.emplace_back(triangle, static_cast<int>(keys.size()));
    std::sort(keys.back().first.begin(), keys.back().first.end());
  }
  std::sort(keys.begin(), keys.end());
  std::vector<bool> repeats(triangles.size());
  for (std::size_t k = 1; k < keys.size(); ++k) repeats[keys[k].second] = keys[k].first == keys[k - 1].first;
  return repeats;
}

/// Removes the entries that are marked.
template <class T>
void erase_marked(const std::vector<bool>& marked, std::vector<T>& entries) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (!marked[k]) entries[kept++] = entries[k];
  entries.resize(kept);
}

std::size_t count_loose(int vertex_count, const std::vector<Stencil<3>>& triangles) {
  std::vector<bool> used(vertex_count);
  for (const Stencil<3>& triangle : triangles)
    for (const int v : triangle) used[v] = true;
  return static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
}

/// Whether corners 0, k and k + 1 of a polygon are three vertices.
bool is_triangle(const int* corner, int k) {
  return corner[0] != corner[k] && corner[k] != corner[k + 1] && corner[k + 1] != corner[0];
}

/// Which texture coordinates the triangle of corners 0, k and k + 1 of a polygon has.
Stencil<3> uv_of_fan(const Polygons& polygons, int begin, int k) {
  const int* const uv = polygons.corner_uv.data() + begin;
  return {uv[0], uv[k], uv[k + 1]};
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

void PolygonMesh::add_corner(int vertex, int texture_vertex, int normal) {
  const auto add = [&](std::vector<int>& numbers, int number) {
    if (number == Polygons::kNone && numbers.empty()) return;
    numbers.resize(polygons_.corners.size(), Polygons::kNone);
    numbers.push_back(number);
  };
  add(polygons_.corner_uv, texture_vertex);
  add(polygons_.corner_normal, normal);
  polygons_.corners.push_back(vertex);
}

void PolygonMesh::drop_polygon() {
  const auto begin = static_cast<std::size_t>(polygons_.begin_of(polygons_.count()));
  polygons_.corners.resize(begin);
  for (std::vector<int>* numbers : {&polygons_.corner_uv, &polygons_.corner_normal})
    numbers->resize(std::min(numbers->size(), begin));
}

void PolygonMesh::end_polygon(std::size_t place) {
  const std::size_t size = polygons_.corners.size() - polygons_.begin_of(polygons_.count());
  if (size < 3) {
    problems.add(at(place), "a face must have at least 3 vertices, got {}", size);
    drop_polygon();
    return;
  }
  if (renamed_) open_part();
  polygons_.end.push_back(static_cast<int>(polygons_.corners.size()));
  places_.push_back(static_cast<std::uint32_t>(place));
  if (polygons_.corners.size() - 2 * polygons_.end.size() > kMaxTriangles)
    problems.fail(at(place), "a mesh must have at most {} triangles, got more", kMaxTriangles);
}

void PolygonMesh::name_polygons(std::size_t naming, std::string_view name) {
  names_[naming] = name;
  renamed_ = true;
}

void PolygonMesh::add_library(std::string_view name) {
  constexpr std::size_t kMost = 1000;
  std::vector<std::string>& libraries = polygons_.libraries;
  if (libraries.size() < kMost && std::find(libraries.begin(), libraries.end(), name) == libraries.end())
    libraries.emplace_back(name);
}

// Only names that a polygon has are kept: a file may have any number of them.
void PolygonMesh::open_part() {
  Polygons::Part part;
  part.first = polygons_.count();
  for (std::size_t k = 0; k < kNamings.size(); ++k) {
    if (names_[k].empty()) continue;
    std::vector<std::string>& names = polygons_.*kNamings[k].names;
    const auto [known, is_new] = known_[k].emplace(names_[k], static_cast<int>(names.size()));
    if (is_new) names.push_back(names_[k]);
    part.*kNamings[k].of_part = known->second;
  }
  polygons_.parts.push_back(part);
  renamed_ = false;
}

void PolygonMesh::check_corners() {
  const int count = static_cast<int>(positions.size());
  const bool complete = !problems.any();  // else some may be missing because they were refused
  if (complete && count == 0) problems.add(name_, "a mesh must have vertices, found none");
  if (complete && polygons_.count() == 0) problems.add(name_, "a mesh must have faces, found none");
  int corner = 0;
  for (int p = 0; p < polygons_.count(); ++p)
    for (; corner < polygons_.end[p] && count > 0; ++corner)
      if (const int v = polygons_.corners[corner]; v < 0 || v >= count)
        problems.add(at(places_[p]), "a face must use vertices {} to {}, got {}", first_index_,
                     count - 1 + first_index_, std::int64_t{v} + first_index_);
}

void PolygonMesh::attach_uv(std::vector<Vec2> listed) {
  if (polygons_.corner_uv.empty()) return;
  const auto count = static_cast<std::int64_t>(positions.size());
  std::vector<int>& corner_uv = polygons_.corner_uv;
  corner_uv.resize(polygons_.corners.size(), Polygons::kNone);
  uv.assign(count, Vec2::Zero());
  std::vector<int> first(count, Polygons::kNone);
  int corner = 0;
  for (int p = 0; p < polygons_.count(); ++p)
    for (; corner < polygons_.end[p]; ++corner) {
      const int vertex = polygons_.corners[corner], number = corner_uv[corner];
      if (number == Polygons::kNone) continue;
      if (number >= static_cast<std::int64_t>(listed.size())) {
        problems.add(at(places_[p]), "a face must use texture vertices 1 to {}, got {}", listed.size(),
                     std::int64_t{number} + 1);
        continue;
      }
      if (vertex < 0 || vertex >= count) continue;  // triangulate tells
      if (first[vertex] == Polygons::kNone)
        uv[vertex] = listed[first[vertex] = number];
      else
        has_seams_ = has_seams_ || uv[vertex] != listed[number];
    }
  polygons_.uv = std::move(listed);
}

void PolygonMesh::join_normals(const std::vector<std::array<float, 3>>& normals) {
  std::vector<int> order(normals.size()), first(normals.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::tie(normals[a], a) < std::tie(normals[b], b); });
  for (std::size_t k = 0; k < order.size(); ++k)
    first[order[k]] = k > 0 && normals[order[k]] == normals[order[k - 1]] ? first[order[k - 1]] : order[k];
  std::vector<int>& corner_normal = polygons_.corner_normal;
  if (!corner_normal.empty()) corner_normal.resize(polygons_.corners.size(), Polygons::kNone);
  for (int& normal : corner_normal)
    if (normal != Polygons::kNone && normal < static_cast<std::int64_t>(first.size())) normal = first[normal];
}

void PolygonMesh::cut_into_fans(Mesh& mesh) {
  std::size_t degenerate = 0;
  mesh.triangles.reserve(polygons_.corners.size() - 2 * polygons_.end.size());
  mesh.polygon_of.reserve(mesh.triangles.capacity());
  for (int p = 0; p < polygons_.count(); ++p) {
    const int begin = polygons_.begin_of(p), size = polygons_.end[p] - begin;
    const int* const corner = polygons_.corners.data() + begin;
    for (int k = 1; k + 1 < size; ++k) {
      if (!is_triangle(corner, k)) {
        ++degenerate;
        continue;
      }
      mesh.triangles.push_back({corner[0], corner[k], corner[k + 1]});
      mesh.polygon_of.push_back(p);
      if (has_seams_) mesh.triangle_uv.push_back(uv_of_fan(polygons_, begin, k));
    }
  }
  if (degenerate > 0)
    repairs.push_back("dropped " + counted(degenerate, "triangle", "triangles") + " with a repeated vertex");
}

// A cut that is also a side of some polygon belongs to the shape.
void PolygonMesh::find_diagonals(Mesh& mesh) const {
  if (polygons_.corners.size() == 3 * polygons_.end.size()) return;
  std::vector<Edge> sides, cuts;
  sides.reserve(polygons_.corners.size());
  for (int p = 0; p < polygons_.count(); ++p) {
    const int begin = polygons_.begin_of(p), size = polygons_.end[p] - begin;
    const int* const corner = polygons_.corners.data() + begin;
    for (int k = 0; k < size; ++k) sides.push_back(sorted_edge(corner[k], corner[(k + 1) % size]));
    for (int k = 2; k + 1 < size; ++k)
      if (is_triangle(corner, k - 1) || is_triangle(corner, k))
        cuts.push_back(sorted_edge(corner[0], corner[k]));
  }
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
  find_diagonals(mesh);

  const std::vector<bool> repeated = find_duplicates(mesh.triangles);
  if (const auto count = std::count(repeated.begin(), repeated.end(), true); count > 0) {
    repairs.push_back("dropped " + counted(count, "triangle", "triangles") +
                      " with the same vertices as another");
    erase_marked(repeated, mesh.triangles);
    erase_marked(repeated, mesh.polygon_of);
    erase_marked(repeated, mesh.triangle_uv);
  }
  const std::size_t loose = count_loose(mesh.vertex_count(), mesh.triangles);
  if (loose > 0) repairs.push_back("kept " + counted(loose, "vertex", "vertices") + " that no face uses");
  mesh.uv = std::move(uv);
  mesh.repairs = std::move(repairs);
  mesh.polygons = std::make_shared<const Polygons>(std::move(polygons_));
  return mesh;
}

}  // namespace muslin
