#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "muslin/core/check.h"
#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"
#include "property/methods.h"

// What users of the library do to a run between two frames: put cloth elsewhere, lead pins, bring meshes and
// saved states from memory.

namespace muslin {
namespace {

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
    return "none";
  } catch (const Error& error) {
    return error.what();
  }
}

class EveryFamily : public testing::TestWithParam<std::string_view> {
 protected:
  Scene scene() const {
    Scene scene = sheet(family(std::string(GetParam())));
    scene.cloths[0].pins = {pin_at({{0, 0}})};
    return scene;
  }
};
INSTANTIATE_TEST_SUITE_P(All, EveryFamily, testing::ValuesIn(kFamilies.begin(), kFamilies.end()),
                         [](const auto& family) { return std::string(family.param); });

TEST_P(EveryFamily, LedVerticesAreAtTheirPlacesAtTheEndOfEveryFrame) {
  Simulation simulation(scene());
  const int vertex = static_cast<int>(simulation.positions().cols()) - 1;
  const Vec3 start = simulation.positions().col(vertex);
  const double step = 0.002;  // [m]
  for (int frame = 1; frame <= 5; ++frame) {
    const Vec3 place = start + Vec3(0, frame * step, 0);
    simulation.hold(vertex, place);
    ASSERT_NE(simulation.step().step.status, Status::diverged);
    EXPECT_EQ(Vec3(simulation.positions().col(vertex)), place) << frame;
  }
  // They rest there, and only go on when they are led on.
  simulation.step();
  simulation.step();
  EXPECT_EQ(Vec3(simulation.positions().col(vertex)), Vec3(start + Vec3(0, 5 * step, 0)));
}

TEST_P(EveryFamily, LeadingWhatIsHeldKeepsWhatSolversKeep) {
  Simulation simulation(scene());
  simulation.hold(5);
  const std::uint64_t revision = simulation.controls().revision;
  simulation.hold(5, simulation.positions().col(5) + Vec3(0, 0.001, 0));
  EXPECT_EQ(simulation.controls().revision, revision);
}

// As a scene's pins move by keyframes.
TEST_P(EveryFamily, LedPinsMoveAsPinsWithKeyframesDo) {
  Scene moving = scene();
  Keyframe begin, end;
  end.time = 4 * moving.frame_time;
  end.offset = {0, 0.004, 0};
  moving.cloths[0].pins[0].motion.keyframes = {begin, end};
  Simulation by_scene(moving), by_hand(scene());
  const Vec3 start = by_hand.positions().col(0);
  by_hand.hold(0);
  for (int frame = 1; frame <= 4; ++frame) {
    by_hand.hold(0, start + Vec3(0, 0.001 * frame, 0));
    by_hand.step();
    by_scene.step();
  }
  EXPECT_LT((by_hand.positions() - by_scene.positions()).cwiseAbs().maxCoeff(), 1e-9);
}

TEST_P(EveryFamily, ASavedStateInMemoryIsThatOfTheFile) {
  Simulation simulation(scene()), other(scene());
  run(simulation, 2);
  simulation.hold(5, simulation.positions().col(5) + Vec3(0, 0.001, 0));  // on its way
  other.load_saved(simulation.saved());
  EXPECT_EQ(other.saved(), simulation.saved());
  run(simulation, 2);
  run(other, 2);
  EXPECT_EQ(hash(other.state()), hash(simulation.state()));
}

