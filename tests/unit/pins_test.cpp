// Pins by the names of a mesh file and by regions.
#include "muslin/model/pins.h"

#include <gtest/gtest.h>

#include "mesh_folder.h"
#include "muslin/core/check.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

/// Three squares in a row, x from 0 to 3, y from 0 to 1: left and middle are in group top, middle and right
/// of red cloth; the texture of the right one is an island of its own.
const std::string kRow =
    "o left\nv 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 0 1 0\nv 1 1 0\nv 2 1 0\nv 3 1 0\n"
    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 8 8\nvt 9 8\nvt 9 9\nvt 8 9\n"
    "g top seam\nusemtl blue\nf 1/1 2/2 6/3 5/4\ng top\nusemtl red\nf 2/1 3/2 7/3 6/4\no right\n"
    "g low\nf 3/5 4/6 8/7 7/8\n";

class Pins : public MeshFolder {
 protected:
  Pins() { write("row.obj", kRow); }

  Scene scene_of(const std::string& pin, const std::string& mesh = R"("file": "row.obj")") const {
    return parse_scene(fmt::format("{{\"cloths\": [{{\"mesh\": {{{}}},\n\"pins\": [{}]}}]}}", mesh, pin),
                       "scene.json", folder_.string());
  }
  std::vector<int> held_by(const std::string& pin, const std::string& mesh = R"("file": "row.obj")") const {
    const Simulation simulation(scene_of(pin, mesh));
    std::vector<int> held;
    for (int v = 0; v < simulation.positions().cols(); ++v)
      if (simulation.is_held(v)) held.push_back(v);
    return held;
  }
  std::string refusal(const std::string& pin) const {
    try {
      scene_of(pin);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }
};

using Numbers = std::vector<int>;

TEST_F(Pins, HoldWhatGroupsMaterialsAndObjectsName) {
  EXPECT_EQ(held_by(R"({"group": "top"})"), (Numbers{0, 1, 2, 4, 5, 6}));
  EXPECT_EQ(held_by(R"({"group": "seam"})"), (Numbers{0, 1, 4, 5})) << "one of two in a statement";
  EXPECT_EQ(held_by(R"({"group": "low"})"), (Numbers{2, 3, 6, 7}));
  EXPECT_EQ(held_by(R"({"material": "blue"})"), (Numbers{0, 1, 4, 5}));
  EXPECT_EQ(held_by(R"({"material": "red"})"), (Numbers{1, 2, 3, 5, 6, 7}));
  EXPECT_EQ(held_by(R"({"object": "right"})"), (Numbers{2, 3, 6, 7}));
  EXPECT_EQ(held_by(R"({"group": "seam", "vertices": [7]})"), (Numbers{0, 1, 4, 5, 7})) << "all together";
}

TEST_F(Pins, HoldWhatBeginsInARegion) {
  EXPECT_EQ(held_by(R"({"box": {"min": [0.5, -1, -1], "max": [2, 0.5, 1]}})"), (Numbers{1, 2}));
  EXPECT_EQ(held_by(R"({"sphere": {"center": [3, 1, 0], "radius": 1}})"), (Numbers{3, 6, 7}));
  const std::string moved = R"("file": "row.obj", "scale": 0.1, "translation": [5, 0, 0])";
  EXPECT_EQ(held_by(R"({"box": {"min": [5.25, -1, -1], "max": [6, 1, 1]}})", moved), (Numbers{3, 7}))
      << "where the scene puts it";
  EXPECT_EQ(held_by(R"({"uv_box": {"min": [8, 8], "max": [8, 9]}})"), (Numbers{2, 6}))
      << "by the second of their texture coordinates";
  EXPECT_EQ(held_by(R"({"uv_box": {"min": [0, 0], "max": [0.5, 0.5]}})"), (Numbers{0, 1}));
}

TEST_F(Pins, OnGridsTakeRegionsToo) {
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].grid = Grid();
  scene.cloths[0].grid->points = {3, 3};
  scene.cloths[0].pins.resize(1);
  scene.cloths[0].pins[0].uv_box = UvRegion{{0.9, 0}, {1, 1}};
  const Simulation simulation(scene);
  EXPECT_EQ(simulation.controls().pins.size(), 3u) << "metres along u and v";
  scene.cloths[0].pins[0].group = "waist";
  EXPECT_THROW(Simulation{scene}, Error);
}

TEST_F(Pins, ThatHoldNothingAreRefusedWithWhatThereIs) {
  const auto expect = [&](const std::string& pin, const std::string& words) {
    EXPECT_NE(refusal(pin).find(words), std::string::npos) << refusal(pin);
  };
  expect(R"({"group": "tob"})",
         R"(scene.json:2:20: /cloths/0/pins/0/group: the mesh has no group "tob"; did you mean "top"?)");
  expect(R"({"material": "velvet"})", R"(the mesh has no material "velvet"; it has blue, red)");
  expect(R"({"object": "lefd"})", R"(did you mean "left"?)");
  expect(R"({"box": {"min": [7, 7, 7], "max": [8, 8, 8]}})",
         "/cloths/0/pins/0/box: holds no vertex; the cloth begins between (0, 0, 0) and (3, 1, 0) m");
  expect(R"({"sphere": {"center": [0, 0, 3], "radius": 1}})", "/cloths/0/pins/0/sphere: holds no vertex");
  expect(R"({"uv_box": {"min": [20, 0], "max": [30, 1]}})",
         "holds no vertex; its texture coordinates are between (0, 0) and (9, 9)");
  expect(R"({"vertices": [3, 8]})", "/cloths/0/pins/0/vertices/1: must be a vertex from 0 to 7, got 8");
  expect(R"({"axes": "x"})", "holds neither vertices nor grid points nor sides, group, material");
  write("bare.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  try {
    scene_of(R"({"group": "a"})", R"("file": "bare.obj")");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the mesh names no group"), std::string::npos) << error.what();
  }
}

