#include <cstring>

#include "mesh_folder.h"
#include "muslin/audit/bodies.h"
#include "muslin/audit/names.h"
#include "muslin/audit/start.h"
#include "muslin/audit/verdict.h"
#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/contact/vertices/gap.h"
#include "muslin/core/check.h"
#include "muslin/core/text.h"
#include "muslin/geometry/solids.h"
#include "muslin/simulation.h"

// Colliders that are meshes: how they are read, where they are at a time, who refuses them, how they are
// judged.

namespace muslin {
namespace {

const char* const kBody = R"("shape": "mesh", "mesh": {"file": "body.obj"})";
/// A tetrahedron about the origin.
const char* const kTetrahedron =
    "v 0 1 0\nv 1 -1 0\nv -1 -1 1\nv -1 -1 -1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string bytes_of(std::int32_t number) { return {reinterpret_cast<const char*>(&number), sizeof number}; }
std::string bytes_of(float number) { return {reinterpret_cast<const char*>(&number), sizeof number}; }

/// A PC2 file (this machine is little-endian) in which coordinate k of vertex v in sample s is s² + v + k/4.
std::string point_cache(int points, int samples, int version = 1) {
  std::string bytes = std::string("POINTCACHE2\0", 12) + bytes_of(version) + bytes_of(points) +
                      bytes_of(0.0f) + bytes_of(1.0f) + bytes_of(samples);
  for (int s = 0; s < samples; ++s)
    for (int v = 0; v < points; ++v)
      for (int k = 0; k < 3; ++k)
        bytes += bytes_of(static_cast<float>(s * s + v) + 0.25f * static_cast<float>(k));
  return bytes;
}

class MeshCollider : public MeshFolder {
 protected:
  MeshCollider() { write("body.obj", kTetrahedron); }

