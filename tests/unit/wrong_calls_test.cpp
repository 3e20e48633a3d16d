#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "muslin/core/check.h"
#include "muslin/geometry/mesh.h"
#include "muslin/geometry/topology.h"
#include "muslin/io/frame_writer.h"
#include "property/methods.h"

// What a user of the library can get wrong throws Error with words that tell it, and changes nothing; it
// never ends the program.

namespace muslin {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A call that must throw, and a part of what it says.
struct WrongCall {
  std::string name;
  std::function<void(Simulation&)> call;
  std::string words;
};
void PrintTo(const WrongCall& wrong, std::ostream* out) { *out << wrong.name; }

constexpr int kCount = 63;  // vertices of the sheet

State changed(const Simulation& simulation, const std::function<void(State&)>& change) {
  State state = simulation.state();
  change(state);
  return state;
}

std::vector<WrongCall> calls_of_simulations() {
  const auto restored = [](const std::function<void(State&)>& change) {
    return [change](Simulation& s) { s.restore(changed(s, change), 1); };
  };
  return {
      {"hold_beyond", [](Simulation& s) { s.hold(kCount); }, "hold: vertex 63 of 63"},
      {"hold_negative", [](Simulation& s) { s.hold(-1); }, "hold: vertex -1 of 63"},
      {"let_go_beyond", [](Simulation& s) { s.let_go(kCount); }, "let_go: vertex 63 of 63"},
      {"is_held_negative", [](Simulation& s) { (void)s.is_held(-7); }, "is_held: vertex -7 of 63"},
      {"pull_beyond", [](Simulation& s) { s.pull(1 << 30, Vec3::Zero()); }, "pull: vertex"},
      {"pull_to_nowhere",
       [](Simulation& s) {
         s.pull(0, {0, kNan, 0});
       },
       "pull: the place is no number"},
      {"carry_beyond", [](Simulation& s) { s.carry(2, Vec3::Zero()); }, "carry: collider 2 of 2"},
      {"carry_to_nowhere",
       [](Simulation& s) {
         s.carry(0, {kNan, 0, 0});
       },
       "carry: the place is no number"},
      {"push_too_few", [](Simulation& s) { s.push(Points::Zero(3, kCount - 1)); },
       "each of 63 vertices, got 62"},
      {"push_too_many", [](Simulation& s) { s.push(Points::Zero(3, kCount + 1)); },
       "each of 63 vertices, got 64"},
      {"push_nan", [](Simulation& s) { s.push(Points::Constant(3, kCount, kNan)); },
       "push: a force is no number"},
      {"start_from_too_few", [](Simulation& s) { s.start_from(Points::Zero(3, 5)); },
       "start_from: expected 63"},
      {"start_from_nothing", [](Simulation& s) { s.start_from(Points(3, 0)); }, "start_from: expected 63"},
      {"start_from_nan", [](Simulation& s) { s.start_from(Points::Constant(3, kCount, kNan)); },
       "start_from: a position is no number"},
      {"restore_nothing", [](Simulation& s) { s.restore(State(), 0); }, "restore: expected positions of 63"},
      {"restore_positions", restored([](State& s) { s.positions.resize(3, 4); }),
       "restore: expected positions of 63"},
      {"restore_velocities", restored([](State& s) { s.velocities.resize(3, 4); }),
       "restore: expected velocities of 63"},
      {"restore_history", restored([](State& s) { s.history.positions = Points::Zero(3, 2); }),
       "restore: expected"},
      {"restore_half_a_history", restored([](State& s) { s.history.positions = s.positions; }),
       "restore: expected"},
      {"restore_halvings", restored([](State& s) { s.history.parts = 0; }), "restore: expected 1 to"},
      {"restore_slips", restored([](State& s) { s.slips.resize(2); }), "restore: expected slips in order"},
      {"restore_time", restored([](State& s) { s.time = kNan; }), "restore: the time is no number"},
      {"restore_steps", restored([](State& s) { s.step = -1; }), "restore: expected 0 to"},
      {"restore_no_room_for_steps", restored([](State& s) { s.step = State::kMostSteps + 1; }),
       "restore: expected 0 to"},
      {"restore_no_room_for_frames", [](Simulation& s) { s.restore(s.state(), State::kMostFrames + 1); },
       "restore: frame 1000000001"},
      {"restore_before_the_start", [](Simulation& s) { s.restore(s.state(), -1); }, "restore: frame -1"},
      {"threads", [](Simulation& s) { s.set_threads(-2); }, "set_threads: expected 0 or more, got -2"},
      {"edit_other_vertices",
       [](Simulation& s) {
         s.edit(sheet(family("newton"), {4, 4}));
       },
       "vertices"},
      {"edit_other_colliders", [](Simulation& s) { s.edit(sheet(family("newton"))); }, "colliders"},
      {"edit_unknown_family",
       [](Simulation& s) {
         Scene scene = s.scene();
         scene.solver.family = "newtom";
         s.edit(scene);
       },
       "/solver/family"},
  };
}

class WrongCalls : public testing::TestWithParam<WrongCall> {};

TEST_P(WrongCalls, ThrowAndChangeNothing) {
  Simulation simulation(busy_sheet(family("newton"), {9, 7})),
      untouched(busy_sheet(family("newton"), {9, 7}));
  simulation.step();
  untouched.step();
  try {
    GetParam().call(simulation);
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid);
    EXPECT_NE(std::string(error.what()).find(GetParam().words), std::string::npos) << error.what();
  }
  EXPECT_EQ(simulation.frame(), 1);
  EXPECT_EQ(simulation.step().hash, untouched.step().hash);
}

