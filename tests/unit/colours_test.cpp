#include "muslin/solver/position/colours.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "inextensible.h"
#include "muslin/core/parallel.h"
#include "muslin/core/simd.h"
#include "muslin/geometry/shapes.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

// A sheet of irregular triangles in the x-z plane, held at the corners of its first row.
Scene sheet(const std::string& fabric, int points, double size, Membrane membrane = Membrane::baraff_witkin) {
  Cloth cloth;
  cloth.mesh = ClothMesh();
  cloth.mesh->mesh =
      std::make_shared<Mesh>(make_irregular_sheet({.points = points, .size = size, .seed = 7}));
  cloth.membrane = membrane;
  cloth.fabric.preset = fabric;
  Pin corners;
  corners.vertices = {0, points - 1};
  cloth.pins = {corners};
  Scene scene;
  scene.solver.family = "position";
  scene.solver.position.path = PositionPath::colours;
  scene.solver.position.substeps = 10;
  scene.cloths = {cloth};
  return scene;
}

PositionPath path_of(const Scene& scene) { return Simulation(scene).step().step.path.value(); }

std::string warnings(const Scene& scene) {
  const Simulation simulation(scene);
  std::string all;
  for (const std::string& warning : simulation.model().warnings) all += warning + "\n";
  return all;
}

double centre_after(Scene scene, PositionPath path, int frames) {
  scene.solver.position.path = path;
  Simulation simulation(scene);
  FrameReport frame;
  for (int f = 0; f < frames; ++f) {
    frame = simulation.step();
    EXPECT_EQ(frame.step.path, path);
  }
  return frame.center_of_mass.y();
}

// --- which scenes ----------------------------------------------------------------------------------

TEST(Colours, TakeMeshesAndWhatIsNotForLines) {
  EXPECT_EQ(path_of(sheet("cotton", 5, 0.2)), PositionPath::colours);
  EXPECT_EQ(path_of(sheet("cotton", 5, 0.2, Membrane::springs)), PositionPath::colours);
  Scene mesh = sheet("cotton", 5, 0.2);
  mesh.solver.position.path = PositionPath::lines;
  EXPECT_EQ(path_of(mesh), PositionPath::colours);
  EXPECT_NE(warnings(mesh).find("takes the path colours instead of lines: "), std::string::npos)
      << warnings(mesh);
  EXPECT_EQ(warnings(sheet("cotton", 5, 0.2)).find("takes the"), std::string::npos);
}

TEST(Colours, SayWhyNot) {
  Scene scene = sheet("cotton", 5, 0.2, Membrane::stvk);
  EXPECT_EQ(path_of(scene), PositionPath::general);
  EXPECT_NE(warnings(scene).find("takes the general path instead of colours: the cloth has stvk"),
            std::string::npos)
      << warnings(scene);
}

// --- the same bits ---------------------------------------------------------------------------------

TEST(Colours, WidthsOfVectorsAndThreadsHaveTheSameBits) {
  for (const int points : {2, 34, 130})
    for (const Membrane membrane : {Membrane::springs, Membrane::baraff_witkin}) {
      Scene scene = sheet("denim", points, 0.01 * points, membrane);
      scene.solver.position.substeps = 4;
      scene.solver.position.coarse = true;
      if (points == 2 || membrane == Membrane::springs) scene.cloths[0].bending = Bending::dihedral;
      scene.cloths[0].fabric.damping = points == 34 ? 0.01 : 0;
      scene.cloths[0].fabric.bend_damping = points == 34 ? 0.01 : 0;
      std::vector<std::uint64_t> hashes;
      for (const Simd simd : {Simd::avx512, Simd::avx2, Simd::plain})
        for (const int thread_count : simd == Simd::avx512 ? std::vector{1, 2, 3, 7} : std::vector{1}) {
          limit_simd(simd);
          set_threads(thread_count);
          Simulation simulation(scene);
          for (int f = 0; f < 2; ++f) EXPECT_EQ(simulation.step().step.path, PositionPath::colours);
          hashes.push_back(hash(simulation.state()));
        }
      limit_simd(Simd::avx512);
      set_threads(0);
      for (const std::uint64_t other : hashes) EXPECT_EQ(other, hashes[0]) << points;
    }
}

// --- against the general path ----------------------------------------------------------------------

// One step of springs in double, from rest at x, in the order that colours promise: long before short.
Points project_springs_in_double(const Model& model, const Points& x, double h) {
  Energies energies;
  damp(model.energies, x, h, energies);
  const SpringEnergy& springs = energies.springs;
  std::vector<int> order(springs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return model.energies.springs.rest[a] > model.energies.springs.rest[b];
  });
  std::vector<Stencil<2>> stencils;
  for (const int s : order) stencils.push_back(springs.vertices(s));
  const Points& w = model.script.inverse_mass;
  Points y = x;
  for (int v = 0; v < y.cols(); ++v)
    y.col(v) += h * h * model.script.free.col(v).cwiseProduct(model.script.gravity);
  for (const std::vector<int>& group : colour(model.vertex_count(), stencils).groups)
    for (const int k : group) {
      const auto [a, b] = stencils[k];
      const double k_damped = springs.stiffness[order[k]], sum = w(0, a) + w(0, b) + 1 / (k_damped * h * h);
      const Vec3 d = y.col(b) - y.col(a);
      const Vec3 step = (d.norm() - springs.rest[order[k]]) / sum * d.normalized();
      y.col(a) += w(0, a) * step;
      y.col(b) -= w(0, b) * step;
    }
  return y;
}

