#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

#include "muslin/core/check.h"
#include "render/picture.h"

namespace muslin {
namespace {

class RenderTest : public PictureTest {
 protected:
  /// Where a view differs from the same view of an empty stage.
  std::vector<bool> changed(const View& view) {
    View empty = view;
    empty.stage = {};
    const Image with = draw(view), without = draw(empty);
    std::vector<bool> differs;
    for (size_t i = 0; i < with.pixels.size(); ++i)
      differs.push_back(difference(with.pixels[i], without.pixels[i]) > 20);
    return differs;
  }

  /// Where a picture shows cloth: indigo is the only blue in it, whatever light falls on it.
  std::vector<bool> blue(const View& view) {
    std::vector<bool> is_blue;
    for (const Pixel& p : draw(view).pixels) is_blue.push_back(p[2] > p[0] + 12);
    return is_blue;
  }

  /// Where a view shows solids: what hides a blue wall behind them.
  std::vector<bool> silhouette(View view) {
    const Vec3 back = view.camera.eye.normalized();
    const Vec3 right = view.camera.up.cross(back).normalized(), up = back.cross(right);
    view.stage.positions.resize(3, 4);
    view.stage.positions << -4 * right - 4 * up, 4 * right - 4 * up, 4 * right + 4 * up, -4 * right + 4 * up;
    view.stage.positions.colwise() -= 1.5 * back;
    view.stage.triangles = {{0, 1, 2}, {0, 2, 3}};
    std::vector<bool> covered = blue(view);
    covered.flip();
    return covered;
  }
};

double area(const std::vector<bool>& covered) {
  return static_cast<double>(std::count(covered.begin(), covered.end(), true));
}

/// The first and last columns and rows that are covered.
struct Extent {
  int left, right, top, bottom;
};
Extent extent(const std::vector<bool>& covered, const View& view) {
  Extent e{view.width, -1, view.height, -1};
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x)
      if (covered[y * view.width + x])
        e = {std::min(e.left, x), std::max(e.right, x), std::min(e.top, y), std::max(e.bottom, y)};
  return e;
}

TEST_F(RenderTest, BallHasTheAreaOfItsProjection) {
  for (const double distance : {1.2, 3.0}) {
    View view{{}, from(distance * Vec3(1, 2, 2) / 3), 640, 480};
    const double radius = 0.25;
    view.stage.colliders.push_back(ball(radius));
    const double seen =
        focal_length(view) * radius / std::sqrt(distance * distance - radius * radius);  // tangent cone
    EXPECT_NEAR(area(silhouette(view)) / (M_PI * seen * seen), 1, 0.02) << "distance " << distance;
  }
}

TEST_F(RenderTest, TiltedSheetHasTheAreaOfItsProjection) {
  const auto place = [](double u, double v) { return Vec3(u - 0.5, 0.6 * (v - 0.5), 0.8 * (v - 0.5)); };
  View view{sheet(9, place), from({0, 0, 3}), 640, 480};
  std::vector<Vec2> corners;
  for (const Vec3& x : {place(0, 0), place(1, 0), place(1, 1), place(0, 1)})
    corners.push_back(focal_length(view) / (3 - x.z()) * x.head<2>());
  double doubled = 0;
  for (int k = 0; k < 4; ++k) {
    const Vec2 a = corners[k], b = corners[(k + 1) % 4];
    doubled += a.x() * b.y() - a.y() * b.x();
  }
  EXPECT_NEAR(area(blue(view)) / std::abs(doubled / 2), 1, 0.02);
}

TEST_F(RenderTest, EverySolidFillsTheBoxThatItsShapeSays) {
  struct Case {
    Shape shape;
    double width, height;  // of the silhouette seen along -z from far away [m]
  };
  for (const Case& c : {Case{Shape::sphere, 0.4, 0.4}, Case{Shape::box, 0.3, 0.7},
                        Case{Shape::capsule, 0.4, 1.0}, Case{Shape::cylinder, 0.4, 0.6}}) {
    PosedCollider posed = ball(0.2);
    posed.collider.shape = c.shape;
    posed.collider.length = 0.6;
    posed.collider.size = {0.3, 0.7, 0.2};
    View view{{}, from({0, 0, 60}), 400, 400};
    view.camera.field_of_view = 1.2;
    view.stage.colliders.push_back(posed);
    const Extent e = extent(silhouette(view), view);
    const double pixel = 2 * 60 * std::tan(0.6 * M_PI / 180) / 400;
    EXPECT_NEAR((e.right - e.left + 1) * pixel, c.width, 3 * pixel) << name_of(c.shape);
    EXPECT_NEAR((e.bottom - e.top + 1) * pixel, c.height, 3 * pixel) << name_of(c.shape);
  }
}

TEST_F(RenderTest, TwoRunsGiveTheSamePicture) {
  View view{sheet(33, [](double u, double v) { return Vec3(u, 0.1 * std::sin(9 * u), v); }), {}, 320, 240};
  view.stage.colliders.push_back(ball(0.3));
  view.stage.ground = -0.4;
  view.camera = frame_all(bounds(view.stage), 4.0 / 3);
  const Image first = draw(view);
  Renderer other;
  const Image second = draw_image(other, view);
  int worst = 0;
  for (size_t i = 0; i < first.pixels.size(); ++i)
    worst = std::max(worst, difference(first.pixels[i], second.pixels[i]));
  EXPECT_LE(worst, 1);
}

TEST_F(RenderTest, BallDoesNotShowThroughClothThatLiesOnIt) {
  const double radius = 0.5, height = radius + 0.00016;  // half the thickness of cotton
  const auto place = [&](double u, double v) {           // triangles as chords below the ball's surface
    return Vec3(height * Vec3(3 * (u - 0.5), 1, 3 * (0.5 - v)).normalized());
  };
  for (const int n : {17, 33, 129}) {
    View view{sheet(n, place), from({0.4, 3, 0.6}), 640, 480};
    view.stage.colliders.push_back(ball(radius));
    const Image image = draw(view);
    const double covered = 0.7 * focal_length(view) * radius / view.camera.eye.norm();
    int shining = 0;
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x) {
        const Pixel& p = image.at(x, y);
        if (std::hypot(x - 320, y - 240) < covered && p[2] <= p[0] + 10) ++shining;  // clay, not indigo
      }
    EXPECT_EQ(shining, 0) << n << " vertices a side";
  }
}