TEST_F(Pins, ThatShareVerticesHoldThemOnce) {
  const auto pins_of = [&](const std::string& pins) { return Simulation(scene_of(pins)).controls().pins; };
  const std::string swing = R"("motion": {"swing": [0.1, 0, 0]})";
  EXPECT_EQ(pins_of(R"({"vertices": [1, 2]}, {"vertices": [2, 3]})").size(), 3u);
  EXPECT_EQ(pins_of(R"({"vertices": [1], )" + swing + R"(}, {"vertices": [1], )" + swing + "}").size(), 1u);

  const std::vector<PinnedVertex> by_axes =
      pins_of(R"({"vertices": [1], "axes": "xy"}, {"vertices": [1], "axes": "yz"})");
  ASSERT_EQ(by_axes.size(), 2u);
  EXPECT_EQ(by_axes[0].fixed, Vec3(1, 1, 0));
  EXPECT_EQ(by_axes[1].fixed, Vec3(0, 0, 1)) << "the first has y";

  const std::vector<PinnedVertex> along_and_across =
      pins_of(R"({"vertices": [1], "axes": "x", )" + swing + R"(}, {"vertices": [1], "axes": "yz"})");
  EXPECT_EQ(along_and_across.size(), 2u) << "one moves along x, the other keeps y and z";
}

TEST_F(Pins, ThatMoveAVertexDifferentlyAreRefused) {
  const auto refused = [&](const std::string& pins, const std::string& mesh = R"("file": "row.obj")") {
    try {
      Simulation simulation(scene_of(pins, mesh));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string words = "pins/1 and pins/0 hold vertex 2 and move it differently: leave it out of one";
  const std::string still = R"({"vertices": [1, 2]})";
  for (const char* motion :
       {R"({"swing": [0.1, 0, 0]})", R"({"keyframes": [{"time": 1, "offset": [0, 1, 0]}]})"}) {
    const std::string moves = fmt::format(R"({{"vertices": [2, 3], "motion": {}}})", motion);
    EXPECT_NE(refused(still + ", " + moves).find(words), std::string::npos) << refused(still + ", " + moves);
  }
  EXPECT_EQ(refused(still + R"(, {"vertices": [2], "motion": {"period": 2}})"), "none")
      << "it does not swing";

  // Vertices of one place, sewn to one
  write("sewn.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 4 5 6\n");
  const std::string sewn = R"("file": "sewn.obj", "merge": 1e-6)";
  const std::string apart = R"({"vertices": [1]}, {"vertices": [3], "motion": {"swing": [0.1, 0, 0]}})";
  EXPECT_NE(refused(apart, sewn).find("pins/1 and pins/0 hold vertex 3"), std::string::npos)
      << refused(apart, sewn);
  EXPECT_EQ(Simulation(scene_of(R"({"vertices": [1, 3]})", sewn)).controls().pins.size(), 1u);
}

// --- objects ---------------------------------------------------------------------------------------

const std::string kTwo =
    "o body\nv 0 0 0\nv 1 0 0\nv 0 1 0\no sleeve\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 6 1 0\n"
    "f 4 5 7 6\no body\nf 1 2 3\n";

TEST_F(Pins, ObjectsOfAFileAreClothsOfTheirOwn) {
  write("two.obj", kTwo);
  const Simulation simulation(scene_of(R"({"object": "sleeve"})", R"("file": "two.obj")"));
  const Model& model = simulation.model();
  ASSERT_EQ(model.cloths.size(), 2u);
  EXPECT_EQ(model.cloths[0].name, "sleeve") << "in the order of their faces";
  EXPECT_EQ(model.cloths[1].name, "body");
  EXPECT_EQ(model.cloths[0].vertex_count, 4);
  EXPECT_EQ(model.cloths[0].triangle_count, 2);
  const Points positions = simulation.positions();
  EXPECT_EQ(positions.col(0), Vec3(0, 0, 0)) << "vertices keep the numbers of the file";
  EXPECT_EQ(positions.col(6), Vec3(6, 1, 0));
  EXPECT_TRUE(simulation.is_held(3) && simulation.is_held(6) && !simulation.is_held(0));
  EXPECT_EQ(user_triangle(model, 2), (Stencil<3>{0, 1, 2}));
  EXPECT_EQ(user_triangle(model, 0), (Stencil<3>{3, 4, 6}));
}

TEST_F(Pins, ObjectsThatShareVerticesAreOneCloth) {
  const Simulation simulation(scene_of(R"({"vertices": [0]})"));
  ASSERT_EQ(simulation.model().cloths.size(), 1u);
  EXPECT_EQ(simulation.model().cloths[0].name, "cloth");
}

TEST_F(Pins, OneObjectOfAFileMayBeTheCloth) {
  write("two.obj", kTwo);
  const Scene scene = scene_of(R"({"vertices": [3]})", R"("file": "two.obj", "object": "sleeve")");
  const Simulation simulation(scene);
  EXPECT_EQ(simulation.positions().cols(), 4);
  EXPECT_EQ(simulation.positions().col(3), Vec3(6, 1, 0));
  EXPECT_TRUE(simulation.is_held(3));
  try {
    scene_of(R"({"vertices": [3]})", R"("file": "two.obj", "object": "sleev")");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(R"(did you mean "sleeve"?)"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace muslin
