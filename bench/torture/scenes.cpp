#include "torture/scenes.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "muslin/core/check.h"
#include "muslin/core/random.h"
#include "muslin/geometry/shapes.h"
#include "muslin/geometry/sheet.h"
#include "muslin/geometry/solids.h"
#include "muslin/io/scene_json.h"

namespace muslin::torture {

namespace {

const double kPi = std::acos(-1.0);

Fabric fabric(double stiffness, double density, double bend) {
  Fabric fabric;
  fabric.warp = fabric.weft = stiffness;
  fabric.shear = stiffness / 3;
  fabric.density = density;
  fabric.bend = bend;
  return fabric;
}

Cloth sheet(const std::string& name, int cells, double size, const Vec3& origin, std::uint64_t seed) {
  Cloth cloth;
  cloth.name = name;
  cloth.grid = Grid{.points = {cells + 1, cells + 1}, .size = {size, size}, .origin = origin};
  cloth.grid->jitter = seed == 0 ? 0 : 1e-4;
  cloth.fabric = fabric(1000, 0.2, 1e-5);
  cloth.membrane = Membrane::baraff_witkin;
  return cloth;
}

/// Shakes a mesh by a tenth of a millimetre.
void shake(Mesh& mesh, std::uint64_t seed) {
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (int k = 0; k < 3; ++k) mesh.positions(k, v) += 1e-4 * (2 * random_unit(seed, v, k) - 1);
}

Cloth of_mesh(const std::string& name, Mesh mesh, std::uint64_t seed) {
  shake(mesh, seed);
  Cloth cloth;
  cloth.name = name;
  cloth.mesh = MeshFile();
  cloth.mesh->file = name + ".obj";
  cloth.mesh->mesh = std::make_shared<const Mesh>(std::move(mesh));
  cloth.fabric = fabric(1000, 0.2, 1e-5);
  return cloth;
}

/// The triangles of a mesh with vertex r · columns + c at place(r, c).
template <class Place>
Mesh placed(Mesh mesh, int columns, const Place& place) {
  mesh.uv.clear();
  mesh.diagonals.clear();
  for (int v = 0; v < mesh.vertex_count(); ++v) mesh.positions.col(v) = place(v / columns, v % columns);
  return mesh;
}

Collider floor_at(double height, double friction) {
  Collider floor;
  floor.name = "floor";
  floor.shape = Shape::plane;
  floor.center = {0, height, 0};
  floor.friction = friction;
  return floor;
}

Scene scene(const std::string& name, const Size& size, int frames, double thickness, double friction) {
  Scene scene;
  scene.name = name;
  scene.frames = frames;
  scene.seed = size.seed;
  scene.self_collision = {.enabled = true, .distance = thickness, .friction = friction};
  return scene;
}

/// A tube of radius 0.5 whose ends turn against each other at 72 degrees a second and move together.
Scene twist(const Size& size) {
  const int along = size.cells, around = 2 * (along / 4);
  constexpr double kRadius = 0.5, kTime = 20;
  Scene s = scene("Twist", size, 500, 0.3 * 2 / along, 0.3);
  s.frame_time = kTime / s.frames;
  s.gravity.setZero();
  s.damping = 1;
  Mesh tube = make_tube(around, along + 1, kRadius, 2);
  Cloth cloth = of_mesh("tube", std::move(tube), size.seed);
  for (const double side : {1.0, -1.0}) {
    Pin pin;
    const int first = side > 0 ? 0 : along * around;
    for (int i = 0; i < around; ++i) pin.vertices.push_back(first + i);
    pin.motion.keyframes = {{0, Vec3::Zero(), Vec3::Zero()},
                            {kTime, side * 0.6 * Vec3::UnitY(), side * 72 * kTime * Vec3::UnitY()}};
    cloth.pins.push_back(pin);
  }
  s.cloths.push_back(std::move(cloth));
  return s;
}

/// Sheets that lie on a stand, each turned, and a heavy leather ball that drops on them: ten sheets, or five
/// of a small scene.
Scene stack(const Size& size) {
  const int sheets = size.sheets > 0 ? size.sheets : size.cells > 32 ? 10 : 5;
  const double edge = 1.0 / size.cells, thickness = 0.3 * edge;
  Scene s = scene("Stack", size, 90, thickness, 0.3);
  for (int k = 0; k < sheets; ++k) {
    Cloth cloth = sheet(fmt::format("sheet {}", k + 1), size.cells, 1, Vec3::Zero(), size.seed + k);
    const double angle = 0.3 * k;
    cloth.grid->u = {std::cos(angle), 0, -std::sin(angle)};
    cloth.grid->v = {std::sin(angle), 0, std::cos(angle)};
    cloth.grid->origin =
        -0.5 * (cloth.grid->u + cloth.grid->v) + (0.5 + (k + 1.2) * 1.5 * thickness) * Vec3::UnitY();
    s.cloths.push_back(std::move(cloth));
  }
  constexpr double kRadius = 0.15;
  Mesh ball = make_sphere(kRadius, std::max(edge, 0.02));
  ball.diagonals.clear();
  ball.positions.row(1).array() += 0.5 + (sheets + 2) * 1.5 * thickness + kRadius + 0.2;
  Cloth leather = of_mesh("ball", std::move(ball), 0);
  leather.fabric = fabric(2e4, 3 / (4 * kPi * kRadius * kRadius), 1e-2);
  s.cloths.push_back(std::move(leather));
  Collider stand;
  stand.name = "stand";
  stand.shape = Shape::cylinder;
  stand.center = {0, 0.25, 0};
  stand.radius = 0.3;
  stand.length = 0.5;
  s.colliders = {stand, floor_at(0, 0.5)};
  s.colliders[0].friction = 0.5;
  return s;
}

/// A sheet that is pulled over a bed of thin needles at 1 m/s.
Scene needles(const Size& size) {
  const double edge = 1.0 / size.cells;
  Scene s = scene("Needles", size, 60, 0.3 * edge, 0.3);
  Cloth cloth = sheet("sheet", size.cells, 1, {-0.5, 0.32, -0.5}, size.seed);
  Pin pin;
  pin.sides = {Side::u_min};
  pin.motion.keyframes = {
      {0, Vec3::Zero(), Vec3::Zero()}, {0.2, Vec3::Zero(), Vec3::Zero()}, {1, {-0.8, 0, 0}, Vec3::Zero()}};
  cloth.pins = {pin};
  s.cloths.push_back(std::move(cloth));
  for (int j = -3; j <= 3; ++j)
    for (int i = -3; i <= 3; ++i) {
      Collider needle;
      needle.name = fmt::format("needle {} {}", i, j);
      needle.shape = Shape::capsule;
      needle.center = {0.13 * i + 0.02 * j, 0.15, 0.13 * j};
      needle.radius = 0.006;
      needle.length = 0.28;
      needle.friction = 0.2;
      s.colliders.push_back(needle);
    }
  s.colliders.push_back(floor_at(0, 0.4));
  return s;
}

/// A sheet on a sphere that turns by 180 degrees a second.
Scene rotating_sphere(const Size& size) {
  const double edge = 1.2 / size.cells;
  Scene s = scene("Rotating sphere", size, 180, 0.3 * edge, 0.4);
  s.cloths.push_back(sheet("sheet", size.cells, 1.2, {-0.6, 0.83, -0.6}, size.seed));
  Collider ball;
  ball.name = "ball";
  ball.center = {0, 0.5, 0};
  ball.radius = 0.3;
  ball.friction = 0.4;
  ball.motion.keyframes = {
      {0, Vec3::Zero(), Vec3::Zero()}, {1, Vec3::Zero(), Vec3::Zero()}, {3, Vec3::Zero(), {0, 360, 0}}};
  s.colliders = {ball, floor_at(0, 0.4)};
  return s;
}

/// A sheet that stands on its edge, and falls over itself.
Scene fold(const Size& size) {
  const double edge = 1.0 / size.cells;
  Scene s = scene("Fold", size, 60, 0.3 * edge, 0.4);
  Cloth cloth = sheet("sheet", size.cells, 1, {-0.5, 0.05, 0}, size.seed);
  cloth.grid->v = Vec3(0, 1, 0.05).normalized();
  s.cloths.push_back(std::move(cloth));
  s.colliders = {floor_at(0, 0.4)};
  return s;
}

/// Two packs of cards that fly into each other, every card between two of the other pack; cards of a large
/// deck are twice as fine.
Scene card_shuffle(const Size& size) {
  const int cards = std::max(6, size.cells), fineness = cards > 32 ? 2 : 1;
  Scene s = scene("Card shuffle", size, 90, 0.002, 0.2);
  for (int k = 0; k < cards; ++k) {
    const double side = k % 2 == 0 ? 1 : -1;
    Cloth card = sheet(fmt::format("card {}", k + 1), 1, 1, Vec3::Zero(), size.seed + k);
    card.grid->points = {14 * fineness + 1, 6 * fineness + 1};
    card.grid->size = {0.14, 0.07};
    card.grid->origin = {-0.07 + side * 0.08, 0.01 + 0.004 * k, -0.035};
    card.grid->jitter = size.seed == 0 ? 0 : 2e-5;
    card.velocity = {-side * 0.4, 0.3, 0};
    card.fabric = fabric(5000, 0.3, 2e-3);
    s.cloths.push_back(std::move(card));
  }
  s.colliders = {floor_at(0, 0.3)};
  return s;
}

/// A cloth that is pulled off a table from under what lies on it: three stiff leather balls.
Scene tablecloth_pull(const Size& size) {
  const double edge = 1.2 / size.cells, thickness = 0.3 * edge;
  Scene s = scene("Table-cloth pull", size, 75, thickness, 0.15);
  Cloth cloth = sheet("tablecloth", size.cells, 1.2, {-0.6, 0.5 + 0.7 * thickness, -0.6}, size.seed);
  Pin pin;
  pin.sides = {Side::u_max};
  pin.motion.keyframes = {{0, Vec3::Zero(), Vec3::Zero()},
                          {0.3, Vec3::Zero(), Vec3::Zero()},
                          {1.2, {1.2, -0.1, 0}, Vec3::Zero()}};
  cloth.pins = {pin};
  s.cloths.push_back(std::move(cloth));
  for (int k = 0; k < 3; ++k) {
    Mesh ball = make_sphere(0.06, 0.02);
    ball.diagonals.clear();
    ball.positions.colwise() += Vec3(0.25 * (k - 1), 0.5 + 2 * thickness + 0.065, 0.15 * (k % 2));
    Cloth leather = of_mesh(fmt::format("ball {}", k + 1), std::move(ball), 0);
    leather.fabric = fabric(1e4, 8, 5e-3);
    s.cloths.push_back(std::move(leather));
  }
  Collider top;
  top.name = "table";
  top.shape = Shape::box;
  top.center = {0, 0.25, 0};
  top.size = {1, 0.5, 1};
  top.friction = 0.15;
  s.colliders = {top, floor_at(0, 0.3)};
  return s;
}

/// A sheet that a ball pushes through a funnel.
Scene funnel(const Size& size) {
  const double edge = 1.0 / size.cells;
  Scene s = scene("Funnel", size, 150, 0.3 * edge, 0.2);
  s.cloths.push_back(sheet("sheet", size.cells, 1, {-0.5, 0.62, -0.5}, size.seed));

  constexpr int kAround = 48;
  const std::vector<std::pair<double, double>> profile{{0.56, 0.6}, {0.42, 0.45}, {0.28, 0.3}, {0.16, 0.15},
                                                       {0.14, 0.1}, {0.14, 0},    {0.14, -0.1}};  // radius, y
  Collider cone;
  cone.name = "funnel";
  cone.shape = Shape::mesh;
  cone.friction = 0.1;
  cone.mesh = MeshFile();
  cone.mesh->file = "funnel.obj";
  cone.mesh->mesh = std::make_shared<const Mesh>(
      placed(make_tube(kAround, static_cast<int>(profile.size()), 1, 1), kAround, [&](int r, int c) {
        const double angle = 2 * kPi * c / kAround;
        return Vec3(profile[r].first * std::cos(angle), profile[r].second,
                    profile[r].first * std::sin(angle));
      }));
  Collider ball;
  ball.name = "ball";
  ball.radius = 0.08;
  ball.center = {0, 0.75, 0};
  ball.friction = 0.2;
  ball.motion.keyframes = {
      {0, Vec3::Zero(), Vec3::Zero()}, {0.2, Vec3::Zero(), Vec3::Zero()}, {2.2, {0, -1, 0}, Vec3::Zero()}};
  s.colliders = {cone, ball, floor_at(-0.6, 0.4)};
  return s;
}

/// A curve through points, at 0 ≤ t ≤ 1 [Catmull & Rom 1974].
Vec3 curve_through(const std::vector<Vec3>& points, double t) {
  const int last = static_cast<int>(points.size()) - 1;
  const int k = std::clamp(static_cast<int>(t * last), 0, last - 1);
  const double u = t * last - k;
  const Vec3 &b = points[k], &c = points[k + 1];
  const Vec3 a = k > 0 ? points[k - 1] : Vec3(2 * b - c);
  const Vec3 d = k + 1 < last ? points[k + 2] : Vec3(2 * c - b);
  return 0.5 *
         (2 * b + u * (c - a) + u * u * (2 * a - 5 * b + 4 * c - d) + u * u * u * (3 * b - a - 3 * c + d));
}

/// Two ribbons in a reef knot, each a bight through which both legs of the other go, that are pulled tight.
Scene reef_knot(const Size& size) {
  constexpr double kWidth = 0.04, kApart = 0.018, kTime = 2.4;
  const int along = 4 * size.cells, across = std::max(2, size.cells / 12);
  Scene s = scene("Reef knot", size, 144, 0.006, 0.2);
  s.gravity.setZero();
  s.damping = 1;
  std::vector<Vec3> path{{-0.6, 0.06, 0},   {-0.4, 0.06, 0},  {-0.2, 0.06, -kApart},
                         {0, 0.11, kApart}, {0.12, 0.145, 0}, {0.2, 0.06, -kApart}};
  for (int k = static_cast<int>(path.size()) - 1; k >= 0; --k)  // there and back
    path.push_back(path[k].cwiseProduct(Vec3(1, -1, 1)));
  for (const double side : {1.0, -1.0}) {
    const Vec3 turned(side, 1, side);  // by 180° about the y axis
    Cloth ribbon = of_mesh(side > 0 ? "ribbon 1" : "ribbon 2",
                           placed(make_sheet({across + 1, along + 1}, Vec3::Zero(), Vec3::UnitX(),
                                             Vec3::UnitY(), Diagonals::alternating),
                                  across + 1,
                                  [&](int r, int c) -> Vec3 {
                                    const double t = double(r) / along, step = 1e-4;
                                    const Vec3 tangent = curve_through(path, std::min(1.0, t + step)) -
                                                         curve_through(path, std::max(0.0, t - step));
                                    const Vec3 aside = tangent.cross(Vec3::UnitZ()).normalized();
                                    const Vec3 place =
                                        curve_through(path, t) + kWidth * (double(c) / across - 0.5) * aside;
                                    return place.cwiseProduct(turned);
                                  }),
                           size.seed + (side > 0 ? 0 : 1));
    ribbon.fabric = fabric(2000, 0.25, 5e-5);
    Pin pin;
    for (int c = 0; c <= across; ++c) {
      pin.vertices.push_back(c);
      pin.vertices.push_back(along * (across + 1) + c);
    }
    pin.motion.keyframes = {{0, Vec3::Zero(), Vec3::Zero()},
                            {kTime, side * -0.1 * kTime * Vec3::UnitX(), Vec3::Zero()}};
    ribbon.pins = {pin};
    s.cloths.push_back(std::move(ribbon));
  }
  return s;
}

}  // namespace

const std::vector<Entry>& scenes() {
  static const std::vector<Entry> entries{
      {"twist", "the ends of a tube turn against each other", 32, 200, twist},
      {"stack", "a heavy ball drops on sheets", 16, 64, stack},
      {"needles", "a sheet is pulled over needles", 32, 150, needles},
      {"rotating_sphere", "a sheet is carried round by a ball", 28, 127, rotating_sphere},
      {"fold", "a sheet falls on its edge", 28, 150, fold},
      {"funnel", "a sheet is pushed through a funnel", 24, 150, funnel},
      {"reef_knot", "two ribbons are pulled tight", 24, 166, reef_knot},
      {"card_shuffle", "cards fall into each other", 8, 54, card_shuffle},
      {"tablecloth_pull", "a cloth is pulled from under balls", 28, 150, tablecloth_pull},
  };
  return entries;
}

Scene make(const std::string& name, const Size& size) {
  for (const Entry& entry : scenes())
    if (entry.name == name)
      return entry.make({size.cells > 0 ? size.cells : entry.small, size.seed, size.sheets});
  throw Error(ErrorKind::invalid, fmt::format("torture: no scene is called \"{}\"", name));
}

namespace {

void write_mesh(MeshFile& file, const std::string& scene, const std::string& part,
                const std::string& folder) {
  file.file = fmt::format("{}_{}.obj", scene, part);
  std::replace(file.file.begin(), file.file.end(), ' ', '_');
  std::ofstream out(folder + "/" + file.file);
  const Mesh& mesh = *file.mesh;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    out << fmt::format("v {} {} {}\n", mesh.positions(0, v), mesh.positions(1, v), mesh.positions(2, v));
  for (const auto& [a, b, c] : mesh.triangles) out << fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
}

}  // namespace

void write(const Scene& scene, const std::string& name, const std::string& folder) {
  std::filesystem::create_directories(folder);
  Scene written = scene;
  for (Cloth& cloth : written.cloths)
    if (cloth.mesh) write_mesh(*cloth.mesh, name, cloth.name, folder);
  for (Collider& collider : written.colliders)
    if (collider.mesh) write_mesh(*collider.mesh, name, collider.name, folder);
  std::ofstream(folder + "/" + name + ".json") << write_scene(written);
}

}  // namespace muslin::torture