TEST_P(EveryFamily, ClothPutElsewhereFallsAsThere) {
  Scene free = scene();
  free.cloths[0].pins.clear();
  Simulation here(free), there(free);
  const Vec3 way(1, 2, -4);  // exact in binary: the same cloth, but for rounding
  Points positions = there.positions();
  positions.colwise() += way;
  there.set_positions(positions);
  Points velocities = Points::Zero(3, positions.cols());
  velocities.row(0).setConstant(0.25);
  here.set_velocities(velocities);
  there.set_velocities(velocities);
  run(here, 3);
  run(there, 3);
  Points moved = here.positions();
  moved.colwise() += way;
  EXPECT_LT((there.positions() - moved).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_FALSE(there.report().free_fall_error);
}

TEST(ChangedByCallers, WhatDoesNotFitIsRefusedAndChangesNothing) {
  Simulation simulation(sheet(family("implicit")));
  const std::uint64_t before = hash(simulation.state());
  const auto n = simulation.positions().cols();
  Points places = simulation.positions();
  places(1, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([&] { simulation.set_positions(places); }), "set_positions: a number is not finite");
  EXPECT_EQ(refusal([&] { simulation.set_velocities(places); }), "set_velocities: a number is not finite");
  EXPECT_NE(refusal([&] { simulation.set_positions(Points::Zero(3, n + 1)); }).find("expected positions of"),
            std::string::npos);
  EXPECT_EQ(refusal([&] { simulation.hold(3, places.col(3)); }), "hold: the place is no number");
  EXPECT_NE(refusal([&] { simulation.hold(-1, Vec3::Zero()); }).find("vertex -1"), std::string::npos);
  EXPECT_NE(refusal([&] { simulation.load_saved("no", "mine"); }).find("mine: "), std::string::npos);
  EXPECT_EQ(hash(simulation.state()), before);
}

// Two triangles that share an edge by four vertices, sewn.
std::shared_ptr<const Mesh> two_triangles() {
  Mesh mesh;
  mesh.positions.resize(3, 6);
  mesh.positions << 0, 1, 0, 1, 0, 1,  //
      0, 0, 0, 0, 0, 0,                //
      0, 0, 1, 0, 1, 1;
  mesh.triangles = {{0, 2, 1}, {3, 4, 5}};
  return std::make_shared<const Mesh>(mesh);
}

TEST(ChangedByCallers, SewnVerticesStayTogether) {
  Scene scene;
  Cloth cloth;
  cloth.mesh.emplace();
  cloth.mesh->file = "sewn.obj";
  cloth.mesh->merge = 1e-6;
  cloth.mesh->mesh = two_triangles();
  scene.cloths = {cloth};
  Simulation simulation(scene);
  ASSERT_EQ(simulation.model().vertex_count(), 4);
  Points places = simulation.positions();
  ASSERT_EQ(places.cols(), 6);
  places.row(1).setConstant(2);
  simulation.set_positions(places);
  EXPECT_EQ(simulation.positions(), places);
  places(1, 3) = 3;
  EXPECT_EQ(refusal([&] { simulation.set_positions(places); }),
            "set_positions: vertices 1 and 3 are sewn together, got two values");
}

// --- meshes in memory ------------------------------------------------------------------------------

TEST(NamedMeshes, TakeThePlaceOfFiles) {
  const auto mesh = two_triangles();
  const std::string text = R"({"cloths": [{"mesh": {"file": "a.ply", "rest_mesh": "a.ply", "scale": 2}}],
                               "colliders": [{"shape": "mesh", "mesh": {"file": "b.ply"}}]})";
  const Scene scene = parse_scene(text, "s.json", ".", {}, {{"a.ply", mesh}, {"b.ply", mesh}});
  EXPECT_EQ(scene.cloths[0].mesh->mesh->positions, mesh->positions);
  EXPECT_EQ(*scene.cloths[0].mesh->rest, mesh->positions);
  EXPECT_EQ(scene.colliders[0].mesh->mesh->triangles, mesh->triangles);
  EXPECT_EQ(Simulation(scene).positions(), 2 * mesh->positions);
  const std::string missing = refusal([&] { parse_scene(text, "s.json", ".", {}, {{"a.ply", mesh}}); });
  EXPECT_NE(missing.find("s.json:2:"), std::string::npos) << missing;
  EXPECT_NE(missing.find("/colliders/0/mesh/file"), std::string::npos) << missing;
}

TEST(NamedMeshes, ThatDoNotFitAreRefusedWithTheirNames) {
  Mesh other = *two_triangles();
  other.triangles.pop_back();
  const std::string text = R"({"cloths": [{"mesh": {"file": "a.ply", "rest_mesh": "b.ply"}}]})";
  const std::string words = refusal([&] {
    parse_scene(text, "s.json", ".", {},
                {{"a.ply", two_triangles()}, {"b.ply", std::make_shared<const Mesh>(other)}});
  });
  EXPECT_NE(words.find("/cloths/0/mesh/rest_mesh: b.ply: a rest_mesh must have the faces"), std::string::npos)
      << words;
}

}  // namespace
}  // namespace muslin
