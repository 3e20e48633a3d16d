#include <gtest/gtest.h>

#include <cmath>

#include "viewer/camera_control.h"
#include "viewer/comparison_view.h"
#include "viewer/overlay.h"
#include "viewer/picking.h"

using namespace muslin;

namespace {

CameraControl looking_at(const Extent& box) {
  CameraControl camera;
  Points corners(3, 8);
  for (int k = 0; k < 8; ++k) corners.col(k) = box.corner(static_cast<Extent::CornerType>(k));
  camera.frame({corners, Points(3, 0)}, 1.5);
  return camera;
}

const Extent kBox(Vec3(-1, 0, -0.5), Vec3(1, 0.8, 0.5));

TEST(Camera, TurnsAboutItsTarget) {
  CameraControl camera = looking_at(kBox);
  const Vec3 target = camera.camera().target;
  const double distance = (camera.camera().eye - target).norm();
  camera.orbit(0.3, -0.2);
  EXPECT_EQ(camera.camera().target, target);
  EXPECT_NEAR((camera.camera().eye - target).norm(), distance, 1e-12);
}

TEST(Camera, AWholeTurnOfTwoHeightsLeadsBack) {
  CameraControl camera = looking_at(kBox);
  const Vec3 eye = camera.camera().eye;
  for (int i = 0; i < 20; ++i) camera.orbit(0.1, 0);
  EXPECT_LT((camera.camera().eye - eye).norm(), 1e-9);
}

TEST(Camera, NeverTurnsOverTheTop) {
  CameraControl camera = looking_at(kBox);
  camera.orbit(0, 10);
  const Vec3 back = (camera.camera().eye - camera.camera().target).normalized();
  EXPECT_GT(back.y(), 0.999);
  EXPECT_GT(back.cross(camera.camera().up).norm(), 1e-3);  // the picture still has an upper side
}

TEST(Camera, WhatIsAtTheTargetFollowsThePointer) {
  CameraControl camera = looking_at(kBox);
  const Area area{10, 20, 600, 400};
  const Vec3 target = camera.camera().target;
  const Vec2 before = on_screen(target, camera.camera(), area);
  camera.pan(0.1, 0.25);  // of the height: 40 and 100 pixels
  const Vec2 after = on_screen(target, camera.camera(), area);
  EXPECT_NEAR(after.x() - before.x(), 40, 1e-9);
  EXPECT_NEAR(after.y() - before.y(), 100, 1e-9);
}

TEST(Camera, TheWheelKeepsTheDirection) {
  CameraControl camera = looking_at(kBox);
  const Vec3 before = camera.camera().eye - camera.camera().target;
  camera.zoom(3);
  const Vec3 after = camera.camera().eye - camera.camera().target;
  EXPECT_NEAR(after.norm() / before.norm(), 0.9 * 0.9 * 0.9, 1e-12);
  EXPECT_LT(after.normalized().cross(before.normalized()).norm(), 1e-12);
}

/// Where the camera shows points, from 0 to 1 over the width and the height.
Eigen::AlignedBox2d shown(const Points& points, const Camera& camera) {
  Eigen::AlignedBox2d box;
  for (int v = 0; v < points.cols(); ++v) {
    const Vec2 pixel = on_screen(points.col(v), camera, {0, 0, 1500, 1000});
    box.extend(Vec2(pixel.x() / 1500, pixel.y() / 1000));
  }
  return box;
}

Points corners(const Extent& box) {
  Points points(3, 8);
  for (int c = 0; c < 8; ++c) points.col(c) = box.corner(static_cast<Extent::CornerType>(c));
  return points;
}

TEST(Follow, FallingClothStaysBetweenTheMargins) {
  CameraControl camera = looking_at(kBox);
  const Margins margins{0.02, 0.2, 0.1, 0.05};
  for (int frame = 0; frame < 50; ++frame) {
    const Vec3 fall(0.05 * frame, -0.4 * frame, 0.1 * frame);
    const Points points = corners(kBox).colwise() + fall;
    camera.follow(points, 1.5, margins);
    const Eigen::AlignedBox2d seen = shown(points, camera.camera());
    EXPECT_GT(seen.min().x(), 0.02 - 1e-3);
    EXPECT_LT(seen.max().x(), 0.8 + 1e-3);
    EXPECT_GT(seen.min().y(), 0.1 - 1e-3);
    EXPECT_LT(seen.max().y(), 0.95 + 1e-3);
  }
}

TEST(Follow, WhatIsInThePictureMovesNothing) {
  CameraControl camera = looking_at(kBox);
  const Vec3 eye = camera.camera().eye;
  EXPECT_FALSE(camera.follow(0.5 * corners(kBox), 1.5, {0.02, 0.02, 0.02, 0.02}));
  EXPECT_EQ(camera.camera().eye, eye);
}

TEST(Follow, AHandsDistanceIsKept) {
  CameraControl camera = looking_at(kBox);
  camera.zoom(12);
  const double distance = (camera.camera().eye - camera.camera().target).norm();
  const Points points = corners(kBox).colwise() + Vec3(0, -5, 0);
  camera.follow(points, 1.5, {});
  EXPECT_NEAR((camera.camera().eye - camera.camera().target).norm(), distance, 1e-9);
  const Vec2 middle = shown(points, camera.camera()).center();
  EXPECT_GT(middle.y(), -0.01);
  EXPECT_LT(middle.y(), 1.01);
}

TEST(Picking, ARayThroughAPixelPassesWhatThePixelShows) {
  const Camera camera = looking_at(kBox).camera();
  for (const Vec3& place : {Vec3(0.3, 0.2, -0.1), Vec3(-0.9, 0.7, 0.4), Vec3(1, 0, 0.5)}) {
    const Vec2 pixel = on_screen(place, camera, {0, 0, 640, 480});
    const Ray ray = camera_ray(camera, pixel.x(), pixel.y(), 640, 480);
    EXPECT_LT(ray.direction.cross(place - ray.origin).norm(), 1e-9);
  }
}

/// One upright square of two triangles about the origin, 2 m wide.
Stage square() {
  Stage stage;
  stage.positions.resize(3, 4);
  stage.positions << -1, 1, 1, -1, -1, -1, 1, 1, 0, 0, 0, 0;
  stage.triangles = {{0, 1, 2}, {0, 2, 3}};
  return stage;
}

PosedCollider solid(Shape shape, const Vec3& center) {
  Collider collider;
  collider.shape = shape;
  collider.center = center;
  collider.radius = 0.25;
  return {collider, pose_at(collider, 0)};
}

TEST(Picking, TheNearestCornerOfTheTriangleThatIsHit) {
  const auto found = pick(square(), {{0.8, 0.7, 5}, {0, 0, -1}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, Pick::Kind::vertex);
  EXPECT_EQ(found->index, 2);
  EXPECT_NEAR(found->distance, 5, 1e-12);
  EXPECT_FALSE(pick(square(), {{1.1, 0, 5}, {0, 0, -1}}));
  EXPECT_FALSE(pick(square(), {{0, 0, 5}, {0, 0, 1}}));  // behind the ray
}

TEST(Picking, WhatIsInFrontHidesWhatIsBehind) {
  Stage stage = square();
  stage.colliders = {solid(Shape::sphere, {0, 0, -1}), solid(Shape::sphere, {0.5, 0.5, 2})};
  EXPECT_EQ(pick(stage, {{0, 0.1, 5}, {0, 0, -1}})->kind, Pick::Kind::vertex);
  const auto ball = pick(stage, {{0.5, 0.5, 5}, {0, 0, -1}});
  EXPECT_EQ(ball->kind, Pick::Kind::collider);
  EXPECT_EQ(ball->index, 1);
  EXPECT_NEAR(ball->point.z(), 2.25, 1e-4);  // the sphere's front
  EXPECT_EQ(pick(stage, {{0, 0, -5}, {0, 0, 1}})->index, 0);
}

TEST(Picking, EverySolidIsWhereItsShapeIs) {
  for (const Shape shape : {Shape::box, Shape::capsule, Shape::cylinder}) {
    Stage stage;
    stage.colliders = {solid(shape, {0, 1, 0})};
    const auto found = pick(stage, {{0, 1, 5}, {0, 0, -1}});
    ASSERT_TRUE(found) << name_of(shape);
    EXPECT_NEAR(found->point.z(), shape == Shape::box ? 0.5 : 0.25, 1e-4) << name_of(shape);
  }
}

TEST(Picking, NobodyTakesHoldOfAFloorAndItHidesWhatIsBelow) {
  Stage stage;
  stage.colliders = {solid(Shape::plane, {0, 0, 0}), solid(Shape::sphere, {0, -1, 0})};
  EXPECT_FALSE(pick(stage, {{0, 5, 0}, {0, -1, 0}}));
}

TEST(Picking, ADragStaysInThePlaneThatFacesTheCamera) {
  const Camera camera = looking_at(kBox).camera();
  const Vec3 point(0.2, 0.3, 0.1);
  const Vec3 dragged = on_camera_plane(camera_ray(camera, 500, 100, 640, 480), camera, point);
  EXPECT_NEAR((dragged - point).dot(camera.target - camera.eye), 0, 1e-9);
  const Vec2 pixel = on_screen(dragged, camera, {0, 0, 640, 480});
  EXPECT_NEAR(pixel.x(), 500, 1e-6);
  EXPECT_NEAR(pixel.y(), 100, 1e-6);
}

TEST(Layout, PartsCoverTheWholeAndDoNotOverlap) {
  const Area whole{350, 0, 901, 773};
  for (int count = 1; count <= 4; ++count) {
    const std::vector<Area> parts = lay_out(whole, count);
    ASSERT_EQ(static_cast<int>(parts.size()), count);
    for (int x = whole.x; x < whole.x + whole.width; x += 7)
      for (int y = 0; y < whole.height; y += 7) {
        int covering = 0;
        for (const Area& part : parts) covering += part.contains(x, y);
        EXPECT_LE(covering, 1);
      }
    for (const Area& part : parts) {
      EXPECT_GE(part.x, whole.x);
      EXPECT_LE(part.x + part.width, whole.x + whole.width);
      EXPECT_LE(part.y + part.height, whole.y + whole.height);
      EXPECT_GT(part.width, whole.width / 2 - 8);
    }
  }
}

TEST(Scale, OfDifferencesFollowsWhatIsThere) {
  Snapshot snapshot;
  snapshot.lanes.resize(2);
  for (LaneSnapshot& lane : snapshot.lanes) {
    lane.model = std::make_shared<const Model>();
    lane.state.positions = Points::Zero(3, 4);
  }
  snapshot.lanes[1].is_reference = true;
  const auto scale_at = [&](double millimetres, double before) {
    snapshot.lanes[0].state.positions(1, 2) = millimetres / 1000;
    return common_scale(snapshot, before);
  };
  EXPECT_NEAR(scale_at(3, 0), 5, 1e-9);
  EXPECT_NEAR(scale_at(70, 5), 100, 1e-9) << "grows at once";
  EXPECT_NEAR(scale_at(30, 100), 100, 1e-9) << "does not flicker";
  EXPECT_NEAR(scale_at(3, 100), 5, 1e-9) << "shortens where a fifth would do";
  EXPECT_NEAR(scale_at(0, 100), 0.01, 1e-9);
}

TEST(Warnings, SayWhatAFrameIsWorth) {
  LaneSnapshot lane;
  lane.label = "implicit";
  EXPECT_TRUE(warnings_of(lane).empty());
  lane.report.step.lost_gravity = 0.009;
  EXPECT_TRUE(warnings_of(lane).empty());
  lane.report.step.lost_gravity = 0.41;
  EXPECT_EQ(warnings_of(lane), std::vector<std::string>{"implicit: losing 41 % of gravity"});
  lane.report.step.status = Status::not_converged;
  lane.report.step.residual = 0.0123;
  EXPECT_EQ(warnings_of(lane).at(1), "implicit: not converged, residual 1.2e-02 N");
  lane.failure = "diverged in frame 7";
  EXPECT_EQ(warnings_of(lane), std::vector<std::string>{"implicit: diverged in frame 7"});
}

}  // namespace
