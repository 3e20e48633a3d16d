#include "race_works.h"

#include <fmt/format.h>

#include <limits>

#include "muslin/geometry/shapes.h"
#include "muslin/io/mesh_reader.h"
#include "muslin/io/scene_json.h"

namespace bench {

namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();
const std::vector<Target> kOfSheets{
    {"p99 < 5 %", 0.05, kAny}, {"p99 < 1 %", 0.01, kAny}, {"max < 1 %", kAny, 0.01}};
const std::vector<Target> kOfDrapes{{"p99 < 5 %", 0.05, kAny}, {"p99 < 3 %", 0.03, kAny}};

std::string file_of(const char* scene) { return fmt::format("{}/{}.json", MUSLIN_SCENES, scene); }

Work hanging_grid(int points) {
  const std::string count = fmt::format("[{0}, {0}]", points);
  return {.name = fmt::format("grid {0} x {0}", points),
          .scene = muslin::read_scene(file_of("hang"), {{"/cloths/0/grid/points", count}}),
          .points = points,
          .gate = kHangGate,
          .targets = kOfSheets};
}

// The same sheet, cut into irregular triangles, with springs on their edges or as triangles.
Work hanging_mesh(int points, muslin::Membrane membrane) {
  Work work = hanging_grid(points);
  const char* of = membrane == muslin::Membrane::springs ? "springs" : "triangles";
  work.name = fmt::format("Delaunay {0} x {0}, {1}", points, of);
  muslin::Cloth& cloth = work.scene.cloths[0];
  muslin::IrregularSheet sheet;
  sheet.points = points;
  sheet.size = cloth.grid->size[0];
  cloth.mesh.emplace();
  cloth.mesh->mesh = std::make_shared<const muslin::Mesh>(muslin::make_irregular_sheet(sheet));
  cloth.grid.reset();
  cloth.membrane = membrane;
  muslin::Pin corners;
  corners.vertices = {0, points - 1};
  cloth.pins = {corners};
  return work;
}

// All of the skirt that is no farther from the axis than its first vertex is held.
Work skirt_on_form(const std::string& skirt) {
  Work work{.name = "skirt",
            .scene = muslin::read_scene(file_of("circle_skirt")),
            .frames = 120,
            .for_peers = false,
            .targets = kOfDrapes};
  muslin::Cloth& cloth = work.scene.cloths[0];
  if (!skirt.empty()) cloth.mesh->mesh = std::make_shared<const muslin::Mesh>(muslin::read_mesh(skirt));
  const muslin::Points& places = cloth.mesh->mesh->positions;
  const auto from_axis = [&](int v) { return std::hypot(places(0, v), places(2, v)); };
  cloth.pins[0].vertices.clear();
  for (int v = 0; v < places.cols(); ++v)
    if (from_axis(v) < from_axis(0) * 1.001) cloth.pins[0].vertices.push_back(v);
  work.scene.solver.family = "position";
  return work;
}

}  // namespace

std::vector<Work> works(const std::vector<int>& points, const std::string& skirt) {
  std::vector<Work> all;
  for (const int n : points) all.push_back(hanging_grid(n));
  for (const int n : points)
    for (const muslin::Membrane membrane : {muslin::Membrane::springs, muslin::Membrane::baraff_witkin})
      all.push_back(hanging_mesh(n, membrane));
  all.push_back(skirt_on_form(skirt));
  all.push_back({.name = "sphere_drape",
                 .scene = muslin::read_scene(file_of("sphere_drape")),
                 .frames = 120,
                 .for_peers = false,
                 .targets = kOfDrapes});
  return all;
}

}  // namespace bench
