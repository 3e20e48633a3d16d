#include "muslin/render/hem.h"
#include "muslin/render/materials.h"
#include "muslin/render/upright.h"
#include "render/picture.h"

// Colours of scenes, hems, and what is up.

namespace muslin {
namespace {

class ColourTest : public PictureTest {};

Stage wall(double width) {
  return sheet(9, [&](double u, double v) { return Vec3(width * (u - 0.5), v - 0.5, 0); });
}

/// Rows of the middle column that differ from an empty picture.
int covered_rows(const Image& with, const Image& without) {
  int rows = 0;
  for (int y = 0; y < with.height; ++y)
    rows += difference(with.at(with.width / 2, y), without.at(with.width / 2, y)) > 10;
  return rows;
}

TEST_F(ColourTest, SolidsAndClothHaveTheHueThatTheSceneSays) {
  struct Case {
    Colour colour;
    int strongest, weakest;  // channel
  };
  for (const auto& [colour, strongest, weakest] :
       {Case{{200, 60, 20}, 0, 2}, Case{{20, 160, 80}, 1, 0}, Case{{70, 40, 190}, 2, 1}}) {
    View view{{}, from({0, 0, 4}), 160, 120};
    view.stage.colliders.push_back(ball(0.4));
    view.stage.colliders.back().collider.colour = colour;
    const Pixel solid = draw(view).at(80, 60);
    EXPECT_GT(solid[strongest], solid[weakest] + 60) << text_of(colour);
    view.stage = wall(1);
    const auto [red, green, blue] = linear(colour);
    view.stage.colours = std::make_shared<const Colours>(81, Eigen::Vector3f(red, green, blue));
    const Pixel cloth = draw(view).at(80, 60);
    EXPECT_GT(cloth[strongest], cloth[weakest] + 60) << text_of(colour);
  }
}

TEST_F(ColourTest, TheBackgroundIsTheScenesInTheMiddle) {
  for (const Colour colour :
       {Colour{30, 60, 120}, Colour{200, 180, 160}, Colour{240, 240, 240}, Colour{10, 10, 10}}) {
    View view{{}, {}, 160, 120};
    view.stage.background = colour;
    // The middle between both ends of the roll is where it is neither lighter nor darker.
    const Image image = draw(view);
    int nearest = 255;
    for (int y = 0; y < image.height; ++y)
      nearest = std::min(nearest, difference(image.at(80, y), {colour.red, colour.green, colour.blue}));
    EXPECT_LE(nearest, 4) << text_of(colour);
    EXPECT_LE(difference(image.at(80, 60), {colour.red, colour.green, colour.blue}), 24) << text_of(colour);
  }
}

TEST_F(ColourTest, AHemGivesAnEdgeAThickness) {
  // Seen along its plane, cloth is a line; its hem is 0.36 % of its size thick (hem.cpp), twice a sheet of 1
  // m².
  View view{sheet(9, [](double u, double v) { return Vec3(u - 0.5, 0, v - 0.5); }), from({0, 0, 1.2}), 400,
            400};
  view.camera.field_of_view = 3;
  View empty = view;
  empty.stage = {};
  const Image without = draw(empty);
  const double pixel = 2 * 0.7 * std::tan(1.5 * M_PI / 180) / 400;
  EXPECT_NEAR(covered_rows(draw(view), without) * pixel, 0.0036, 2 * pixel);
  view.look.hem = false;
  EXPECT_LE(covered_rows(draw(view), without), 2);
}

TEST(Hem, RunsAlongBordersAloneAndOutside) {
  const Stage stage = wall(1);
  Drawable cloth = cloth_drawable(stage);
  const size_t vertices = cloth.vertices.size(), triangles = cloth.triangles.size();
  add_hem(stage, cloth);
  EXPECT_EQ((cloth.vertices.size() - vertices) % (4 * 8), 0) << "as many at every edge of the border";
  EXPECT_EQ((cloth.triangles.size() - triangles) / (cloth.vertices.size() - vertices), 1);
  for (size_t v = vertices; v < cloth.vertices.size(); ++v) {
    const Eigen::Vector3f place = cloth.vertices[v].position;
    const float edge = std::max(std::abs(place.x()), std::abs(place.y()));
    EXPECT_LE(edge, 0.5f + 1e-6f);
    EXPECT_GE(edge, 0.5f - 0.0111f) << "1.1 % of the cloth's size";
    EXPECT_NEAR(cloth.vertices[v].normal.norm(), 1, 1e-5);
  }
}

TEST(Upright, TakesTheAxisAgainstGravityToY) {
  for (const Vec3& gravity : {Vec3(0, -9.81, 0), Vec3(0, 9.81, 0), Vec3(0, 0, -9.81), Vec3(0, 0, 9.81),
                              Vec3(-9.81, 0, 0), Vec3(9.81, 0, 0)}) {
    const Mat3 turn = upright(gravity);
    EXPECT_LT((turn * gravity - Vec3(0, -9.81, 0)).norm(), 1e-12) << gravity.transpose();
    EXPECT_LT((turn * turn.transpose() - Mat3::Identity()).norm(), 1e-12);
    EXPECT_NEAR(turn.determinant(), 1, 1e-12);
  }
  EXPECT_EQ(upright(Vec3::Zero()), Mat3::Identity());
  EXPECT_EQ(upright({3, -9, 1}), Mat3::Identity()) << "tilted gravity: the floor stays level";
}

TEST_F(ColourTest, ASceneWithZUpIsThePictureOfTheSameWithYUp) {
  const Mat3 turn = upright({0, 0, -9.81});
  View view{
      sheet(17, [](double u, double v) { return Vec3(u, 0.2 * std::sin(5 * u * v), v); }), {}, 320, 240};
  view.stage.colliders.push_back(ball(0.2));
  view.camera = frame_all(bounds(view.stage), 4.0 / 3);
  View other = view;
  other.stage.positions = turn.transpose() * view.stage.positions;
  other.stage.colliders[0].pose.rotation = turn.transpose() * view.stage.colliders[0].pose.rotation;
  other.camera.eye = turn.transpose() * view.camera.eye;
  other.camera.target = turn.transpose() * view.camera.target;
  muslin::turn(turn, other.stage);
  other.camera = turned(turn, other.camera);
  const Image a = draw(view), b = draw(other);
  int worst = 0;
  for (size_t i = 0; i < a.pixels.size(); ++i) worst = std::max(worst, difference(a.pixels[i], b.pixels[i]));
  EXPECT_LE(worst, 2);
}

}  // namespace
}  // namespace muslin
