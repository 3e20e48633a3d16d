#include "muslin/contact/vertices/jumped.h"

#include <gtest/gtest.h>

#include "muslin/geometry/solids.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

/// A level sheet of 0.4 m at the height 0, and a collider of that shape 0.2 m wide that comes from below by
/// `way` [m] in a second.
Scene struck_sheet(Shape shape, double way) {
  Scene scene;
  scene.cloths.emplace_back();
  scene.cloths[0].grid = Grid();
  scene.cloths[0].grid->points = {9, 9};
  scene.cloths[0].grid->size = {0.4, 0.4};
  scene.cloths[0].grid->origin = {-0.2, 0, -0.2};
  Collider collider;
  collider.shape = shape;
  collider.name = "striker";
  collider.radius = 0.1;
  collider.size = {0.2, 0.2, 0.2};
  collider.length = 0.2;
  collider.center = {0, -way / 2, 0};
  collider.motion.keyframes = {Keyframe{}, Keyframe{1, {0, way, 0}, Vec3::Zero()}};
  scene.colliders = {collider};
  return scene;
}

StepReport jumps(const Scene& scene, double time_start, double time_end) {
  const Model model = build_model(scene);
  StepReport report;
  ColliderProbes probes;
  find_jumped(model, scripted_input(model, time_start, time_end), model.start, probes, model.start, report);
  return report;
}

// What lies above a disc of radius 0.1 m in a grid of 0.05 m: 13 vertices, but those on its rim are grazed.
TEST(Jumped, CountsTheVerticesThatAConvexBodyPasses) {
  for (const Shape shape : {Shape::sphere, Shape::box, Shape::capsule, Shape::cylinder}) {
    const StepReport report = jumps(struck_sheet(shape, 2), 0, 1);
    EXPECT_GE(report.jumped, 9) << name_of(shape);
    EXPECT_LE(report.jumped, 25) << name_of(shape);
    EXPECT_EQ(report.jumped_collider, 0) << name_of(shape);
  }
}

// Two towers on a slab, so fast that the sheet comes from above them to below the slab; once with the sheet
// in between them from the start, where the way that is gone leads through the slab alone.
TEST(Jumped, CountsTheVerticesThatAClosedMeshPasses) {
  Mesh towers;
  const auto add = [&](const Vec3& size, const Vec3& centre) {
    const Mesh box = make_box(size);
    const int first = towers.vertex_count();
    towers.positions.conservativeResize(3, first + box.vertex_count());
    towers.positions.rightCols(box.vertex_count()) = box.positions.colwise() + centre;
    for (const auto& [a, b, c] : box.triangles) towers.triangles.push_back({a + first, b + first, c + first});
  };
  add({0.1, 0.4, 1}, {-0.15, 0.2, 0});
  add({0.1, 0.4, 1}, {0.15, 0.2, 0});
  add({1, 0.1, 1}, {0, -0.1, 0});
  Scene scene = struck_sheet(Shape::mesh, 2);
  scene.colliders[0].mesh.emplace();
  scene.colliders[0].mesh->mesh = std::make_shared<const Mesh>(towers);
  EXPECT_EQ(jumps(scene, 0, 1).jumped, 81) << "all of it";
  EXPECT_EQ(jumps(scene, 0, 0.2).jumped, 0) << "the towers are still below";
  scene.colliders[0].center.y() = -0.2;  // columns at 0 and 0.05 m from the middle, and 0.2, are in no tower
  EXPECT_EQ(jumps(scene, 0, 0.01).jumped, 0);
  const int between = jumps(scene, 0, 0.5).jumped;  // those that begin in a tower do not count
  EXPECT_GE(between, 3 * 9);
  EXPECT_LT(between, 81);
}

TEST(Jumped, IsNotWhatPassesBesideOrOnlyComesNear) {
  for (const Shape shape : {Shape::sphere, Shape::box, Shape::capsule, Shape::cylinder}) {
    EXPECT_EQ(jumps(struck_sheet(shape, 2), 0, 0.3).jumped, 0) << name_of(shape) << ", below all the time";
    Scene beside = struck_sheet(shape, 2);
    beside.colliders[0].center.x() = 1;
    EXPECT_EQ(jumps(beside, 0, 1).jumped, 0) << name_of(shape);
    Scene off = struck_sheet(shape, 2);
    off.colliders[0].enabled = false;
    EXPECT_EQ(jumps(off, 0, 1).jumped, 0) << name_of(shape);
  }
}

TEST(Jumped, IsNotClothThatTravelsWithItsCollider) {
  const Scene scene = struck_sheet(Shape::box, 2);
  const Model model = build_model(scene);
  StepReport report;
  Points end = model.start;
  end.row(1).array() += 2;
  ColliderProbes probes;
  find_jumped(model, scripted_input(model, 0, 1), model.start, probes, end, report);
  EXPECT_EQ(report.jumped, 0);
}

TEST(Jumped, IsReportedByEveryFamilyThatKeepsVerticesApartAndNotByTheOneThatLetsNothingThrough) {
  Scene scene = struck_sheet(Shape::sphere, 1000);  // 1 km/s; 17 m a frame
  scene.frame_time = 1.0 / 60;
  scene.colliders[0].center = {0, -5, 0};
  for (const char* family : {"explicit", "position", "implicit", "newton", "baraff_witkin", "block_descent",
                             "projective", "quasi_newton"}) {
    scene.solver = {};
    scene.solver.family = family;
    scene.solver.budget = 2000;
    const FrameReport report = Simulation(scene).step();
    if (std::string_view(family) == "quasi_newton") {
      EXPECT_EQ(report.step.jumped, 0);
      continue;
    }
    EXPECT_GT(report.step.jumped, 0) << family;
    EXPECT_EQ(report.step.jumped_collider, 0) << family;
  }
}

}  // namespace
}  // namespace muslin