  std::string refusal(const std::string& collider) const {
    try {
      const Scene found = scene(collider);
      build_model(found);
      return "accepted";
    } catch (const Error& error) {
      return error.what();
    }
  }
  void expect_refused(const std::string& collider, const std::string& words) const {
    const std::string found = refusal(collider);
    EXPECT_NE(found.find(words), std::string::npos) << words << " is not in\n" << found;
  }
};

// --- reading -----------------------------------------------------------------------------------------

TEST_F(MeshCollider, PosesAreToldByVertices) {
  const Scene found = scene(R"("shape": "mesh", "center": [5, 0, 0], "mesh": {"file": "body.obj"}},
      {"name": "floor", "shape": "plane", "axis": [0.1, 1, 0]},
      {"name": "gone", "shape": "box", "enabled": false},
      {"name": "box", "shape": "box", "size": [1, 2, 3], "axis": [1, 1, 0]},
      {"name": "ball", "shape": "sphere")");
  const Model model = build_model(found);
  const SceneSurfaces surfaces(model);
  const PlacedColliders start = placed_at(model.colliders, 0);
  std::vector<Pose> moved = start.poses;
  for (size_t c = 0; c < moved.size(); ++c) {
    if (!model.colliders[c].enabled) continue;
    moved[c].translation += Vec3(0.1, -0.2, 0.3) * (static_cast<double>(c) + 1);
    moved[c].rotation = Eigen::AngleAxisd(0.3 * (static_cast<double>(c) + 1), Vec3(1, -2, 1).normalized()) *
                        moved[c].rotation;
  }
  const std::vector<Pose> told = surfaces.placed_by(surfaces.bodies_at(moved, 0), start).poses;
  for (size_t c = 0; c < moved.size(); ++c) {
    const double size = model.colliders[c].shape == Shape::plane ? 1000 : 1;  // of its triangle
    EXPECT_LE((told[c].translation - moved[c].translation).norm(), 1e-12 * size) << c;
    EXPECT_LE((told[c].rotation - moved[c].rotation).norm(), 1e-12) << c;
  }

  State state = initial_state(model);
  state.blocked = Points::Zero(3, 5);  // of another scene
  EXPECT_EQ(placed_in(model, state).poses[0].translation, start.poses[0].translation);
}

TEST_F(MeshCollider, IsReadAndPlaced) {
  const Scene found = scene(R"("shape": "mesh", "center": [5, 0, 0],
      "mesh": {"file": "body.obj", "scale": 2, "rotation": [0, 0, 90], "translation": [0, 0, 3]},
      "motion": {"keyframes": [{"time": 0}, {"time": 1, "offset": [0, 8, 0], "rotation": [0, 90, 0]}]})");
  const Model model = build_model(found);
  const SceneSurfaces surfaces(model);
  EXPECT_EQ(surfaces.surfaces().vertex_count(), 9 + 4);
  const auto apex = [&](double time) -> Vec3 {  // (0, 1, 0) in the file
    return surfaces.bodies_at({pose_at(model.colliders[0], time)}, time).col(0);
  };
  EXPECT_LE((apex(0) - Vec3(5 - 2, 0, 3)).norm(), 1e-14);
  EXPECT_LE((apex(1) - Vec3(5 + 3, 8, 2)).norm(), 1e-14) << "moved, and turned about the centre";
}

TEST_F(MeshCollider, AScenesWordsAreJudged) {
  expect_refused(R"("shape": "mesh")", "/colliders/0: must have a mesh, as its shape is mesh");
  expect_refused(R"("shape": "box", "mesh": {"file": "body.obj"})",
                 "/colliders/0/mesh: must be absent, as the shape is box, not mesh");
  expect_refused(R"("frames": {"file": "a%d.obj"})", "/colliders/0/frames: must be absent");
  expect_refused(
      R"("shape": "mesh", "mesh": {"file": "body.fbx"})",
      "/colliders/0/mesh/file: must be a mesh file (.obj, .ply, .glb, .gltf, .usda), got \"body.fbx\"");
  expect_refused(R"("shape": "mesh", "mesh": {"file": "../body.obj"})",
                 "/colliders/0/mesh/file: must lie below the scene's folder");
  expect_refused(R"("shape": "mesh", "mesh": {"file": "body.obj", "scale": 0})",
                 "/colliders/0/mesh/scale: must be > 0, got 0");
  const auto with_frames = [](const std::string& frames) {
    return fmt::format(R"({}, "frames": {{{}}})", kBody, frames);
  };
  expect_refused(with_frames(R"("file": "a.obj")"), "/colliders/0/frames/file: must be mesh files with %d");
  expect_refused(with_frames(R"("file": "a%s.obj")"), "/colliders/0/frames/file: must be");
  expect_refused(with_frames(R"("file": "../a%d.obj")"), "/colliders/0/frames/file: must lie below");
  expect_refused(with_frames(R"("file": "a.pc2", "interval": 0)"),
                 "/colliders/0/frames/interval: must be > 0 [s]");
  expect_refused(with_frames(R"("file": "a%d.obj", "count": 0)"),
                 "/colliders/0/frames/count: must be between 1");
  expect_refused(with_frames(R"("file": "a.pc2")"), "a.pc2");
  EXPECT_EQ(refusal(kBody), "accepted");
}

TEST_F(MeshCollider, MeshesThatAreNoSurfaceAreRefused) {
  write("body.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\n");
  expect_refused(kBody, "collider \"collider\": vertex 3 belongs to no triangle");
  write("body.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n");
  expect_refused(kBody, "collider \"collider\"");
}

TEST(NumberedFiles, HaveOnePlaceForTheNumber) {
  EXPECT_EQ(numbered("body_%04d.obj", 7), "body_0007.obj");
  EXPECT_EQ(numbered("a/%d.ply", 12), "a/12.ply");
  EXPECT_EQ(numbered("%02d", 1234), "1234");
  for (const char* wrong :
       {"body.obj", "%", "100%", "%s.obj", "%4d.obj", "%0d.obj", "%010d.obj", "%d%d.obj", "%%d"})
    EXPECT_FALSE(numbered(wrong, 1)) << wrong;
}

// --- deforming ---------------------------------------------------------------------------------------

TEST_F(MeshCollider, VerticesGoStraightBetweenNumberedFiles) {
  Mesh shape = ball_mesh(1, 8);
  const Points first = shape.positions;
  write("body.obj", shape);
  for (int k = 0; k < 3; ++k) {  // all of it as large as k + 1, and k² higher
    shape.positions = (k + 1) * first;
    shape.positions.row(1).array() += k * k;
    write(fmt::format("body_{:02}.obj", 9 + k), shape);
  }
  const Scene found = scene(R"("shape": "mesh", "mesh": {"file": "body.obj", "scale": 0.5},
      "frames": {"file": "body_%02d.obj", "first": 9, "count": 3, "start": 1, "interval": 0.5})");
  const auto expect_shape = [&](double time, double size, double height) {
    Points expected = 0.5 * size * first;
    expected.row(1).array() += 0.5 * height;
    EXPECT_LE((shape_at(found.colliders[0], time) - expected).cwiseAbs().maxCoeff(), 1e-14) << time;
  };
  expect_shape(-3, 1, 0);
  expect_shape(1, 1, 0);
  expect_shape(1.125, 1.25, 0.25);
  expect_shape(1.5, 2, 1);
  expect_shape(1.75, 2.5, 2.5);
  expect_shape(2, 3, 4);
  expect_shape(99, 3, 4);
}

TEST_F(MeshCollider, VerticesGoStraightBetweenSamplesOfAPointCache) {
  write("body.pc2", point_cache(4, 3));
  const Scene found = scene(std::string(kBody) + R"(, "frames": {"file": "body.pc2", "interval": 0.1})");
  ASSERT_EQ(found.colliders[0].frames->shapes->size(), 3u);
  for (const auto& [time, square] : {std::pair(0.0, 0.0), {0.05, 0.5}, {0.1, 1.0}, {0.175, 3.25}, {1.0, 4.0}})
    for (int v = 0; v < 4; ++v)
      EXPECT_LE(
          (shape_at(found.colliders[0], time).col(v) - Vec3(square + v, square + v + 0.25, square + v + 0.5))
              .norm(),
          1e-13)
          << time;
}

TEST_F(MeshCollider, FramesOfOtherMeshesAreRefused) {
  const std::string cache = std::string(kBody) + R"(, "frames": {"file": "body.pc2"})";
  const std::string whole = point_cache(4, 2);
  write("body.pc2", whole.substr(0, whole.size() - 1));
  expect_refused(cache, "body.pc2: must have 128 bytes for 2 samples of 4 points, got 127");
  write("body.pc2", whole.substr(0, 31));
  expect_refused(cache, "body.pc2: must begin with a header of 32 bytes, but the file has 31");
  write("body.pc2", point_cache(5, 2));
  expect_refused(cache, "body.pc2: byte 16: must have 4 points, as the collider's mesh has vertices, got 5");
  write("body.pc2", point_cache(4, 0));
  expect_refused(cache, "body.pc2: byte 28: must have at least one sample and at most 2147483647, got 0");
  std::string wraps = whole.substr(0, 32);  // 2³¹ samples of 2³¹ points have 2⁶⁴·3 bytes
  wraps[16] = wraps[28] = 0;
  wraps[19] = wraps[31] = '\x80';
  write("body.pc2", wraps);
  expect_refused(cache,
                 "body.pc2: byte 16: must have at least one point and at most 4000000, got 2147483648");
  write("body.pc2", point_cache(4, 1, 2));
  expect_refused(cache, "body.pc2: byte 12: must be version 1, got 2");
  write("body.pc2", "X" + whole.substr(1));
  expect_refused(cache, "body.pc2: byte 0: must be POINTCACHE2");
  std::string spoilt = whole;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(spoilt.data() + 44, &nan, sizeof nan);
  write("body.pc2", spoilt);
  expect_refused(cache, "body.pc2: byte 44: must be finite");

  const std::string files = std::string(kBody) + R"(, "frames": {"file": "f%d.obj", "count": 2})";
  write("f0.obj", kTetrahedron);
  expect_refused(files, "f1.obj");
  write("f1.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  expect_refused(files, "f1.obj: must have 4 vertices, as the collider's mesh has, got 3");
  write("f1.obj", "v 0 1 0\nv 1 -1 0\nv -1 -1 1\nv -1 -1 -1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 4 3 2\n");
  expect_refused(files, "f1.obj: must have the faces of the collider's mesh, got others");
}

TEST_F(MeshCollider, MayBeBroughtInMemory) {
  Scene found = scene(kBody);
  Collider& body = found.colliders[0];
  body.mesh = MeshFile();
  body.mesh->mesh = std::make_shared<const Mesh>(ball_mesh(1, 6));
  body.frames = MeshFrames();
  body.frames->shapes = std::make_shared<const std::vector<Points>>(2, body.mesh->mesh->positions);
  EXPECT_TRUE(find_problems(found).empty());
  EXPECT_NO_THROW(build_model(found));
  body.frames->shapes = std::make_shared<const std::vector<Points>>(2, Points::Zero(3, 5));
  EXPECT_THROW(build_model(found), Error);
  body.mesh->mesh.reset();
  EXPECT_THROW(build_model(found), Error);
}

// --- who runs it -------------------------------------------------------------------------------------

TEST_F(MeshCollider, FamiliesWithoutContactOfTrianglesMeetWhatIsClosed) {
  const std::string doll = std::string(kBody) + R"(, "name": "doll", "center": [9, 0, 0])";
  const Scene closed = scene(doll);
  write("body.obj", "v 0 1 0\nv 1 -1 0\nv -1 -1 1\nv -1 -1 -1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
  const Scene open = scene(doll);
  for (const std::string_view family : kFamilies) {
    const auto refusal_of = [&](Scene found) -> std::string {
      found.solver.family = family;
      try {
        Simulation simulation(found);
      } catch (const Error& error) {
        return error.what();
      }
      return "accepted";
    };
    EXPECT_EQ(refusal_of(closed), "accepted") << family;
    const auto expected = [&](const char* why) {
      return family == "quasi_newton"
                 ? std::string("accepted")
                 : fmt::format(
                       "/solver/family: {} cannot keep cloth from the mesh of collider \"doll\", which "
                       "{}: only a closed one has an inside; quasi_newton can",
                       family, why);
    };
    EXPECT_EQ(refusal_of(open), expected("is open, or turns its front, at edge 3-2"));
    Scene off = open;
    off.colliders[0].enabled = false;
    EXPECT_EQ(refusal_of(off), "accepted") << family;
  }
}

TEST_F(MeshCollider, HasASignedDistanceIfItIsClosed) {
  const std::string centre = R"(, "center": [0.5, 0, 3])";
  const Simulation simulation(scene(kBody + centre));
  EXPECT_TRUE(measure_gaps(simulation.model(), simulation.state()).array().isFinite().all());
  write("body.obj", "v 0 1 0\nv 1 -1 0\nv -1 -1 1\nf 1 3 2\n");
  const Simulation open(scene(kBody + centre));
  EXPECT_FALSE(measure_gaps(open.model(), open.state()).array().isFinite().any());
}

/// A sheet of 1 m at the height 0, held at two sides.
const char* const kHammock = R"("grid": {"points": [15, 15], "size": [1, 1], "origin": [-0.5, 0, -0.5]},
    "pins": [{"grid": [[0, -1], [-1, -1]]}, {"grid": [[0, 0], [-1, 0]]}])";

/// The largest difference of two runs after six frames [m]; in both, cloth must meet something.
double difference_of_runs(const Scene& a, const Scene& b) {
  Simulation first(a), second(b);
  for (int frame = 0; frame < 6; ++frame) {
    const FrameReport one = first.step(), other = second.step();
    if (frame < 5) continue;
    EXPECT_GT(one.step.contacts, 1);
    EXPECT_GT(other.step.contacts, 1);
    EXPECT_EQ(one.step.jumped + other.step.jumped, 0);
  }
  return (first.state().positions - second.state().positions).cwiseAbs().maxCoeff();
}

/// What rounding grows to in such a run [m]. Projective dynamics ends its steps before they converge, and
/// makes 2 mm of 1e-14 m.
double rounding_of(std::string_view family) { return family == "projective" ? 0.01 : 1e-5; }

TEST_F(MeshCollider, AMeshOfABoxIsMetAsTheBoxIs) {
  write("body.obj", make_box({0.3, 0.2, 0.4}));
  const std::string moves = R"(, "center": [0, 0.11, 0], "friction": 0.4, "motion": {"keyframes": [
      {"time": 0}, {"time": 0.2, "offset": [0.05, -0.3, 0], "rotation": [20, 40, 0]}]})";
  for (const std::string_view family : kFamilies) {
    if (family == "quasi_newton") continue;  // which meets boxes by their meshes
    const std::string solver = fmt::format(R"(, "solver": {{"family": "{}"}})", family);
    const Scene mesh = scene(kBody + moves, solver, kHammock),
                box = scene(R"("shape": "box", "size": [0.3, 0.2, 0.4])" + moves, solver, kHammock);
    EXPECT_LT(difference_of_runs(mesh, box), rounding_of(family)) << family;
  }
}

// However thin it is against the way of a step, which it takes from both sides, level or aslant.
TEST_F(MeshCollider, AThinPlateThatIsJumpedIsTold) {
  for (const double thickness : {1e-2, 1e-3, 1e-5}) {
    write("body.obj", make_box({1, thickness, 1}));
    for (const char* const velocity : {"[0, -30, 0]", "[3, -30, 5]"}) {
      Scene found = scene(
          kBody, R"(, "solver": {"family": "newton"})",
          fmt::format(R"("grid": {{"points": [5, 5], "size": [0.5, 0.5], "origin": [-0.25, 0.22, -0.25]}},
                              "velocity": {})",
                      velocity));
      Simulation simulation(found);
      EXPECT_EQ(simulation.step().step.jumped, 25) << thickness << ' ' << velocity;
    }
  }
}

