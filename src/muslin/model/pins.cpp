#include "muslin/model/pins.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "muslin/core/check.h"
#include "muslin/core/text.h"

namespace muslin {

namespace {

// --- of a grid -------------------------------------------------------------------------------------

// The vertices of one border of a grid.
void add_side(const Grid& grid, Side side, std::vector<int>& vertices) {
  const auto [nu, nv] = grid.points;
  const bool along_v = side == Side::u_min || side == Side::u_max;
  const int first = side == Side::u_max ? nu - 1 : side == Side::v_max ? (nv - 1) * nu : 0;
  for (int k = 0; k < (along_v ? nv : nu); ++k) vertices.push_back(first + k * (along_v ? nu : 1));
}

// --- by name ---------------------------------------------------------------------------------------

struct PinName {
  std::string_view key;
  std::optional<std::string> ClothPart::*name;
  const Naming& naming;
};
const std::array<PinName, 3> kNames{{{"group", &ClothPart::group, kGroup},
                                     {"material", &ClothPart::material, kMaterial},
                                     {"object", &ClothPart::object, kObject}}};

std::vector<int> vertices_named(const Mesh& mesh, const Naming& naming, const std::string& name) {
  std::vector<int> vertices;
  if (!mesh.polygons) return vertices;
  const Polygons& polygons = *mesh.polygons;
  const std::vector<bool> is_named = polygons_named(polygons, naming, name);
  for (int p = 0; p < polygons.count(); ++p)
    if (is_named[p])
      vertices.insert(vertices.end(), polygons.corners.begin() + polygons.begin_of(p),
                      polygons.corners.begin() + polygons.end[p]);
  return vertices;
}

// --- by place --------------------------------------------------------------------------------------

bool contains(const BoxRegion& box, const Vec3& x) {
  return (x.array() >= box.min.array()).all() && (x.array() <= box.max.array()).all();
}
bool contains(const SphereRegion& sphere, const Vec3& x) {
  return (x - sphere.center).norm() <= sphere.radius;
}
bool contains(const UvRegion& region, const Vec2& uv) {
  return uv.x() >= region.min[0] && uv.x() <= region.max[0] && uv.y() >= region.min[1] &&
         uv.y() <= region.max[1];
}

template <class Region>
std::vector<int> vertices_in(const Region& region, const Mesh& mesh) {
  std::vector<int> vertices;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (contains(region, Vec3(mesh.positions.col(v)))) vertices.push_back(v);
  return vertices;
}

// On seams, a vertex is where any of its triangles has it.
std::vector<int> vertices_in(const UvRegion& region, const Mesh& mesh) {
  std::vector<int> vertices;
  for (int t = 0; !mesh.uv.empty() && t < std::ssize(mesh.triangles); ++t) {
    const std::array<Vec2, 3> uv = mesh.uv_of(t);
    for (int k = 0; k < 3; ++k)
      if (contains(region, uv[k])) vertices.push_back(mesh.triangles[t][k]);
  }
  return vertices;
}

std::string reach(const Mesh& mesh) {
  const Vec3 low = mesh.positions.rowwise().minCoeff(), high = mesh.positions.rowwise().maxCoeff();
  return fmt::format("the cloth begins between ({:.4g}, {:.4g}, {:.4g}) and ({:.4g}, {:.4g}, {:.4g}) m",
                     low.x(), low.y(), low.z(), high.x(), high.y(), high.z());
}

std::string uv_reach(const Mesh& mesh) {
  if (mesh.uv.empty()) return "the mesh has no texture coordinates";
  Eigen::AlignedBox2d range;
  for (int t = 0; t < std::ssize(mesh.triangles); ++t)
    for (const Vec2& uv : mesh.uv_of(t)) range.extend(uv);
  return fmt::format("its texture coordinates are between ({:.4g}, {:.4g}) and ({:.4g}, {:.4g})",
                     range.min().x(), range.min().y(), range.max().x(), range.max().y());
}

void add(const std::vector<int>& more, std::vector<int>& vertices) {
  vertices.insert(vertices.end(), more.begin(), more.end());
}

}  // namespace

std::string unknown_name(const Mesh& mesh, const Naming& naming, const std::string& name) {
  constexpr size_t kListed = 20;
  std::vector<std::string> names;
  if (mesh.polygons) names = names_of(*mesh.polygons, naming);
  if (names.empty()) return fmt::format("the mesh names no {}", naming.words);
  const std::string nearest = nearest_name(name, {names.begin(), names.end()});
  if (!nearest.empty())
    return fmt::format("the mesh has no {} \"{}\"; did you mean \"{}\"?", naming.words, name, nearest);
  const size_t more = names.size() - std::min(names.size(), kListed);
  names.resize(std::min(names.size(), kListed));
  return fmt::format("the mesh has no {} \"{}\"; it has {}{}", naming.words, name, fmt::join(names, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

std::vector<int> pinned_vertices(const Cloth& cloth, const Pin& pin, const Mesh& mesh) {
  std::string problems;
  for (const Problem& problem : pin_problems("pins", pin, mesh))
    problems += fmt::format("{}cloth \"{}\": {}: {}", problems.empty() ? "" : "\n", cloth.name, problem.path,
                            problem.message);
  if (!problems.empty()) throw Error(ErrorKind::invalid, problems);

  std::vector<int> vertices = pin.vertices;
  for (const auto& [i, j] : pin.grid) {
    const auto [nu, nv] = cloth.grid->points;
    vertices.push_back((j < 0 ? j + nv : j) * nu + (i < 0 ? i + nu : i));
  }
  for (const Side side : pin.sides) add_side(*cloth.grid, side, vertices);
  for (const auto& [key, name, naming] : kNames)
    if (pin.*name) add(vertices_named(mesh, naming, *(pin.*name)), vertices);
  if (pin.box) add(vertices_in(*pin.box, mesh), vertices);
  if (pin.sphere) add(vertices_in(*pin.sphere, mesh), vertices);
  if (pin.uv_box) add(vertices_in(*pin.uv_box, mesh), vertices);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

std::vector<Problem> pin_problems(const std::string& path, const Pin& pin, const Mesh& mesh) {
  std::vector<Problem> problems;
  for (size_t k = 0; k < pin.vertices.size(); ++k)
    if (const int v = pin.vertices[k]; v < 0 || v >= mesh.vertex_count())
      problems.push_back({fmt::format("{}/vertices/{}", path, k),
                          fmt::format("must be a vertex from 0 to {}, got {}", mesh.vertex_count() - 1, v)});
  for (const Problem& problem : part_problems(path, pin, mesh)) problems.push_back(problem);
  return problems;
}

std::vector<Problem> part_problems(const std::string& path, const ClothPart& part, const Mesh& mesh) {
  std::vector<Problem> problems;
  const auto add = [&](const std::string& key, const std::string& message) {
    problems.push_back({path + "/" + key, message});
  };
  for (const auto& [key, name, naming] : kNames)
    if (part.*name && vertices_named(mesh, naming, *(part.*name)).empty())
      add(std::string(key), unknown_name(mesh, naming, *(part.*name)));
  if (part.box && vertices_in(*part.box, mesh).empty()) add("box", "holds no vertex; " + reach(mesh));
  if (part.sphere && vertices_in(*part.sphere, mesh).empty())
    add("sphere", "holds no vertex; " + reach(mesh));
  if (part.uv_box && vertices_in(*part.uv_box, mesh).empty())
    add("uv_box", "holds no vertex; " + uv_reach(mesh));
  return problems;
}

std::vector<int> triangles_of(const ClothPart& part, const Mesh& mesh) {
  std::vector<char> is_in(mesh.triangles.size());
  for (const auto& [key, name, naming] : kNames) {
    if (!(part.*name) || !mesh.polygons) continue;
    const std::vector<bool> is_named = polygons_named(*mesh.polygons, naming, *(part.*name));
    for (size_t t = 0; t < is_in.size(); ++t)
      if (is_named[mesh.polygon_of[t]]) is_in[t] = 1;
  }
  const auto add_where = [&](const auto& region) {
    for (size_t t = 0; t < is_in.size(); ++t) {
      const auto& [a, b, c] = mesh.triangles[t];
      const auto has = [&](int v) { return contains(region, Vec3(mesh.positions.col(v))); };
      if (has(a) && has(b) && has(c)) is_in[t] = 1;
    }
  };
  if (part.box) add_where(*part.box);
  if (part.sphere) add_where(*part.sphere);
  for (size_t t = 0; part.uv_box && !mesh.uv.empty() && t < is_in.size(); ++t) {
    const std::array<Vec2, 3> uv = mesh.uv_of(static_cast<int>(t));
    if (std::all_of(uv.begin(), uv.end(), [&](const Vec2& at) { return contains(*part.uv_box, at); }))
      is_in[t] = 1;
  }
  std::vector<int> triangles;
  for (size_t t = 0; t < is_in.size(); ++t)
    if (is_in[t]) triangles.push_back(static_cast<int>(t));
  return triangles;
}

}  // namespace muslin
