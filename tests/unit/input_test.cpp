#include "muslin/model/input.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

TEST(Rotation, TurnsAboutXThenYThenZ) {
  const Mat3 turn = rotation_xyz({90, 90, 0});  // y → z → x, z → −y, x → −z
  EXPECT_TRUE((turn * Vec3::UnitY()).isApprox(Vec3::UnitX(), 1e-15));
  EXPECT_NEAR((turn * Vec3::UnitZ() + Vec3::UnitY()).norm(), 0, 1e-15);
  EXPECT_EQ(rotation_xyz(Vec3::Zero()), Mat3::Identity());
  EXPECT_NEAR((rotation_xyz({0, 0, 30}) * Vec3::UnitX()).y(), 0.5, 1e-15);
}

/// What a part of a step makes of a body that turns about y from one angle to another [degrees].
Mat3 part_of_turn(double begin, double end, double fraction) {
  const Controls controls;
  Input input;
  input.controls = &controls;
  input.collider_start = {{rotation_xyz({0, begin, 0}), Vec3::Zero()}};
  input.collider_end = {{rotation_xyz({0, end, 0}), Vec3::Zero()}};
  return part_of(input, Points(3, 0), 0, fraction).collider_end[0].rotation;
}

TEST(PartOfAStep, TurnsBodiesEvenlyTheShorterWay) {
  const auto expect_angle = [](double begin, double end, double fraction, double angle) {
    EXPECT_NEAR((part_of_turn(begin, end, fraction) - rotation_xyz({0, angle, 0})).norm(), 0, 1e-13)
        << begin << " to " << end;
  };
  for (const double fraction : {0.1, 0.25, 0.5, 0.9}) {
    expect_angle(0, 90, fraction, 90 * fraction);
    expect_angle(170, 190, fraction, 170 + 20 * fraction);
    expect_angle(10, -340, fraction, 10 + 10 * fraction);  // a full turn less than it is written
    expect_angle(20, 20 + 1e-7, fraction, 20 + 1e-7 * fraction);
  }
  const Mat3 still = rotation_xyz({0, 33, 0});
  EXPECT_EQ(part_of_turn(33, 33, 0.3), still) << "to the bit";
}

}  // namespace
}  // namespace muslin