INSTANTIATE_TEST_SUITE_P(Simulations, WrongCalls, testing::ValuesIn(calls_of_simulations()),
                         [](const auto& wrong) { return wrong.param.name; });

// --- a simulation that was moved from --------------------------------------------------------------------

std::vector<WrongCall> calls_after_a_move() {
  return {
      {"step", [](Simulation& s) { s.step(); }, "moved"},
      {"positions", [](Simulation& s) { (void)s.positions(); }, "moved"},
      {"velocities", [](Simulation& s) { (void)s.velocities(); }, "moved"},
      {"model", [](Simulation& s) { (void)s.model(); }, "moved"},
      {"report", [](Simulation& s) { (void)s.report(); }, "moved"},
      {"limits", [](Simulation& s) { (void)s.limits(); }, "moved"},
      {"reset", [](Simulation& s) { s.reset(); }, "moved"},
      {"start_from", [](Simulation& s) { s.start_from(Points::Zero(3, kCount)); }, "moved"},
      {"restore", [](Simulation& s) { s.restore(State(), 0); }, "moved"},
      {"edit", [](Simulation& s) { s.edit(sheet(family("newton"))); }, "moved"},
      {"hold", [](Simulation& s) { s.hold(0); }, "moved"},
      {"let_go", [](Simulation& s) { s.let_go(0); }, "moved"},
      {"pull", [](Simulation& s) { s.pull(0, Vec3::Zero()); }, "moved"},
      {"release", [](Simulation& s) { s.release(); }, "moved"},
      {"push", [](Simulation& s) { s.push(Points(3, 0)); }, "moved"},
      {"carry", [](Simulation& s) { s.carry(0, Vec3::Zero()); }, "moved"},
      {"stop", [](Simulation& s) { (void)s.stop(); }, "moved"},
      {"watch", [](Simulation& s) { s.watch({}); }, "moved"},
  };
}

class CallsAfterAMove : public testing::TestWithParam<WrongCall> {};

TEST_P(CallsAfterAMove, ThrowAndMayBeAssignedAnew) {
  Simulation simulation(busy_sheet(family("newton"), {9, 7}));
  Simulation other = std::move(simulation);
  try {
    GetParam().call(simulation);
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().words), std::string::npos) << error.what();
  }
  simulation = std::move(other);
  EXPECT_EQ(simulation.step().frame, 1);
}

INSTANTIATE_TEST_SUITE_P(Moved, CallsAfterAMove, testing::ValuesIn(calls_after_a_move()),
                         [](const auto& wrong) { return wrong.param.name; });

