#include "muslin/render/view.h"

#include <gtest/gtest.h>

#include <cmath>

#include "muslin/render/drawable.h"

// What a stage takes from a run: no picture is drawn.

namespace muslin {
namespace {

struct Run {
  Model model;
  State state;
};

Run sheet(const Springs& springs) {
  Scene scene;
  scene.cloths.resize(1);
  Cloth& cloth = scene.cloths[0];
  cloth.grid = Grid();
  cloth.grid->points = {5, 4};
  cloth.springs = springs;
  cloth.pins.resize(2);
  cloth.pins[0].grid = {{-1, 0}, {0, 0}};
  cloth.pins[1].grid = {{0, 0}};
  cloth.pins[1].axes = "y";
  cloth.velocity = {0, -0.3, 0};
  Run run{build_model(scene), {}};
  run.state = initial_state(run.model);
  return run;
}

const Springs kAll{SpringLayout::cross, 10, 10, 10, 0};

TEST(Stage, ShowsTheSpringsThatTheLookAsksFor) {
  const auto [model, state] = sheet(kAll);
  EXPECT_TRUE(make_stage(model, state, {}).springs.empty());
  Look look;
  look.structural = true;
  EXPECT_EQ(make_stage(model, state, look).springs.size(), 4u * 4 + 5 * 3);
  look.shear = true;
  EXPECT_EQ(make_stage(model, state, look).springs.size(), 31u + 2 * 4 * 3);
  look.structural = look.shear = false;
  look.bend = true;
  const Stage stage = make_stage(model, state, look);
  EXPECT_EQ(stage.springs.size(), 3u * 4 + 5 * 2);
  for (const SpringLine& spring : stage.springs) {
    EXPECT_EQ(spring.kind, SpringClass::bend);
    const int apart = std::abs(spring.vertices[0] - spring.vertices[1]);
    EXPECT_TRUE(apart == 2 || apart == 10) << "two along a row, or two rows";
  }
}

TEST(Stage, MarksEveryPinnedVertexOnce) {
  const auto [model, state] = sheet(kAll);
  EXPECT_EQ(make_stage(model, state, {}).marked, (std::vector<int>{0, 4}));
}

TEST(Stage, LeavesOutCollidersThatAreNotEnabled) {
  auto [model, state] = sheet(kAll);
  model.colliders.resize(2);
  model.collider_surfaces.resize(2);
  model.colliders[0].enabled = false;
  model.colliders[1].center = {0, 7, 0};
  const Stage stage = make_stage(model, state);
  ASSERT_EQ(stage.colliders.size(), 1u);
  EXPECT_EQ(stage.colliders[0].pose.translation.y(), 7);
}

TEST(Heat, IsInTheLegendsUnitsWithRoundEnds) {
  auto [model, state] = sheet(kAll);
  Look look;
  EXPECT_EQ(measure_heat(model, state, look).values.size(), 0);

  look.heat = Heat::speed;
  HeatMap heat = measure_heat(model, state, look);
  EXPECT_EQ(heat.title + " " + heat.unit, "speed m/s");
  EXPECT_EQ(heat.values[7], 0.3);
  EXPECT_EQ(heat.low, 0);
  EXPECT_EQ(heat.high, 0.5) << "the next of 1, 2, 5";

  state.positions.row(0) *= 1.03;
  look.heat = Heat::strain;
  heat = measure_heat(model, state, look);
  EXPECT_EQ(heat.title + " " + heat.unit, "strain %");
  EXPECT_LT((heat.values.array() - 3).abs().maxCoeff(), 1e-12);
  EXPECT_EQ(heat.high, 5);
  look.heat_low = -1;
  look.heat_high = 3.5;
  EXPECT_EQ(measure_heat(model, state, look).low, -1);
  EXPECT_EQ(measure_heat(model, state, look).high, 3.5);

  look = {};
  look.heat = Heat::contact;
  model.colliders.resize(1);
  model.collider_surfaces.resize(1);
  model.colliders[0].shape = Shape::plane;
  model.colliders[0].center = {0, -0.01, 0};
  heat = measure_heat(model, state, look);
  EXPECT_EQ(heat.title + " " + heat.unit, "gap mm");
  EXPECT_LT((heat.values.array() - 1000 * (0.01 - model.half_thickness[0])).abs().maxCoeff(), 1e-9);
  EXPECT_EQ(heat.high, 50) << "2 % of a diagonal of 1.41 m are 28 mm";

  look.heat = Heat::bending;
  EXPECT_EQ(measure_heat(model, state, look).unit, "J/m²");
  look.heat = Heat::difference;
  EXPECT_EQ(measure_heat(model, state, look).values.size(), 0);
  EXPECT_EQ(measure_heat(model, state, look).unit, "mm");
}

TEST(Heat, AFewHotVerticesDoNotTakeAllTheColours) {
  HeatMap heat;
  heat.values = Scalars::LinSpaced(1000, 0, 0.9);
  heat.values.tail(5).setConstant(700);
  set_ends({}, 1e-6, heat);
  EXPECT_EQ(heat.high, 1);
  heat.values.setConstant(1e-15);
  set_ends({}, 0.1, heat);
  EXPECT_EQ(heat.high, 0.1) << "rounding is no heat";
  heat.values.setConstant(std::nan(""));
  set_ends({}, 0.1, heat);
  EXPECT_EQ(heat.high, 0.1) << "a cloth that blew up";
}

/// Where points are in a picture: -1 to 1 over its height, likewise across.
Eigen::Matrix2Xd in_picture(const Points& points, const Camera& camera) {
  const Vec3 forward = (camera.target - camera.eye).normalized();
  const Vec3 right = forward.cross(camera.up).normalized(), up = right.cross(forward);
  const Points offset = points.colwise() - camera.eye;
  const double scale = 1 / std::tan(camera.field_of_view * M_PI / 360);
  Eigen::Matrix2Xd places(2, points.cols());
  places.row(0) = scale * (right.transpose() * offset).cwiseQuotient(forward.transpose() * offset);
  places.row(1) = scale * (up.transpose() * offset).cwiseQuotient(forward.transpose() * offset);
  return places;
}

// A ball on a floor: shown whole with its shadow, and as large as that allows.
TEST(Framing, FitsFigureAndShadow) {
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].grid = Grid();
  scene.cloths[0].grid->origin = {-0.5, 0.6, -0.5};
  scene.colliders.resize(2);
  scene.colliders[0].radius = 0.3;
  scene.colliders[0].center = {0, 0.3, 0};
  scene.colliders[1].shape = Shape::plane;
  const Model model = build_model(scene);
  const Stage stage = make_stage(model, initial_state(model));
  const Outline outlined = outline(stage);
  EXPECT_GT(outlined.things.cols(), stage.positions.cols());
  EXPECT_LT(outlined.shadow.row(1).cwiseAbs().maxCoeff(), 1e-6) << "a shadow lies on the floor";
  // That of the corner farthest from the lamp is beside the cloth
  EXPECT_GT((outlined.shadow.row(0).cwiseAbs().maxCoeff()), 0.6);
  Points points(3, outlined.things.cols() + outlined.shadow.cols());
  points << outlined.things, outlined.shadow;
  for (const double aspect : {0.7, 1.0, 1.6}) {
    const Eigen::Matrix2Xd places = in_picture(points, frame_all(outlined, aspect));
    const Vec2 low = places.rowwise().minCoeff(), high = places.rowwise().maxCoeff();
    EXPECT_LT(std::max(-low.x(), high.x()), aspect);
    EXPECT_LT(std::max(-low.y(), high.y()), 1);
    const double filled = std::max((high.x() - low.x()) / (2 * aspect), (high.y() - low.y()) / 2);
    EXPECT_GT(filled, 0.88);
  }
}

// What covers the right of a picture covers nothing of what there is to see.
TEST(Framing, FitsBesideACover) {
  Points corners(3, 8);
  for (int k = 0; k < 8; ++k) corners.col(k) << (k & 1 ? 1 : -0.5), (k & 2 ? 0.3 : 0), (k & 4 ? 0.7 : 0);
  const Outline outlined{corners, Points(3, 0)};
  for (const double covered : {0.0, 0.1, 0.3})
    for (const double aspect : {0.7, 1.0, 1.6}) {
      const Eigen::Matrix2Xd places = in_picture(corners, frame_all(outlined, aspect, covered));
      const Vec2 low = places.rowwise().minCoeff(), high = places.rowwise().maxCoeff();
      const double right = aspect * (1 - 2 * covered);
      EXPECT_GT(low.x(), -aspect);
      EXPECT_LT(high.x(), right);
      EXPECT_LT(std::max(-low.y(), high.y()), 1);
      EXPECT_NEAR(low.x() + aspect, right - high.x(), 0.1) << "as much room to the left as to the right";
      EXPECT_GT(std::max((high.x() - low.x()) / (right + aspect), (high.y() - low.y()) / 2), 0.88);
    }
}

// What stands upright with a long shadow is in the middle of a broad picture, and the shadow still in it.
TEST(Framing, RoomToSpareCentresTheThings) {
  Outline outlined{Points(3, 2), Points(3, 1)};
  outlined.things << 0, 0, 0, 1, 0, 0;
  outlined.shadow << 0.5, 0, 0;
  const auto middle = [&](double aspect) {
    const Camera camera = frame_all(outlined, aspect);
    EXPECT_LT(in_picture(outlined.shadow, camera).row(0).cwiseAbs().maxCoeff(), aspect);
    return in_picture(outlined.things, camera).row(0).mean();
  };
  EXPECT_NEAR(middle(3), 0, 0.02);
  EXPECT_LT(middle(0.6), -0.1) << "no room: the middle is that of figure and shadow";
}

// A table's top: edges of cloth between vertices outside cut its rim by some millimetres, and hide it all the
// same.
TEST(Sag, AThinDiscIsDrawnBelowEdgesThatCutItsRim) {
  PosedCollider top;
  top.collider.shape = Shape::cylinder;
  top.collider.radius = 0.45;
  top.collider.length = 0.04;
  Stage stage;
  stage.positions.resize(3, 3);  // over the rim: one vertex on the top, two beside it
  stage.positions.col(0) = Vec3(0.44, 0.021, 0);
  stage.positions.col(1) = Vec3(0.452, 0.005, 0);
  stage.positions.col(2) = Vec3(0.44, 0.021, 0.01);
  stage.triangles = {{0, 1, 2}};
  const double depth = 0.02 - (0.021 + 0.005 + 0.021) / 3;  // of the triangle's middle below the top
  EXPECT_NEAR(sag(stage, top), 1.05 * depth, 1e-9);
}

}  // namespace
}  // namespace muslin
