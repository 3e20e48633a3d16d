// Cusick's drape test [Cusick 1968; ISO 9073-9]: a disc of cloth, held flat on a smaller disc, hangs down
// around it. Its shadow from above, less the support's and as a fraction of the flat ring's, is the drape
// coefficient. Measured for every fabric in the table on two meshes, one twice as fine as the other.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "muslin/audit/surface.h"
#include "muslin/core/random.h"
#include "muslin/muslin.h"

namespace bench {
namespace {

using muslin::Points;
using muslin::Stencil;
using muslin::Vec2;

constexpr double kPi = 3.141592653589793;
constexpr double kDisc = 0.15, kSupport = 0.09;  // [m] radii of the cloth and of what holds it

// --- the disc --------------------------------------------------------------------------------------

/// The vertices of one ring of the disc: a first one, so many, the angle of the first.
struct Ring {
  int first, count;
  double phase;

  double angle(int i) const { return phase + 2 * kPi * i / count; }
  int vertex(int i) const { return first + i % count; }
};

/// Triangles between two rings, each time over the nearer next vertex.
void join(const Ring& inner, const Ring& outer, std::vector<Stencil<3>>& triangles) {
  const int start = static_cast<int>(std::lround((inner.phase - outer.phase) / (2 * kPi) * outer.count));
  const auto far = [&](int j) { return outer.vertex(start + j + outer.count); };
  for (int i = 0, j = 0; i < inner.count || j < outer.count;) {
    const bool inwards =
        j == outer.count || (i < inner.count && inner.angle(i + 1) < outer.angle(start + j + 1));
    const int next = inwards ? inner.vertex(i + 1) : far(j + 1);
    triangles.push_back({inner.vertex(i), far(j), next});
    ++(inwards ? i : j);
  }
}

/// Rings of vertices as far from each other as the rings are, each turned by a random angle, so that no
/// number of folds is the mesh's. The middle is vertex 0; flat, facing up.
muslin::Mesh make_disc(int rings) {
  muslin::Mesh mesh;
  std::vector<Ring> all{{0, 1, 0}};
  for (int k = 1; k <= rings; ++k) {
    const int count = static_cast<int>(std::lround(2 * kPi * k));
    all.push_back(
        {all.back().first + all.back().count, count, 2 * kPi / count * muslin::random_unit(1, k, 0)});
  }
  mesh.positions.resize(3, all.back().first + all.back().count);
  for (int k = 0; k <= rings; ++k)
    for (int i = 0; i < all[k].count; ++i)
      mesh.positions.col(all[k].first + i) =
          kDisc * k / rings * muslin::Vec3(std::cos(all[k].angle(i)), 0, -std::sin(all[k].angle(i)));
  for (int i = 0; i < all[1].count; ++i)
    mesh.triangles.push_back({0, all[1].vertex(i), all[1].vertex(i + 1)});
  for (int k = 1; k < rings; ++k) join(all[k], all[k + 1], mesh.triangles);
  return mesh;
}

/// A disc of half the edges: every triangle cut into four, new vertices of the rim on the circle. `parents`:
/// the ends of the edge that each new vertex halves.
muslin::Mesh halved(const muslin::Mesh& mesh, std::vector<Stencil<2>>& parents) {
  const muslin::Topology topology = muslin::build_topology(mesh.vertex_count(), mesh.triangles, "disc");
  parents = topology.edges;
  muslin::Mesh fine;
  fine.positions.resize(3, mesh.vertex_count() + parents.size());
  fine.positions.leftCols(mesh.vertex_count()) = mesh.positions;
  for (size_t e = 0; e < parents.size(); ++e) {
    auto place = fine.positions.col(mesh.vertex_count() + e);
    place = (mesh.positions.col(parents[e][0]) + mesh.positions.col(parents[e][1])) / 2;
    if (topology.hinges[e].tip1 < 0) place *= kDisc / place.norm();
  }
  const auto middle = [&](int a, int b) {
    const Stencil<2> edge{std::min(a, b), std::max(a, b)};
    return mesh.vertex_count() +
           static_cast<int>(std::lower_bound(parents.begin(), parents.end(), edge) - parents.begin());
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    for (const Stencil<3>& t : {Stencil<3>{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
      fine.triangles.push_back(t);
  }
  return fine;
}

struct Options {
  std::vector<std::string> fabrics;
  int rings = 20;
  bool halved = true;
  std::optional<double> bend;
  std::optional<int> substeps;  // of xpbd; absent: quasi_newton
  bool from_minimum = false;    // xpbd on the same mesh, from where quasi_newton hangs
  muslin::PositionPath path = muslin::PositionPath::general;
  std::string out;

  bool has_two() const { return halved || from_minimum; }
};

void choose_position(const Options& options, muslin::Scene& scene) {
  scene.solver.family = "position";
  scene.solver.position.substeps = options.substeps;
  scene.solver.position.path = options.path;
}

/// The disc with all held that lies between the two plates of the apparatus.
muslin::Scene make_scene(const muslin::Fabric& fabric, const muslin::Mesh& disc, const Options& options) {
  muslin::Scene scene;
  scene.name = "Cusick's drape test: " + fabric.preset;
  scene.frame_time = 1.0 / 30;
  scene.damping = 2;
  scene.solver.quasi_newton.preset = muslin::Preset::accurate;
  if (options.substeps && !options.from_minimum) choose_position(options, scene);
  muslin::Cloth cloth;
  cloth.fabric = fabric;
  cloth.mesh.emplace();
  muslin::Pin held;
  for (int v = 0; v < disc.vertex_count(); ++v)
    if (disc.positions.col(v).norm() < kSupport + 1e-6) held.vertices.push_back(v);
  cloth.pins.push_back(held);
  cloth.mesh->mesh = std::make_shared<muslin::Mesh>(disc);
  scene.cloths.push_back(cloth);
  return scene;
}

// --- what is measured --------------------------------------------------------------------------------

/// Area [m²] of the shadow from above: the middles of small squares that a triangle covers.
double shadow(const Points& x, const std::vector<Stencil<3>>& triangles) {
  const double cell = 4e-4, half = 0.16;  // [m]
  const int side = static_cast<int>(2 * half / cell);
  std::vector<char> dark(static_cast<size_t>(side) * side, 0);
  const auto square = [&](double along) { return (along + half) / cell - 0.5; };
  for (const Stencil<3>& t : triangles) {
    std::array<Vec2, 3> p;
    for (int k = 0; k < 3; ++k) p[k] = {square(x(0, t[k])), square(x(2, t[k]))};
    const Vec2 low = p[0].cwiseMin(p[1]).cwiseMin(p[2]), high = p[0].cwiseMax(p[1]).cwiseMax(p[2]);
    const auto left_of = [](const Vec2& a, const Vec2& b, const Vec2& c) {
      return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
    };
    for (int j = std::max(0, static_cast<int>(std::ceil(low.y()))); j <= std::min(side - 1.0, high.y()); ++j)
      for (int i = std::max(0, static_cast<int>(std::ceil(low.x()))); i <= std::min(side - 1.0, high.x());
           ++i) {
        const Vec2 q(i, j);
        const double a = left_of(p[0], p[1], q), b = left_of(p[1], p[2], q), c = left_of(p[2], p[0], q);
        if ((a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0)) dark[j * side + i] = 1;
      }
  }
  return static_cast<double>(std::count(dark.begin(), dark.end(), 1)) * cell * cell;
}

/// Folds of the rim: how often its distance from the axis falls by a twentieth of the ring's width and rises
/// again on the way round. rim: angles and vertices, in their order.
int folds(const Points& x, const std::vector<std::pair<double, int>>& rim) {
  std::vector<double> distance;
  for (const auto& [angle, v] : rim) distance.push_back(std::hypot(x(0, v), x(2, v)));
  std::rotate(distance.begin(), std::min_element(distance.begin(), distance.end()), distance.end());
  distance.push_back(distance.front());
  const double least = (kDisc - kSupport) / 20;
  int count = 0;
  bool rising = true;
  double low = distance.front(), high = low;
  for (const double r : distance) {
    low = std::min(low, r);
    high = std::max(high, r);
    if (rising ? high - r > least : r - low > least) {
      count += rising;
      rising = !rising;
      low = high = r;
    }
  }
  return count;
}

struct Drape {
  int vertices;
  double coefficient;  // [%]
  int folds;
  int pairs;         // of triangles that intersect
  double depth;      // [m] of the lowest vertex below the support
  Points positions;  // at rest [m], as the mesh numbers them
};

/// Until no vertex is faster than 1 mm/s, or for ten seconds.
void wait(muslin::Simulation& simulation) {
  const double still = 1e-3, longest = 10;  // [m/s], [s]
  const double end = simulation.state().time + longest;
  do simulation.step();
  while (simulation.state().time < end && simulation.state().velocities.colwise().norm().maxCoeff() > still);
}

/// The disc let down within two seconds, as by the plate that sinks around the support; here weight grows.
/// All of it at once would throw twice as many folds.
Points let_down(const muslin::Scene& scene) {
  const double lowered = 2;  // [s]
  muslin::Scene lighter = scene;
  lighter.gravity *= scene.frame_time / lowered;
  muslin::Simulation simulation(lighter);
  while (simulation.state().time < lowered) {
    simulation.step();
    lighter.gravity = scene.gravity * std::min(1.0, simulation.state().time / lowered);
    simulation.edit(lighter);
  }
  wait(simulation);
  return simulation.positions();
}

/// The disc that hangs from there on, of the user's vertices.
Points settled(const muslin::Scene& scene, const Points& start) {
  muslin::Simulation simulation(scene);
  simulation.start_from(simulation.model().vertex_numbers.to_model(start));
  wait(simulation);
  return simulation.positions();
}

Drape judge(const muslin::Mesh& mesh, const Points& positions) {
  Drape result;
  result.positions = positions;
  result.vertices = mesh.vertex_count();
  const double support = kPi * kSupport * kSupport, disc = shadow(mesh.positions, mesh.triangles);
  result.coefficient = 100 * (shadow(positions, mesh.triangles) - support) / (disc - support);
  std::vector<std::pair<double, int>> rim;  // angle, vertex
  for (int v = 0; v < result.vertices; ++v)
    if (mesh.positions.col(v).norm() > kDisc - 1e-6)
      rim.push_back({std::atan2(mesh.positions(2, v), mesh.positions(0, v)), v});
  std::sort(rim.begin(), rim.end());
  result.folds = folds(positions, rim);
  result.pairs = static_cast<int>(
      muslin::intersecting_pairs(muslin::make_surface(result.vertices, mesh.triangles), positions).size());
  result.depth = -positions.row(1).minCoeff();
  return result;
}

/// A scene that begins as the cloth hangs, with the support below it, for `muslin render`.
void write_picture(const std::string& folder, muslin::Scene scene, const Points& positions) {
  const std::string name = scene.cloths[0].fabric.preset;
  muslin::MeshFile& file = *scene.cloths[0].mesh;
  std::ofstream obj(folder + "/" + name + ".obj");
  for (int v = 0; v < positions.cols(); ++v)
    obj << fmt::format("v {} {} {}\n", positions(0, v), positions(1, v), positions(2, v));
  for (const Stencil<3>& t : file.mesh->triangles)
    obj << fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  file.file = name + ".obj";
  muslin::Collider stand;
  stand.name = "support";
  stand.shape = muslin::Shape::cylinder;
  stand.radius = kSupport - 0.004;
  stand.length = 0.1;
  stand.center = {0, -0.052, 0};
  scene.colliders.push_back(stand);
  std::ofstream(folder + "/" + name + ".json") << muslin::write_scene(scene);
}

// --- the table ---------------------------------------------------------------------------------------

void print(const Drape& drape) {
  fmt::print(" | {:5} {:5.1f} {:5} {:5} {:6.1f}", drape.vertices, drape.coefficient, drape.folds, drape.pairs,
             100 * drape.depth);
  std::fflush(stdout);
}

/// One line of the table; whether it agrees with the preset's coefficient, and both meshes with each other,
/// within three points.
bool measure(const muslin::FabricPreset& preset, const Options& options) {
  muslin::Fabric fabric = preset.fabric;
  if (options.bend) fabric.bend = fabric.bend_weft = *options.bend;
  fmt::print("{:16} {:8.4f} {:9.2e} {:6.2f}", fabric.preset, *fabric.density, *fabric.bend,
             100 * muslin::bending_length(fabric));
  const muslin::Mesh disc = make_disc(options.rings);
  muslin::Scene scene = make_scene(fabric, disc, options);
  Drape hanging = judge(disc, let_down(scene));
  print(hanging);
  const double first = hanging.coefficient;
  if (options.from_minimum) {
    choose_position(options, scene);
    hanging = judge(disc, settled(scene, hanging.positions));
  } else if (options.halved) {
    std::vector<Stencil<2>> parents;
    const muslin::Mesh fine = halved(disc, parents);
    Points start(3, fine.vertex_count());
    start.leftCols(disc.vertex_count()) = hanging.positions;
    for (size_t e = 0; e < parents.size(); ++e)
      start.col(disc.vertex_count() + e) =
          (hanging.positions.col(parents[e][0]) + hanging.positions.col(parents[e][1])) / 2;
    scene = make_scene(fabric, fine, options);
    hanging = judge(fine, settled(scene, start));
  }
  const double change = hanging.coefficient - first;
  if (options.has_two()) {
    print(hanging);
    fmt::print(" | {:6.1f}", change);
  }
  fmt::print("\n");
  if (!options.out.empty()) write_picture(options.out, scene, hanging.positions);
  return preset.drape && std::abs(hanging.coefficient - *preset.drape) < 3 && std::abs(change) < 3;
}

void print_head(bool has_two) {
  const std::string columns =
      fmt::format(" | {:>5} {:>5} {:>5} {:>5} {:>6}", "verts", "DC %", "folds", "pairs", "d [cm]");
  fmt::print("{:16} {:>8} {:>9} {:>6}{}{}\n", "fabric", "kg/m^2", "D [N m]", "c [cm]", columns,
             has_two ? columns + " | change" : "");
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  CLI::App app{
      "Drape coefficient of fabrics by Cusick's test: a disc of 30 cm on a support of 18 cm.\n"
      "c: bending length; pairs: triangles that intersect at rest; d: depth of the rim. The finer mesh "
      "begins "
      "where the\ncoarser hangs, so that both have the same folds."};
  bench::Options options;
  app.add_option("fabrics", options.fabrics, "presets; absent: all");
  app.add_option("--rings", options.rings,
                 "rings of the coarser mesh; a multiple of 5, so that one is the support's rim")
      ->check(CLI::Range(10, 200));
  app.add_flag("!--coarse", options.halved, "only the coarser mesh");
  app.add_option("--bend", options.bend, "this rigidity instead of the preset's [N m]");
  app.add_option("--position", options.substeps,
                 "by xpbd with so many substeps of 1/30 s instead of quasi_newton")
      ->check(CLI::Range(1, 100000));
  std::string path(name_of(options.path));
  app.add_option("--path", path, "of --position")
      ->check(CLI::IsMember(std::vector<std::string>(muslin::EnumNames<muslin::PositionPath>::names.begin(),
                                                     muslin::EnumNames<muslin::PositionPath>::names.end())))
      ->capture_default_str();
  app.add_flag("--from-minimum", options.from_minimum,
               "instead of a finer mesh: --position from where quasi_newton hangs")
      ->needs("--position");
  bool check = false;
  app.add_flag("--check", check, "exit with 1 if a coefficient is not the table's, or changes with the mesh");
  app.add_option("--out", options.out, "folder for a scene of each disc at rest, for `muslin render`");
  CLI11_PARSE(app, argc, argv);
  const auto& paths = muslin::EnumNames<muslin::PositionPath>::names;
  options.path = muslin::PositionPath(std::find(paths.begin(), paths.end(), path) - paths.begin());
  try {
    if (!options.out.empty()) std::filesystem::create_directories(options.out);
    bench::print_head(options.has_two());
    bool good = true;
    for (const muslin::FabricPreset& preset : muslin::fabrics())
      if (options.fabrics.empty() ||
          std::count(options.fabrics.begin(), options.fabrics.end(), preset.fabric.preset))
        good &= bench::measure(preset, options);
    if (check && !good) return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