// A rail that is thinner than edges are long: what slips between vertices is said beforehand, as of a box.
TEST_F(MeshCollider, WhatSlipsBetweenVerticesIsSaid) {
  write("body.obj", make_box({0.02, 0.02, 1}));
  const std::string solver = R"(, "solver": {"family": "position"})";
  const auto limits_of = [&](const std::string& collider) {
    return Simulation(scene(collider, solver, kHammock)).limits();
  };
  EXPECT_NE(limits_of(kBody).find("(20 mm wide)"), std::string::npos) << limits_of(kBody);
  EXPECT_NE(limits_of(R"("shape": "box", "size": [0.02, 0.02, 1])").find("(20 mm wide)"), std::string::npos);
  write("body.obj", make_box({0.3, 0.3, 1}));
  EXPECT_EQ(limits_of(kBody), "");
}

// Frames that move all vertices alike, and a motion that moves the whole: friction drags the sheet along.
TEST_F(MeshCollider, AMeshThatDeformsIsMetAsOneThatMoves) {
  const Vec3 way(0.08, -0.3, 0.03);
  write("body.obj", make_box({0.3, 0.2, 0.4}));
  const std::string still = std::string(kBody) + R"(, "center": [0, 0.11, 0], "friction": 0.6)";
  Scene moving = scene(still, "", kHammock), deforming = moving;
  moving.colliders[0].motion.keyframes = {Keyframe{}, Keyframe{0.2, way, Vec3::Zero()}};
  const Points& shape = moving.colliders[0].mesh->mesh->positions;
  deforming.colliders[0].frames = MeshFrames();
  deforming.colliders[0].frames->interval = 0.2;
  deforming.colliders[0].frames->shapes =
      std::make_shared<const std::vector<Points>>(std::vector<Points>{shape, shape.colwise() + way});
  for (const std::string_view family : kFamilies) {
    if (family == "quasi_newton") continue;
    moving.solver.family = deforming.solver.family = family;
    EXPECT_LT(difference_of_runs(moving, deforming), rounding_of(family)) << family;
  }
}

