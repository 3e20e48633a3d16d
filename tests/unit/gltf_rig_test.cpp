#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "gltf_maker.h"
#include "muslin/core/check.h"
#include "muslin/io/gltf_reader.h"

// Skeletons, animations and morph targets of glTF files, against matrices written out here. The Python test
// skinned_test.py holds whole files against numpy.

namespace muslin {
namespace {

/// A strip of four vertices along y. The lower two go with joint 0 at the origin, the upper two, at y = 2,
/// with joint 1 at y = 1; node 0 has the mesh. `animation` has accessors from 7 on.
Gltf arm() {
  Gltf file;
  file.places({0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 2, 0});                                          // 0
  file.add<std::uint16_t>(5123, "SCALAR", 1, {0, 1, 2, 2, 1, 3});                             // 1
  file.add<std::uint8_t>(5121, "VEC4", 4, {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0});  // 2
  file.floats("VEC4", 4, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.25f, 0.75f, 0, 0});           // 3
  file.floats("MAT4", 16, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,                   // 4
                           1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1});
  file.floats("SCALAR", 1, {0, 1, 2});  // 5
  const float half = std::sqrt(0.5f);
  file.floats("VEC4", 4, {0, 0, 0, 1, 0, 0, half, half, 0, 0, 1, 0});  // 6
  file.meshes =
      R"({"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3}, "indices": 1}]})";
  file.nodes =
      R"({"mesh": 0, "skin": 0, "translation": [9, 9, 9]}, {"name": "hip", "children": [2]},
         {"name": "elbow", "translation": [0, 1, 0]})";
  file.more = R"(, "skins": [{"joints": [1, 2], "inverseBindMatrices": 4}],
 "animations": [{"name": "bend", "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}],
                 "samplers": [{"input": 5, "output": 6}]}])";
  return file;
}

std::vector<Points> shapes(const Gltf& file, double interval, const std::optional<std::string>& name = {}) {
  return parse_gltf_animation(file.glb(), "a.glb", {}, name, interval);
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, text.npos) << from;
  return text.replace(place, from.size(), to);
}

std::string refusal(const Gltf& file, double interval = 0.5, const std::optional<std::string>& name = {}) {
  try {
    shapes(file, interval, name);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid);
    return error.what();
  }
  return "no error";
}

Vec3 turned(double degrees, const Vec3& x) {
  return Eigen::AngleAxisd(degrees * M_PI / 180, Vec3::UnitZ()) * x;
}

TEST(GltfRig, BlendsWhatJointsDoAndLeavesOutTheNodeOfTheMesh) {
  const std::vector<Points> at = shapes(arm(), 0.5);
  ASSERT_EQ(at.size(), 5u);
  const Vec3 elbow(0, 1, 0), upper(0, 2, 0), mixed(1, 2, 0);
  for (int k = 0; k < 5; ++k) {
    const double angle = 45.0 * k;
    EXPECT_LT((at[k].col(0) - Vec3(0, 0, 0)).norm(), 1e-12);
    EXPECT_LT((at[k].col(1) - Vec3(1, 0, 0)).norm(), 1e-12);
    EXPECT_LT((at[k].col(2) - (elbow + turned(angle, upper - elbow))).norm(), 1e-6) << k;
    const Vec3 blended = 0.25 * mixed + 0.75 * (elbow + turned(angle, mixed - elbow));
    EXPECT_LT((at[k].col(3) - blended).norm(), 1e-6) << k;
  }
  EXPECT_LT((parse_gltf(arm().glb(), "a.glb").positions - at[0]).norm(), 1e-12) << "the mesh at rest";
}

TEST(GltfRig, SamplesUntilTheEndAndStopsThere) {
  const std::vector<Points> at = shapes(arm(), 0.75);
  ASSERT_EQ(at.size(), 4u);
  EXPECT_LT((at[3].col(2) - Vec3(0, 0, 0)).norm(), 1e-6) << "at 2 s, not at 2.25";
}

TEST(GltfRig, StepsAndCubics) {
  Gltf step = arm();
  step.more = changed(step.more, "\"output\": 6", "\"output\": 6, \"interpolation\": \"STEP\"");
  EXPECT_LT((shapes(step, 0.5)[1].col(2) - Vec3(0, 2, 0)).norm(), 1e-12);
  EXPECT_LT((shapes(step, 0.5)[2].col(2) - Vec3(-1, 1, 0)).norm(), 1e-6);

  // A place from 0 to 1 with slopes 3 and 0 in one second: 3(t³ − 2t² + t) + 3t² − 2t³
  Gltf cubic = arm();
  const int times = cubic.floats("SCALAR", 1, {0, 1});
  const int values = cubic.floats("VEC3", 3, {0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0});
  cubic.more = fmt::format(
      R"(, "skins": [{{"joints": [1, 2], "inverseBindMatrices": 4}}], "animations": [{{
 "channels": [{{"sampler": 0, "target": {{"node": 1, "path": "translation"}}}}],
 "samplers": [{{"input": {}, "output": {}, "interpolation": "CUBICSPLINE"}}]}}])",
      times, values);
  const std::vector<Points> at = shapes(cubic, 0.25);
  for (int k = 0; k <= 4; ++k) {
    const double t = k / 4.0;
    EXPECT_NEAR(at[k](0, 0), 3 * (t * t * t - 2 * t * t + t) + 3 * t * t - 2 * t * t * t, 1e-12);
  }
}

