#include <fmt/format.h>
#include <gtest/gtest.h>

#include "muslin/core/check.h"
#include "muslin/io/cs184.h"
#include "muslin/io/scene_json.h"

namespace muslin {
namespace {

// The numbers that the course's scenes share.
std::string cloth_text(const std::string& changes = "") {
  return R"("cloth": {"damping": 0.2, "density": 150, "ks": 5000, "enable_structural": true,
    "enable_shearing": true, "enable_bending": true, "orientation": 0, "width": 1, "height": 1,
    "num_width_points": 50, "num_height_points": 50, "thickness": 0.0095)" +
         changes + "}";
}
const std::string kSphere = R"("sphere": {"origin": [0.5, 0.2, 0.5], "radius": 0.2, "friction": 0.3})";
const std::string kPlane = R"("plane": {"point": [0, 0, 0], "normal": [0, 1, 0], "friction": 0.5})";

Scene parse(const std::string& text, const std::vector<Override>& overrides = {}) {
  return parse_scene(text, "folder/pinned2.json", ".", overrides);
}
std::string object(const std::string& members) { return fmt::format("{{{}}}", members); }
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Cs184, TakesOverEveryNumber) {
  const Scene scene = parse(object(cloth_text(R"(, "pinned": [[0, 0], [49, 0]])")));
  EXPECT_EQ(scene.name, "pinned2");
  EXPECT_EQ(scene.frame_time, 1.0 / 90);
  EXPECT_EQ(scene.frames, 300);
  EXPECT_EQ(scene.gravity, Vec3(0, -9.8, 0));
  EXPECT_EQ(scene.damping, 0);
  ASSERT_EQ(scene.cloths.size(), 1u);
  const Cloth& cloth = scene.cloths[0];
  EXPECT_DOUBLE_EQ(*cloth.vertex_mass, 0.06);
  EXPECT_EQ(cloth.fabric.thickness, 0);
  EXPECT_EQ(cloth.grid->points, (std::array<int, 2>{50, 50}));
  EXPECT_EQ(cloth.grid->size, (std::array<double, 2>{1, 1}));
  EXPECT_EQ(cloth.grid->origin, Vec3(0, 1, 0));
  EXPECT_EQ(cloth.grid->u, Vec3(1, 0, 0));
  EXPECT_EQ(cloth.grid->v, Vec3(0, 0, 1));
  EXPECT_EQ(cloth.grid->diagonals, Diagonals::forward);
  EXPECT_EQ(cloth.springs->layout, SpringLayout::cross);
  EXPECT_EQ(cloth.springs->structural, 5000);
  EXPECT_EQ(cloth.springs->shear, 5000);
  EXPECT_EQ(cloth.springs->bend, 1000);
  ASSERT_EQ(cloth.pins.size(), 1u);
  EXPECT_EQ(cloth.pins[0].grid, (std::vector<std::array<int, 2>>{{0, 0}, {49, 0}}));
  EXPECT_EQ(cloth.pins[0].axes, "xyz");
}

TEST(Cs184, TakesOverTheProgramsFixedNumbers) {
  const Scene scene = parse(object(cloth_text()));
  EXPECT_TRUE(scene.cloths[0].pins.empty());
  EXPECT_TRUE(scene.self_collision.enabled);
  EXPECT_EQ(scene.self_collision.distance, 0.019);
  EXPECT_EQ(scene.self_collision.relaxation, 1.0 / 30);
  EXPECT_EQ(scene.solver.family, "explicit");
  const ExplicitSettings& settings = scene.solver.explicit_;
  EXPECT_EQ(settings.substeps, 30);
  EXPECT_EQ(settings.velocity_loss, 0.002);
  EXPECT_TRUE(settings.verlet);
  EXPECT_TRUE(settings.spring_forces);
  EXPECT_EQ(settings.stretch_limit, 1.1);
  EXPECT_EQ(settings.limit_sweeps, 1);
  EXPECT_EQ(settings.relaxation_sweeps, 0);
  EXPECT_EQ(settings.split, Split::mass);
}

TEST(Cs184, TakesOverSphereAndPlane) {
  const Scene scene = parse(object(kPlane + "," + cloth_text() + "," + kSphere));
  ASSERT_EQ(scene.colliders.size(), 2u);
  const Collider &sphere = scene.colliders[0], &plane = scene.colliders[1];
  EXPECT_EQ(sphere.shape, Shape::sphere);
  EXPECT_EQ(sphere.center, Vec3(0.5, 0.2, 0.5));
  EXPECT_EQ(sphere.radius, 0.2);
  EXPECT_EQ(sphere.friction, 0.3);
  EXPECT_EQ(sphere.friction_law, FrictionLaw::cs184);
  EXPECT_EQ(plane.shape, Shape::plane);
  EXPECT_EQ(plane.axis, Vec3(0, 1, 0));
  EXPECT_EQ(plane.friction, 0.5);
  EXPECT_EQ(plane.friction_law, FrictionLaw::cs184);
}