// --- how it is judged --------------------------------------------------------------------------------

/// A sheet of 1 m at the height 0.
const char* const kSheet = R"("name": "sheet", "grid": {"points": [2, 2], "size": [1, 1]})";

TEST_F(MeshCollider, TheJudgeSeesTrianglesThatMeetIt) {
  // Its apex (0, 1, 0) is brought to (0.6, 0, 0.3), and is 0.2 m higher 1 s later.
  const std::string rising = std::string(kBody) + R"(, "name": "doll", "center": [0.6, -1.1, 0.3],
      "motion": {"keyframes": [{"time": 0}, {"time": 1, "offset": [0, 0.2, 0]}]})";
  const Model model = build_model(scene(rising, "", kSheet));
  const Judge judge(model, 0.2);
  const auto at = [&](double time) { return Moment{time, places_with_bodies(model, model.start, time)}; };
  const Verdict below = judge.judge(at(0)), through = judge.judge(at(1), at(0));
  EXPECT_TRUE(below.clean());
  ASSERT_TRUE(below.gap);
  EXPECT_NEAR(below.gap->distance, 0.1, 1e-12);
  EXPECT_TRUE(below.inside.empty());
  EXPECT_EQ(through.meeting.size(), 3u) << "three triangles of its apex with one of the sheet";
  ASSERT_EQ(through.crossings.size(), 1u) << "the apex went through the sheet";
  EXPECT_EQ(pair_name(model, judge.surface(), through.crossings[0])
                .find("vertex 0 of collider \"doll\" and triangle "),
            0u);
}

