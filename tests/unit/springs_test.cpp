#include "muslin/model/springs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "muslin/model/model.h"

namespace muslin {
namespace {

Cloth sheet(const std::array<int, 2>& points, SpringLayout layout, const Springs& k) {
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = points;
  cloth.grid->size = {0.1 * (points[0] - 1), 0.2 * (points[1] - 1)};
  cloth.springs = k;
  cloth.springs->layout = layout;
  return cloth;
}
Model model_of(const Cloth& cloth) {
  Scene scene;
  scene.cloths = {cloth};
  return build_model(scene);
}
Springs all_classes() { return {SpringLayout::cross, 3.0, 2.0, 1.0}; }

std::map<SpringClass, int> counts(const SpringEnergy& springs) {
  std::map<SpringClass, int> count;
  for (const auto& spring : springs.shapes()) ++count[spring.kind];
  return count;
}

TEST(SpringLayouts, CountsAreThoseOfTheCourses) {
  EXPECT_EQ(model_of(sheet({50, 50}, SpringLayout::cross, all_classes())).energies.springs.size(), 14502);
  EXPECT_EQ(model_of(sheet({55, 45}, SpringLayout::double_cross, all_classes())).energies.springs.size(),
            18910);
  Springs edges;
  edges.structural = 8000;
  EXPECT_EQ(model_of(sheet({21, 21}, SpringLayout::edges, edges)).energies.springs.size(), 1240);
}

TEST(SpringLayouts, CountsByClassFollowFromTheGrid) {
  const int n = 7, m = 5;
  auto count = counts(model_of(sheet({n, m}, SpringLayout::cross, all_classes())).energies.springs);
  EXPECT_EQ(count[SpringClass::structural], (n - 1) * m + n * (m - 1));
  EXPECT_EQ(count[SpringClass::shear], 2 * (n - 1) * (m - 1));
  EXPECT_EQ(count[SpringClass::bend], (n - 2) * m + n * (m - 2));
  count = counts(model_of(sheet({n, m}, SpringLayout::double_cross, all_classes())).energies.springs);
  EXPECT_EQ(count[SpringClass::bend], (n - 2) * m + n * (m - 2) + 2 * (n - 2) * (m - 2));
  // All edges, diagonals among them; every cell's other diagonal; tips across every inner straight edge.
  count = counts(model_of(sheet({n, m}, SpringLayout::edges, all_classes())).energies.springs);
  EXPECT_EQ(count[SpringClass::structural], (n - 1) * m + n * (m - 1));
  EXPECT_EQ(count[SpringClass::shear], 2 * (n - 1) * (m - 1));
  EXPECT_EQ(count[SpringClass::bend], (n - 1) * (m - 2) + (n - 2) * (m - 1));
}

TEST(SpringLayouts, EverySpringIsAtRestOnceAndHasItsClassesStiffness) {
  for (const SpringLayout layout : {SpringLayout::edges, SpringLayout::cross, SpringLayout::double_cross}) {
    const Model model = model_of(sheet({6, 5}, layout, all_classes()));
    const SpringEnergy& springs = model.energies.springs;
    std::set<std::pair<int, int>> pairs;
    for (int s = 0; s < springs.size(); ++s) {
      const auto [a, b] = springs.vertices(s);
      pairs.insert(std::minmax(a, b));
      EXPECT_DOUBLE_EQ(springs.rest[s], (model.start.col(a) - model.start.col(b)).norm());
      const double k = springs[s].shape.kind == SpringClass::structural ? 3
                       : springs[s].shape.kind == SpringClass::shear    ? 2
                                                                        : 1;
      EXPECT_EQ(springs.stiffness[s], k);
    }
    if (layout != SpringLayout::edges) {
      EXPECT_EQ(pairs.size(), static_cast<size_t>(springs.size()));
    }
  }
}

TEST(SpringLayouts, AClassWithoutNumberHasNoSprings) {
  Springs only_shear;
  only_shear.shear = 0.0;
  const Model model = model_of(sheet({4, 4}, SpringLayout::cross, only_shear));
  EXPECT_EQ(model.energies.springs.size(), 18);
  EXPECT_EQ(model.energies.bending.size(), 0);
}

TEST(SpringLayouts, KeepTheirCoursesOrder) {
  using Pairs = std::vector<Stencil<2>>;
  const auto first = [](const Model& model, int count) {
    const Pairs& all = model.energies.springs.elements().vertices;
    Pairs some(all.begin(), all.begin() + count);
    for (Stencil<2>& pair : some) std::sort(pair.begin(), pair.end());
    return some;
  };
  // x outer: right, down, both diagonals; then (0, 1). A row has 4 points.
  EXPECT_EQ(first(model_of(sheet({4, 3}, SpringLayout::double_cross, all_classes())), 5),
            (Pairs{{0, 1}, {0, 4}, {0, 5}, {1, 4}, {4, 5}}));
  Springs structural;
  structural.structural = 1;
  const Model edges = model_of(sheet({4, 3}, SpringLayout::edges, structural));
  const Pairs& stencils = edges.energies.springs.elements().vertices;
  EXPECT_TRUE(std::is_sorted(stencils.begin(), stencils.end()));
}

TEST(WovenSprings, BorderStructuralSpringsCarryHalf) {
  Cloth cloth = sheet({5, 4}, SpringLayout::cross, {});
  cloth.springs.reset();
  cloth.fabric.shear = 20;
  const Model model = model_of(cloth);
  const SpringEnergy& springs = model.energies.springs;
  std::map<std::pair<int, int>, double> stiffness;
  for (int s = 0; s < springs.size(); ++s)
    stiffness[std::minmax(springs.vertices(s)[0], springs.vertices(s)[1])] = springs.stiffness[s];
  EXPECT_DOUBLE_EQ((stiffness[{0, 1}]), (stiffness[{5, 6}] / 2));
  EXPECT_DOUBLE_EQ((stiffness[{0, 5}]), (stiffness[{1, 6}] / 2));
  for (const auto& [pair, k] : stiffness) EXPECT_GT(k, 0) << pair.first << " " << pair.second;
}

// On equilateral triangles springs along the edges stretch as an isotropic sheet does, whatever the
// direction.
TEST(WovenSprings, EquilateralMeshStoresTheFabricsEnergy) {
  const int n = 12;
  auto mesh = std::make_shared<Mesh>();
  mesh->positions.resize(3, n * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) mesh->positions.col(j * n + i) = Vec3(i + 0.5 * j, 0, std::sqrt(0.75) * j);
  double area = 0;
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = j * n + i;
      mesh->triangles.push_back({a, a + n, a + 1});
      mesh->triangles.push_back({a + 1, a + n, a + n + 1});
      area += std::sqrt(0.75);
    }
  Cloth cloth;
  cloth.mesh = MeshFile();
  cloth.mesh->mesh = mesh;
  cloth.membrane = Membrane::springs;
  cloth.fabric.warp = cloth.fabric.weft = 300;
  const Model model = model_of(cloth);
  for (const double angle : {0.0, 0.3, 1.0}) {
    const Vec3 direction(std::cos(angle), 0, std::sin(angle));
    const double e = 1e-6;
    const Points stretched = model.start + e * direction * (direction.transpose() * model.start);
    EXPECT_NEAR(elastic_energy(model.energies, stretched) / (0.5 * 300 * e * e * area), 1, 1e-4) << angle;
  }
  EXPECT_FALSE(model.warnings.empty()) << "that shear is not the fabric's must be said";
}

}  // namespace
}  // namespace muslin
