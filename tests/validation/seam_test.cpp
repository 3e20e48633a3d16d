#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "muslin/audit/surface.h"
#include "muslin/core/check.h"
#include "muslin/sewing/weld.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

constexpr int kAcross = 11;        // vertices along a seam
constexpr double kEdge = 0.02;     // [m]
constexpr double kGravity = 9.81;  // [m/s²]

// A sheet of nu × nv vertices with its first corner at `origin`, u along x, v along `up`; appended to a mesh.
int add_sheet(int nu, int nv, const Vec3& origin, const Vec3& up, Mesh& mesh) {
  const int first = mesh.vertex_count();
  mesh.positions.conservativeResize(3, first + nu * nv);
  for (int j = 0; j < nv; ++j)
    for (int i = 0; i < nu; ++i)
      mesh.positions.col(first + j * nu + i) = origin + kEdge * (i * Vec3::UnitX() + j * up);
  for (int j = 0; j + 1 < nv; ++j)
    for (int i = 0; i + 1 < nu; ++i) {
      const int a = first + j * nu + i, b = a + 1, c = a + nu, d = c + 1;
      if ((i + j) % 2 == 0)
        mesh.triangles.insert(mesh.triangles.end(), {{a, b, d}, {a, d, c}});
      else
        mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {b, d, c}});
    }
  return first;
}

std::vector<int> counted(int first, int count, int step = 1) {
  std::vector<int> numbers(count);
  for (int k = 0; k < count; ++k) numbers[k] = first + step * k;
  return numbers;
}

Scene scene_of(const Mesh& mesh, const std::optional<Points>& rest = {}) {
  Scene scene;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.fabric.preset = "cotton";
  cloth.mesh.emplace().mesh = std::make_shared<const Mesh>(mesh);
  if (rest) cloth.mesh->rest = std::make_shared<const Points>(*rest);
  scene.self_collision.enabled = true;
  scene.solver.family = "quasi_newton";
  return scene;
}

// Two panels of 0.2 m, one below the other with a gap between them; the upper one's upper border is held.
Scene two_panels(double gap) {
  Mesh mesh;
  const int upper = add_sheet(kAcross, kAcross, Vec3::Zero(), Vec3::UnitY(), mesh);
  const int lower = add_sheet(kAcross, kAcross, Vec3(0, -0.2 - gap, 0), Vec3::UnitY(), mesh);
  Scene scene = scene_of(mesh);
  Cloth& cloth = scene.cloths[0];
  cloth.pins.emplace_back().vertices = counted(upper + kAcross * (kAcross - 1), kAcross);
  Seam& seam = cloth.seams.emplace_back();
  seam.a.vertices = counted(upper, kAcross);
  seam.b.vertices = counted(lower + kAcross * (kAcross - 1), kAcross);
  seam.reversed = false;
  return scene;
}

std::size_t meeting(const Simulation& simulation) {
  const Model& model = simulation.model();
  return intersecting_pairs(make_surface(model.vertex_count(), model.triangles), simulation.state().positions)
      .size();
}

TEST(Seam, CarriesTheWeightOfWhatHangsOnIt) {
  Scene scene = two_panels(0.02);
  scene.damping = 3;
  Simulation simulation(scene);
  for (int frame = 0; frame < 240; ++frame) {
    simulation.step();
    ASSERT_EQ(meeting(simulation), 0u) << frame;
  }
  const SeamReport seam = simulation.seams().at(0);
  EXPECT_EQ(seam.stitches, kAcross);
  EXPECT_EQ(seam.open, 0);
  const Points x = simulation.positions();
  for (int i = 0; i < kAcross; ++i)  // one vertex
    EXPECT_EQ(Vec3(x.col(i)), Vec3(x.col(kAcross * kAcross + kAcross * (kAcross - 1) + i)));
  const double weight = 0.2 * 0.2 * *simulation.scene().cloths[0].fabric.density * kGravity;
  EXPECT_NEAR(seam.pull, weight, 0.01 * weight);
}

// Cut across the middle, sewn again, and hung by both ends: it sags as if it had never been cut.
TEST(Seam, AStripCutAndSewnSagsAsAWholeOne) {
  constexpr int kHalf = 9, kWide = 4;
  constexpr double kGap = 0.01;
  const auto run = [&](const Scene& scene) {
    Simulation simulation(scene);
    for (int frame = 0; frame < 400; ++frame) simulation.step();
    return simulation;
  };
  Mesh whole;
  add_sheet(kWide, 2 * kHalf - 1, Vec3::Zero(), Vec3::UnitZ(), whole);
  Scene uncut = scene_of(whole);
  uncut.damping = 3;
  const auto row = [&](int first, int j) { return counted(first + kWide * j, kWide); };
  uncut.cloths[0].pins.emplace_back().vertices = row(0, 0);
  uncut.cloths[0].pins.emplace_back().vertices = row(0, 2 * kHalf - 2);

  Mesh cut;
  const int first = add_sheet(kWide, kHalf, Vec3::Zero(), Vec3::UnitZ(), cut);
  const int second = add_sheet(kWide, kHalf, Vec3(0, 0, kEdge * (kHalf - 1)), Vec3::UnitZ(), cut);
  const Points rest = cut.positions;
  for (int v = second; v < cut.vertex_count(); ++v) cut.positions(2, v) += kGap;
  Scene sewn = scene_of(cut, rest);
  sewn.damping = 3;
  Pin near, far;
  near.vertices = row(first, 0);
  far.vertices = row(second, kHalf - 1);
  far.motion.keyframes = {{0.5, Vec3::Zero(), Vec3::Zero()}, {1.0, Vec3(0, 0, -kGap), Vec3::Zero()}};
  sewn.cloths[0].pins = {near, far};
  Seam& seam = sewn.cloths[0].seams.emplace_back();
  seam.a.vertices = row(first, kHalf - 1);
  seam.b.vertices = row(second, 0);
  seam.reversed = false;

  const Simulation one = run(uncut), two = run(sewn);
  EXPECT_EQ(two.seams().at(0).open, 0);
  const int middle = kWide * (kHalf - 1) + kWide / 2;
  const double sag = -one.positions()(1, middle), sewn_sag = -two.positions()(1, middle);
  EXPECT_GT(sag, 0.005);
  EXPECT_NEAR(sewn_sag, sag, 0.005 * sag);
}