TEST_F(MeshCollider, WhereItIsNotInPlaceTheJudgeLeavesItOut) {
  const std::string rising = std::string(kBody) + R"(, "name": "doll", "center": [0.6, -1.1, 0.3],
      "motion": {"keyframes": [{"time": 0}, {"time": 1, "offset": [0, 0.2, 0]}]})";
  const Model model = build_model(scene(rising, "", kSheet));
  const Judge judge(model, 0.2);
  const auto at = [&](double time, bool in_place) {
    return Moment{time, places_with_bodies(model, model.start, time), in_place};
  };
  EXPECT_TRUE(judge.judge(at(1, false), at(0, true)).clean());
  const Verdict back = judge.judge(at(1, true), at(0, false));
  EXPECT_EQ(back.meeting.size(), 3u) << "it is where the scene has it";
  EXPECT_TRUE(back.crossings.empty()) << "nobody knows from where it came";
}

std::vector<std::string> check(const Model& model) {
  return check_start(model, initial_state(model).positions, false);
}

TEST_F(MeshCollider, AStartInItIsRefused) {
  const Model beside = build_model(scene(std::string(kBody) + R"(, "center": [0.6, -1.1, 0.3])", "", kSheet));
  EXPECT_TRUE(check(beside).empty());
  const Model inside =
      build_model(scene(std::string(kBody) + R"(, "name": "doll", "center": [0.6, -0.9, 0.3])", "", kSheet));
  const auto troubles = find_start_troubles(inside, inside.start, false);
  ASSERT_EQ(troubles.size(), 1u);
  EXPECT_EQ(troubles[0].kind, StartTrouble::in_mesh);
  EXPECT_EQ(troubles[0].count, 3);
  EXPECT_THROW(check(inside), Error);
}

