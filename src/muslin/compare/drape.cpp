#include "muslin/compare/drape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "muslin/audit/surface.h"
#include "muslin/core/check.h"
#include "muslin/core/maths.h"
#include "muslin/core/random.h"
#include "muslin/geometry/topology.h"
#include "muslin/simulation.h"

namespace muslin {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kDisc = DrapeTest::kDisc, kSupport = DrapeTest::kSupport;

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
Mesh make_disc(int rings) {
  Mesh mesh;
  std::vector<Ring> all{{0, 1, 0}};
  for (int k = 1; k <= rings; ++k) {
    const int count = static_cast<int>(std::lround(2 * kPi * k));
    all.push_back({all.back().first + all.back().count, count, 2 * kPi / count * random_unit(1, k, 0)});
  }
  mesh.positions.resize(3, all.back().first + all.back().count);
  for (int k = 0; k <= rings; ++k)
    for (int i = 0; i < all[k].count; ++i)
      mesh.positions.col(all[k].first + i) =
          kDisc * k / rings * Vec3(maths::cos(all[k].angle(i)), 0, -maths::sin(all[k].angle(i)));
  for (int i = 0; i < all[1].count; ++i)
    mesh.triangles.push_back({0, all[1].vertex(i), all[1].vertex(i + 1)});
  for (int k = 1; k < rings; ++k) join(all[k], all[k + 1], mesh.triangles);
  return mesh;
}

/// A disc of half the edges: every triangle cut into four, new vertices of the rim on the circle. `parents`:
/// the ends of the edge that each new vertex halves.
Mesh halved(const Mesh& mesh, std::vector<Stencil<2>>& parents) {
  const Topology topology = build_topology(mesh.vertex_count(), mesh.triangles, "disc");
  parents = topology.edges;
  Mesh fine;
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

/// The disc with all held that lies between the two plates of the apparatus.
Scene make_scene(const Mesh& disc, const DrapeTest& test) {
  Scene scene;
  scene.name = "Cusick's drape test: " + test.fabric.preset;
  scene.frame_time = 1.0 / 30;
  scene.damping = 2;
  scene.solver.quasi_newton.preset = Preset::accurate;
  Cloth cloth;
  cloth.fabric = test.fabric;
  cloth.mesh.emplace();
  Pin held;
  for (int v = 0; v < disc.vertex_count(); ++v)
    if (disc.positions.col(v).norm() < kSupport + 1e-6) held.vertices.push_back(v);
  cloth.pins.push_back(held);
  cloth.mesh->mesh = std::make_shared<Mesh>(disc);
  scene.cloths.push_back(cloth);
  return scene;
}

void choose_position(const PositionSettings& position, Scene& scene) {
  scene.solver.family = "position";
  scene.solver.position = position;
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
  for (const auto& [angle, v] : rim) distance.push_back(maths::hypot(x(0, v), x(2, v)));
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

// --- the run -----------------------------------------------------------------------------------------

/// A frame. Throws Error if it diverged or the test is to stop.
void step(Simulation& simulation, const std::function<bool()>& stop) {
  if (stop && stop()) throw Error(ErrorKind::invalid, "drape: interrupted");
  if (simulation.step().step.status == Status::diverged)
    throw Error(ErrorKind::invalid,
                "drape: the step at " + std::to_string(simulation.state().time) + " s diverged");
}

/// Until no vertex is faster than 1 mm/s, or for ten seconds.
void wait(Simulation& simulation, const std::function<bool()>& stop) {
  const double still = 1e-3, longest = 10;  // [m/s], [s]
  const double end = simulation.state().time + longest;
  do step(simulation, stop);
  while (simulation.state().time < end && simulation.state().velocities.colwise().norm().maxCoeff() > still);
}

/// The disc let down within two seconds, as by the plate that sinks around the support; here weight grows.
/// All of it at once would throw twice as many folds.
Points let_down(const Scene& scene, const std::function<bool()>& stop) {
  const double lowered = 2;  // [s]
  Scene lighter = scene;
  lighter.gravity *= scene.frame_time / lowered;
  Simulation simulation(lighter);
  while (simulation.state().time < lowered) {
    step(simulation, stop);
    lighter.gravity = scene.gravity * std::min(1.0, simulation.state().time / lowered);
    simulation.edit(lighter);
  }
  wait(simulation, stop);
  return simulation.positions();
}

/// The disc that hangs from there on, of the user's vertices.
Points settled(const Scene& scene, const Points& start, const std::function<bool()>& stop) {
  Simulation simulation(scene);
  simulation.start_from(simulation.model().vertex_numbers.to_model(start));
  wait(simulation, stop);
  return simulation.positions();
}

DrapedDisc judge(const Mesh& mesh, const Points& positions) {
  DrapedDisc result;
  result.disc = std::make_shared<Mesh>(mesh);
  result.positions = positions;
  const double support = kPi * kSupport * kSupport, disc = shadow(mesh.positions, mesh.triangles);
  result.coefficient = 100 * (shadow(positions, mesh.triangles) - support) / (disc - support);
  std::vector<std::pair<double, int>> rim;  // angle, vertex
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (mesh.positions.col(v).norm() > kDisc - 1e-6)
      rim.push_back({maths::atan2(mesh.positions(2, v), mesh.positions(0, v)), v});
  std::sort(rim.begin(), rim.end());
  result.folds = folds(positions, rim);
  result.intersecting_pairs = static_cast<int>(
      intersecting_pairs(make_surface(mesh.vertex_count(), mesh.triangles), positions).size());
  result.depth = -positions.row(1).minCoeff();
  return result;
}

}  // namespace

double Drape::error() const { return std::abs(meshes.back().coefficient - meshes.front().coefficient); }

Drape measure_drape(const DrapeTest& test) {
  const auto tell = [&](const DrapedDisc& disc) {
    if (test.watch) test.watch(disc);
  };
  Drape drape;
  const Mesh disc = make_disc(test.rings);
  Scene scene = make_scene(disc, test);
  if (test.position && !test.from_minimum) choose_position(*test.position, scene);
  drape.meshes.push_back(judge(disc, let_down(scene, test.stop)));
  tell(drape.meshes[0]);
  if (test.from_minimum) {
    choose_position(*test.position, scene);
    drape.meshes.push_back(judge(disc, settled(scene, drape.meshes[0].positions, test.stop)));
  } else if (test.halved) {
    std::vector<Stencil<2>> parents;
    const Mesh fine = halved(disc, parents);
    const Points& coarse = drape.meshes[0].positions;
    Points start(3, fine.vertex_count());
    start.leftCols(disc.vertex_count()) = coarse;
    for (size_t e = 0; e < parents.size(); ++e)
      start.col(disc.vertex_count() + e) = (coarse.col(parents[e][0]) + coarse.col(parents[e][1])) / 2;
    scene = make_scene(fine, test);
    if (test.position) choose_position(*test.position, scene);
    drape.meshes.push_back(judge(fine, settled(scene, start, test.stop)));
  }
  if (drape.meshes.size() > 1) tell(drape.meshes[1]);
  drape.scene = scene;
  return drape;
}

Scene scene_at_rest(const Drape& drape) {
  Scene scene = drape.scene;
  Mesh mesh = *scene.cloths[0].mesh->mesh;
  mesh.positions = drape.meshes.back().positions;
  scene.cloths[0].mesh->mesh = std::make_shared<Mesh>(mesh);
  Collider stand;
  stand.name = "support";
  stand.shape = Shape::cylinder;
  stand.radius = kSupport - 0.004;
  stand.length = 0.1;
  stand.center = {0, -0.052, 0};
  scene.colliders.push_back(stand);
  return scene;
}

}  // namespace muslin