Points crumpled(Points x) {
  for (int v = 0; v < x.cols(); ++v)
    x.col(v) += 0.01 * Vec3(std::sin(3.0 * v), std::cos(5.0 * v), std::sin(2.0 * v + 1));
  return x;
}

// Springs over hinges, as those along edges are in lines.
TEST(Colours, ProjectEverySpringOnce) {
  for (const double damping : {0.0, 0.02}) {
    Scene scene = sheet("plain", 12, 0.3);
    scene.cloths[0].pins.clear();
    scene.cloths[0].membrane.reset();
    Springs& springs = scene.cloths[0].springs.emplace();
    springs.layout = SpringLayout::edges;
    springs.bend = 50;
    springs.damping = damping;
    scene.solver.position.substeps = 1;
    Simulation simulation(scene);
    const Points start = crumpled(simulation.state().positions);
    simulation.set_positions(start);
    EXPECT_EQ(simulation.step().step.path, PositionPath::colours);
    const Points expected = project_springs_in_double(simulation.model(), start, scene.frame_time);
    EXPECT_GT((expected - start).cwiseAbs().maxCoeff(), 3e-3);
    EXPECT_LT((simulation.state().positions - expected).cwiseAbs().maxCoeff(), 1e-6);
  }
}

// Where one energy acts alone both paths project the same elements in the same order, one in double, the
// other in float: from the same deformed cloth one frame leads to the same places.
void expect_same_frame(Scene scene, const std::string& what) {
  Points ends[2];
  double moved = 0;
  for (const PositionPath path : {PositionPath::general, PositionPath::colours}) {
    scene.solver.position.path = path;
    Simulation simulation(scene);
    const Points start = crumpled(simulation.state().positions);
    simulation.set_positions(start);
    EXPECT_EQ(simulation.step().step.path, path);
    ends[path == PositionPath::colours] = simulation.state().positions;
    moved = (simulation.state().positions - start).cwiseAbs().maxCoeff();
  }
  EXPECT_GT(moved, 3e-3) << what;
  EXPECT_LT((ends[0] - ends[1]).cwiseAbs().maxCoeff(), 1e-4 * moved) << what;
}

// Bends, and hardly resists anything else.
Fabric plate(double damping) {
  Fabric fabric;
  fabric.preset = "plain";
  fabric.warp = fabric.weft = fabric.shear = 1e-6;
  fabric.bend = 1e-4;
  fabric.bend_weft = 4e-5;
  fabric.bend_damping = damping;
  return fabric;
}

TEST(Colours, ProjectEveryTriangleAndPlateAsTheGeneralPath) {
  for (const double damping : {0.0, 0.02}) {
    Scene scene = sheet("plain", 12, 0.3);
    scene.solver.position.substeps = 4;
    Fabric& fabric = scene.cloths[0].fabric;
    fabric.warp = 90;
    fabric.weft = 50;
    fabric.shear = 20;
    fabric.bend = fabric.bend_weft = 0;
    fabric.damping = damping;
    expect_same_frame(scene, fmt::format("triangles, damping {}", damping));
    fabric = plate(damping);
    for (const Bending bending : {Bending::quadratic, Bending::dihedral}) {
      scene.cloths[0].bending = bending;
      expect_same_frame(scene, fmt::format("{} bending, damping {}", name_of(bending), damping));
    }
  }
}

