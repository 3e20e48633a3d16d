#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/core/check.h"
#include "muslin/simulation.h"
#include "property/methods.h"

// Hands and edits of one run, whatever the solver.

namespace muslin {
namespace {

Scene hanging() {
  Scene scene = sheet(family("position"));
  scene.cloths[0].pins = {pin_at({{0, 0}}), pin_at({{-1, 0}}, "y")};
  Collider ball;
  ball.center = {0, -3, 0};
  scene.colliders = {ball};
  return scene;
}

template <class Call>
void expect_refused(Simulation& simulation, const std::string& words, const Call& call) {
  const std::uint64_t before = hash(simulation.state());
  try {
    call();
    ADD_FAILURE() << "not refused: " << words;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
  EXPECT_EQ(hash(simulation.state()), before);
}

TEST(Hands, RefuseWhatThereIsNotAndChangeNothing) {
  Simulation simulation(hanging()), untouched(hanging());
  run(simulation, 3);
  run(untouched, 3);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused(simulation, "hold: vertex 63 of 63", [&] { simulation.hold(63); });
  expect_refused(simulation, "let_go: vertex -1 of 63", [&] { simulation.let_go(-1); });
  expect_refused(simulation, "pull: vertex 99 of 63", [&] { simulation.pull(99, Vec3::Zero()); });
  expect_refused(simulation, "pull: the place", [&] { simulation.pull(3, {0, nan, 0}); });
  expect_refused(simulation, "carry: collider 1 of 1", [&] { simulation.carry(1, Vec3::Zero()); });
  expect_refused(simulation, "carry: the place", [&] { simulation.carry(0, {nan, 0, 0}); });

  Scene scene = hanging();
  scene.cloths[0].fabric.density = -1;
  expect_refused(simulation, "density", [&] { simulation.edit(scene); });
  scene = hanging();
  scene.cloths[0].grid->points = {9, 8};
  expect_refused(simulation, "63 vertices, got 72", [&] { simulation.edit(scene); });
  scene = hanging();
  scene.colliders.clear();
  expect_refused(simulation, "1 colliders, got 0", [&] { simulation.edit(scene); });
  scene = hanging();
  scene.cloths[0].membrane = Membrane::stvk;
  scene.solver.position.method = PositionMethod::pbd;
  expect_refused(simulation, "pbd cannot run stvk", [&] { simulation.edit(scene); });

  run(simulation, 3);
  run(untouched, 3);
  EXPECT_EQ(hash(simulation.state()), hash(untouched.state()));
}

TEST(Watch, SeesEveryIterate) {
  Simulation simulation(sheet(family("newton")));
  int seen = 0;
  Points last;
  simulation.watch([&](const Points& iterate) {
    ++seen;
    last = iterate;
  });
  const FrameReport report = simulation.step();
  EXPECT_GT(report.step.iterations, 0);
  EXPECT_EQ(seen, report.step.iterations + simulation.substeps());
  EXPECT_EQ(last, simulation.state().positions);
  simulation.reset();
  simulation.step();
  EXPECT_EQ(seen, 2 * (report.step.iterations + simulation.substeps())) << "also after a reset";
  simulation.hold(40);
  seen = 0;
  const FrameReport held = simulation.step();
  EXPECT_EQ(seen, held.step.iterations + simulation.substeps()) << "also with other pins";
}

TEST(Hands, ThatDidNothingLeaveNoTrace) {
  Simulation simulation(hanging()), untouched(hanging());
  run(simulation, 2);
  run(untouched, 2);
  simulation.pull(40, {0, 1, 0});
  simulation.release();
  simulation.hold(30);
  simulation.let_go(30);
  simulation.carry(0, {1, 0, 0});
  simulation.carry(0, Vec3::Zero());
  // Held vertices stand still, so the run was touched: only what comes of an equal state is the same.
  untouched.restore(simulation.state(), 2);
  run(simulation, 3);
  run(untouched, 3);
  EXPECT_EQ(hash(simulation.state()), hash(untouched.state()));
}

TEST(Hands, LeaveTheModelAsItIs) {
  Simulation simulation(hanging());
  const std::shared_ptr<const Model> model = simulation.shared_model();
  const std::uint64_t revision = model->revision;
  simulation.let_go(0);
  simulation.hold(20);
  simulation.pull(40, {0, 1, 0});
  simulation.carry(0, {1, 2.5, 0});
  run(simulation, 2);
  simulation.reset();
  EXPECT_EQ(simulation.shared_model(), model);
  EXPECT_EQ(model->revision, revision);
}

TEST(Hands, ResetGivesTheSceneBack) {
  Simulation simulation(hanging());
  run(simulation, 4);
  const std::uint64_t first = hash(simulation.state());
  simulation.let_go(0);
  simulation.hold(20);
  simulation.pull(40, {0, 1, 0});
  simulation.carry(0, {1, 2.5, 0});
  run(simulation, 4);
  EXPECT_EQ(simulation.controls().collider_offset[0], Vec3(1, 2.5, 0));
  simulation.reset();
  EXPECT_TRUE(simulation.is_held(0) && simulation.is_held(8) && !simulation.is_held(20));
  EXPECT_EQ(simulation.controls().pulls.size(), 0);
  EXPECT_EQ(simulation.controls().collider_offset[0], Vec3::Zero());
  EXPECT_EQ(simulation.frame(), 0);
  run(simulation, 4);
  EXPECT_EQ(hash(simulation.state()), first);
}

TEST(Hands, HoldOverridesThePinsOfTheScene) {
  Scene scene = hanging();
  scene.cloths[0].pins[0].motion.swing = {0.1, 0, 0};
  Simulation simulation(scene);
  run(simulation, 5);
  const Vec3 place = simulation.state().positions.col(0);
  simulation.hold(0);
  run(simulation, 5);
  EXPECT_EQ(Vec3(simulation.state().positions.col(0)), place) << "no longer swings";
  simulation.edit(scene);
  run(simulation, 5);
  EXPECT_EQ(Vec3(simulation.state().positions.col(0)), place) << "an edit keeps what is held";
  simulation.let_go(0);
  simulation.let_go(8);
  EXPECT_FALSE(simulation.is_held(0) || simulation.is_held(8));
  simulation.edit(scene);
  EXPECT_FALSE(simulation.is_held(0) || simulation.is_held(8)) << "an edit keeps what was let go";
}

TEST(Hands, AHeldVertexDoesNotFollowThePull) {
  Simulation simulation(hanging());
  simulation.hold(40);
  const Vec3 place = simulation.state().positions.col(40);
  simulation.pull(40, {0, 1, 0});
  run(simulation, 5);
  EXPECT_EQ(Vec3(simulation.state().positions.col(40)), place);
}

TEST(Hands, OnePullTakesThePlaceOfAnother) {
  Simulation simulation(hanging());
  simulation.pull(40, {0, 1, 0});
  simulation.pull(41, {0, 1, 0.1});
  const AnchorEnergy& anchors = simulation.controls().pulls;
  ASSERT_EQ(anchors.size(), 1);
  EXPECT_EQ(anchors.vertices(0)[0], 41);
  simulation.release();
  simulation.release();
  EXPECT_EQ(anchors.size(), 0);
}

TEST(Hands, FingersShareThePullAmongWhatTheyGrip) {
  Scene scene = sheet(family("newton"), {41, 31});  // 2 cm apart; 3 % of the diagonal are 3 cm
  Simulation simulation(scene);
  run(simulation, 1);
  const int middle = 15 * 41 + 20;
  const Points before = simulation.state().positions;
  const Vec3 place = before.col(middle) + Vec3(0.01, 0.02, 0);
  simulation.pull(middle, place);
  const AnchorEnergy& anchors = simulation.controls().pulls;
  ASSERT_EQ(anchors.size(), 9) << "the vertex and all about it";
  double stiffness = 0;
  for (int k = 0; k < anchors.size(); ++k) {
    const int v = anchors.vertices(k)[0];
    const double apart = (simulation.model().start.col(v) - simulation.model().start.col(middle)).norm();
    const double mass = simulation.model().mass[v] / simulation.model().mass[middle];
    EXPECT_NEAR(anchors.stiffness[k] / anchors.stiffness[4], mass * (1 - apart / 0.03), 1e-12);
    EXPECT_LT((anchors.rest[k] - place - (before.col(v) - before.col(middle))).norm(), 1e-15);
    stiffness += anchors.stiffness[k];
  }
  EXPECT_NEAR(stiffness, simulation.model().mass.sum() * 9.81 / 0.02, 1e-9);
}

TEST(Hands, APullIsNeverMoreThanThriceTheWeight) {
  Simulation simulation(hanging());
  simulation.hold(62);
  simulation.pull(40, {0, 50, 0});
  const AnchorEnergy& anchors = simulation.controls().pulls;
  const double weight = simulation.model().mass.sum() * 9.81;
  for (int frame = 0; frame < 30; ++frame) {
    const Vec3 before = simulation.state().positions.col(40);
    run(simulation, 1);
    EXPECT_NEAR(anchors.stiffness[0] * (anchors.rest[0] - before).norm(), 3 * weight, 1e-9 * weight);
  }
  simulation.pull(40, simulation.state().positions.col(40));
  run(simulation, 1);
  EXPECT_LT(anchors.stiffness[0] * (anchors.rest[0] - Vec3(simulation.state().positions.col(40))).norm(),
            3 * weight);
}

TEST(Hands, APullNeedsNoMoreSubstepsOfTheDefaultExplicitFamilyThanItsStiffness) {
  Scene scene = hanging();
  scene.solver.family = "explicit";
  Simulation simulation(scene);
  const int without = simulation.substeps();
  simulation.pull(40, {0, 1, 0});
  EXPECT_LE(simulation.substeps(), 4 * without) << "damping alone would need many times as many";
  simulation.release();
  EXPECT_EQ(simulation.substeps(), without);
  // A number that the scene gives is kept where it suffices, and made larger where it does not.
  scene.solver.explicit_.substeps = 500;
  simulation.edit(scene);
  simulation.pull(40, {0, 1, 0});
  EXPECT_EQ(simulation.substeps(), 500);
}

// --- edits -----------------------------------------------------------------------------------------

TEST(Edit, OfNothingIsARestartFromTheState) {
  for (const char* name : {"explicit", "position", "implicit", "newton", "block_descent", "projective"}) {
    Scene scene = hanging();
    scene.solver.family = name;
    Simulation simulation(scene), untouched(scene);
    run(simulation, 3);
    run(untouched, 3);
    simulation.edit(scene);
    run(simulation, 3);
    run(untouched, 3);
    EXPECT_EQ(hash(simulation.state()), hash(untouched.state())) << name;
  }
}

TEST(Edit, KeepsTheClockWhenFramesBecomeLonger) {
  Scene scene = hanging();
  scene.frame_time = 0.01;
  Simulation simulation(scene);
  run(simulation, 5);
  scene.frame_time = 0.02;
  simulation.edit(scene);
  run(simulation, 3);
  EXPECT_EQ(simulation.frame(), 8);
  EXPECT_NEAR(simulation.state().time, 0.05 + 0.06, 1e-15);
  const State saved = simulation.state();
  run(simulation, 1);
  const std::uint64_t expected = hash(simulation.state());
  simulation.restore(saved, 8);
  run(simulation, 1);
  EXPECT_NEAR(simulation.state().time, 0.13, 1e-15);
  EXPECT_EQ(hash(simulation.state()), expected);
}

TEST(Edit, BeginsTwoStepMethodsAnew) {
  Scene scene = hanging();
  scene.solver.family = "newton";
  scene.solver.newton.integrator = Integrator::bdf2;
  Simulation simulation(scene);
  run(simulation, 3);
  EXPECT_EQ(simulation.state().history.positions.cols(), 63);
  scene.gravity = {0, -5, 0};
  simulation.edit(scene);
  EXPECT_EQ(simulation.state().history.positions.cols(), 63) << "the last step was as long as the next";
  scene.solver.newton.substeps = 2;
  simulation.edit(scene);
  EXPECT_EQ(simulation.state().history.positions.cols(), 0) << "it was longer";
  run(simulation, 1);
  scene.solver.newton.integrator = Integrator::euler;
  simulation.edit(scene);
  run(simulation, 1);
  EXPECT_EQ(simulation.state().history.positions.cols(), 0) << "no one writes them any more";
}

/// A ball that hands have pushed down on a sheet that is pinned as a whole.
Scene held_ball() {
  Scene scene = sheet(family("quasi_newton"));
  Pin all;
  for (int v = 0; v < 63; ++v) all.vertices.push_back(v);
  scene.cloths[0].pins = {all};
  Collider ball;
  ball.radius = 0.1;
  ball.center = {0, 0.15, 0};
  scene.colliders = {ball};
  return scene;
}

TEST(Edit, WhatIsHeldUpStaysUnlessColliderOrClothAreAnother) {
  const Scene scene = held_ball();
  const auto held_after = [&](const auto& change) {
    Simulation simulation(scene);
    for (int frame = 1; frame <= 6; ++frame) {
      simulation.carry(0, {0, -0.03 * frame, 0});
      simulation.step();
    }
    const Points held = simulation.state().blocked;
    EXPECT_GT(held.cols(), 0);
    Scene changed = scene;
    change(changed);
    simulation.edit(changed);
    EXPECT_TRUE(simulation.state().blocked.cols() == 0 || simulation.state().blocked == held);
    placed_in(simulation.model(), simulation.controls(), simulation.state());  // asks where all of them are
    return simulation.state().blocked.cols() > 0;
  };
  EXPECT_TRUE(held_after([](Scene& s) { s.colliders[0].friction = 1; }));
  EXPECT_TRUE(held_after([](Scene& s) { s.colliders[0].name = "other"; }));
  EXPECT_TRUE(held_after([](Scene& s) { s.self_collision = {.enabled = true, .distance = 0.01}; }));
  EXPECT_TRUE(held_after([](Scene& s) { s.solver.quasi_newton.tolerance = 1e-3; }));
  EXPECT_FALSE(held_after([](Scene& s) { s.colliders[0].radius = 0.09; }));
  EXPECT_FALSE(held_after([](Scene& s) { s.solver.family = "position"; }));
  EXPECT_FALSE(held_after([](Scene& s) { s.cloths[0].grid->size = {0.4, 0.3}; })) << "its ball is finer";
}

TEST(Edit, FreeFallIsNotPromisedAfterOne) {
  Scene scene = sheet(family("newton"));
  Simulation simulation(scene);
  EXPECT_TRUE(simulation.step().free_fall_error);
  scene.gravity = {0, -5, 0};
  simulation.edit(scene);
  EXPECT_FALSE(simulation.step().free_fall_error);
  simulation.reset();
  const FrameReport report = simulation.step();
  ASSERT_TRUE(report.free_fall_error);
  EXPECT_LT(report.free_fall_error->norm(), 5 * scene.frame_time * scene.frame_time);
}

TEST(Edit, ColliderThatIsNotEnabledDoesNotTouch) {
  Scene scene = sheet(family("position"));
  Collider ball;
  ball.center = {0, -0.3, 0};
  ball.radius = 0.2;
  scene.colliders = {ball};
  for (const char* name : {"explicit", "position", "implicit", "newton", "baraff_witkin", "projective"}) {
    scene.solver.family = name;
    scene.colliders[0].enabled = false;
    Simulation simulation(scene);
    run(simulation, 15);
    EXPECT_EQ(simulation.report().step.contacts, 0) << name;
    EXPECT_TRUE(simulation.report().free_fall_error) << name;
    scene.colliders[0].enabled = true;
    Simulation touching(scene);
    run(touching, 15);
    EXPECT_FALSE(touching.report().free_fall_error) << name;
  }
}

TEST(Edit, ClassesOfSpringsComeAndGo) {
  Scene scene = hanging();
  scene.cloths[0].springs = Springs{SpringLayout::cross, 100, 50, 20, 0};
  Simulation simulation(scene);
  const auto count = [&](SpringClass kind) {
    const auto& springs = simulation.model().energies.springs.shapes();
    return std::count_if(springs.begin(), springs.end(),
                         [&](const auto& spring) { return spring.kind == kind; });
  };
  const int structural = 8 * 7 + 9 * 6, shear = 2 * 8 * 6, bend = 7 * 7 + 9 * 5;
  EXPECT_EQ(count(SpringClass::structural), structural);
  EXPECT_EQ(count(SpringClass::shear), shear);
  EXPECT_EQ(count(SpringClass::bend), bend);
  scene.cloths[0].acting = {true, false, true};
  simulation.edit(scene);
  EXPECT_EQ(count(SpringClass::structural), structural);
  EXPECT_EQ(count(SpringClass::shear), 0);
  EXPECT_EQ(count(SpringClass::bend), bend);
  scene.cloths[0].acting = {false, true, false};
  simulation.edit(scene);
  EXPECT_EQ(count(SpringClass::structural) + count(SpringClass::bend), 0);
  EXPECT_EQ(count(SpringClass::shear), shear);
}

// A grid's springs as the fabric has them, and triangles: shear costs nothing where it does not act.
TEST(Edit, ClassesOfAFabricComeAndGo) {
  for (const Membrane membrane : {Membrane::springs, Membrane::baraff_witkin, Membrane::stvk}) {
    Scene scene = sheet(family("newton"));
    scene.cloths[0].membrane = membrane;
    const auto energy = [&](const Acting& acting, const Mat3& deformation) {
      scene.cloths[0].acting = acting;
      const Model model = build_model(scene);
      return elastic_energy(model.energies, deformation * model.start);
    };
    Mat3 shear = Mat3::Identity();
    shear(0, 2) = 1e-4;
    const Mat3 stretch = Vec3(1.01, 1, 0.99).asDiagonal();
    EXPECT_GT(energy({}, shear), 0.3 * 0.5 * 20 * 1e-8 * 0.48) << name_of(membrane);
    EXPECT_LT(energy({true, false, true}, shear), 1e-3 * energy({}, shear)) << name_of(membrane);
    EXPECT_LT(energy({false, false, true}, stretch), 1e-20) << name_of(membrane);
    EXPECT_GT(energy({true, false, true}, stretch), 0.5 * energy({}, stretch)) << name_of(membrane);
    scene.cloths[0].acting = {true, true, false};
    const Energies without = build_model(scene).energies;
    EXPECT_EQ(without.bending.size() + without.dihedral.size(), 0);
  }
}

TEST(Edit, ClothWithoutAnyElementFallsToPieces) {
  for (const SolverEntry& entry : solvers()) {
    Scene scene = hanging();
    scene.solver.family = entry.name;
    Simulation simulation(scene);
    run(simulation, 2);
    scene.cloths[0].acting = {false, false, false};
    simulation.edit(scene);
    run(simulation, 10);
    EXPECT_LT(simulation.state().positions(1, 40), -0.1) << entry.name;
    EXPECT_EQ(simulation.state().positions(1, 0), 0) << entry.name;
  }
}

}  // namespace
}  // namespace muslin
