#include "muslin/compare/drape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "muslin/model/fabrics.h"

using namespace muslin;

namespace {

/// Area within the rim as seen from above, by the shoelace formula; of a rim that goes round once.
double within_rim(const DrapedDisc& draped) {
  std::vector<std::pair<double, int>> rim;
  for (int v = 0; v < draped.disc->vertex_count(); ++v)
    if (draped.disc->positions.col(v).norm() > DrapeTest::kDisc - 1e-6)
      rim.push_back({std::atan2(draped.disc->positions(2, v), draped.disc->positions(0, v)), v});
  std::sort(rim.begin(), rim.end());
  double twice = 0;
  for (std::size_t k = 0; k < rim.size(); ++k) {
    const auto a = draped.positions.col(rim[k].second),
               b = draped.positions.col(rim[(k + 1) % rim.size()].second);
    twice += a.x() * b.z() - b.x() * a.z();
  }
  return std::abs(twice) / 2;
}

Drape drape_of(const std::string& preset, bool halved) {
  DrapeTest test;
  test.fabric = find_fabric(preset)->fabric;
  test.rings = 10;
  test.halved = halved;
  return measure_drape(test);
}

}  // namespace

// Of stiff cloth the rim is outside of all else, so that it alone tells how large the shadow is.
TEST(Drape, TheCoefficientIsTheShadowWithinTheRim) {
  const Drape drape = drape_of("denim_stiff", true);
  ASSERT_EQ(drape.meshes.size(), 2u);
  const double pi = std::acos(-1.0), support = pi * DrapeTest::kSupport * DrapeTest::kSupport;
  for (const DrapedDisc& draped : drape.meshes) {
    DrapedDisc flat = draped;
    flat.positions = flat.disc->positions;
    const double expected = 100 * (within_rim(draped) - support) / (within_rim(flat) - support);
    EXPECT_NEAR(draped.coefficient, expected, 0.5);
    EXPECT_GT(draped.depth, 0.005);
    EXPECT_EQ(draped.intersecting_pairs, 0);
  }
  EXPECT_EQ(drape.error(), std::abs(drape.meshes[0].coefficient - drape.coefficient()));
  EXPECT_NEAR(drape.coefficient(), *find_fabric("denim_stiff")->drape, drape.error() + 3);
}

TEST(Drape, StifferClothStandsOutFartherAndFoldsLess) {
  const Drape paper = drape_of("paper", false), cotton = drape_of("cotton_plate", false);
  EXPECT_GT(paper.coefficient(), 99);
  EXPECT_EQ(paper.meshes[0].folds, 0);
  EXPECT_LT(cotton.coefficient(), 50);
  EXPECT_GE(cotton.meshes[0].folds, 5);
}