TEST(Cs184, StandsUpright) {
  const Scene scene = parse(object(replaced(cloth_text(), "\"orientation\": 0", "\"orientation\": 1")));
  EXPECT_EQ(scene.cloths[0].grid->origin, Vec3(0, 0, 0));
  EXPECT_EQ(scene.cloths[0].grid->v, Vec3(0, 1, 0));
  EXPECT_EQ(scene.cloths[0].grid->jitter, 0.001);
}

TEST(Cs184, DisabledSpringsStayWithoutForce) {
  const Scene scene =
      parse(object(replaced(cloth_text(), "\"enable_shearing\": true", "\"enable_shearing\": false")));
  EXPECT_EQ(scene.cloths[0].springs->structural, 5000);
  EXPECT_EQ(scene.cloths[0].springs->shear, 0);
}

TEST(Cs184, CanBeWrittenInOurFormat) {
  const Scene scene = parse(object(cloth_text(R"(, "pinned": [[0, 0]])") + "," + kSphere));
  EXPECT_EQ(write_scene(parse_scene(write_scene(scene), "again", ".")), write_scene(scene));
}

TEST(Cs184, OverridesAddressOurFormat) {
  const Scene scene = parse(object(cloth_text()), {{"cloths/0/grid/points", "[20, 30]"}, {"name", "small"}});
  EXPECT_EQ(scene.cloths[0].grid->points, (std::array<int, 2>{20, 30}));
  EXPECT_EQ(scene.name, "small");
  EXPECT_EQ(scene.folder, ".");
}

TEST(Cs184, OverridesByItsOwnNamesSayOurs) {
  try {
    parse(object(cloth_text()), {{"cloth/ks", "500"}});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("--set cloth/ks: "), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("cloths/0/springs/structural"), std::string::npos);
  }
  // Every name that the format has is translated.
  for (const char* key :
       {"cloth/damping", "cloth/density", "cloth/ks", "cloth/enable_structural", "cloth/enable_shearing",
        "cloth/enable_bending", "cloth/orientation", "cloth/width", "cloth/height", "cloth/num_width_points",
        "cloth/num_height_points", "cloth/thickness", "cloth/pinned", "sphere/origin", "/sphere/radius",
        "sphere.friction", "plane/point", "plane/normal", "plane/friction"})
    EXPECT_NE(converted_path(key), "") << key;
  EXPECT_EQ(converted_path("cloths/0/springs/structural"), "");
}

struct Wrong {
  std::string text, message;
};
class Cs184Refused : public ::testing::TestWithParam<Wrong> {};

TEST_P(Cs184Refused, WithMessage) {
  try {
    parse_scene(GetParam().text, "s.json", ".");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cs184, Cs184Refused,
    ::testing::Values(
        Wrong{object(replaced(cloth_text(), "\"ks\": 5000,", "")), "s.json:1:11: /cloth: missing key \"ks\""},
        Wrong{object(replaced(cloth_text(), "\"ks\"", "\"kss\"")),
              "s.json:1:44: /cloth: unknown key \"kss\"; did you mean \"ks\"?"},
        Wrong{object(cloth_text() + ", \"spere\": {}"), "unknown key \"spere\"; did you mean \"sphere\"?"},
        Wrong{object(cloth_text() + ", " + replaced(kSphere, ", \"friction\": 0.3", "")),
              "/sphere: missing key \"friction\""},
        Wrong{object(cloth_text() + ", " + replaced(kPlane, "0, 1, 0", "0, 0, 0")),
              "/plane/normal: must not be zero"},
        Wrong{object(cloth_text(R"(, "pinned": [[0, 0], [50, 0]])")),
              "/cloth/pinned/1: must be a point of the 50 x 50 grid, got [50, 0]"},
        Wrong{object(cloth_text(R"(, "pinned": [[-1, 0]])")), "/cloth/pinned/0/0: must be between 0"},
        Wrong{object(replaced(cloth_text(), "\"num_width_points\": 50", "\"num_width_points\": 40000000")),
              "/cloth/num_width_points: at most 4000000 points, got 2000000000"},
        Wrong{object(replaced(cloth_text(), "\"orientation\": 0", "\"orientation\": 2")),
              "/cloth/orientation: must be between 0 and 1, got 2"},
        Wrong{"{\"cloth\": 5}", "unknown key \"cloth\"; did you mean \"cloths\"?"},
        Wrong{object(cloth_text() + ", \"wind\": {}"), "unknown key \"cloth\"; did you mean \"cloths\"?"}));

}  // namespace
}  // namespace muslin