TEST_F(MeshCollider, ARunGoesOnWhereItIsHeldUp) {
  const Model model =
      build_model(scene(std::string(kBody) + R"(, "name": "doll", "center": [0.6, -0.9, 0.3])", "", kSheet));
  State state = initial_state(model);
  EXPECT_THROW(check_room(model, state), Error);
  state.blocked = SceneSurfaces(model).bodies_at(poses_at(model.colliders, 0), 0);
  state.blocked.row(1).array() -= 0.2;
  EXPECT_NO_THROW(check_room(model, state));
}

TEST_F(MeshCollider, OneThatDeformsIsHeldUpInTheShapeThatItHas) {
  for (int k = 0; k < 2; ++k) write(fmt::format("ball_{}.obj", k), ball_mesh(0.2 * (k + 1), 8));
  write("body.obj", ball_mesh(0.2, 8));
  const Model model = build_model(scene(
      std::string(kBody) +
          R"(, "center": [0.6, -0.3, 0.3], "axis": [1, 1, 0], "frames": {"file": "ball_%d.obj", "count": 2})",
      "", kSheet));
  State state = initial_state(model);
  state.time = 1;
  EXPECT_THROW(check_room(model, state), Error);
  state.blocked = SceneSurfaces(model).bodies_at(poses_at(model.colliders, 0), 0);  // not grown
  EXPECT_NO_THROW(check_room(model, state));
  const PlacedColliders placed = placed_in(model, state);
  const Points places = (placed.poses[0].rotation * placed.shapes[0]).colwise() + placed.poses[0].translation;
  EXPECT_LE((places - state.blocked).cwiseAbs().maxCoeff(), 1e-15);
}