// --- scenes made in code -----------------------------------------------------------------------------------

struct WrongScene {
  std::string name;
  std::function<void(Scene&)> change;
  std::string words;
};
void PrintTo(const WrongScene& wrong, std::ostream* out) { *out << wrong.name; }

Mesh two_triangles() {
  Mesh mesh;
  mesh.positions.resize(3, 4);
  mesh.positions << 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0;
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

/// A change of the mesh of a cloth that is brought in memory.
std::function<void(Scene&)> with_mesh(const std::function<void(Mesh&)>& change) {
  return [change](Scene& scene) {
    Mesh mesh = two_triangles();
    change(mesh);
    scene.cloths[0].pins.clear();
    scene.cloths[0].grid.reset();
    scene.cloths[0].mesh = MeshFile();
    scene.cloths[0].mesh->mesh = std::make_shared<const Mesh>(std::move(mesh));
  };
}

/// Likewise, of a collider.
std::function<void(Scene&)> with_body(const std::function<void(Mesh&, Collider&)>& change) {
  return [change](Scene& scene) {
    Mesh mesh = two_triangles();
    Collider body;
    body.shape = Shape::mesh;
    body.center = {0, -1, 0};
    body.mesh = MeshFile();
    change(mesh, body);
    body.mesh->mesh = std::make_shared<const Mesh>(std::move(mesh));
    scene.solver.family = "quasi_newton";
    scene.colliders = {body};
  };
}

std::vector<WrongScene> wrong_scenes() {
  return {
      {"no_cloth", [](Scene& s) { s.cloths[0].grid.reset(); }, "/cloths/0"},
      {"grid_of_none",
       [](Scene& s) {
         s.cloths[0].grid->points = {0, 0};
       },
       "/cloths/0/grid/points"},
      {"grid_negative",
       [](Scene& s) {
         s.cloths[0].grid->points = {-3, 5};
       },
       "/cloths/0/grid/points"},
      {"grid_too_large",
       [](Scene& s) {
         s.cloths[0].grid->points = {1 << 30, 1 << 30};
       },
       "/cloths/0/grid"},
      {"grid_nan",
       [](Scene& s) {
         s.cloths[0].grid->origin = {kNan, 0, 0};
       },
       "/cloths/0/grid/origin"},
      {"pin_beyond", [](Scene& s) { s.cloths[0].pins[0].vertices = {kCount}; },
       "/cloths/0/pins/0/vertices/0"},
      {"pin_axes", [](Scene& s) { s.cloths[0].pins[0].axes = "xw"; }, "/cloths/0/pins/0/axes"},
      {"velocity_nan",
       [](Scene& s) {
         s.cloths[0].velocity = {0, kNan, 0};
       },
       "/cloths/0/velocity"},
      {"preset", [](Scene& s) { s.cloths[0].fabric.preset = "sillk"; }, "/cloths/0/fabric/preset"},
      {"density", [](Scene& s) { s.cloths[0].fabric.density = -1; }, "/cloths/0/fabric/density"},
      {"frame_time", [](Scene& s) { s.frame_time = 0; }, "/frame_time"},
      {"frame_time_nan", [](Scene& s) { s.frame_time = kNan; }, "/frame_time"},
      {"gravity",
       [](Scene& s) {
         s.gravity = {0, -std::numeric_limits<double>::infinity(), 0};
       },
       "/gravity"},
      {"family", [](Scene& s) { s.solver.family = ""; }, "/solver/family"},
      {"iterations", [](Scene& s) { s.solver.newton.iterations = 0; }, "/solver/newton/iterations"},
      {"enumeration", [](Scene& s) { s.solver.newton.linear = static_cast<LinearSolver>(9); },
       "/solver/newton/linear"},
      {"shape", [](Scene& s) { s.colliders[0].shape = static_cast<Shape>(99); }, "/colliders/0/shape"},
      {"radius", [](Scene& s) { s.colliders[0].radius = -1; }, "/colliders/0/radius"},
      {"axis", [](Scene& s) { s.colliders[1].axis = Vec3::Zero(); }, "/colliders/1/axis"},
      {"keyframes",
       [](Scene& s) {
         s.colliders[0].motion.keyframes = {{1, Vec3::Zero(), Vec3::Zero()}, {1, Vec3::Zero(), Vec3::Zero()}};
       },
       "/colliders/0/motion/keyframes/1/time"},
      {"mesh_of_nothing", [](Scene& s) { with_mesh([](Mesh& m) { m = Mesh(); })(s); }, "cloth"},
      {"mesh_without_triangles", with_mesh([](Mesh& m) { m.triangles.clear(); }), "cloth"},
      {"mesh_vertex_beyond", with_mesh([](Mesh& m) { m.triangles[1][2] = 4; }), "vertices 0 to 3, got 4"},
      {"mesh_vertex_negative", with_mesh([](Mesh& m) { m.triangles[0][0] = -1; }), "vertices 0 to 3, got -1"},
      {"mesh_vertex_twice", with_mesh([](Mesh& m) {
         m.triangles[0] = {1, 1, 2};
       }),
       "three different vertices"},
      {"mesh_nan", with_mesh([](Mesh& m) { m.positions(1, 2) = kNan; }), "finite"},
      {"mesh_uv", with_mesh([](Mesh& m) { m.uv.resize(2); }), "one for each of 4 vertices, got 2"},
      {"mesh_without_area", with_mesh([](Mesh& m) { m.positions.setZero(); }), "no area"},
      {"body_vertex_beyond", with_body([](Mesh& m, Collider&) { m.triangles[0][0] = 17; }),
       "vertices 0 to 3, got 17"},
      {"body_nan", with_body([](Mesh& m, Collider&) { m.positions(0, 0) = kNan; }), "finite"},
      {"body_of_nothing", with_body([](Mesh& m, Collider&) { m = Mesh(); }), "must have vertices"},
      {"body_frames", with_body([](Mesh&, Collider& c) {
         c.frames = MeshFrames();
         c.frames->shapes = std::make_shared<const std::vector<Points>>(1, Points::Zero(3, 3));
       }),
       "4 finite vertices"},
  };
}

class WrongScenes : public testing::TestWithParam<WrongScene> {};

TEST_P(WrongScenes, AreRefused) {
  Scene scene = busy_sheet(family("newton"), {9, 7});
  GetParam().change(scene);
  try {
    const Simulation simulation(scene);
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid);
    EXPECT_NE(std::string(error.what()).find(GetParam().words), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(InCode, WrongScenes, testing::ValuesIn(wrong_scenes()),
                         [](const auto& wrong) { return wrong.param.name; });

// --- meshes and frames -------------------------------------------------------------------------------------

TEST(WrongMeshes, AreNamed) {
  EXPECT_THROW(build_topology(3, {{0, 1, 3}}, "mesh"), Error);
  EXPECT_THROW(build_topology(3, {{0, 1, -2}}, "mesh"), Error);
  EXPECT_THROW(build_topology(0, {{0, 1, 2}}, "mesh"), Error);
  EXPECT_THROW(build_topology(4, {{0, 1, 2}, {1, 0, 3}, {0, 1, 3}}, "mesh"), Error);
  EXPECT_THROW(vertex_normals(Points::Zero(3, 2), {{0, 1, 2}}), Error);
  EXPECT_THROW(vertex_normals(Points::Zero(3, 2), {{0, -1, 1}}), Error);
}

TEST(WrongFrames, AreNotWritten) {
  const Simulation simulation(busy_sheet(family("newton"), {9, 7}));
  for (const FormatEntry& format : formats()) {
    const std::unique_ptr<FrameWriter> writer = format.make();
    State state = simulation.state();
    EXPECT_FALSE(writer->encode(simulation.model(), state).empty());
    state.positions.conservativeResize(3, kCount - 1);
    EXPECT_THROW((void)writer->encode(simulation.model(), state), Error) << format.extension;
    EXPECT_THROW((void)writer->encode(simulation.model(), State()), Error) << format.extension;
  }
  EXPECT_THROW(make_frame_writer("stp"), Error);
  EXPECT_THROW(make_frame_writer(""), Error);
}

}  // namespace
}  // namespace muslin
