#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>

#include "muslin/core/check.h"
#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"
#include "property/methods.h"

// Pins that follow colliders and cloths, that draw, and that come and go.

namespace muslin {
namespace {

constexpr double kHeld = 1e-9;  // [m] what holds promise

Scene parsed(const std::string& text) { return parse_scene(text, "scene", "."); }

/// A cape of 6 × 5 vertices behind a box of 0.2 m, held along the box's upper edge 5 mm behind it. The box
/// turns once about y in a second while it goes 1 m to the right.
Scene cape(const std::string& solver, const std::string& pin = R"("follow": "box")") {
  return parsed(R"({
 "frame_time": 0.0166666666666666666, "self_collision": {"enabled": true, "distance": 0.001},
 "solver": {"family": ")" +
                solver + R"("},
 "cloths": [{"name": "cape", "grid": {"points": [6, 5], "size": [0.2, 0.16], "origin": [-0.1, 1.1, 0.105],
             "u": [1, 0, 0], "v": [0, -1, 0.02]}, "fabric": "cotton", "membrane": "baraff_witkin",
             "pins": [{"sides": ["v_min"], )" +
                pin + R"(}]}],
 "colliders": [{"name": "box", "shape": "box", "size": [0.2, 0.2, 0.2], "center": [0, 1, 0], "rotation": [0, 10, 0],
                "motion": {"keyframes": [{"time": 0}, {"time": 1, "offset": [1, 0, 0], "rotation": [0, 360, 0]}]}}]})");
}

/// Where the box takes a place in a time.
Vec3 carried(const Vec3& start, double time) {
  const Vec3 center(0, 1, 0);
  return center + Eigen::AngleAxisd(2 * M_PI * time, Vec3::UnitY()) * (start - center) + Vec3(time, 0, 0);
}

class Follow : public testing::TestWithParam<std::string> {};
std::string name_of_family(const testing::TestParamInfo<std::string>& info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(Families, Follow,
                         testing::Values("explicit", "position", "implicit", "baraff_witkin", "newton",
                                         "projective", "block_descent", "quasi_newton"),
                         name_of_family);

TEST_P(Follow, ARotatingBoxCarriesTheCapeExactly) {
  Simulation simulation(cape(GetParam()));
  const Points start = simulation.positions();
  for (int frame = 1; frame <= 20; ++frame) {
    ASSERT_NE(simulation.step().step.status, Status::diverged);
    const Points now = simulation.positions();
    for (int v = 0; v < 6; ++v)
      ASSERT_LT((now.col(v) - carried(start.col(v), frame / 60.0)).norm(), kHeld) << frame << " " << v;
  }
  EXPECT_TRUE(simulation.is_held(0));
  EXPECT_GT((simulation.positions().col(29) - start.col(29)).norm(), 0.05) << "the rest comes along";
}

// Frames of the box's start to its end, of a third of a frame each for methods that cut steps.
TEST(FollowParts, PartsOfAStepGoAlongTheTurn) {
  const Simulation simulation(cape("newton"));
  const Input input = scripted_input(simulation.model(), 0, 0.25);  // a quarter of a turn
  const Points start = simulation.state().positions;
  const Input part = part_of(input, start, 0, 0.5);
  for (size_t p = 0; p < simulation.model().script.pins.size(); ++p) {
    const Vec3 from = start.col(simulation.model().script.pins[p].vertex);
    EXPECT_LT((input.pin_targets.col(p) - carried(from, 0.25)).norm(), kHeld);
    EXPECT_LT((part.pin_targets.col(p) - carried(from, 0.125)).norm(), kHeld);
  }
}

/// A tetrahedron whose face towards +z goes from one triangle to another in a second.
Collider breathing(const Points& first, const Points& second) {
  Mesh mesh;
  mesh.positions = first;
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
  Collider body;
  body.name = "body";
  body.shape = Shape::mesh;
  body.mesh.emplace().mesh = std::make_shared<const Mesh>(mesh);
  body.frames.emplace().interval = 1;
  body.frames->shapes = std::make_shared<const std::vector<Points>>(std::vector<Points>{first, second});
  return body;
}

TEST(FollowMesh, ATriangleThatDeformsCarriesAPlaceInItsFrame) {
  Points first(3, 4), second(3, 4);
  first << -1, 1, 0, 0, -1, -1, 1, 0, 0, 0, 0, -1;
  second << -1.2, 0.8, 0.3, 0, -0.7, -1.1, 1.4, 0.1, 0.2, 0.5, -0.1, -1;
  Scene scene = parsed(R"({"frame_time": 0.1, "gravity": [0, 0, 0], "solver": {"family": "newton"},
 "cloths": [{"grid": {"points": [2, 2], "size": [0.1, 0.1], "origin": [-0.1, -0.2, 0.05], "v": [0, 1, 0.1]},
             "pins": [{"grid": [[0, 0], [1, 0], [0, 1], [1, 1]]}]}]})");
  scene.cloths[0].pins[0].follow = "body";
  scene.colliders = {breathing(first, second)};
  Simulation simulation(scene);
  const Points start = simulation.positions();

  // Weights by areas, axes by Gram and Schmidt; shapes in between are means
  const auto axes = [](const Points& x) {
    const Vec3 a = (x.col(1) - x.col(0)).normalized();
    Vec3 b = x.col(2) - x.col(0);
    b = (b - a.dot(b) * a).normalized();
    Mat3 frame;
    frame << a, b, a.cross(b);
    return frame;
  };
  for (int frame = 1; frame <= 12; ++frame) {
    simulation.step();
    const double s = std::min(1.0, frame / 10.0);
    const Points shape = (1 - s) * first + s * second;
    for (int v = 0; v < 4; ++v) {
      const Vec3 p = start.col(v);
      Eigen::Matrix4d system;  // p = Σ w x + height n, Σ w = 1
      system << first.col(0), first.col(1), first.col(2), axes(first).col(2), 1, 1, 1, 0;
      const Eigen::Vector4d w = system.fullPivLu().solve(Eigen::Vector4d(p.x(), p.y(), p.z(), 1));
      ASSERT_GT(w.minCoeff(), 0);
      const Vec3 expected =
          w[0] * shape.col(0) + w[1] * shape.col(1) + w[2] * shape.col(2) + w[3] * axes(shape).col(2);
      EXPECT_LT((simulation.positions().col(v) - expected).norm(), kHeld) << frame;
    }
  }
}

// Beside the triangle, beyond its edge, the offset turns with it.
TEST(FollowMesh, APlaceBesideTheBodyTurnsWithTheTriangle) {
  Points first(3, 4);
  first << -1, 1, 0, 0, -1, -1, 1, 0, 0, 0, 0, -1;
  const Mat3 turn = Eigen::AngleAxisd(0.5, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Points second = (turn * first).colwise() + Vec3(0.3, 0, 0);
  Scene scene = parsed(R"({"frame_time": 1, "gravity": [0, 0, 0], "solver": {"family": "newton"},
 "cloths": [{"grid": {"points": [2, 2], "size": [0.1, 0.1], "origin": [1.2, -1.2, 0.3]},
             "pins": [{"sides": ["u_min"]}]}]})");
  scene.cloths[0].pins[0].follow = "body";
  scene.colliders = {breathing(first, second)};
  Simulation simulation(scene);
  const Vec3 start = simulation.positions().col(0);
  simulation.step();
  EXPECT_LT((simulation.positions().col(0) - (turn * start + Vec3(0.3, 0, 0))).norm(), kHeld);
}

// --- come and go -----------------------------------------------------------------------------------

TEST(PinTimes, LetGoAndTakeAgainWhereTheVerticesAre) {
  Scene scene = cape("newton", R"("follow": "box", "until": 0.1)");
  Pin again = scene.cloths[0].pins[0];
  again.since = 0.2;
  again.until = {};
  scene.cloths[0].pins.push_back(again);
  scene.colliders[0].friction = 0;
  Simulation simulation(scene);
  for (int frame = 0; frame < 6; ++frame) {
    simulation.step();
    EXPECT_TRUE(simulation.is_held(0));
  }
  // 1. Free: with implicit Euler the centre of mass gains g h a frame, and contact aside nothing else
  const Model& model = simulation.model();
  const auto velocity = [&] { return Vec3(simulation.state().velocities * model.mass / model.mass.sum()); };
  simulation.step();
  EXPECT_FALSE(simulation.is_held(0));
  for (int frame = 7; frame < 12; ++frame) simulation.step();
  EXPECT_FALSE(simulation.is_held(3));
  EXPECT_LT(velocity().y(), -0.5) << "it falls";

  // 2. Taken at 0.2 s where it is
  const Points taken = simulation.positions();
  for (int frame = 13; frame <= 20; ++frame) {
    simulation.step();
    EXPECT_TRUE(simulation.is_held(0));
    const Vec3 center(0, 1, 0), then = center + Vec3(0.2, 0, 0), now = center + Vec3(frame / 60.0, 0, 0);
    const Eigen::AngleAxisd turn(2 * M_PI * (frame / 60.0 - 0.2), Vec3::UnitY());
    for (int v = 0; v < 6; ++v)
      ASSERT_LT((simulation.positions().col(v) - (now + turn * (taken.col(v) - then))).norm(), kHeld)
          << frame;
  }
}

TEST(PinTimes, FreeClothFallsByGravityAlone) {
  Scene scene = cape("newton", R"("until": 0.05)");
  scene.solver.newton.tolerance = 1e-12;
  scene.colliders.clear();
  Simulation simulation(scene);
  for (int frame = 0; frame < 3; ++frame) simulation.step();
  const auto momentum = [&] { return Vec3(simulation.state().velocities * simulation.model().mass); };
  const double mass = simulation.model().mass.sum();
  for (int frame = 3; frame < 8; ++frame) {
    const Vec3 before = momentum();
    simulation.step();
    EXPECT_LT((momentum() - before - mass * Vec3(0, -9.81, 0) / 60).norm(), 1e-6 * mass) << frame;
  }
}

// A motion that has gone on meanwhile moves what is taken from where it is.
TEST(PinTimes, ALatePinMovesFromWhereItTakes) {
  Scene scene = cape("newton", R"("since": 0.1, "motion": {"keyframes": [{"time": 0}, {"time": 1,
 "offset": [0, 0, 3], "rotation": [0, 90, 0]}]}, "center": [0.4, 1, 0])");
  scene.colliders.clear();
  Simulation simulation(scene);
  for (int frame = 0; frame < 6; ++frame) simulation.step();
  const Points taken = simulation.positions();
  for (int frame = 7; frame <= 9; ++frame) {
    simulation.step();
    const double t = frame / 60.0;
    const Vec3 center(0.4, 1, 0);
    const Vec3 then = center + Vec3(0, 0, 0.3), now = center + Vec3(0, 0, 3 * t);
    const Eigen::AngleAxisd turn(M_PI / 2 * (t - 0.1), Vec3::UnitY());
    for (int v = 0; v < 6; ++v)
      EXPECT_LT((simulation.positions().col(v) - (now + turn * (taken.col(v) - then))).norm(), kHeld);
  }
}

TEST(PinTimes, SavedRunsGoOnToTheBit) {
  for (const char* solver : {"newton", "quasi_newton", "position"}) {
    Scene scene = cape(solver, R"("follow": "box", "until": 0.05)");
    Pin again = scene.cloths[0].pins[0];
    again.since = 0.1;
    again.until = 0.2;
    Pin drawn = again;
    drawn.strength = 20;
    drawn.since = 0.22;
    drawn.until = {};
    scene.cloths[0].pins.push_back(again);
    scene.cloths[0].pins.push_back(drawn);
    Simulation whole(scene);
    std::map<int, std::string> saved;
    for (int frame = 1; frame <= 20; ++frame) {
      if (frame == 16) whole.attach({28, 29}, 0);
      whole.step();
      saved[frame] = whole.saved();
    }
    for (const int from : {4, 6, 13, 16}) {
      Simulation resumed(scene);
      resumed.load_saved(saved[from]);
      for (int frame = from; frame < 20; ++frame) {
        if (frame == 15) resumed.attach({28, 29}, 0);
        resumed.step();
      }
      EXPECT_EQ(hash(resumed.state()), hash(whole.state())) << solver << " from " << from;
      EXPECT_EQ(resumed.saved(), whole.saved()) << solver << " from " << from;
    }
  }
}

// --- by hand ---------------------------------------------------------------------------------------

TEST(Attach, HandsFastenVerticesWhereTheyAre) {
  Scene scene = cape("quasi_newton");
  Simulation simulation(scene);
  for (int frame = 0; frame < 6; ++frame) simulation.step();
  const Points then = simulation.positions();
  simulation.attach({24, 29}, 0);
  EXPECT_TRUE(simulation.is_held(24));
  for (int frame = 7; frame <= 12; ++frame) {
    simulation.step();
    const Vec3 from = Vec3(0, 1, 0) + Vec3(0.1, 0, 0), to = Vec3(0, 1, 0) + Vec3(frame / 60.0, 0, 0);
    const Eigen::AngleAxisd turn(2 * M_PI * (frame / 60.0 - 0.1), Vec3::UnitY());
    for (const int v : {24, 29})
      EXPECT_LT((simulation.positions().col(v) - (to + turn * (then.col(v) - from))).norm(), kHeld);
  }
  simulation.let_go(24);
  EXPECT_FALSE(simulation.is_held(24));
  EXPECT_TRUE(simulation.is_held(29));
  EXPECT_THROW(simulation.attach({99}, 0), Error);
  EXPECT_THROW(simulation.attach({0}, 1), Error);
}

TEST(Attach, CarriedCollidersTakeFollowersAlong) {
  Simulation simulation(cape("newton"));
  const Points start = simulation.positions();
  simulation.carry(0, Vec3(0, 0.3, 0));
  simulation.step();
  EXPECT_LT((simulation.positions().col(0) - carried(start.col(0), 1 / 60.0) - Vec3(0, 0.3, 0)).norm(),
            kHeld);
}

// --- springs ---------------------------------------------------------------------------------------

// At rest the springs carry the weight: Σ k (p − x) = m g, whatever the solver.
TEST_P(Follow, SpringsOfAPinCarryTheWeight) {
  Scene scene = cape(GetParam(), R"("follow": "box", "strength": 5)");
  scene.colliders[0].motion = {};
  scene.colliders[0].center = {0, 1, -0.5};  // away from the cloth
  scene.damping = 4;
  if (GetParam() == "position") scene.solver.position.substeps = 20;
  if (GetParam() == "implicit") {  // the default loses some weight
    scene.solver.implicit.iterations = 5000;
    scene.solver.implicit.tolerance = 1e-8;
  }
  Simulation simulation(scene);
  const Points start = simulation.positions();
  for (int frame = 0; frame < 240; ++frame) ASSERT_NE(simulation.step().step.status, Status::diverged);
  double force = 0;
  for (int v = 0; v < 6; ++v) force += 5 * (start(1, v) - simulation.positions()(1, v));
  const double weight = 9.81 * simulation.model().mass.sum();
  EXPECT_NEAR(force, weight, 0.01 * weight);
  EXPECT_FALSE(simulation.is_held(0));
}

// A patch hangs from a fixed sheet by four strings: each gives way by its slack, and then by weight over k.
TEST(FollowCloth, StringsToAnotherClothCarryThePatch) {
  const std::string text = R"({"frame_time": 0.0166666666666666666, "damping": 4,
 "solver": {"family": "newton", "newton": {"tolerance": 1e-12}},
 "cloths": [
  {"name": "sheet", "grid": {"points": [3, 3], "size": [0.2, 0.2], "origin": [0, 1, 0]},
   "pins": [{"box": {"min": [-1, -9, -1], "max": [1, 9, 1]}}]},
  {"name": "patch", "grid": {"points": [2, 2], "size": [0.02, 0.02], "origin": [0.07, 0.99, 0.03]},
   "fabric": {"preset": "cotton", "density": 0.5},
   "pins": [{"sides": ["v_min", "v_max"], "follow": "sheet", "strength": 2}]}]})";
  Simulation simulation(parsed(text));
  EXPECT_EQ(simulation.model().energies.custom.size(), 4);
  for (int frame = 0; frame < 240; ++frame) simulation.step();
  const double weight = 0.5 * 0.02 * 0.02 * 9.81;
  const Points patch = simulation.positions().rightCols(4);
  EXPECT_NEAR(1 - patch.row(1).mean(), 0.01 + weight / 4 / 2, 1e-8);
}

