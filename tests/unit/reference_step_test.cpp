#include "muslin/compare/reference_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "muslin/compare/common_step.h"
#include "muslin/compare/compare.h"

// Reference steps in contact.

namespace muslin {
namespace {

CompareOptions under(std::vector<std::string> solvers, int frames) {
  CompareOptions options;
  options.solvers = std::move(solvers);
  options.frames = frames;
  return options;
}

/// A free sheet on a floor.
Scene lying_sheet() {
  Scene scene;
  scene.name = "lying sheet";
  scene.frames = 6;
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = {7, 5};
  cloth.grid->size = {0.6, 0.4};
  scene.cloths = {cloth};
  scene.colliders.resize(1);
  scene.colliders[0].name = "floor";
  scene.colliders[0].shape = Shape::plane;
  scene.colliders[0].friction = 0.4;
  return scene;
}

// A sheet lies flat where it just touches. What presses it into the stiff floor by δ = g h²/1001 holds it, so
// the predictor is Δ = g h² − δ lower; its elastic energy and F's curvature are the same wherever it is as a
// whole. Away by d it therefore costs M d²/2h² more, and the predictor M Δ²/2h².
TEST(ReferenceStep, KnowsTheGapOfASheetThatLies) {
  const Scene scene = lying_sheet();
  const Model model = build_model(scene);
  State state = initial_state(model);
  state.positions.row(1).setConstant(model.half_thickness[0] + model.colliders[0].margin);
  const CommonStep step = common_step(scene, model, {});
  const double fall = 9.81 * step.h * step.h, depth = fall / (1 + ContactEnergy::kHardness);
  const Input input = scripted_input(model, 0, step.h);
  ReferenceStep reference = References(scene, step).take(model, state, input, ContactForm::energy);
  ASSERT_TRUE(reference.reference().converged);
  EXPECT_EQ(reference.reference().contacts, model.vertex_count());
  EXPECT_LT((reference.after().positions - state.positions).norm(), 1e-12) << "pushed out again";

  const double delta = fall - depth;
  Points moved = state.positions;
  moved.row(1).array() -= depth;
  EXPECT_NEAR(*reference.error(moved).energy_gap, 0, 1e-12);
  EXPECT_LT(*reference.error(moved).residual, 1e-9 * reference.reference().residual_start);
  EXPECT_NEAR(*reference.error(moved).lost_gravity, 0, 1e-9) << "the floor carries it";
  EXPECT_NEAR(*reference.error(state.positions).energy_gap, std::pow(depth / delta, 2), 1e-9);
  for (const Vec3& away : {Vec3(0.001, 0, 0), Vec3(0, 0.002, 0), Vec3(0, -0.0005, 0.001)})
    EXPECT_NEAR(*reference.error(moved.colwise() + away).energy_gap, std::pow(away.norm() / delta, 2), 1e-9);
  moved.row(1).array() -= delta;
  EXPECT_NEAR(*reference.error(moved).energy_gap, 1, 1e-12) << "as if there were no floor";
}

// The same with pairs of triangles, whose barrier has no such formula: only what a motion as a whole costs.
TEST(ReferenceStep, KnowsTheGapInContactOfPairs) {
  Scene scene = lying_sheet();
  scene.self_collision.enabled = true;
  const Model model = build_model(scene);
  SolverSettings settings = scene.solver;
  settings.family = "quasi_newton";
  ASSERT_EQ(contact_form(model, settings), ContactForm::pairs);
  State state = initial_state(model);
  state.positions.row(1).setConstant(0.8 * model.half_thickness[0]);
  const CommonStep step = common_step(scene, model, {});
  const Input input = scripted_input(model, 0, step.h);
  ReferenceStep reference = References(scene, step).take(model, state, input, ContactForm::pairs);
  const ReferenceRecord& record = reference.reference();
  ASSERT_TRUE(record.converged);
  ASSERT_GT(record.contacts, 0);
  EXPECT_LT(record.residual, 1e-6 * record.residual_start);

  const Points& x = reference.after().positions;
  EXPECT_EQ(*reference.error(x).energy_gap, 0);
  EXPECT_NEAR(*reference.error(x).lost_gravity, 0, 1e-5) << "the floor carries it";
  const double whole = record.objective_start - record.objective, d = 1e-4;
  const double cost = 0.5 * model.mass.sum() * d * d / (step.h * step.h);
  EXPECT_NEAR(*reference.error(x.colwise() + Vec3(d, 0, 0)).energy_gap, cost / whole, 1e-3 * cost / whole);
  Points predictor = state.positions;
  predictor.row(1).array() -= 9.81 * step.h * step.h;
  EXPECT_NEAR(*reference.error(predictor).energy_gap, 1, 1e-9);
}

// The exact solvers are near the minimum of what each means by contact, and a rough one is not.
TEST(Compare, HasGapsInContact) {
  Scene scene = lying_sheet();
  scene.cloths[0].grid->origin = {-0.3, 0.2, -0.2};
  scene.self_collision.enabled = true;
  scene.colliders.resize(2);
  scene.colliders[1].name = "ball";
  scene.colliders[1].shape = Shape::sphere;
  scene.colliders[1].radius = 0.12;
  scene.solver.quasi_newton.tolerance = 1e-6;  // steps end by distance: stiff pairs make much of a micrometre
  const Comparison comparison = compare(scene, under({"newton", "quasi_newton", "implicit_plain"}, 20));
  std::vector<double> worst(3, 0);
  for (size_t s = 0; s < 3; ++s) {
    int touching = 0;
    for (const FrameRow& row : comparison.solvers[s].frames) {
      if (row.step.contacts == 0 || !row.error.energy_gap) continue;
      ++touching;
      worst[s] = std::max(worst[s], *row.error.energy_gap);
    }
    EXPECT_GT(touching, 5) << comparison.solvers[s].name;
  }
  EXPECT_LT(worst[0], 1e-2);
  EXPECT_LT(worst[1], 1e-2);
  EXPECT_GT(worst[2], worst[0]);
}

}  // namespace
}  // namespace muslin
