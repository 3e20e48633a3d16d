#include "muslin/model/pieces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "muslin/core/check.h"
#include "muslin/core/disjoint_sets.h"
#include "muslin/core/maths.h"
#include "muslin/geometry/bvh.h"
#include "muslin/geometry/closed_surface.h"
#include "muslin/geometry/doubled.h"
#include "muslin/geometry/merge.h"
#include "muslin/geometry/ordering.h"
#include "muslin/model/motion.h"

namespace muslin {

namespace {

constexpr double kSeam = 1e-4;  // [m] what is said of vertices that lie so near to each other

std::vector<int> counted_up(int count) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// --- seams -----------------------------------------------------------------------------------------

struct ShortestEdge {
  double length = kInfinity;
  int a = 0, b = 0;
};

ShortestEdge shortest_edge(const Mesh& mesh) {
  ShortestEdge shortest;
  for (const Stencil<3>& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      const double length = (mesh.positions.col(a) - mesh.positions.col(b)).norm();
      if (length < shortest.length) shortest = {length, a, b};
    }
  return shortest;
}

// Takes out triangles that have the vertices of another once what lies in one place is one: faces that a file
// has twice, once for each side.
void leave_out_doubled(double merge, Mesh& mesh) {
  if (merge == 0) return;
  const std::vector<int> first = merged_points(mesh.positions, merge);
  std::vector<Stencil<3>> merged = mesh.triangles;
  for (Stencil<3>& triangle : merged)
    for (int& v : triangle) v = first[v];
  std::vector<bool> is_doubled = repeated_triangles(merged);
  for (size_t t = 0; t < merged.size(); ++t)
    if (const auto& [a, b, c] = merged[t]; a == b || b == c || c == a) is_doubled[t] = false;  // is refused
  const auto count = std::count(is_doubled.begin(), is_doubled.end(), true);
  if (count == 0) return;
  leave_out(is_doubled, mesh);
  mesh.repairs.push_back(fmt::format("dropped {} {} with the same vertices as another, as merge joins them",
                                     count, count == 1 ? "triangle" : "triangles"));
}

// Which vertex each is sewn to; itself without seams.
std::vector<int> sewn_to(const Cloth& cloth, const Mesh& mesh) {
  const double merge = cloth.mesh ? cloth.mesh->merge : 0;
  if (merge == 0) return counted_up(mesh.vertex_count());
  build_topology(mesh.vertex_count(), mesh.triangles, quoted(cloth));
  const ShortestEdge shortest = shortest_edge(mesh);
  if (merge >= shortest.length)
    throw Error(ErrorKind::invalid,
                fmt::format("{}: merge must be less than its shortest edge, {:.4g} m between vertices {} and "
                            "{}, got {} m: triangles would vanish",
                            quoted(cloth), shortest.length, shortest.a, shortest.b, merge));
  return merged_points(mesh.positions, merge);
}

// The same with what seams have closed: of all that are one, the least.
std::vector<int> sewn_to(const Cloth& cloth, const Mesh& mesh, const std::vector<Stencil<2>>& closed) {
  std::vector<int> first = sewn_to(cloth, mesh);
  const auto least = [&](int v) {
    while (first[v] != v) v = first[v];
    return v;
  };
  for (const auto& [a, b] : closed) {
    const auto [low, high] = std::minmax({least(a), least(b)});
    first[high] = low;
  }
  for (int v = 0; v < mesh.vertex_count(); ++v) first[v] = least(v);
  return first;
}

// --- objects ---------------------------------------------------------------------------------------

// One a triangle: its object; a number behind all others where it has none.
std::vector<int> objects_of_triangles(const Mesh& mesh) {
  const Polygons& polygons = *mesh.polygons;
  std::vector<int> of_polygon(polygons.count());
  for (size_t p = 0; p < polygons.parts.size(); ++p) {
    const int object = polygons.parts[p].object;
    std::fill(of_polygon.begin() + polygons.parts[p].first, of_polygon.begin() + polygons.end_of_part(p),
              object == Polygons::kNone ? static_cast<int>(polygons.objects.size()) : object);
  }
  std::vector<int> objects;
  objects.reserve(mesh.triangles.size());
  for (const int polygon : mesh.polygon_of) objects.push_back(of_polygon[polygon]);
  return objects;
}

// Which piece each triangle belongs to, and what the pieces are called.
struct Cut {
  std::vector<int> piece;
  std::vector<std::string> names;
};

Cut cut_by_objects(const Cloth& cloth, const Mesh& mesh, const std::vector<Stencil<3>>& triangles) {
  Cut cut{std::vector<int>(triangles.size(), 0), {cloth.name}};
  if (!mesh.polygons || mesh.polygons->objects.empty()) return cut;
  const std::vector<std::string>& names = mesh.polygons->objects;
  const int count = static_cast<int>(names.size()) + 1;
  const std::vector<int> objects = objects_of_triangles(mesh);
  DisjointSets groups(count);  // of objects that have vertices in common
  std::vector<int> owner(mesh.vertex_count(), -1);
  for (size_t t = 0; t < triangles.size(); ++t)
    for (const int v : triangles[t]) {
      if (owner[v] < 0) owner[v] = objects[t];
      if (owner[v] != objects[t]) groups.unite(owner[v], objects[t]);
    }

  std::vector<int> piece(count, -1);
  std::vector<std::string> pieces;
  for (size_t t = 0; t < triangles.size(); ++t) {
    int& its_piece = piece[groups.least_of(objects[t])];
    if (its_piece < 0) {
      its_piece = static_cast<int>(pieces.size());
      pieces.emplace_back();
    }
    cut.piece[t] = its_piece;
  }
  if (pieces.size() < 2) return cut;
  std::vector<bool> is_used(count);
  for (const int object : objects) is_used[object] = true;
  for (int object = 0; object < count; ++object) {
    if (!is_used[object]) continue;
    std::string& name = pieces[piece[groups.least_of(object)]];
    name += (name.empty() ? "" : " + ") + (object + 1 < count ? names[object] : cloth.name);
  }
  cut.names = std::move(pieces);
  return cut;
}

// --- pieces ----------------------------------------------------------------------------------------

// The triangles of a mesh by their numbers, with what belongs to them; vertices keep their numbers.
Mesh with_triangles(const Mesh& mesh, const std::vector<int>& numbers) {
  Mesh part;
  part.positions = mesh.positions;
  part.uv = mesh.uv;
  part.polygons = mesh.polygons;
  for (const int t : numbers) {
    part.triangles.push_back(mesh.triangles[t]);
    if (!mesh.polygon_of.empty()) part.polygon_of.push_back(mesh.polygon_of[t]);
    if (!mesh.triangle_uv.empty()) part.triangle_uv.push_back(mesh.triangle_uv[t]);
  }
  return part;
}

// A mesh of some vertices and triangles of another, whose triangles name no others.
Mesh part_of(const Mesh& mesh, const std::vector<int>& vertices, const std::vector<int>& triangles) {
  constexpr int kAbsent = -1;
  Mesh part = with_triangles(mesh, triangles);
  std::vector<int> number(mesh.vertex_count(), kAbsent);
  for (size_t k = 0; k < vertices.size(); ++k) number[vertices[k]] = static_cast<int>(k);
  part.positions = mesh.positions(Eigen::all, vertices);
  if (!mesh.uv.empty()) part.uv.clear();
  for (const int v : vertices)
    if (!mesh.uv.empty()) part.uv.push_back(mesh.uv[v]);
  for (Stencil<3>& triangle : part.triangles)
    for (int& v : triangle) v = number[v];
  for (const auto& [a, b] : mesh.diagonals)
    if (number[a] != kAbsent && number[b] != kAbsent)
      part.diagonals.push_back({std::min(number[a], number[b]), std::max(number[a], number[b])});
  std::sort(part.diagonals.begin(), part.diagonals.end());
  return part;
}

// Brings a piece into an order that suits the cache: that of a grid does.
void order_locally(const Cloth& cloth, ClothPiece& piece) {
  const MeshOrder order = cloth.grid ? MeshOrder() : local_order(piece.mesh);
  if (order.empty()) return;
  const auto reorder = [](std::vector<int>& numbers, const std::vector<int>& by) {
    std::vector<int> result;
    result.reserve(by.size());
    for (const int k : by) result.push_back(numbers[k]);
    numbers = std::move(result);
  };
  piece.mesh = reordered(piece.mesh, order);
  if (piece.pattern) piece.pattern = with_triangles(*piece.pattern, order.triangles);
  reorder(piece.vertices, order.vertices);
  reorder(piece.triangles, order.triangles);
}

// The panels as they are without load, numbered as the scene has them.
std::optional<Mesh> pattern_of(const Cloth& cloth, const Mesh& mesh, const std::vector<int>& first,
                               bool has_closed) {
  if (!cloth.mesh || (!cloth.mesh->rest && cloth.mesh->merge == 0 && !has_closed)) return {};
  if (cloth.mesh->rest && (cloth.mesh->rest->cols() != mesh.vertex_count() || !cloth.mesh->rest->allFinite()))
    throw Error(ErrorKind::invalid, fmt::format("{}: rest must have {} finite vertices, as its mesh has",
                                                quoted(cloth), mesh.vertex_count()));
  Mesh pattern = mesh;
  if (cloth.mesh->rest)
    pattern.positions = cloth.mesh->scale * *cloth.mesh->rest;
  else if (cloth.mesh->merge > 0)
    pattern.positions = Points(mesh.positions(Eigen::all, first));
  return pattern;
}

// Who brings a mesh in memory may have changed its triangles since it was read.
bool polygons_fit(const Mesh& mesh) {
  if (!mesh.polygons || mesh.polygon_of.size() != mesh.triangles.size()) return false;
  const std::vector<int>& corners = mesh.polygons->corners;
  return !corners.empty() && *std::max_element(corners.begin(), corners.end()) < mesh.vertex_count();
}

}  // namespace

std::string quoted(const Cloth& cloth) { return fmt::format("cloth \"{}\"", cloth.name); }

Mesh placed_mesh(const Cloth& cloth) {
  if (cloth.grid) {
    const Grid& grid = *cloth.grid;
    return make_sheet(grid.points, grid.origin, grid.size[0] * grid.u.normalized(),
                      grid.size[1] * grid.v.normalized(), grid.diagonals);
  }
  if (!cloth.mesh || !cloth.mesh->mesh)
    throw Error(ErrorKind::invalid, quoted(cloth) + ": has neither grid nor mesh");
  Mesh mesh = *cloth.mesh->mesh;
  mesh.positions = placed(*cloth.mesh, mesh.positions);
  if (!polygons_fit(mesh)) {
    mesh.polygons = nullptr;
    mesh.polygon_of.clear();
    mesh.triangle_uv.clear();
  }
  leave_out_doubled(cloth.mesh->merge, mesh);
  return mesh;
}

LooseJoints find_loose_joints(const Mesh& mesh, const Topology& topology) {
  constexpr size_t kNamed = 3;
  LooseJoints joints;
  const double shortest = shortest_edge(mesh).length;
  const double near = std::min(kSeam, shortest / 2);
  std::vector<int> vertices;
  std::vector<Stencil<2>> edges;
  for (const Hinge& hinge : topology.hinges) {
    if (hinge.tip1 >= 0) continue;
    edges.push_back({hinge.v0, hinge.v1});
    vertices.insert(vertices.end(), {hinge.v0, hinge.v1});
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  const auto place = [&](int v) { return Vec3(mesh.positions.col(v)); };
  std::vector<Box> of_vertices, of_edges;
  for (const int v : vertices)
    of_vertices.push_back({place(v) - Vec3::Constant(near), place(v) + Vec3::Constant(near)});
  for (const auto& [a, b] : edges)
    of_edges.push_back({place(a).cwiseMin(place(b)), place(a).cwiseMax(place(b))});
  const auto lies_between = [&](int vertex, int edge) {
    const Vec3 x = place(vertices[vertex]), a = place(edges[edge][0]), along = place(edges[edge][1]) - a;
    const double length = along.norm(), way = along.dot(x - a) / length;
    return way > near && way < length - near && (x - a - way / length * along).norm() < near;
  };
  std::vector<Stencil<2>> found;
  BoxTree(of_vertices).find_pairs(BoxTree(of_edges), lies_between, found);
  std::sort(found.begin(), found.end());
  std::vector<bool> is_counted(vertices.size());
  for (const auto& [vertex, edge] : found) {
    if (is_counted[vertex]) continue;
    is_counted[vertex] = true;
    ++joints.count;
    if (joints.named.size() < kNamed)
      joints.named.push_back(
          fmt::format("vertex {} lies on edge {}-{}", vertices[vertex], edges[edge][0], edges[edge][1]));
  }
  return joints;
}

std::string describe(const LooseJoints& joints) {
  if (joints.count == 0) return "";
  const auto named = static_cast<int>(joints.named.size());
  return fmt::format(
      "{} on its borders {} on edges that end elsewhere, so it gapes there (T-junctions): {}{}; divide these "
      "edges, so that both sides have the same vertices",
      joints.count == 1 ? "1 vertex" : fmt::format("{} vertices", joints.count),
      joints.count == 1 ? "lies" : "lie", fmt::join(joints.named, ", "),
      joints.count > named ? fmt::format(" and {} more", joints.count - named) : "");
}

std::string why_open(const Mesh& mesh) { return ClosedSurface::problem(mesh); }

OpenSeams find_open_seams(const Mesh& mesh, const Topology& topology) {
  std::vector<int> border;
  for (const Hinge& hinge : topology.hinges)
    if (hinge.tip1 < 0) border.insert(border.end(), {hinge.v0, hinge.v1});
  std::sort(border.begin(), border.end());
  border.erase(std::unique(border.begin(), border.end()), border.end());
  const double shortest = border.empty() ? 0 : shortest_edge(mesh).length;
  if (!(shortest > 0)) return {};
  // Merging must leave every edge: a power of ten below half of the shortest
  OpenSeams seams{0, std::min(kSeam, maths::pow(10, std::floor(maths::log10(shortest / 2))))};
  const std::vector<int> first = merged_points(mesh.positions(Eigen::all, border), seams.merge);
  for (size_t k = 0; k < first.size(); ++k) seams.pairs += first[k] != static_cast<int>(k);
  return seams;
}

std::vector<OpenSeams> find_open_seams(const Scene& scene) {
  std::vector<OpenSeams> all;
  for (size_t c = 0; c < scene.cloths.size(); ++c) {
    if (!scene.cloths[c].mesh) continue;
    Mesh mesh = placed_mesh(scene.cloths[c]);
    const std::vector<int> first = sewn_to(scene.cloths[c], mesh);
    for (Stencil<3>& triangle : mesh.triangles)
      for (int& v : triangle) v = first[v];
    const Topology topology = build_topology(mesh.vertex_count(), mesh.triangles, quoted(scene.cloths[c]));
    OpenSeams seams = find_open_seams(mesh, topology);
    seams.cloth = static_cast<int>(c);
    if (seams.pairs > 0) all.push_back(seams);
  }
  return all;
}

std::string describe(const OpenSeams& seams) {
  if (seams.pairs == 0) return "";
  return fmt::format(
      "{} of vertices on its borders lie in one place and are not joined, so it falls apart there; "
      "\"merge\": {} in its mesh sews them",
      seams.pairs == 1 ? "1 pair" : fmt::format("{} pairs", seams.pairs), merge_text(seams));
}

std::string merge_text(const OpenSeams& seams) {
  return fmt::format("1e{}", std::lround(maths::log10(seams.merge)));
}

Pieces cut_into_pieces(const Cloth& cloth, Mesh mesh, const std::vector<Stencil<2>>& closed) {
  // 1. What is sewn together, and what each object is joined to
  Pieces result;
  result.polygons = mesh.polygons;
  result.words = mesh.repairs;
  const std::vector<int> first = sewn_to(cloth, mesh, closed);
  const std::optional<Mesh> pattern = pattern_of(cloth, mesh, first, !closed.empty());
  for (Stencil<3>& triangle : mesh.triangles)
    for (int& v : triangle)
      if (pattern) v = first[v];
  if (cloth.mesh && closed.empty()) {
    const Topology topology = build_topology(mesh.vertex_count(), mesh.triangles, quoted(cloth));
    const bool is_sewn_later = cloth.pattern || !cloth.seams.empty();
    if (const OpenSeams seams = find_open_seams(mesh, topology); seams.pairs > 0 && !is_sewn_later)
      result.words.push_back(describe(seams));
    if (const LooseJoints joints = find_loose_joints(mesh, topology); joints.count > 0)
      result.words.push_back(describe(joints));
  }
  const Cut cut = cut_by_objects(cloth, mesh, mesh.triangles);

  // 2. Whose vertices and triangles are whose; what no triangle names is the first piece's
  result.pieces.resize(cut.names.size());
  std::vector<int> owner(mesh.vertex_count(), 0);
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    result.pieces[cut.piece[t]].triangles.push_back(static_cast<int>(t));
    for (const int v : mesh.triangles[t]) owner[v] = cut.piece[t];
  }
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (first[v] == v) result.pieces[owner[v]].vertices.push_back(v);

  // 3. Meshes of them
  result.place.resize(mesh.vertex_count());
  int count = 0;
  for (size_t p = 0; p < result.pieces.size(); ++p) {
    ClothPiece& piece = result.pieces[p];
    piece.name = cut.names[p];
    piece.mesh = part_of(mesh, piece.vertices, piece.triangles);
    if (pattern) piece.pattern = with_triangles(*pattern, piece.triangles);
    order_locally(cloth, piece);
    for (const int v : piece.vertices) result.place[v] = count++;
  }
  for (int v = 0; v < mesh.vertex_count(); ++v) result.place[v] = result.place[first[v]];
  return result;
}

std::optional<Mesh> object_of(const Mesh& mesh, const std::string& name, std::vector<int>& vertices) {
  if (!mesh.polygons) return {};
  std::vector<bool> is_chosen = polygons_named(*mesh.polygons, kObject, name);
  std::vector<bool> has_triangle(is_chosen.size()), is_used(mesh.vertex_count());
  std::vector<int> triangles;
  for (int t = 0; t < std::ssize(mesh.triangles); ++t) {
    if (!is_chosen[mesh.polygon_of[t]]) continue;
    triangles.push_back(t);
    has_triangle[mesh.polygon_of[t]] = true;
  }
  if (triangles.empty()) return {};
  for (int p = 0; p < mesh.polygons->count(); ++p) {
    is_chosen[p] = has_triangle[p];
    for (int c = mesh.polygons->begin_of(p); is_chosen[p] && c < mesh.polygons->end[p]; ++c)
      is_used[mesh.polygons->corners[c]] = true;
  }
  vertices.clear();
  std::vector<int> number(mesh.vertex_count(), 0);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    number[v] = static_cast<int>(vertices.size());
    if (is_used[v]) vertices.push_back(v);
  }
  Mesh object = part_of(mesh, vertices, triangles);
  object.repairs = mesh.repairs;
  std::vector<int> new_polygon(mesh.polygons->count());
  for (int p = 0, next = 0; p < mesh.polygons->count(); ++p) new_polygon[p] = is_chosen[p] ? next++ : -1;
  for (int& polygon : object.polygon_of) polygon = new_polygon[polygon];
  object.polygons = std::make_shared<const Polygons>(chosen(*mesh.polygons, is_chosen, number));
  return object;
}

}  // namespace muslin
