#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/obj_reader.h"
#include "property/methods.h"

// Meshes whose vertices come in a bad order: the model has another one, and nobody sees it.

namespace muslin {
namespace {

/// A mesh of 60 × 50 vertices row by row, and the same with vertices and triangles in random order.
struct Shuffled {
  Mesh plain = make_sheet({60, 50}, {-0.4, 0, -0.3}, {0.8, 0, 0}, {0, 0, 0.6}, Diagonals::alternating);
  Mesh mesh = plain;
  std::vector<int> name;  ///< of the plain mesh's vertices in the shuffled one

  Shuffled() : name(plain.vertex_count()) {
    std::mt19937 random(3);
    std::iota(name.begin(), name.end(), 0);
    std::shuffle(name.begin(), name.end(), random);
    for (int v = 0; v < plain.vertex_count(); ++v) {
      mesh.positions.col(name[v]) = plain.positions.col(v);
      mesh.uv[name[v]] = plain.uv[v];
    }
    for (Stencil<3>& triangle : mesh.triangles)
      for (int& v : triangle) v = name[v];
    std::shuffle(mesh.triangles.begin(), mesh.triangles.end(), random);
    for (auto& [a, b] : mesh.diagonals) {
      a = name[a], b = name[b];
      if (a > b) std::swap(a, b);
    }
    std::sort(mesh.diagonals.begin(), mesh.diagonals.end());
  }
};

/// A grid's cloth beside one of a mesh, of which two vertices are held.
Scene scene_of(const Mesh& mesh, const std::array<int, 2>& held, const SolverSettings& settings = {}) {
  Scene scene = sheet(settings);
  Cloth cloth = scene.cloths[0];
  cloth.grid.reset();
  cloth.mesh = MeshFile();
  cloth.mesh->mesh = std::make_shared<const Mesh>(mesh);
  cloth.mesh->translation = {0, 1, 0};
  cloth.membrane = Membrane::springs;  // which every method runs
  Pin pin;
  pin.vertices = {held[0], held[1]};
  cloth.pins = {pin};
  scene.cloths.push_back(cloth);
  return scene;
}
constexpr int kGrid = 63, kLast = 59;  // vertices of the grid; the other corner of the mesh's first row

class AnyOrder : public testing::TestWithParam<Method> {};
std::vector<Method> methods_of_any_order() {
  std::vector<Method> found = methods();
  found.erase(std::remove_if(found.begin(), found.end(), [](const Method& m) { return !m.any_order; }),
              found.end());
  return found;
}
INSTANTIATE_TEST_SUITE_P(Methods, AnyOrder, testing::ValuesIn(methods_of_any_order()),
                         [](const auto& info) { return info.param.name; });

TEST_P(AnyOrder, AShuffledMeshMovesLikeAnOrderlyOne) {
  SolverSettings settings = GetParam().settings;
  settings.implicit.tolerance = 0;  // or rounding may decide upon one iteration more
  const Shuffled shuffled;
  const auto& name = shuffled.name;
  Simulation plain(scene_of(shuffled.plain, {0, kLast}, settings)),
      other(scene_of(shuffled.mesh, {name[0], name[kLast]}, settings));
  ASSERT_TRUE(plain.model().vertex_numbers.same());
  ASSERT_FALSE(other.model().vertex_numbers.same());
  run(plain, 3);
  run(other, 3);
  const Points x = plain.positions(), y = other.positions();
  EXPECT_GT((x - plain.model().start).norm(), 0.1);
  for (int v = 0; v < kGrid; ++v) EXPECT_EQ(x.col(v), y.col(v)) << v;
  for (size_t v = 0; v < name.size(); ++v)
    EXPECT_LT((x.col(kGrid + v) - y.col(kGrid + name[v])).norm(), 1e-9) << v;
}

}  // namespace
}  // namespace muslin