// What is closed between two frames moves as it did: exactly, as its place and velocity are means by mass.
TEST(Seam, KeepsMomentumAndTheCentreOfMass) {
  const Scene scene = two_panels(0.0004);
  const Model model = build_model(scene);
  State state = initial_state(model);
  for (int v = 0; v < model.vertex_count(); ++v)
    state.velocities.col(v) = Vec3(std::sin(v), std::cos(3 * v), std::sin(7 * v));
  const WeldPlan plan = plan_weld(model, model.script, state);
  ASSERT_EQ(plan.closed.size(), size_t{kAcross});
  const Model sewn = build_model(scene, plan.closed);
  EXPECT_EQ(sewn.vertex_count(), model.vertex_count() - kAcross);
  const State after = welded_state(state, plan.places, model, sewn);
  EXPECT_NEAR(sewn.mass.sum(), model.mass.sum(), 1e-15);
  EXPECT_LT((after.velocities * sewn.mass - state.velocities * model.mass).norm(), 1e-15);
  EXPECT_LT((after.positions * sewn.mass - state.positions * model.mass).norm(), 1e-15);
}

TEST(Seam, GoesOnFromASavedStateToTheBit) {
  const Scene scene = two_panels(0.02);
  Simulation whole(scene);
  std::vector<std::string> saved;
  std::vector<int> open;
  for (int frame = 0; frame < 24; ++frame) {
    whole.step();
    saved.push_back(whole.saved());
    open.push_back(whole.seams().at(0).open);
  }
  EXPECT_EQ(open.front(), kAcross);
  EXPECT_EQ(open.back(), 0);
  for (size_t k = 0; k < saved.size(); k += 3) {
    Simulation resumed(scene);
    resumed.load_saved(saved[k]);
    EXPECT_EQ(resumed.seams().at(0).open, open[k]);
    while (resumed.frame() < whole.frame()) resumed.step();
    EXPECT_EQ(hash(resumed.state()), hash(whole.state())) << "from frame " << k + 1;
  }
  // Back to the start, nothing is sewn.
  whole.reset();
  EXPECT_EQ(whole.seams().at(0).open, kAcross);
}

TEST(Seam, HasTheSameBitsForAnyNumberOfThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 4}) {
    Simulation simulation(two_panels(0.02));
    simulation.set_threads(threads);
    for (int frame = 0; frame < 30; ++frame) simulation.step();
    hashes.push_back(hash(simulation.state()));
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

// A wall stands between the panels: the seam stays open, and no cloth goes through.
TEST(Seam, ClosesThroughNothing) {
  Scene scene = two_panels(0.04);
  scene.gravity = Vec3::Zero();
  Collider& wall = scene.colliders.emplace_back();
  wall.shape = Shape::box;
  wall.center = Vec3(0.1, -0.02, 0);
  wall.size = Vec3(0.6, 0.01, 0.6);
  Simulation simulation(scene);
  for (int frame = 0; frame < 60; ++frame) {
    simulation.step();
    const Points x = simulation.positions();
    const int n = kAcross * kAcross;
    for (int v = 0; v < 2 * n; ++v) {
      const bool inside =
          std::abs(x(0, v) - 0.1) < 0.3 && std::abs(x(1, v) + 0.02) < 0.005 && std::abs(x(2, v)) < 0.3;
      ASSERT_FALSE(inside) << frame;
    }
  }
  EXPECT_EQ(simulation.seams().at(0).open, kAcross);
  EXPECT_GT(simulation.seams().at(0).widest_gap, 0.01);
}

TEST(Seam, OfOtherFamiliesIsRefusedWithWords) {
  Scene scene = two_panels(0.02);
  scene.solver.family = "position";
  try {
    const Simulation simulation(scene);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("stitches"), std::string::npos) << error.what();
  }
}

TEST(Seam, SaysWhichSideIsNone) {
  Scene scene = two_panels(0.02);
  scene.cloths[0].seams[0].b.vertices = {60, 61};  // inside
  EXPECT_THROW(Simulation{scene}, Error);
  scene.cloths[0].seams[0].b.vertices = counted(kAcross * kAcross + kAcross * (kAcross - 1), kAcross - 1);
  EXPECT_THROW(Simulation{scene}, Error);
}

}  // namespace
}  // namespace muslin
