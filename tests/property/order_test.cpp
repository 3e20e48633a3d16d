#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/obj_reader.h"
#include "muslin/io/ply_reader.h"
#include "muslin/model/fabrics.h"
#include "property/methods.h"
#include "shuffled_mesh.h"

// Meshes whose vertices come in a bad order: the model has another one, and nobody sees it.

namespace muslin {
namespace {

/// A sheet of 50 × 46 vertices row by row, large enough for its order to matter.
Mesh orderly() {
  return make_sheet({50, 46}, {-0.4, 0, -0.3}, {0.8, 0, 0}, {0, 0, 0.6}, Diagonals::alternating);
}
constexpr int kGrid = 63;  // vertices of the cloth before it
constexpr int kLast = 49;  // the corner at the other end of its first row
constexpr int kMiddle = 23 * 50 + 25;

/// The mesh behind the cloth of a grid, with two vertices held.
Scene scene_of(const Mesh& mesh, const std::vector<int>& held, const SolverSettings& settings) {
  Scene scene = sheet(settings);
  Cloth cloth = scene.cloths[0];
  cloth.name = "mesh";
  cloth.grid.reset();
  cloth.mesh = MeshFile();
  cloth.mesh->mesh = std::make_shared<const Mesh>(mesh);
  cloth.mesh->translation = {0, 1, 0};
  cloth.membrane = Membrane::springs;  // which every method runs
  Pin pin;
  pin.vertices = held;
  cloth.pins = {pin};
  scene.cloths.push_back(cloth);
  return scene;
}

/// One method of each kind whose result does not depend on any order.
std::vector<TestedMethod> methods_of_any_order() {
  const std::set<std::string> names{"explicit_verlet", "position_pbd_jacobi", "implicit_diagonal_chebyshev",
                                    "quasi_newton", "baraff_witkin_equal_steps"};
  return methods_that([&](const TestedMethod& method) { return names.contains(method.name); });
}
class AnyOrder : public testing::TestWithParam<TestedMethod> {};
std::string method_name(const testing::TestParamInfo<TestedMethod>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Methods, AnyOrder, testing::ValuesIn(methods_of_any_order()), method_name);

TEST_P(AnyOrder, AShuffledMeshMovesLikeAnOrderlyOne) {
  SolverSettings settings = GetParam().settings;
  settings.implicit.tolerance = 0;  // or rounding may decide upon one iteration more
  const auto [mesh, name] = shuffled(orderly(), 3);
  Simulation plain(scene_of(orderly(), {0, kLast}, settings)),
      other(scene_of(mesh, {name[0], name[kLast]}, settings));
  ASSERT_TRUE(plain.model().vertex_numbers.same());
  ASSERT_FALSE(other.model().vertex_numbers.same());
  run(plain, 2);
  run(other, 2);
  const Points x = plain.positions(), y = other.positions();
  EXPECT_GT((x - plain.model().start).norm(), 0.1);
  EXPECT_LT((x - y).leftCols(kGrid).norm(), 1e-9);
  for (size_t v = 0; v < name.size(); ++v)
    EXPECT_LT((x.col(kGrid + v) - y.col(kGrid + name[v])).norm(), 1e-9) << v;
}

// --- what a user sees ------------------------------------------------------------------------------

class ShuffledMesh : public testing::Test {
 protected:
  Shuffled user_ = shuffled(orderly(), 3);
  Scene scene_ = scene_of(user_.mesh, {user_.name[0], user_.name[kLast]}, family("explicit"));