TEST_F(RenderTest, LevelPlaneShowsNothingButShadows) {
  View view{{}, from({0, 2, 4}), 320, 240};
  const Image nothing = draw(view);
  view.stage.ground = -0.5;
  const Image plane = draw(view);
  for (size_t i = 0; i < plane.pixels.size(); ++i)
    for (int c = 0; c < 3; ++c) ASSERT_NEAR(plane.pixels[i][c], nothing.pixels[i][c], 1) << "pixel " << i;

  View floating{{}, view.camera, view.width, view.height};
  floating.stage.colliders.push_back(ball(0.4));
  const double alone = area(changed(floating));
  floating.stage.ground = -0.5;
  EXPECT_GT(area(changed(floating)), 1.3 * alone);
}

TEST_F(RenderTest, FrameAllShowsAllOfIt) {
  for (const Vec3& size : {Vec3(1, 1, 1), Vec3(3, 0.01, 1), Vec3(0.01, 1, 2), Vec3(0.1, 4, 0.1)}) {
    PosedCollider box = ball(1);
    box.collider.shape = Shape::box;
    box.collider.size = size;
    box.pose.translation = {5, -3, 2};
    View view{{}, {}, 320, 240};
    view.stage.colliders.push_back(box);
    view.camera = frame_all(bounds(view.stage), 4.0 / 3);
    const Extent e = extent(changed(view), view);
    EXPECT_GT(e.left, 0) << size.transpose();
    EXPECT_LT(e.right, 319) << size.transpose();
    EXPECT_GT(e.top, 0) << size.transpose();
    EXPECT_LT(e.bottom, 239) << size.transpose();
    EXPECT_GT(std::max((e.right - e.left) / 320.0, (e.bottom - e.top) / 240.0), 0.65) << size.transpose();
  }
}

TEST_F(RenderTest, PngDecodesToTheSamePixels) {
  View view{{}, from({0, 1, 2}), 123, 77};
  view.stage.colliders.push_back(ball(0.5));
  const Image image = draw(view);
  const std::string png = encode_png(image);
  int width = 0, height = 0, channels = 0;
  stbi_uc* decoded = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(png.data()),
                                           static_cast<int>(png.size()), &width, &height, &channels, 3);
  ASSERT_NE(decoded, nullptr);
  EXPECT_EQ(width, 123);
  EXPECT_EQ(height, 77);
  EXPECT_TRUE(std::equal(decoded, decoded + 3 * 123 * 77, image.pixels.front().data()));
  stbi_image_free(decoded);
}

TEST_F(RenderTest, RefusesPicturesThatCannotBeDrawn) {
  View view;
  view.width = 1 << 20;
  EXPECT_THROW(draw(view), Error);
  view.width = 0;
  EXPECT_THROW(draw(view), Error);
}

}  // namespace
}  // namespace muslin