TEST(FollowCloth, EnergyOfStringsHasItsSlopeAndCurvature) {
  const std::string text = R"({"solver": {"family": "newton"}, "cloths": [
  {"name": "sheet", "grid": {"points": [2, 2], "size": [0.2, 0.2]}},
  {"name": "patch", "grid": {"points": [2, 2], "size": [0.02, 0.02], "origin": [0.07, 0.01, 0.03]},
   "pins": [{"grid": [[0, 0]], "follow": "sheet", "strength": 3}]}]})";
  const Simulation simulation(parsed(text));
  const StoredCustomEnergy& strings = simulation.model().energies.custom;
  ASSERT_EQ(strings.size(), 1);
  Local<4> x = gather(simulation.model().start, strings.vertices(0));
  EXPECT_EQ(strings[0].value(x), 0) << "slack where it begins";
  x.col(0) += Vec3(0.004, 0.02, -0.01);
  const double h = 1e-6;
  for (int c = 0; c < 12; ++c) {
    Local<4> low = x, high = x;
    low.reshaped()[c] -= h;
    high.reshaped()[c] += h;
    EXPECT_NEAR(strings[0].gradient(x).reshaped()[c],
                (strings[0].value(high) - strings[0].value(low)) / (2 * h), 1e-8);
    const auto slope = ((strings[0].gradient(high) - strings[0].gradient(low)) / (2 * h)).eval();
    for (int d = 0; d < 12; ++d) EXPECT_NEAR(strings[0].hessian(x)(d, c), slope.reshaped()[d], 1e-6);
  }
}

