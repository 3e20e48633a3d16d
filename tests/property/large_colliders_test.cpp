#include <gtest/gtest.h>

#include "torture/large_colliders.h"

// Cloth on colliders that are far larger than it is; bench_large_colliders has the whole table.

namespace muslin {
namespace {

using torture::Held;

class SheetOn : public testing::TestWithParam<Shape> {};

TEST_P(SheetOn, LargeCollidersIsHeldOrRefused) {
  const Shape shape = GetParam();
  for (const double radius : {1.0, 20.0, 1e6, 1e7}) {
    if (radius > 1e6 && shape != Shape::plane) continue;
    for (const double gap : {1e-4, 0.005, 1.0})
      for (const double tilt : {0.0, 70.0}) {
        const Held result = torture::run_and_judge(torture::on_large({shape, radius, gap, tilt}), 12);
        const auto where = testing::Message() << "R " << radius << " gap " << gap << " tilt " << tilt;
        const bool may_be_refused = shape == Shape::cylinder && radius > 1000;
        EXPECT_EQ(result.how, may_be_refused ? Held::refused : Held::held) << where << result.why;
        if (result.how != Held::held) continue;
        EXPECT_GT(result.least, 1e-5) << where;
        EXPECT_LT(result.nearest, 1e-3) << "it never met anything" << where;
      }
  }
}
INSTANTIATE_TEST_SUITE_P(Shapes, SheetOn,
                         testing::Values(Shape::sphere, Shape::capsule, Shape::cylinder, Shape::box,
                                         Shape::plane),
                         [](const auto& of) { return std::string(name_of(of.param)); });

// Until round colliders were met by their own surface, these fell: the start was inside the mesh that
// enclosed the ball, on which nothing looked.
TEST(LargeColliders, WhatFellOnceIsHeld) {
  for (const auto& [radius, gap] : {std::pair(20.0, 0.0015), {100.0, 0.005}, {1000.0, 0.05}}) {
    const Held result =
        torture::run_and_judge(torture::on_large({Shape::sphere, radius, gap, 0, /*fast=*/false}), 30);
    EXPECT_EQ(result.how, Held::held) << radius << result.why;
    EXPECT_GT(result.contacts, 0) << radius;
  }
}

TEST(LargeColliders, AStartWithinRoundingOfTheSurfaceIsRefused) {
  for (const Shape shape : {Shape::sphere, Shape::capsule, Shape::plane})
    for (const double gap : {-1e-3, 0.0, 5e-9}) {
      const Held result = torture::run_and_judge(torture::on_large({shape, 1e6, gap, 0}), 1);
      EXPECT_EQ(result.how, Held::refused) << name_of(shape) << gap;
    }
}

}  // namespace
}  // namespace muslin
