#include "muslin/contact/vertices/collider_probes.h"

#include <gtest/gtest.h>

#include <random>

#include "mesh_folder.h"
#include "muslin/contact/vertices/jumped.h"
#include "muslin/contact/vertices/respond.h"

namespace muslin {
namespace {

/// A small sheet, a ball with dents that turns and goes to and fro, and one that swells and shrinks besides.
Scene sheet_among_balls() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> radius(0.1, 0.3);
  Scene scene;
  scene.cloths.emplace_back();
  scene.cloths[0].grid = Grid();
  scene.cloths[0].grid->points = {9, 9};
  scene.cloths[0].grid->size = {0.4, 0.4};
  Mesh dented = ball_mesh(1, 12);
  for (auto place : dented.positions.colwise()) place *= radius(random);
  for (const bool deforms : {false, true}) {
    Collider& ball = scene.colliders.emplace_back();
    ball.shape = Shape::mesh;
    ball.mesh.emplace();
    ball.mesh->mesh = std::make_shared<const Mesh>(dented);
    ball.motion.keyframes = {Keyframe{}, Keyframe{1, {0.3, 0.1, 0}, {60, 200, 10}}, Keyframe{2, {}, {}}};
    if (!deforms) continue;
    ball.center = {0.5, 0.2, 0};
    ball.frames.emplace();
    ball.frames->interval = 0.5;
    ball.frames->shapes = std::make_shared<const std::vector<Points>>(
        std::vector<Points>{dented.positions, 1.4 * dented.positions, 0.8 * dented.positions});
  }
  return scene;
}

TEST(ColliderProbes, WhatTheyKeepChangesNoBit) {
  const Model model = build_model(sheet_among_balls());
  std::mt19937 random(2);
  std::normal_distribution<double> step(0, 1);
  ColliderProbes kept;
  Points x = model.start;
  int contacts = 0, jumped = 0;
  for (int k = 0; k < 400; ++k) {
    // Sometimes time stands still or goes back, as when a run is restored; sometimes cloth leaps.
    const double from = k % 97 == 96 ? 0.1 : 0.004 * k, to = from + 0.004;
    const Input input = scripted_input(model, from, to);
    const double far = k % 50 == 49 ? 0.5 : 0.003;
    const Points start = x;
    for (auto place : x.colwise()) place += far * Vec3(step(random), step(random), step(random));
    Points with = x, without = x;
    ColliderProbes none;
    contacts += push_out(model, input, start, kept, with).contacts;
    push_out(model, input, start, none, without);
    ASSERT_EQ(with, without) << k;
    ASSERT_EQ(least_gap(model, input, kept, with), least_gap(model, input, none, without)) << k;
    StepReport of_kept, of_none;
    ColliderProbes again;
    find_jumped(model, input, start, kept, with, of_kept);
    find_jumped(model, input, start, again, without, of_none);
    ASSERT_EQ(of_kept.jumped, of_none.jumped) << k;
    jumped += of_kept.jumped;
    x = with;
  }
  EXPECT_GT(contacts, 300);
  EXPECT_GT(jumped, 0);
}

}  // namespace
}  // namespace muslin