// --- contact ---------------------------------------------------------------------------------------

// Held a tenth of the thickness off the box: nothing is pushed away, blocked or jammed, and the rest of the
// cape still meets the box.
TEST(FollowContact, WhatIsHeldCloseToItsBodyMovesWithIt) {
  Scene scene = cape("quasi_newton");
  scene.cloths[0].grid->origin.z() = 0.1002;
  scene.cloths[0].fabric.thickness = 0.002;
  scene.colliders[0].rotation.setZero();
  Simulation simulation(scene);
  const Points start = simulation.positions();
  for (int frame = 1; frame <= 30; ++frame) {
    const FrameReport report = simulation.step();
    ASSERT_EQ(report.step.status, Status::ok) << frame;
    EXPECT_FALSE(report.step.jammed) << frame;
    for (int v = 0; v < 6; ++v)
      ASSERT_LT((simulation.positions().col(v) - carried(start.col(v), frame / 60.0)).norm(), kHeld);
  }
  // None is in the box
  const Eigen::AngleAxisd back(-M_PI, Vec3::UnitY());
  for (int v = 0; v < 30; ++v) {
    const Vec3 local = back * (simulation.positions().col(v) - Vec3(0.5, 1, 0));
    EXPECT_GT(local.cwiseAbs().maxCoeff(), 0.1) << v;
  }
}

