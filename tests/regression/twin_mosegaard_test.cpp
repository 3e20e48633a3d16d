#include "regression/twin_mosegaard.h"

#include <gtest/gtest.h>

// The twin itself must meet the published numbers of the tutorial before anything is held against it.

namespace {

using twin::Mosegaard;
using twin::Vec3;

Vec3 centroid_at_frame_10(Mosegaard::Order order) {
  Mosegaard cloth(order);
  for (int frame = 0; frame < 10; ++frame) cloth.step();
  return cloth.centroid();
}

TEST(TwinMosegaard, CentroidAtFrame10) {
  EXPECT_EQ(Mosegaard().constraint_count(), 18910);
  const Vec3 centroid = centroid_at_frame_10(Mosegaard::Order::x_outer);
  EXPECT_NEAR(centroid.x(), 6.98751, 6e-6);
  EXPECT_NEAR(centroid.y(), -5.43340, 6e-6);
  EXPECT_NEAR(centroid.z(), 0.21008, 6e-6);
}

// Gauss–Seidel sweeps see the order of the constraints: this is why the order is part of the format.
TEST(TwinMosegaard, OrderOfConstraintsMatters) {
  const Vec3 difference =
      centroid_at_frame_10(Mosegaard::Order::y_outer) - centroid_at_frame_10(Mosegaard::Order::x_outer);
  EXPECT_GT(difference.norm(), 0.01);
}

}  // namespace
