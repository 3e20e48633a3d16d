#include "muslin/io/polygon_mesh.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "muslin/geometry/doubled.h"
#include "muslin/model/scene.h"

namespace muslin {

namespace {

using Edge = Stencil<2>;

constexpr int kMostAtAVertex = 10'000;
constexpr std::size_t kMaxTriangles = 2 * std::size_t{kMaxVertices};  // what a surface of that size has

Edge sorted_edge(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

void sort_unique(std::vector<Edge>& edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

/// The vertex with the most triangles, and how many these are.
std::pair<int, int> most_triangles(int vertex_count, const std::vector<Stencil<3>>& triangles) {
  std::vector<int> count(vertex_count);
  for (const Stencil<3>& triangle : triangles)
    for (const int v : triangle) ++count[v];
  const auto most = std::max_element(count.begin(), count.end());
  return {static_cast<int>(most - count.begin()), *most};
}

std::size_t count_loose(int vertex_count, const std::vector<Stencil<3>>& triangles) {
  std::vector<bool> used(vertex_count);
  for (const Stencil<3>& triangle : triangles)
    for (const int v : triangle) used[v] = true;
  return static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
}

/// The corners of a polygon that are left without those that repeat a neighbour, and without the way to a
/// vertex and straight back: by their places in `corners`.
std::vector<int> distinct_corners(const int* corners, int size) {
  std::vector<int> kept;
  for (int k = 0; k < size; ++k) {
    kept.push_back(k);
    const auto vertex = [&](std::size_t back) { return corners[kept[kept.size() - back]]; };
    if (kept.size() > 1 && vertex(1) == vertex(2)) kept.pop_back();
    if (kept.size() > 2 && vertex(1) == vertex(3)) kept.resize(kept.size() - 2);
  }
  // The last ones, and those at the beginning
  std::size_t begin = 0;
  const auto at = [&](std::size_t k) { return corners[kept[k]]; };
  while (kept.size() - begin > 2) {
    const std::size_t end = kept.size();
    if (at(end - 1) == at(begin)) {
      kept.pop_back();
    } else if (at(end - 1) == at(begin + 1)) {  // forth to the first and back
      ++begin;
      kept.pop_back();
    } else if (at(end - 2) == at(begin)) {
      kept.resize(end - 2);
    } else {
      break;
    }
  }
  return {kept.begin() + static_cast<std::ptrdiff_t>(begin), kept.end()};
}

}  // namespace

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

int first_other_face(const Mesh& a, const Mesh& b) {
  const auto first_other = [](int count_a, int count_b, const auto& is_same) {
    const int both = std::min(count_a, count_b);
    int k = 0;
    while (k < both && is_same(k)) ++k;
    return k < both || count_a != count_b ? k : -1;
  };
  if (!a.polygons || !b.polygons)
    return first_other(static_cast<int>(a.triangles.size()), static_cast<int>(b.triangles.size()),
                       [&](int t) { return a.triangles[t] == b.triangles[t]; });
  const Polygons &p = *a.polygons, &q = *b.polygons;
  return first_other(p.count(), q.count(), [&](int k) {
    return std::equal(p.corners.begin() + p.begin_of(k), p.corners.begin() + p.end[k],
                      q.corners.begin() + q.begin_of(k), q.corners.begin() + q.end[k]);
  });
}

std::string vertices_of_face(const Mesh& mesh, int face) {
  if (mesh.polygons && face < mesh.polygons->count()) {
    const int* const corners = mesh.polygons->corners.data();
    return fmt::format(
        "{}", fmt::join(corners + mesh.polygons->begin_of(face), corners + mesh.polygons->end[face], " "));
  }
  if (mesh.polygons || face >= std::ssize(mesh.triangles)) return "none";
  return fmt::format("{}", fmt::join(mesh.triangles[face], " "));
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

// What `fault` says of a polygon whose corners it counts.
void PolygonMesh::refuse(int polygon, const std::vector<int>& corners, const PolygonFault& fault) {
  const auto vertex = [&](int corner) {
    return std::int64_t{corners[static_cast<std::size_t>(corner) % corners.size()]} + first_index_;
  };
  const auto side = [&](int corner) { return fmt::format("{}-{}", vertex(corner), vertex(corner + 1)); };
  const auto what = [&] {
    switch (fault.kind) {
      case PolygonFault::crosses:
        return fmt::format("not cross itself, but sides {} and {} do", side(fault.first), side(fault.second));
      case PolygonFault::touches:
        return fmt::format("not touch itself, but vertex {} lies on side {}", vertex(fault.first),
                           side(fault.second));
      case PolygonFault::meets:
        return fmt::format("not cross itself, but does where vertices {} and {} lie", vertex(fault.first),
                           vertex(fault.second));
      case PolygonFault::large:
        return fmt::format("be convex or have at most {} corners, got {}", kMostCorners, corners.size());
      default:
        return fmt::format("be nearly flat, but vertex {} is far from its mean plane", vertex(fault.first));
    }
  };
  problems.add(at(places_[polygon]),
               "face {} (counted from 0) must {}; cut it into triangles where it was made", polygon, what());
}

void PolygonMesh::cut_polygons(Mesh& mesh) {
  std::size_t degenerate = 0;
  mesh.triangles.reserve(polygons_.corners.size() - 2 * polygons_.end.size());
  mesh.polygon_of.reserve(mesh.triangles.capacity());
  std::vector<int> kept, vertices;
  std::vector<Vec3> places;
  std::vector<Stencil<3>> cut;
  for (int p = 0; p < polygons_.count(); ++p) {
    const int begin = polygons_.begin_of(p), size = polygons_.end[p] - begin;
    kept = distinct_corners(polygons_.corners.data() + begin, size);
    degenerate += static_cast<std::size_t>(size) - std::max<std::size_t>(kept.size(), 2);
    if (kept.size() < 3) continue;
    vertices.clear();
    places.clear();
    cut.clear();
    for (int& k : kept) {
      k += begin;
      vertices.push_back(polygons_.corners[k]);
      places.push_back(positions[vertices.back()]);
    }
    if (polygons_as == PolygonsAs::fans)
      for (int k = 1; k + 1 < std::ssize(kept); ++k) cut.push_back({0, k, k + 1});
    else if (const PolygonFault fault = cut_polygon(places, cut); fault.kind != PolygonFault::none)
      refuse(p, vertices, fault);
    for (const auto& [a, b, c] : cut) {
      const Stencil<3> triangle{vertices[a], vertices[b], vertices[c]};
      if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) {
        ++degenerate;
        continue;
      }
      mesh.triangles.push_back(triangle);
      mesh.polygon_of.push_back(p);
      if (has_seams_) {
        const std::vector<int>& corner_uv = polygons_.corner_uv;
        mesh.triangle_uv.push_back({corner_uv[kept[a]], corner_uv[kept[b]], corner_uv[kept[c]]});
      }
    }
  }
  problems.throw_if_any();
  if (degenerate > 0)
    repairs.push_back("dropped " + counted(degenerate, "triangle", "triangles") + " with a repeated vertex");
}

// A cut that is also a side of some polygon belongs to the shape.
void PolygonMesh::find_diagonals(Mesh& mesh) const {
  if (polygons_.corners.size() == 3 * polygons_.end.size()) return;
  std::vector<Edge> sides, edges;
  sides.reserve(polygons_.corners.size());
  for (int p = 0; p < polygons_.count(); ++p) {
    const int begin = polygons_.begin_of(p), size = polygons_.end[p] - begin;
    const int* const corner = polygons_.corners.data() + begin;
    for (int k = 0; k < size; ++k) sides.push_back(sorted_edge(corner[k], corner[(k + 1) % size]));
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int p = mesh.polygon_of[t];
    if (polygons_.end[p] - polygons_.begin_of(p) == 3) continue;
    for (int k = 0; k < 3; ++k)
      edges.push_back(sorted_edge(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]));
  }
  sort_unique(sides);
  sort_unique(edges);
  std::set_difference(edges.begin(), edges.end(), sides.begin(), sides.end(),
                      std::back_inserter(mesh.diagonals));
}

Mesh PolygonMesh::triangulate() {
  check_corners();
  problems.throw_if_any();

  Mesh mesh;
  mesh.positions.resize(3, static_cast<Eigen::Index>(positions.size()));
  for (std::size_t v = 0; v < positions.size(); ++v)
    mesh.positions.col(static_cast<Eigen::Index>(v)) = positions[v];
  cut_polygons(mesh);
  if (mesh.triangles.empty())
    problems.fail(name_, "a mesh must have a triangle of three different vertices, found none");
  find_diagonals(mesh);

  const std::vector<bool> repeated = repeated_triangles(mesh.triangles);
  if (const auto count = std::count(repeated.begin(), repeated.end(), true); count > 0) {
    repairs.push_back("dropped " + counted(count, "triangle", "triangles") +
                      " with the same vertices as another");
    leave_out(repeated, mesh);
  }
  // What meets what there is looked at pair by pair
  if (const auto [vertex, count] = most_triangles(mesh.vertex_count(), mesh.triangles);
      count > kMostAtAVertex)
    problems.fail(name_, "at most {} triangles may meet at a vertex, got {} at vertex {}", kMostAtAVertex,
                  count, std::int64_t{vertex} + first_index_);
  const std::size_t loose = count_loose(mesh.vertex_count(), mesh.triangles);
  if (loose > 0) repairs.push_back("kept " + counted(loose, "vertex", "vertices") + " that no face uses");
  mesh.uv = std::move(uv);
  mesh.repairs = std::move(repairs);
  mesh.polygons = std::make_shared<const Polygons>(std::move(polygons_));
  return mesh;
}

}  // namespace muslin
