#include <gtest/gtest.h>

#include "muslin/contact/vertices/gap.h"
#include "muslin/contact/vertices/respond.h"

namespace muslin {
namespace {

/// A horizontal sheet at the height 0 and two poses of every collider.
Scene sheet_over(const std::vector<Collider>& colliders) {
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = {5, 5};
  cloth.grid->origin = {-0.5, 0, -0.5};
  cloth.fabric.thickness = 0;
  Scene scene;
  scene.cloths = {cloth};
  scene.colliders = colliders;
  return scene;
}

Collider plane_at(double height) {
  Collider plane;
  plane.shape = Shape::plane;
  plane.center = {0, height, 0};
  return plane;
}

Motion rise(double speed) {
  Motion motion;
  motion.keyframes = {Keyframe{}, Keyframe{1, {0, speed, 0}, Vec3::Zero()}};
  return motion;
}

// A plane that overtakes resting cloth within a step must take it along, whatever the law and its friction.
TEST(Contact, ARisingPlaneLiftsCloth) {
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::cs184})
    for (const double friction : {0.0, 0.5, 1.0}) {
      Collider plane = plane_at(-0.01);
      plane.friction_law = law;
      plane.friction = friction;
      plane.motion = rise(1);
      const Model model = build_model(sheet_over({plane}));
      const Points start = model.start;
      Points x = start;
      ColliderProbes probes;
      const Input input = scripted_input(model, 0, 0.05);
      EXPECT_EQ(push_out(model, input, start, probes, x).contacts, 25);
      EXPECT_GE(least_gap(model, input, probes, x), -1e-15) << name_of(law) << " " << friction;
      EXPECT_LE(x.row(1).maxCoeff(), 0.05) << name_of(law) << " " << friction;
    }
}

TEST(Contact, FullCs184FrictionCarriesClothWithItsCollider) {
  Collider ball;
  ball.friction_law = FrictionLaw::cs184;
  ball.friction = 1;
  ball.center = {0, -0.5, 0};
  ball.motion = rise(1);
  const Model model = build_model(sheet_over({ball}));
  const Points start = model.start;
  Points x = start;
  ColliderProbes probes;
  push_out(model, scripted_input(model, 0, 0.05), start, probes, x);
  EXPECT_NEAR(x(1, 12), 0.05, 1e-15) << "the middle lay on the ball";
}

// What one collider puts right another may undo: the gap is that of the place in the end.
TEST(Contact, GapIsMeasuredAfterAllColliders) {
  Collider ball;  // its lower half is in the sheet, which it pushes below the floor
  ball.center = {0, 0.4, 0};
  ball.friction = 0;
  const Model model = build_model(sheet_over({ball, plane_at(-0.05)}));
  const Input input = scripted_input(model, 0, 0.01);
  const Points start = model.start;
  Points x = start;
  ColliderProbes probes;
  push_out(model, input, start, probes, x);
  double least = 1;
  for (size_t c = 0; c < 2; ++c)
    for (int v = 0; v < model.vertex_count(); ++v)
      least = std::min(least, surface_of(model.colliders[c], input.collider_end[c], x.col(v)).distance);
  EXPECT_LT(least, -0.01);
  EXPECT_EQ(least_gap(model, input, probes, x), least);
}

// A plane of CS184 holds what crossed it, however far it went.
TEST(Contact, ACs184PlaneActsOnWhatIsFarBeyondIt) {
  Collider plane = plane_at(0.3);
  plane.friction_law = FrictionLaw::cs184;
  plane.friction = 0;
  const Model model = build_model(sheet_over({plane}));
  const Points start = model.start;
  Points x = start;
  x.row(1).array() += 5;
  ColliderProbes probes;
  const Input input = scripted_input(model, 0, 0.01);
  EXPECT_EQ(push_out(model, input, start, probes, x).contacts, 25);
  EXPECT_LT(x.row(1).maxCoeff(), 0.3);
}

}  // namespace
}  // namespace muslin