// About a vertex with three triangles each of them has one tip twice, and no tips over the border.
TEST(Colours, ProjectPlatesThatNameAVertexTwice) {
  Mesh fan;
  fan.positions.resize(3, 4);
  fan.positions << 0, 0.1, 0.04, 0.05, 0, 0, 0, 0, 0, 0, 0.1, 0.03;
  fan.triangles = {{0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  Scene scene = sheet("plain", 2, 0.1);
  scene.solver.position.substeps = 4;
  scene.cloths[0].mesh->mesh = std::make_shared<Mesh>(fan);
  scene.cloths[0].fabric = plate(0);
  for (const Bending bending : {Bending::quadratic, Bending::dihedral}) {
    scene.cloths[0].bending = bending;
    expect_same_frame(scene, fmt::format("{} bending", name_of(bending)));
  }
}

TEST(Colours, SagAsTheGeneralPath) {
  for (const char* fabric : {"cotton", "silk", "denim"})
    for (const Membrane membrane : {Membrane::springs, Membrane::baraff_witkin}) {
      Scene scene = sheet(fabric, 11, 0.3, membrane);
      scene.damping = 4;
      scene.solver.position.substeps = 40;
      const double colours = centre_after(scene, PositionPath::colours, 120);
      const double general = centre_after(scene, PositionPath::general, 120);
      EXPECT_LT(general, -0.05);
      EXPECT_NEAR(colours, general, 0.01 * std::abs(general)) << fabric;
    }
}

TEST(Colours, FollowMovingPins) {
  Scene scene = sheet("cotton", 11, 0.3);
  scene.damping = 4;
  scene.solver.position.substeps = 40;
  scene.cloths[0].pins[0].motion.swing = Vec3(0.1, 0.05, 0);
  Simulation simulation(scene);
  for (int f = 0; f < 60; ++f) simulation.step();
  const Input input = scripted_input(simulation.model(), 0, simulation.state().time);
  for (size_t p = 0; p < input.controls->pins.size(); ++p)
    EXPECT_LT(
        (simulation.state().positions.col(input.controls->pins[p].vertex) - input.pin_targets.col(p)).norm(),
        1e-12);
  const double colours = centre_after(scene, PositionPath::colours, 60);
  const double general = centre_after(scene, PositionPath::general, 60);
  EXPECT_NEAR(colours, general, 0.01 * std::abs(general));
}

TEST(Colours, FarFromTheOriginItIsTheSameCloth) {
  Scene here = sheet("cotton", 12, 0.3), there = here;
  const Vec3 away(1e5, -2e5, 3e5);
  Mesh mesh = *here.cloths[0].mesh->mesh;
  mesh.positions.colwise() += away;
  there.cloths[0].mesh->mesh = std::make_shared<Mesh>(mesh);
  Simulation a(here), b(there);
  for (int f = 0; f < 10; ++f) {
    a.step();
    EXPECT_EQ(b.step().step.path, PositionPath::colours);
  }
  EXPECT_LT(((b.state().positions.colwise() - away) - a.state().positions).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Colours, KeepMomentum) {
  for (const Membrane membrane : {Membrane::springs, Membrane::baraff_witkin}) {
    Scene scene = sheet("cotton", 12, 0.3, membrane);
    scene.cloths[0].pins.clear();
    scene.gravity = {0, 0, 0};
    Simulation simulation(scene);
    simulation.set_positions(1.05 * simulation.state().positions);
    const Vec3 stretched = simulation.report().center_of_mass;
    FrameReport frame;
    for (int f = 0; f < 20; ++f) frame = simulation.step();
    EXPECT_LT(frame.strain_max, 0.05);
    EXPECT_LT((frame.center_of_mass - stretched).norm(), 1e-5);
  }
}

TEST(Colours, EnergyDoesNotRise) {
  for (const Membrane membrane : {Membrane::springs, Membrane::baraff_witkin})
    for (const char* fabric : {"cotton", "silk", "denim"})
      for (const int substeps : {3, 10}) {
        Scene scene = sheet(fabric, 10, 0.3, membrane);
        scene.solver.position.substeps = substeps;
        const auto largest_rise = [&](PositionPath path) {
          scene.solver.position.path = path;
          Simulation simulation(scene);
          const auto energy = [](const FrameReport& frame) {
            return frame.kinetic_energy + frame.elastic_energy + frame.potential_energy;
          };
          double least = energy(simulation.report()), rise = 0;
          for (int f = 0; f < 300; ++f) {
            const double now = energy(simulation.step());
            rise = std::max(rise, now - least);
            least = std::min(least, now);
          }
          return rise / (simulation.model().mass.sum() * 9.81 * 0.3);
        };
        EXPECT_LT(largest_rise(PositionPath::colours),
                  std::max(2e-3, 1.5 * largest_rise(PositionPath::general)))
            << name_of(membrane) << ", " << fabric << ", " << substeps << " substeps";
      }
}

// --- tethers ---------------------------------------------------------------------------------------

// Two metres wide.
Scene inextensible(int points) {
  Scene scene = sheet("plain", points, 2, Membrane::springs);
  make_inextensible(scene.cloths[0].fabric);
  return scene;
}

TEST(Tethers, KeepLargeClothShortInFewSubsteps) {
  const Scene scene = inextensible(40);
  EXPECT_LT(highest_strain(scene, true), highest_strain(scene, false) / 2);
}

// Against cloth that takes so many substeps that it needs none.
TEST(Tethers, LetClothHangAsItDoesWithout) {
  Scene scene = inextensible(20);
  scene.solver.position.substeps = 120;
  scene.damping = 3;
  const double without = centre_after(scene, PositionPath::colours, 150);
  scene.solver.position.coarse = true;
  EXPECT_NEAR(centre_after(scene, PositionPath::colours, 150), without, 0.01 * std::abs(without));
}

}  // namespace
}  // namespace muslin