TEST(GltfRig, MorphTargetsActAtRestAndInAnimations) {
  Gltf file = arm();
  const int target = file.places({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1});
  const int weights = file.floats("SCALAR", 1, {0, 1, 0.5f});
  file.meshes = changed(file.meshes, "\"indices\"",
                        fmt::format("\"targets\": [{{\"POSITION\": {}}}], \"indices\"", target));
  file.meshes = changed(file.meshes, "{\"primitives\"", "{\"weights\": [0.5], \"primitives\"");
  file.nodes = R"({"mesh": 0, "translation": [9, 0, 0]})";
  file.more = fmt::format(R"(, "animations": [{{
 "channels": [{{"sampler": 0, "target": {{"node": 0, "path": "weights"}}}}],
 "samplers": [{{"input": 5, "output": {}}}]}}])",
                          weights);
  EXPECT_EQ(parse_gltf(file.glb(), "a.glb").positions.col(0), Vec3(9, 0, 0.5));
  const std::vector<Points> at = shapes(file, 0.5);
  const double expected[] = {0, 0.5, 1, 0.75, 0.5};
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(at[k](2, 0), expected[k], 1e-12);
}

TEST(GltfRig, SaysWhatIsWrongAndWhere) {
  const auto with = [](const std::string& from, const std::string& to,
                       std::string Gltf::*list = &Gltf::more) {
    Gltf broken = arm();
    broken.*list = changed(broken.*list, from, to);
    return refusal(broken);
  };
  EXPECT_EQ(with("[1, 2]", "[1, 7]"),
            "a.glb: /skins/0/joints/1: must be the number of one of the 3 nodes of the file, got 7");
  EXPECT_EQ(with("[1, 2]", "[1]"),
            "a.glb: /meshes/0/primitives/0/attributes: vertex 2 must have joints from 0 "
            "to 0 of the skin, got 1");
  EXPECT_EQ(with("\"joints\": [1, 2]", "\"joints\": []"), "a.glb: /skins/0: must have joints");
  EXPECT_EQ(with(", \"WEIGHTS_0\": 3", "", &Gltf::meshes),
            "a.glb: /meshes/0/primitives/0/attributes: must have both JOINTS_0 and WEIGHTS_0, got one");
  EXPECT_EQ(with("\"children\": [2]", "\"children\": [1]", &Gltf::nodes),
            "a.glb: /nodes/1: must not be below itself, as one of a ring of nodes");
  EXPECT_EQ(
      with("\"translation\": [0, 1, 0]", "\"translation\": [0, 1, 0], \"scale\": [1, -1, 1]", &Gltf::nodes),
      "a.glb: /skins/0: joint 1 (node 2) turns its mesh inside out or flattens it at 0 s: a scale is "
      "negative or zero; apply it before the export");
  EXPECT_EQ(
      with("\"path\": \"rotation\"", "\"path\": \"colour\""),
      "a.glb: /animations/0/channels/0/target: its path must be translation, rotation, scale, weights, got "
      "'colour'");
  EXPECT_EQ(with("\"sampler\": 0", "\"sampler\": 4"),
            "a.glb: /animations/0/channels/0: must name one of the 1 samplers of its animation");
  EXPECT_EQ(with("\"output\": 6", "\"output\": 3"),
            "a.glb: /animations/0/samplers/0: must have 3 values, 1 a keyframe, got 16 numbers");
  EXPECT_EQ(refusal(arm(), 0.5, "walk"), "a.glb: must have the animation 'walk', got 'bend'");
  EXPECT_NE(refusal(arm(), 1e-8).find("and at most 6e+07 places are read"), std::string::npos);

  Gltf unbalanced = arm();
  std::string half;
  append_little(half, 0.5f);
  unbalanced.bytes.replace(48 + 12 + 16, 4, half);  // behind places, corners and joints
  EXPECT_EQ(refusal(unbalanced),
            "a.glb: /meshes/0/primitives/0/attributes: weights of vertex 0 must sum to 1, got 0.5");

  Gltf nan = arm();
  std::string bits;
  append_little(bits, std::numeric_limits<float>::quiet_NaN());
  nan.bytes.replace(nan.bytes.size() - 48, 4, bits);
  EXPECT_EQ(refusal(nan).find("a.glb: /accessors/6: element 0 must be finite, got"), 0u);

  Gltf crowd = arm();
  std::string joints = "1";
  for (int k = 1; k < 1'000'000; ++k) joints += ", 1";
  crowd.more = changed(crowd.more, "[1, 2]", "[" + joints + "]");
  EXPECT_EQ(refusal(crowd), "a.glb: /skins/0: must have at most 10000 joints, got 1000000");
}

}  // namespace
}  // namespace muslin