// --- broken inputs ---------------------------------------------------------------------------------

std::string problems_of(const std::string& pin, const std::string& second = "") {
  try {
    const Simulation simulation(
        parsed(R"({"cloths": [{"name": "cape", "grid": {"points": [3, 3]}, "pins": [{)" + pin +
               R"(}]}, {"name": "shirt", "grid": {"points": [3, 3], "origin": [0, 3, 0]}}],
 "colliders": [{"name": "body", "center": [0, 9, 0]})" +
               second + "]}"));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FollowProblems, SayWhatIsWrongAndWhere) {
  const auto expect = [](const std::string& pin, const std::string& words, const std::string& second = "") {
    EXPECT_NE(problems_of(pin, second).find(words), std::string::npos) << problems_of(pin, second);
  };
  EXPECT_EQ(problems_of(R"("grid": [[0, 0]], "follow": "body")"), "");
  expect(R"("grid": [[0, 0]], "follow": "bdy")",
         "there is no collider or other cloth \"bdy\"; did you mean \"body\"?");
  expect(R"("grid": [[0, 0]], "follow": "cape")",
         "must name another cloth or a collider, got the cloth itself");
  expect(R"("grid": [[0, 0]], "follow": "body")", "must name one collider or cloth, 2 are called \"body\"",
         R"(, {"name": "body"})");
  expect(R"("grid": [[0, 0]], "follow": "body", "motion": {"swing": [1, 0, 0]})",
         "must be absent where the pin follows");
  expect(R"("grid": [[0, 0]], "follow": "body", "center": [1, 0, 0])",
         "must be absent where the pin follows");
  expect(R"("grid": [[0, 0]], "follow": "body", "axes": "xy")",
         "must be xyz where the pin follows, got \"xy\"");
  expect(R"("grid": [[0, 0]], "strength": 3, "axes": "y")", "needs the axes xyz");
  expect(R"("grid": [[0, 0]], "strength": 0)", "must be > 0 [N/m]");
  expect(R"("grid": [[0, 0]], "follow": "shirt")", "is needed [N/m] to follow the cloth \"shirt\"");
  expect(R"("grid": [[0, 0]], "follow": "shirt", "strength": 3, "until": 2)",
         "must be absent where the pin follows a cloth");
  expect(R"("grid": [[0, 0]], "since": 2, "until": 1)", "must be later than since (2 s), got 1");
  expect(R"("box": {"min": [5, 5, 5], "max": [6, 6, 6]}, "follow": "body")", "holds no vertex");
  expect(R"("follow": "body")", "holds neither vertices nor grid points");
}

}  // namespace
}  // namespace muslin