  std::string refusal() const {
    try {
      build_model(scene_);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  /// A copy of the mesh that may be spoilt.
  Mesh& mesh() {
    auto copy = std::make_shared<Mesh>(user_.mesh);
    scene_.cloths[1].mesh->mesh = copy;
    return *copy;
  }
};

TEST_F(ShuffledMesh, HoldsTheVerticesThatPinsName) {
  Simulation simulation(scene_);
  const Points start = simulation.positions();
  run(simulation, 5);
  const Points end = simulation.positions();
  for (int v = 0; v < kGrid + user_.mesh.vertex_count(); ++v) {
    const bool pinned = v == kGrid + user_.name[0] || v == kGrid + user_.name[kLast];
    EXPECT_EQ(start.col(v) == end.col(v), pinned) << v;
    EXPECT_EQ(simulation.is_held(v), pinned) << v;
    if (v < kGrid) continue;
    EXPECT_EQ(start.col(v), user_.mesh.positions.col(v - kGrid) + Vec3::UnitY()) << "as the file has it";
  }
}

// Whose substep is a frame: the velocity is the way of the frame over its time.
TEST_F(ShuffledMesh, TellsPlacesAndVelocitiesInItsOwnOrder) {
  scene_.solver = family("position");
  scene_.solver.position.substeps = 1;
  scene_.cloths[1].velocity = {0.1, 0.2, 0.3};
  Simulation simulation(scene_);
  const Points before = simulation.positions();
  run(simulation, 1);
  const Points way = simulation.positions() - before;
  ASSERT_FALSE(simulation.model().vertex_numbers.same());
  EXPECT_GT(way.rightCols(user_.mesh.vertex_count()).norm(), 0.01);
  EXPECT_LT((simulation.velocities() - way / scene_.frame_time).cwiseAbs().maxCoeff(), 1e-9);
}

TEST_F(ShuffledMesh, IsWrittenInItsOwnOrder) {
  Simulation simulation(scene_);
  run(simulation, 2);
  const Points positions = simulation.positions();
  const auto encode = [&](const char* format) {
    return make_frame_writer(format)->encode(simulation.model(), simulation.state());
  };
  for (const Mesh& written : {parse_obj(encode("obj"), "obj"), parse_ply(encode("ply"), "ply")}) {
    EXPECT_EQ(written.positions, positions);
    const std::size_t before = written.triangles.size() - user_.mesh.triangles.size();
    ASSERT_EQ(before, 96u) << "of the grid";
    for (std::size_t t = 0; t < user_.mesh.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k)
        EXPECT_EQ(written.triangles[before + t][k], kGrid + user_.mesh.triangles[t][k]);
    for (int v = 0; v < user_.mesh.vertex_count(); ++v)
      EXPECT_EQ(written.uv[kGrid + v], user_.mesh.uv[v]) << v;
  }
}

TEST_F(ShuffledMesh, IsTakenByItsOwnNumbers) {
  Simulation simulation(scene_);
  run(simulation, 2);
  const int middle = kGrid + user_.name[kMiddle], corner = kGrid + user_.name[0];
  const Vec3 held = simulation.positions().col(middle);
  simulation.hold(middle);
  simulation.let_go(corner);
  EXPECT_TRUE(simulation.is_held(middle));
  EXPECT_FALSE(simulation.is_held(corner));
  run(simulation, 3);
  EXPECT_EQ(simulation.positions().col(middle), held);

  simulation.let_go(middle);
  const Vec3 place = held + Vec3(0, 0.2, 0);
  simulation.pull(middle, place);
  const AnchorEnergy& anchors = simulation.controls().pulls;
  int pulled = -1;  // the one that is drawn to the very place
  for (int a = 0; a < anchors.size(); ++a)
    if (anchors.rest[a] == place) pulled = anchors.vertices(a)[0];
  ASSERT_GE(pulled, 0);
  EXPECT_EQ(simulation.state().positions.col(pulled), held);

  const int count = simulation.model().vertex_count();
  EXPECT_THROW(simulation.hold(count), Error);
  EXPECT_THROW(simulation.pull(-1, place), Error);
  EXPECT_THROW(simulation.is_held(count), Error);
}

TEST_F(ShuffledMesh, MessagesHaveItsOwnNumbers) {
  const int vertex = mesh().triangles[7][1];
  Mesh& flat = mesh();
  const Stencil<3> triangle = flat.triangles[7];
  for (const int v : triangle) flat.positions.col(v) = flat.positions.col(vertex);
  const std::string names =
      fmt::format("vertices {} {} {} has no area", triangle[0], triangle[1], triangle[2]);
  EXPECT_NE(refusal().find(names), std::string::npos) << refusal();

  Mesh& loose = mesh();
  loose.triangles.erase(
      std::remove_if(loose.triangles.begin(), loose.triangles.end(),
                     [&](const Stencil<3>& t) { return std::find(t.begin(), t.end(), vertex) != t.end(); }),
      loose.triangles.end());
  EXPECT_NE(refusal().find(fmt::format("vertex {} belongs to no triangle", vertex)), std::string::npos)
      << refusal();

  Mesh& folded = mesh();
  folded.triangles[11] = {3, 4, 3};
  EXPECT_NE(refusal().find("triangle 11 must have three different vertices, got 3 4 3"), std::string::npos)
      << refusal();

  mesh();
  scene_.cloths[1].pins[0].vertices = {2300};
  EXPECT_NE(refusal().find("must be a vertex from 0 to 2299, got 2300"), std::string::npos) << refusal();
}

TEST_F(ShuffledMesh, GoesOnUnderEditsUnlessItsOrderIsAnother) {
  Simulation simulation(scene_);
  run(simulation, 2);
  const Points before = simulation.positions();
  Scene turned = scene_;
  turned.cloths[1].mesh->rotation = {0, 90, 0};
  turned.cloths[1].fabric.bend = 2 * *resolved(turned.cloths[1].fabric).bend;
  simulation.edit(turned);
  EXPECT_EQ(simulation.positions(), before);
  EXPECT_THROW(simulation.edit(scene_of(orderly(), {0, kLast}, family("explicit"))), Error);
  EXPECT_EQ(simulation.positions(), before);
}

TEST_F(ShuffledMesh, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const char* name : {"quasi_newton", "position"}) {
    scene_.solver = family(name);
    std::vector<std::uint64_t> hashes;
    for (const int count : {1, 2, 3}) {
      set_threads(count);
      Simulation simulation(scene_);
      run(simulation, 2);
      hashes.push_back(simulation.report().hash);
    }
    set_threads(0);
    EXPECT_EQ(hashes[1], hashes[0]) << name;
    EXPECT_EQ(hashes[2], hashes[0]) << name;
  }
}

}  // namespace
}  // namespace muslin
