#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "muslin/core/check.h"
#include "muslin/simulation.h"
#include "refusal.h"

// Which solver runs which energy, and what the others say.

namespace muslin {
namespace {

Scene scene_of(std::optional<Membrane> membrane, Bending bending) {
  Scene scene;
  scene.cloths.resize(1);
  Cloth& cloth = scene.cloths[0];
  cloth.name = "shirt";
  cloth.grid = Grid();
  cloth.grid->points = {6, 5};
  cloth.grid->size = {0.5, 0.4};
  cloth.membrane = membrane;
  cloth.bending = bending;
  return scene;
}

TEST(Support, EveryFamilyTellsWhatItIs) {
  ASSERT_EQ(solvers().size(), kFamilies.size());
  for (size_t k = 0; k < kFamilies.size(); ++k) {
    const SolverEntry& entry = solvers()[k];
    EXPECT_EQ(entry.name, kFamilies[k]);
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    ASSERT_TRUE(entry.make) << entry.name;
    EXPECT_TRUE(std::any_of(entry.methods.begin(), entry.methods.end(), [&](const Method& method) {
      return method.name == entry.name;
    })) << entry.name;
    for (const Method& method : entry.methods) EXPECT_EQ(family_of_method(method.name), entry.name);
  }
}

TEST(Support, PbdRefusesWhatHasNoLengthsAndSaysWhoDoes) {
  Scene scene = scene_of(Membrane::stvk, Bending::quadratic);
  scene.solver.family = "position";
  scene.solver.position.method = PositionMethod::pbd;
  const std::string words = refusal(scene);
  EXPECT_EQ(words.find(
                "/solver/position/method: pbd cannot run stvk of cloth \"shirt\"; as they come, these can: "),
            0u)
      << words;
  EXPECT_NE(words.find("implicit"), std::string::npos);
  scene.solver.position.method = PositionMethod::xpbd;
  EXPECT_EQ(refusal(scene), "");

  scene = scene_of(Membrane::springs, Bending::dihedral);
  scene.solver.family = "position";
  scene.solver.position.method = PositionMethod::pbd;
  EXPECT_NE(refusal(scene).find("dihedral_bending"), std::string::npos);
}

TEST(Support, SettingsThatKnowSpringsOnlyRefuseTriangles) {
  Scene scene = scene_of(Membrane::baraff_witkin, Bending::quadratic);
  scene.solver.family = "position";
  scene.solver.position.method = PositionMethod::pbd;
  EXPECT_EQ(refusal(scene), "");
  scene.solver.position.sweep = Sweep::jacobi;
  EXPECT_EQ(refusal(scene).find("/solver/position/sweep: jacobi"), 0u);

  scene.solver.family = "implicit";
  EXPECT_EQ(refusal(scene), "");
  scene.solver.implicit.direction = Direction::uniform;
  EXPECT_EQ(refusal(scene), "");

  scene.solver.family = "explicit";
  EXPECT_EQ(refusal(scene), "");
  scene.solver.explicit_.spring_forces = false;
  EXPECT_EQ(refusal(scene).find("/solver/explicit/spring_forces: false"), 0u);
}

TEST(Support, WhoDoesNotSeeAStrainLimitSaysSo) {
  const auto warned = [](const Scene& scene) {
    const Simulation simulation(scene);
    const std::vector<std::string>& warnings = simulation.model().warnings;
    return std::any_of(warnings.begin(), warnings.end(), [](const std::string& words) {
      return words.find("strain limit") != std::string::npos;
    });
  };
  Scene scene = scene_of(Membrane::baraff_witkin, Bending::quadratic);
  for (const double limit : {0.0, 0.05}) {
    scene.cloths[0].fabric.strain_limit = limit;
    for (const SolverEntry& entry : solvers()) {
      scene.solver.family = entry.name;
      const bool blind = entry.name == "explicit" || entry.name == "position";
      EXPECT_EQ(warned(scene), blind && limit > 0) << entry.name;
    }
  }
}

// Two sheets with edges of 14 mm at most, and a pole: who keeps vertices apart alone says what gets between.
TEST(Support, WhatSlipsBetweenVerticesIsSaid) {
  const auto said = [](const Scene& scene) { return Simulation(scene).limits(); };
  Scene scene = scene_of(Membrane::springs, Bending::quadratic);
  scene.cloths[0].grid->points = {11, 11};
  scene.cloths[0].grid->size = {0.1, 0.1};
  Collider pole;
  pole.name = "pole";
  pole.shape = Shape::cylinder;
  pole.center = Vec3(0, -1, 0);
  pole.radius = 0.007;
  scene.colliders = {pole};
  scene.self_collision.enabled = true;
  // It fits between three vertices on a circle about it, of 2 · 14.14 mm / √3 across.
  const double half_gap = 0.01414214 / std::sqrt(3.0);
  const double half = build_model(scene).half_thickness.minCoeff();
  for (const SolverEntry& entry : solvers()) {
    scene.solver.family = entry.name;
    const bool sees_all = entry.name == "quasi_newton";
    for (const bool wide : {false, true}) {
      scene.self_collision.distance = wide ? 0.0101 : 0.0099;
      scene.colliders[0].margin = half_gap - 0.007 - half + (wide ? 1e-5 : -1e-5);
      EXPECT_EQ(
          said(scene).find("pass through cloth (self_collision.distance is 9.9 mm)") != std::string::npos,
          !sees_all && !wide)
          << entry.name;
      EXPECT_EQ(said(scene).find("collider \"pole\" (14 mm wide)") != std::string::npos, !sees_all && !wide)
          << entry.name;
    }
  }
  scene.solver.family = "position";
  scene.solver.position.contact = PositionContact::pairs;
  scene.self_collision.distance = 0.001;
  EXPECT_EQ(said(scene).find("through cloth"), std::string::npos);
}

// A step's fall, 9.81 m/s² (1 s/60 n)², against 1.5 times what floats tell apart half a metre from the
// origin, 1.5 · 2⁻²⁴ m: equal at n = 174.6.
TEST(Support, StepsTooShortForFloatsAreSaid) {
  for (const PositionPath path : {PositionPath::lines, PositionPath::colours, PositionPath::general})
    for (const int substeps : {174, 175})
      for (const double gravity : {0.0, 9.81}) {
        Scene scene = scene_of(Membrane::springs, Bending::quadratic);
        scene.gravity = Vec3(0, -gravity, 0);
        scene.frame_time = 1.0 / 60;
        scene.cloths[0].grid->points = {5, 5};
        scene.cloths[0].grid->size = {1, 1};
        scene.solver.family = "position";
        scene.solver.position.path = path;
        scene.solver.position.substeps = substeps;
        const std::string limits = Simulation(scene).limits();
        EXPECT_EQ(limits.find("floats of the path") != std::string::npos,
                  path != PositionPath::general && substeps == 175 && gravity > 0)
            << limits;
      }
}

/// Where runs of every energy by every family that says it runs it end: they must fall, and stay finite.
TEST(Support, WhoSaysSoRuns) {
  for (const SolverEntry& entry : solvers())
    for (const Membrane membrane : {Membrane::springs, Membrane::baraff_witkin, Membrane::stvk})
      for (const Bending bending : {Bending::quadratic, Bending::dihedral}) {
        Scene scene = scene_of(membrane, bending);
        scene.solver.family = entry.name;
        scene.cloths[0].fabric.bend = 1e-4;
        scene.cloths[0].fabric.damping = 1e-3;
        scene.cloths[0].fabric.bend_damping = 1e-3;
        scene.cloths[0].pins.resize(1);
        scene.cloths[0].pins[0].sides = {Side::u_min};
        if (!refusal(scene).empty()) continue;
        Simulation simulation(scene);
        FrameReport report;
        for (int frame = 0; frame < 20; ++frame) report = simulation.step();
        const std::string name = std::string(entry.name) + " " + std::string(name_of(membrane)) + " " +
                                 std::string(name_of(bending));
        EXPECT_NE(report.step.status, Status::diverged) << name;
        EXPECT_LT(report.center_of_mass.y(), -0.1) << name;
        EXPECT_LT(report.strain_max, 0.1) << name;
      }
}

}  // namespace
}  // namespace muslin
