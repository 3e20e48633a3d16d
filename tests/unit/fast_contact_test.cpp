// Vertices against colliders on the fast paths of position: lines on grids, colours on meshes.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "muslin/geometry/shapes.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

constexpr double kSize = 0.4;

// A free sheet at a height over the x-z plane, its middle at x = z = 0; a grid runs by lines, a mesh by
// colours.
Scene sheet(PositionPath path, double height, int points = 17) {
  Cloth cloth;
  const Vec3 corner(-kSize / 2, height, -kSize / 2);
  if (path == PositionPath::lines) {
    cloth.grid = Grid();
    cloth.grid->points = {points, points};
    cloth.grid->size = {kSize, kSize};
    cloth.grid->origin = corner;
    cloth.grid->u = Vec3::UnitX();
    cloth.grid->v = Vec3::UnitZ();
  } else {
    Mesh mesh = make_irregular_sheet({.points = points, .size = kSize, .seed = 3});
    mesh.positions.colwise() += corner;
    cloth.mesh = ClothMesh();
    cloth.mesh->mesh = std::make_shared<Mesh>(mesh);
  }
  cloth.fabric.preset = "cotton";
  Scene scene;
  scene.solver.family = "position";
  scene.solver.position.path = path;
  scene.solver.position.substeps = 12;
  scene.cloths = {cloth};
  return scene;
}

Collider shape(Shape shape, double friction) {
  Collider collider;
  collider.shape = shape;
  collider.radius = 0.1;
  collider.length = 0.15;
  collider.size = {0.2, 0.2, 0.2};
  collider.friction = friction;
  return collider;
}

constexpr PositionPath kPaths[] = {PositionPath::lines, PositionPath::colours};

// Where cloth comes to lie, or how it slides off, is much the same; what is thrown about differs in its
// folds.
TEST(FastContact, KeepsOutOfEveryShapeAsTheGeneralPath) {
  for (const PositionPath path : kPaths)
    for (const Shape kind : {Shape::sphere, Shape::plane, Shape::box, Shape::capsule, Shape::cylinder}) {
      Scene scene = sheet(path, 0.19);
      scene.colliders = {shape(kind, 0.3)};
      double heights[2];
      for (const PositionPath taken : {PositionPath::general, path}) {
        scene.solver.position.path = taken;
        Simulation simulation(scene);
        FrameReport frame;
        double least = kInfinity;
        for (int f = 0; f < 30; ++f) {
          frame = simulation.step();
          EXPECT_EQ(frame.step.path, taken);
          least = std::min(least, frame.step.min_gap);
        }
        EXPECT_GT(frame.step.contacts, 0) << name_of(kind);
        EXPECT_GT(least, -1e-9) << name_of(kind);
        heights[taken != PositionPath::general] = frame.center_of_mass.y();
      }
      EXPECT_NEAR(heights[0], heights[1], 0.02 * kSize) << name_of(kind) << " by " << name_of(path);
    }
}

// On a slope of tangent 0.5 cloth slides at g (sin − μ cos), and stays where μ is larger.
TEST(FastContact, SlidesAsCoulombHasIt) {
  for (const PositionPath path : kPaths)
    for (const double friction : {0.0, 0.3, 0.6}) {
      Scene scene = sheet(path, 0, 9);
      const double slope = std::atan(0.5);
      scene.gravity = 9.81 * Vec3(std::sin(slope), -std::cos(slope), 0);
      Collider plane = shape(Shape::plane, friction);
      scene.cloths[0].fabric.thickness = 0.001;
      plane.center = {0, -0.0005, 0};
      scene.colliders = {plane};
      Simulation simulation(scene);
      const double start = simulation.report().center_of_mass.x();
      FrameReport frame;
      for (int f = 0; f < 30; ++f) frame = simulation.step();
      EXPECT_EQ(frame.step.path, path);
      EXPECT_EQ(frame.step.contacts, simulation.model().vertex_count());
      const double pull = std::max(0.0, 9.81 * (std::sin(slope) - friction * std::cos(slope)));
      const double way = 0.5 * pull * frame.time * frame.time;
      EXPECT_NEAR(frame.center_of_mass.x() - start, way, 0.02 * way + 1e-4) << friction << name_of(path);
    }
}

// A floor that rises lifts what lies on it, and one that goes aside takes it along as far as friction holds.
TEST(FastContact, GoesWithMovingColliders) {
  for (const PositionPath path : kPaths) {
    Scene scene = sheet(path, 0.001, 9);
    Collider floor = shape(Shape::box, 0.8);
    floor.size = {1, 0.1, 1};
    floor.center = {0, -0.05, 0};
    Keyframe begin, end;
    end.time = 1;
    end.offset = Vec3(0.1, 0.2, 0);
    floor.motion.keyframes = {begin, end};
    scene.colliders = {floor};
    Simulation simulation(scene);
    const Vec3 start = simulation.report().center_of_mass;
    FrameReport frame;
    for (int f = 0; f < 60; ++f) {
      frame = simulation.step();
      EXPECT_GT(frame.step.min_gap, -1e-9);
    }
    EXPECT_EQ(frame.step.path, path);
    const Vec3 moved = frame.center_of_mass - start;
    EXPECT_NEAR(moved.y(), 0.2, 0.01) << name_of(path);
    EXPECT_NEAR(moved.x(), 0.1, 0.01) << name_of(path);
  }
}

}  // namespace
}  // namespace muslin
