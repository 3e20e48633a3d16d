#include "muslin/contact/pairs/safe_step.h"

#include <gtest/gtest.h>

#include "every_pair.h"
#include "unit/contact_sheets.h"

namespace muslin {
namespace {

using namespace contact_test;

class SafeStep : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }
};

/// Two sheets, one above the other, and a body between them.
Surfaces stacked() {
  Surfaces surfaces;
  surfaces.add(flat_sheet(6, 0), 0.01, {});
  surfaces.add(flat_sheet(6, 0.04), 0.01, {});
  surfaces.add(flat_sheet(3, 0.02), 0.01, {.body = true, .friction = 0});
  return surfaces;
}

TEST_F(SafeStep, NothingEverIntersectsWhateverTheMoves) {
  const Surfaces surfaces = stacked();
  int limited = 0;  // moves that would have led to contact
  for (int seed = 0; seed < 8; ++seed) {
    Candidates candidates(surfaces);
    Points x = surfaces.rest;
    // Nothing repels here, so gaps shrink to a tenth again and again, to 1e-10 m in the end.
    for (int move = 0; move < 9; ++move) {
      Points d = noise(surfaces.vertex_count(), move % 3 == 0 ? 1 : 0.05, 100 * seed + move);
      d.rightCols(9) = d.col(0).replicate(1, 9);  // the body: nobody keeps it from itself
      candidates.detect(x, d, 0.005);
      const double a = safe_step(candidates, x, d);
      limited += a < 1;
      ASSERT_GT(a, 0);
      ASSERT_LE(a, 1);
      for (const double part : {0.31, 0.77, 1.0}) {  // a line search may stop short of it
        const Points y = x + part * a * d;
        EXPECT_EQ(candidates.holds_along(y, Points::Zero(3, y.cols())), 1);
        EXPECT_EQ(count_crossings(surfaces, y), 0) << seed << ' ' << move;
      }
      const Points y = x + a * d;
      for (const ContactPair& p : candidates.pairs())
        EXPECT_GE(static_cast<double>(reference::distance(p.kind, corners(y, p.vertices))),
                  0.1 * (1 - 1e-9) * closest_points(p.kind, corners(x, p.vertices)).distance);
      x = y;
    }
  }
  EXPECT_GT(limited, 50);
}

TEST_F(SafeStep, GoesNineTenthsOfTheWayToContact) {
  Surfaces surfaces;
  surfaces.add(flat_sheet(2), 0.1, {});
  Mesh triangle;
  triangle.positions.resize(3, 3);
  triangle.positions << 0.3, 0.2, 0.4,  //
      0.1, 0.5, 0.5,                    //
      0.2, 0.4, 0.5;
  triangle.triangles = {{0, 1, 2}};
  surfaces.add(triangle, 0.1, {});
  Candidates candidates(surfaces);
  Points d = Points::Zero(3, 7);
  d.row(1).tail(3).setConstant(-0.2);  // its lowest vertex reaches the sheet halfway
  candidates.detect(surfaces.rest, Points::Zero(3, 7), 1);
  const double a = least_step_before_contact(candidates.pairs(), surfaces.rest, d);
  EXPECT_LE(a, 0.45);
  EXPECT_GE(a, 0.44);
  EXPECT_EQ(safe_step(candidates, surfaces.rest, d), a);
  d.row(1).setConstant(-0.2);  // all fall alike
  EXPECT_EQ(safe_step(candidates, surfaces.rest, d), 1);
}

// Again and again as far as is safe: to a tenth each time, but to a thousandth of the radius no sooner than
// by tenths. Without that nine moves end at 2e-11 m.
TEST_F(SafeStep, NothingIsCrushedToNothing) {
  Surfaces surfaces;
  surfaces.add(flat_sheet(2), 0.01, {});
  surfaces.add(flat_sheet(2, 0.02), 0.01, {});
  Candidates candidates(surfaces);
  Points x = surfaces.rest, d = Points::Zero(3, 8);
  d.row(1).tail(4).setConstant(-0.5);
  candidates.detect(x, Points::Zero(3, 8), 1);
  double radius = 0, least = 1;
  for (int move = 0; move < 9; ++move) {
    x += safe_step(candidates, x, d) * d;
    for (const ContactPair& pair : candidates.pairs()) radius = std::max(radius, pair.radius);
    least = least_distance(candidates.pairs(), x);
  }
  EXPECT_GT(least, 0.9 * 0.9 * 0.9 * 0.9 * 0.9 * 0.9 * 1e-3 * radius);
  EXPECT_LT(least, 1e-3 * radius);
}

TEST_F(SafeStep, EndsWhereTheSlackIsUsedUp) {
  Surfaces surfaces;
  surfaces.add(flat_sheet(2), 0.01, {});
  surfaces.moves = {1, 1, 0, 1};  // vertex 2 has no part in the common motion, of which there is none
  Candidates candidates(surfaces);
  candidates.detect(surfaces.rest, Points::Zero(3, 4), 0.3);
  Points x = surfaces.rest, d = Points::Zero(3, 4);
  EXPECT_EQ(candidates.holds_along(x, d), 1);
  d.col(2) << 0, 0.6, 0;
  EXPECT_NEAR(candidates.holds_along(x, d), 0.5, 1e-3);
  x.col(2) << 0, 0.2, 1;  // on the way back there is more room
  EXPECT_NEAR(candidates.holds_along(x, d), 1.0 / 6, 1e-3);
  EXPECT_NEAR(candidates.holds_along(x, -d), 5.0 / 6, 1e-3);
  x.col(2) << 0, 0.3, 1;
  EXPECT_EQ(candidates.holds_along(x, d), 0);
}

TEST_F(SafeStep, IsTheSameOnAnyNumberOfThreads) {
  Surfaces surfaces;
  surfaces.add(flat_sheet(24), 0.005, {});
  surfaces.add(flat_sheet(24, 0.004), 0.005, {});
  const Points d = noise(surfaces.vertex_count(), 0.05, 2);
  Candidates candidates(surfaces);
  candidates.detect(surfaces.rest, d, 0.005);
  ASSERT_GT(candidates.pairs().size(), 3u * kGrain);
  set_threads(1);
  const double one = safe_step(candidates, surfaces.rest, d);
  set_threads(3);
  EXPECT_EQ(safe_step(candidates, surfaces.rest, d), one);
  EXPECT_GT(one, 0);
  EXPECT_LT(one, 1);
}

}  // namespace
}  // namespace muslin