TEST_F(MeshCollider, AStartWhollyInsideItIsNamed) {
  const std::string room = R"("shape": "mesh", "name": "room", "mesh": {"file": "body.obj", "scale": 20})";
  const auto troubles_at = [&](const std::string& place) {
    const Model model = build_model(scene(room + ", \"center\": " + place, "", kSheet));
    return find_start_troubles(model, model.start, false);
  };
  EXPECT_TRUE(troubles_at("[0, 45, 0]").empty());
  const auto troubles = troubles_at("[0, 0, 0]");
  ASSERT_EQ(troubles.size(), 1u);
  EXPECT_EQ(troubles[0].kind, StartTrouble::enclosed);
  EXPECT_EQ(troubles[0].count, 1) << "one piece";
  EXPECT_NE(troubles[0].named[0].find("\"room\""), std::string::npos);
}

const char* const kStrip =
    R"("grid": {"points": [11, 5], "size": [0.5, 0.08], "origin": [0.18, 0, -0.04]}, "pins": [{"sides": ["u_min"]}], "membrane": "baraff_witkin")";

TEST_F(MeshCollider, HeldRowsInsideItDoNotMeetIt) {
  write("body.obj", ball_mesh(0.2, 12));
  Scene strip = scene(kBody, "", kStrip);
  strip.solver.family = "quasi_newton";
  const Model model = build_model(strip);
  const std::vector<std::string> said = check(model);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("5): vertex 0 in \"collider\""), std::string::npos) << said[0];
  Simulation simulation(strip);
  for (int frame = 0; frame < 40; ++frame) ASSERT_EQ(simulation.step().step.status, Status::ok);
  const Points& end = simulation.state().positions;
  EXPECT_LT(end(1, 10), -0.1) << "it hangs down";
  int held = 0;
  const Surface surface = surface_with_bodies(model);
  for (const auto& [first, second] : intersecting_pairs(surface, places_with_bodies(model, end, 0))) {
    const Stencil<3>& triangle = surface.triangles[first];
    if (surface.triangles[second][0] < model.vertex_count()) continue;  // cloth may pass through itself here
    const bool is_held = std::any_of(triangle.begin(), triangle.end(), [](int v) { return v % 11 == 0; });
    EXPECT_TRUE(is_held) << "all others are kept out";
    held += is_held;
  }
  EXPECT_GT(held, 0);
}

TEST_F(MeshCollider, FreeRowsInsideItAreRefusedAndPinsNamed) {
  write("body.obj", ball_mesh(0.2, 12));
  const std::string free = std::string(kStrip).substr(0, std::string(kStrip).find(", \"pins\"")) +
                           ", \"membrane\": \"baraff_witkin\"";
  EXPECT_THROW(check(build_model(scene(kBody, "", free))), Error);
  Mesh open = ball_mesh(0.2, 12);
  open.triangles.pop_back();
  write("body.obj", open);
  try {
    check(build_model(scene(kBody, "", kStrip)));
    ADD_FAILURE() << "an open mesh has no inside";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("pins hold corners of "), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace muslin
