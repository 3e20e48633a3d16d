// Seams that are merged, and rest shapes that lie flat.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "mesh_folder.h"
#include "muslin/core/check.h"
#include "muslin/energy/batch.h"
#include "muslin/geometry/merge.h"
#include "muslin/geometry/sheet.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/obj_reader.h"
#include "muslin/model/fabrics.h"
#include "muslin/model/pieces.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

// --- merging ---------------------------------------------------------------------------------------

TEST(MergedPoints, AreTakenForTheFirstThatIsNear) {
  Points line(3, 5);
  line.setZero();
  line.row(0) << 0, 0.6, 1.2, 1.8, 9;
  EXPECT_EQ(merged_points(line, 1), (std::vector<int>{0, 0, 2, 2, 4})) << "they do not all run together";
  EXPECT_EQ(merged_points(line, 0.1), (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(MergedPoints, AreThoseOfTheDefinition) {
  Points points = Points::Random(3, 300);
  const double distance = 0.2;
  const std::vector<int> found = merged_points(points, distance);
  std::vector<int> kept;
  for (int k = 0; k < points.cols(); ++k) {
    int first = k;
    for (const int other : kept)
      if ((points.col(other) - points.col(k)).norm() < distance && other < first) first = other;
    if (first == k) kept.push_back(k);
    EXPECT_EQ(found[k], first) << k;
  }
  EXPECT_LT(kept.size(), 300u);
}

// --- a tube of a flat pattern ----------------------------------------------------------------------

constexpr int kAround = 24, kAlong = 7;
constexpr double kRadius = 0.1, kLength = 0.3;

/// A prism around y, open along one line where the first and last column of vertices coincide.
Mesh open_tube() {
  Mesh mesh;
  mesh.positions.resize(3, (kAround + 1) * kAlong);
  for (int j = 0; j < kAlong; ++j)
    for (int i = 0; i <= kAround; ++i) {
      const double angle = 2 * std::numbers::pi * (i % kAround) / kAround;
      mesh.positions.col(j * (kAround + 1) + i) =
          Vec3(kRadius * std::cos(angle), kLength * j / (kAlong - 1), -kRadius * std::sin(angle));
    }
  for (int j = 0; j + 1 < kAlong; ++j)
    for (int i = 0; i < kAround; ++i) {
      const int a = j * (kAround + 1) + i, b = a + 1, c = a + kAround + 1, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  return mesh;
}

/// The same mesh laid out: a rectangle as wide as the prism's sides are together.
Points flat_pattern(double width_of_side = 2 * kRadius * std::sin(std::numbers::pi / kAround)) {
  Points flat(3, (kAround + 1) * kAlong);
  for (int j = 0; j < kAlong; ++j)
    for (int i = 0; i <= kAround; ++i)
      flat.col(j * (kAround + 1) + i) = Vec3(7 + width_of_side * i, 3 + kLength * j / (kAlong - 1), 0);
  return flat;
}

Scene tube_scene() {
  Scene scene;
  scene.cloths.resize(1);
  Cloth& cloth = scene.cloths[0];
  cloth.mesh = ClothMesh();
  cloth.mesh->mesh = std::make_shared<const Mesh>(open_tube());
  cloth.mesh->rest = std::make_shared<const Points>(flat_pattern());
  cloth.mesh->merge = 1e-4;
  return scene;
}

double membrane_energy(const Simulation& simulation) {
  const Model& model = simulation.model();
  const Points& x = simulation.state().positions;
  return total_value(model.energies.baraff_witkin, x) + total_value(model.energies.stvk, x) +
         total_value(model.energies.springs, x);
}

TEST(RestMesh, OfADevelopableTubeLeavesItsMembraneAtRest) {
  for (const Membrane membrane : {Membrane::baraff_witkin, Membrane::stvk, Membrane::springs}) {
    Scene scene = tube_scene();
    scene.cloths[0].membrane = membrane;
    const Simulation simulation(scene);
    const Model& model = simulation.model();
    EXPECT_EQ(model.vertex_count(), kAround * kAlong) << "the first and last column are one";
    EXPECT_LT(membrane_energy(simulation), 1e-20) << name_of(membrane);
    EXPECT_LT(simulation.report().strain_max, 1e-12) << name_of(membrane);
  }
}

TEST(RestMesh, GivesTheMassOfThePattern) {
  Scene scene = tube_scene();
  const double side = 0.05, area = kAround * side * kLength;
  scene.cloths[0].mesh->rest = std::make_shared<const Points>(flat_pattern(side));
  const Simulation simulation(scene);
  EXPECT_NEAR(simulation.model().mass.sum(), *resolved(scene.cloths[0].fabric).density * area, 1e-12);
  // Baraff–Witkin, of a homogeneous stretch across: E = 1/2 warp strain² area.
  const double now = 2 * kRadius * std::sin(std::numbers::pi / kAround), strain = now / side - 1;
  EXPECT_NEAR(membrane_energy(simulation),
              0.5 * *resolved(scene.cloths[0].fabric).warp * strain * strain * area, 1e-9);
}

/// The plate of [N m] that is bent from flat to a cylinder: E = 1/2 B κ² A. The seam bends like the rest.
TEST(RestMesh, BendsFromFlat) {
  Scene scene = tube_scene();
  scene.cloths[0].fabric.bend = 1e-4;
  const Simulation simulation(scene);
  const Points& x = simulation.state().positions;
  const Energies& energies = simulation.model().energies;
  EXPECT_GT(energies.bending.size(), 0) << "a flat rest shape bends by its constant matrix";
  const double area = 2 * std::numbers::pi * kRadius * kLength;
  const double expected = 0.5 * 1e-4 / (kRadius * kRadius) * area;
  EXPECT_NEAR(total_value(energies.bending, x), expected, 0.03 * expected);
  scene.cloths[0].bending = Bending::dihedral;
  EXPECT_NEAR(total_value(Simulation(scene).model().energies.dihedral, x), expected, 0.03 * expected);
}

TEST(RestMesh, OnASeamIsTheMeanOfBothSides) {
  Scene scene = tube_scene();
  auto pattern = std::make_shared<Points>(flat_pattern());
  for (int j = 0; j < kAlong; ++j)  // the last column is a third longer than the first
    pattern->col(j * (kAround + 1) + kAround).y() = 3 + 4.0 / 3 * kLength * j / (kAlong - 1);
  scene.cloths[0].mesh->rest = pattern;
  const Model model = build_model(scene);
  int found = 0;
  const auto on_seam = [&](int v) { return model.vertex_numbers.to_user(v) % (kAround + 1) == 0; };
  for (std::size_t e = 0; e < model.edges.size(); ++e) {
    if (!on_seam(model.edges[e][0]) || !on_seam(model.edges[e][1])) continue;
    EXPECT_NEAR(model.edge_length[e], 7.0 / 6 * kLength / (kAlong - 1), 1e-12);
    ++found;
  }
  EXPECT_EQ(found, kAlong - 1);
}

TEST(Merge, WritesEveryVertexOfTheFileWithThoseOfASeamTogether) {
  const Scene scene = tube_scene();
  Simulation simulation(scene);
  for (int frame = 0; frame < 2; ++frame) simulation.step();
  const Mesh frame = parse_obj(make_frame_writer("obj")->encode(simulation.model(), simulation.state()), "f");
  ASSERT_EQ(frame.vertex_count(), (kAround + 1) * kAlong);
  EXPECT_EQ(frame.positions, simulation.positions());
  EXPECT_EQ(frame.triangles.size(), scene.cloths[0].mesh->mesh->triangles.size());
  for (int j = 0; j < kAlong; ++j)
    EXPECT_EQ(frame.positions.col(j * (kAround + 1)), frame.positions.col(j * (kAround + 1) + kAround));
}

TEST(Merge, WithoutAPatternKeepsTheShapeOfTheMeshAtRest) {
  Scene scene = tube_scene();
  scene.cloths[0].mesh->rest = nullptr;
  const Simulation simulation(scene);
  EXPECT_EQ(simulation.model().vertex_count(), kAround * kAlong);
  EXPECT_LT(simulation.report().elastic_energy, 1e-20) << "bent as it is, across the seam too";
}

TEST(Merge, IsOfferedWhereBordersLieOnOneAnother) {
  Scene scene = tube_scene();
  const auto warned = [&] {
    const std::vector<std::string> warnings = build_model(scene).warnings;
    return std::any_of(warnings.begin(), warnings.end(), [](const std::string& w) {
      return w.find(
                 "7 pairs of vertices on its borders lie in one place and are not joined, so it falls apart "
                 "there; \"merge\": 1e-4 in its mesh sews them") != w.npos;
    });
  };
  EXPECT_FALSE(warned());
  scene.cloths[0].mesh->merge = 0;
  EXPECT_TRUE(warned());
}

TEST(Merge, IsOfferedForFineMeshesAsWellAndCountsPairs) {
  Scene scene = tube_scene();
  scene.cloths[0].mesh->merge = 0;
  EXPECT_EQ(find_open_seams(scene).size(), 1u);
  scene.cloths[0].mesh->scale = 1e-3;  // edges below twice the usual distance
  scene.cloths[0].mesh->rest = nullptr;
  const std::vector<OpenSeams> seams = find_open_seams(scene);
  ASSERT_EQ(seams.size(), 1u);
  EXPECT_EQ(seams[0].pairs, kAlong);
  scene.cloths[0].mesh->merge = seams[0].merge;
  EXPECT_TRUE(find_open_seams(scene).empty());
  EXPECT_EQ(build_model(scene).vertex_count(), kAround * kAlong);
}

/// Two panels whose common border has 5 vertices on one side and `fine` on the other.
Mesh panels(int fine) {
  Mesh mesh =
      make_sheet({5, 5}, Vec3::Zero(), 0.4 * Vec3::UnitX(), 0.4 * Vec3::UnitZ(), Diagonals::alternating);
  const Mesh other = make_sheet({fine, fine}, Vec3(0.4, 0, 0), 0.4 * Vec3::UnitX(), 0.4 * Vec3::UnitZ(),
                                Diagonals::alternating);
  mesh.positions.conservativeResize(3, 25 + fine * fine);
  mesh.positions.rightCols(fine * fine) = other.positions;
  for (const auto& [a, b, c] : other.triangles) mesh.triangles.push_back({25 + a, 25 + b, 25 + c});
  mesh.uv.clear();
  mesh.diagonals.clear();
  return mesh;
}

std::vector<std::string> warnings_of(const Mesh& mesh, double merge) {
  Scene scene;
  scene.cloths.emplace_back().mesh.emplace();
  scene.cloths[0].mesh->mesh = std::make_shared<const Mesh>(mesh);
  scene.cloths[0].mesh->merge = merge;
  return build_model(scene).warnings;
}

TEST(Merge, CannotSewVerticesThatLieOnEdgesAndSaysSo) {
  const std::vector<std::string> warnings = warnings_of(panels(9), 1e-5);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("4 vertices on its borders lie on edges that end elsewhere"), std::string::npos)
      << warnings[0];
  EXPECT_NE(warnings[0].find("vertex 34 lies on edge 4-9, vertex 52 lies on edge 9-14"), std::string::npos)
      << warnings[0];
  EXPECT_TRUE(warnings_of(panels(5), 1e-5).empty()) << "both sides have the same vertices";
  Mesh apart = panels(9);
  apart.positions.rightCols(81).row(0).array() += 0.001;
  EXPECT_TRUE(warnings_of(apart, 1e-5).empty()) << "a millimetre apart";
}

TEST(Merge, LeavesOutFacesThatAreThereForEachSide) {
  Mesh mesh = make_sheet({7, 5}, Vec3::Zero(), Vec3::UnitX(), Vec3::UnitZ(), Diagonals::alternating);
  const double area = 1;
  const auto front = mesh.triangles;
  for (const auto& [a, b, c] : front) mesh.triangles.push_back({35 + a, 35 + c, 35 + b});
  mesh.positions.conservativeResize(3, 70);
  mesh.positions.rightCols(35) = Points(mesh.positions.leftCols(35));
  mesh.uv.clear();
  mesh.diagonals.clear();
  Scene scene;
  scene.cloths.emplace_back().mesh.emplace();
  scene.cloths[0].mesh->mesh = std::make_shared<const Mesh>(mesh);
  scene.cloths[0].mesh->merge = 1e-5;
  scene.cloths[0].fabric.density = 0.3;
  const Model model = build_model(scene);
  EXPECT_EQ(model.triangles.size(), 48u);
  EXPECT_EQ(model.vertex_count(), 35);
  EXPECT_NEAR(model.mass.sum(), 0.3 * area, 1e-12);
  ASSERT_EQ(model.warnings.size(), 1u);
  EXPECT_NE(
      model.warnings[0].find("dropped 48 triangles with the same vertices as another, as merge joins them"),
      std::string::npos)
      << model.warnings[0];
}

// Edges that meet in a place where nobody merged the vertices are a rounding apart: contact must not hold
// them.
TEST(Merge, ForgottenLeavesClothThatFalls) {
  Scene scene = tube_scene();
  scene.cloths[0].mesh->merge = 0;
  scene.cloths[0].mesh->rest = nullptr;
  scene.cloths[0].pins.clear();
  scene.self_collision.enabled = true;
  scene.solver.family = "quasi_newton";
  Simulation simulation(scene);
  const double before = simulation.state().positions.row(1).mean();
  for (int frame = 0; frame < 12; ++frame) simulation.step();
  const double time = 12 * scene.frame_time, fall = before - simulation.state().positions.row(1).mean();
  EXPECT_NEAR(fall, 9.81 * time * time / 2, 0.1 * 9.81 * time * time / 2);
}

TEST(Merge, WiderThanEdgesAreLongIsRefused) {
  Scene scene = tube_scene();
  scene.cloths[0].mesh->merge = 0.03;
  try {
    build_model(scene);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("merge must be less than its shortest edge, 0.02611 m"),
              std::string::npos)
        << error.what();
  }
}

// --- in a scene ------------------------------------------------------------------------------------

class Sewing : public MeshFolder {
 protected:
  Sewing() {
    write("two.obj",
          "o front\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no back\nv 1 0 0\nv 0 1 0\nv 1 1 0.5\nf 4 6 5\n");
    write("flat.obj",
          "v 0 0 0\nv 100 0 0\nv 0 100 0\nv 500 0 0\nv 400 100 0\nv 500 100 0\nf 1 2 3\nf 4 6 5\n");
  }
  Scene scene_of(const std::string& mesh) const {
    return parse_scene(R"({"cloths": [{"mesh": {"file": "two.obj")" + mesh + "}}]}", "scene.json",
                       folder_.string());
  }
  std::string refusal(const std::string& rest) const {
    write("rest.obj", rest);
    try {
      scene_of(R"(, "rest_mesh": "rest.obj")");
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  }
};

TEST_F(Sewing, JoinsObjectsToOneCloth) {
  EXPECT_EQ(build_model(scene_of("")).cloths.size(), 2u);
  const Model model = build_model(scene_of(R"(, "merge": 1e-3)"));
  ASSERT_EQ(model.cloths.size(), 1u);
  EXPECT_EQ(model.vertex_count(), 4);
  EXPECT_EQ(model.user_vertex_count(), 6);
  EXPECT_EQ(model.edges.size(), 5u);
}

TEST_F(Sewing, ReadsTheRestMeshInTheUnitOfTheFile) {
  const Model model = build_model(scene_of(R"(, "merge": 1e-3, "rest_mesh": "flat.obj")"));
  EXPECT_NEAR(model.mass.sum(), 0.15 * 2 * 100 * 100 / 2, 1e-9);
  const auto about_units = [](const std::string& w) { return w.find("in rest_mesh in the mean") != w.npos; };
  EXPECT_TRUE(std::any_of(model.warnings.begin(), model.warnings.end(), about_units));
}

TEST_F(Sewing, RefusesARestMeshOfAnotherMesh) {
  const auto expect = [&](const std::string& rest, const std::string& words) {
    EXPECT_NE(refusal(rest).find(words), std::string::npos) << refusal(rest);
  };
  const std::string six = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 0 0\nv 4 1 0\nv 5 1 0\n";
  expect("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
         "rest.obj: a rest_mesh must have the vertices of its mesh, 6, got 3");
  expect(six + "f 1 2 3\n", "face 1 has vertices none, and in the mesh 3 5 4, counted from 0");
  expect(six + "f 1 2 3\nf 6 5 4\n",
         "must have the faces of its mesh in the same order; face 1 has vertices 5 4 3, and in the mesh "
         "3 5 4");
}

TEST_F(Sewing, TakesThePatternOfOneObject) {
  const Model model = build_model(scene_of(R"(, "object": "back", "rest_mesh": "flat.obj")"));
  EXPECT_EQ(model.vertex_count(), 3);
  EXPECT_NEAR(model.mass.sum(), 0.15 * 100 * 100 / 2, 1e-9);
}

}  // namespace
}  // namespace muslin
