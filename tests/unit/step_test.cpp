#include "muslin/solver/step.h"

#include <gtest/gtest.h>

#include <cmath>

namespace muslin {
namespace {

// With gravity alone, y = x + h (1 − l) e^{−ch} v + h² g, written down here number by number.
TEST(Predictor, IsWhereInertiaAndGravityTakeTheCloth) {
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].grid = Grid();
  scene.cloths[0].grid->points = {3, 4};
  scene.gravity = {1, -9.81, 2};
  scene.damping = 0.7;
  const Model model = build_model(scene);
  State state = initial_state(model);
  std::srand(3);
  state.velocities = Points::Random(3, model.vertex_count());
  const double h = 0.02, loss = 0.05;
  const Points y = predictor(model, model.script, state, h, loss);
  const Points inertial = inertial_start(model, state, h, loss);
  const Points a = external_acceleration(model, model.script, state, h);
  const Points by_velocity = state.positions + h * predicted_velocities(model, state.velocities, a, h, loss);
  for (int v = 0; v < model.vertex_count(); ++v)
    for (int axis = 0; axis < 3; ++axis) {
      const double x = state.positions(axis, v), kept = (1 - loss) * std::exp(-0.7 * h);
      const double moved = x + h * kept * state.velocities(axis, v);
      EXPECT_NEAR(inertial(axis, v), moved, 1e-15);
      EXPECT_NEAR(y(axis, v), moved + h * h * scene.gravity[axis], 1e-15);
      EXPECT_NEAR(by_velocity(axis, v), y(axis, v), 1e-15);
    }
}

}  // namespace
}  // namespace muslin
