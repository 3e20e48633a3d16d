#include "muslin/model/model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "muslin/core/check.h"

namespace muslin {
namespace {

Cloth sheet(const std::array<int, 2>& points = {5, 4}, const std::array<double, 2>& size = {0.8, 0.6}) {
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = points;
  cloth.grid->size = size;
  cloth.fabric.density = 0.2;
  return cloth;
}
Model model_of(const std::vector<Cloth>& cloths) {
  Scene scene;
  scene.cloths = cloths;
  return build_model(scene);
}
double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

TEST(BuildModel, MassesAreDensityTimesArea) {
  const Model model = model_of({sheet(), sheet({3, 3}, {0.1, 0.2})});
  EXPECT_NEAR(model.mass.head(20).sum(), 0.2 * 0.48, 1e-15);
  EXPECT_NEAR(model.mass.tail(9).sum(), 0.2 * 0.02, 1e-15);
  EXPECT_NEAR(sum(model.triangle_mass), 0.2 * 0.5, 1e-15);
  EXPECT_NEAR(model.mass[6] + model.mass[7], 2 * 0.2 * 0.2 * 0.2, 1e-15) << "inner vertices own a cell";
}

TEST(BuildModel, GridsStayKnown) {
  Cloth mesh;
  mesh.mesh = MeshFile();
  mesh.mesh->mesh = std::make_shared<const Mesh>(
      make_sheet({3, 3}, Vec3::Zero(), Vec3::UnitX(), Vec3::UnitZ(), Diagonals::forward));
  Cloth large = sheet({300, 200}, {3, 1});
  large.fabric.bend = 1e-5;
  large.grid->origin = {1, 2, 3};
  const Model model = model_of({sheet(), mesh, large});
  ASSERT_EQ(model.grids.size(), 2u);
  EXPECT_EQ(model.grids[0].cloth, 0);
  const GridPatch& patch = model.grids[1];
  EXPECT_EQ(patch.cloth, 2);
  EXPECT_EQ(patch.first_vertex, 20 + 9);
  EXPECT_EQ(patch.bend, Vec2(1e-5, 1e-5));
  for (const auto& [i, j] : {std::pair{0, 0}, {299, 0}, {17, 113}, {299, 199}}) {
    const Vec3 place =
        Vec3(1, 2, 3) + i * patch.spacing[0] * Vec3::UnitX() + j * patch.spacing[1] * Vec3::UnitZ();
    EXPECT_LT((model.start.col(patch.vertex(i, j)) - place).norm(), 1e-12) << i << " " << j;
  }
}

TEST(BuildModel, WeaveCoordinatesAreThoseOfAllVerticesOrNone) {
  Mesh mesh = make_sheet({3, 3}, Vec3::Zero(), Vec3::UnitX(), Vec3::UnitZ(), Diagonals::forward);
  std::vector<Cloth> cloths(1);
  cloths[0].mesh = MeshFile();
  const auto build = [&] {
    cloths[0].mesh->mesh = std::make_shared<const Mesh>(mesh);
    model_of(cloths);
  };
  EXPECT_NO_THROW(build());
  mesh.uv.resize(5);
  EXPECT_THROW(build(), Error);
  mesh.uv.clear();
  EXPECT_NO_THROW(build());
}

TEST(BuildModel, WindThatDoesNothingIsDoubted) {
  Scene scene;
  scene.cloths = {sheet()};
  const auto warned = [&] { return !build_model(scene).warnings.empty(); };
  EXPECT_FALSE(warned());
  scene.wind.gust = 1;
  EXPECT_TRUE(warned());
  scene.wind.air_density = 1.2;
  EXPECT_FALSE(warned());
  scene.wind = {};
  scene.wind.velocity = {0, 0, 3};
  EXPECT_TRUE(warned());
  scene.wind.law = WindLaw::mosegaard;
  EXPECT_TRUE(warned()) << "it knows pressure alone";
  scene.wind.velocity.setZero();
  scene.wind.pressure = {0, 0, 1};
  EXPECT_FALSE(warned());
  scene.wind.law = WindLaw::aerodynamic;
  EXPECT_TRUE(warned());
}

TEST(BuildModel, CurvedClothBendsByAnglesUnlessTold) {
  Mesh roof = make_sheet({3, 3}, Vec3::Zero(), Vec3::UnitX(), Vec3::UnitZ(), Diagonals::forward);
  Cloth cloth;
  cloth.mesh = MeshFile();
  const auto build = [&] {
    cloth.mesh->mesh = std::make_shared<const Mesh>(roof);
    return model_of({cloth});
  };
  EXPECT_EQ(build().energies.bending.size(), 8);
  EXPECT_EQ(build().energies.dihedral.size(), 0);
  EXPECT_TRUE(build().warnings.empty());

  roof.positions.row(1) = roof.positions.row(0).cwiseAbs2();
  const Model curved = build();
  EXPECT_EQ(curved.energies.bending.size(), 0);
  EXPECT_EQ(curved.energies.dihedral.size(), 8);
  EXPECT_TRUE(curved.warnings.empty());
  EXPECT_LT(elastic_energy(curved.energies, curved.start), 1e-25) << "its rest shape is at rest";

  cloth.bending = Bending::quadratic;
  const Model flattened = build();
  EXPECT_EQ(flattened.energies.bending.size(), 8);
  ASSERT_EQ(flattened.warnings.size(), 1u);
  EXPECT_NE(flattened.warnings[0].find("is curved"), std::string::npos) << flattened.warnings[0];
}

TEST(BuildModel, VertexMassReplacesDensityEverywhere) {
  Cloth cloth = sheet();
  cloth.vertex_mass = 0.5;
  const Model model = model_of({cloth, sheet()});
  for (int v = 0; v < 20; ++v) EXPECT_EQ(model.mass[v], 0.5);
  EXPECT_NEAR(model.mass.tail(20).sum(), 0.2 * 0.48, 1e-15);
  Scalars thirds = Scalars::Zero(40);
  for (size_t t = 0; t < model.triangles.size(); ++t)
    for (const int v : model.triangles[t]) thirds[v] += model.triangle_mass[t] / 3;
  EXPECT_LE((thirds - model.mass).maxCoeff(), 1e-15) << "triangles weigh no more than their vertices";
  EXPECT_GT(thirds.head(20).minCoeff(), 0.1) << "nor nothing";
  EXPECT_LT((thirds - model.mass).tail(20).norm(), 1e-15) << "without vertex_mass thirds are all there is";
}

TEST(BuildModel, PlacesTheGrid) {
  Cloth cloth = sheet();
  cloth.grid->origin = {1, 2, 3};
  cloth.grid->u = {0, -5, 0};
  cloth.grid->v = {2, 0, 0};
  const Model model = model_of({cloth});
  EXPECT_EQ(model.vertex_count(), 20);
  EXPECT_LT((model.start.col(0) - Vec3(1, 2, 3)).norm(), 1e-15);
  EXPECT_LT((model.start.col(4) - Vec3(1, 1.2, 3)).norm(), 1e-15);
  EXPECT_LT((model.start.col(15) - Vec3(1.6, 2, 3)).norm(), 1e-15);
  EXPECT_EQ(model.triangles.size(), 24u);
  EXPECT_EQ(model.edges.size(), 16u + 15u + 12u);
}

TEST(BuildModel, PlacesAMeshByScaleThenRotationThenTranslation) {
  auto mesh = std::make_shared<Mesh>();
  mesh->positions.resize(3, 3);
  mesh->positions << 1, 0, 0, /**/ 0, 1, 0, /**/ 0, 0, 1;
  mesh->triangles = {{0, 1, 2}};
  Cloth cloth;
  cloth.mesh = MeshFile();
  cloth.mesh->mesh = mesh;
  cloth.mesh->scale = 2;
  cloth.mesh->rotation = {0, 0, 90};
  cloth.mesh->translation = {10, 0, 0};
  const Model model = model_of({cloth});
  EXPECT_LT((model.start.col(0) - Vec3(10, 2, 0)).norm(), 1e-12);
  EXPECT_LT((model.start.col(1) - Vec3(8, 0, 0)).norm(), 1e-12);
  EXPECT_NEAR(model.edge_length[0], 2 * std::sqrt(2), 1e-12);
}

TEST(BuildModel, PinsCountFromTheEndAndHoldWholeSides) {
  Cloth cloth = sheet();
  Pin corners, rail, border;
  corners.grid = {{0, 0}, {-1, 0}, {0, -1}, {-1, -1}, {4, 3}};
  rail.vertices = {7};
  rail.axes = "xz";
  border.sides = {Side::u_min};
  border.axes = "y";
  cloth.pins = {corners, rail, border};
  const Model model = model_of({sheet({2, 2}), cloth});  // its vertices start at 4
  std::vector<int> held;
  for (const PinnedVertex& pin : model.script.pins) held.push_back(pin.vertex - 4);
  EXPECT_EQ(held, (std::vector<int>{0, 4, 15, 19, 7, 5, 10})) << "corners of the border are held already";
  EXPECT_EQ(model.script.free.col(4 + 19), Vec3(0, 0, 0));
  EXPECT_EQ(model.script.free.col(4 + 7), Vec3(0, 1, 0));
  EXPECT_EQ(model.script.free.col(4 + 5), Vec3(1, 0, 1));
  EXPECT_EQ(model.script.free.col(4 + 15), Vec3(0, 0, 0));
  EXPECT_EQ(model.script.free.col(4 + 6), Vec3(1, 1, 1));
  EXPECT_EQ(model.script.inverse_mass.col(4 + 7), Vec3(0, 1 / model.mass[4 + 7], 0));
}

TEST(BuildModel, EverySideIsItsBorder) {
  const auto held = [](Side side) {
    Cloth cloth = sheet({3, 4});
    Pin pin;
    pin.sides = {side};
    cloth.pins = {pin};
    std::vector<int> vertices;
    for (const PinnedVertex& p : model_of({cloth}).script.pins) vertices.push_back(p.vertex);
    return vertices;
  };
  EXPECT_EQ(held(Side::u_min), (std::vector<int>{0, 3, 6, 9}));
  EXPECT_EQ(held(Side::u_max), (std::vector<int>{2, 5, 8, 11}));
  EXPECT_EQ(held(Side::v_min), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(held(Side::v_max), (std::vector<int>{9, 10, 11}));
}

TEST(BuildModel, JitterMovesTheStartAcrossTheSheetNotTheRestShape) {
  Cloth flat = sheet({9, 9}), uneven = flat;
  uneven.grid->jitter = 1e-3;
  const Model plain = model_of({flat}), model = model_of({uneven});
  const Points moved = model.start - plain.start;
  EXPECT_EQ(moved.row(0).norm(), 0);
  EXPECT_EQ(moved.row(2).norm(), 0);
  EXPECT_LE(moved.row(1).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_GT(moved.row(1).maxCoeff(), 0.8e-3);
  EXPECT_LT(moved.row(1).minCoeff(), -0.8e-3);
  EXPECT_EQ(model.energies.springs.rest, plain.energies.springs.rest);
  EXPECT_EQ(model.edge_length, plain.edge_length);
}

/// Bending energy of a sheet rolled to a cylinder whose axis is turned from v by an angle, over that of a
/// plate.
double rigidity_ratio(double angle) {
  Cloth cloth = sheet({61, 61}, {0.6, 0.6});
  cloth.grid->diagonals = Diagonals::forward;
  cloth.fabric.bend = 2e-4;
  const Model model = model_of({cloth});
  const double radius = 2;
  const Vec3 along(std::cos(angle), 0, std::sin(angle));
  Points rolled = model.start;
  for (int i = 0; i < rolled.cols(); ++i) {
    const double way = along.dot(model.start.col(i)), turn = way / radius;
    rolled.col(i) += (radius * std::sin(turn) - way) * along + radius * (1 - std::cos(turn)) * Vec3::UnitY();
  }
  return total_value(model.energies.bending, rolled) / (0.5 * 2e-4 / (radius * radius) * 0.36);
}

// On a grid cut by one diagonal in any direction.
TEST(BuildModel, BendingRigidityOfAGridIsThatOfTheFabric) {
  const double quarter = std::acos(0);
  for (const double angle : {0.0, quarter, quarter / 2, -quarter / 2, quarter / 3})
    EXPECT_NEAR(rigidity_ratio(angle), 1, 0.02) << angle;
}

TEST(BuildModel, SelfDistanceComesFromTheSceneOrTheThickness) {
  Scene scene;
  scene.cloths = {sheet()};
  scene.cloths[0].fabric.thickness = 0.002;
  EXPECT_EQ(build_model(scene).self_distance, 0);
  scene.self_collision.enabled = true;
  EXPECT_DOUBLE_EQ(build_model(scene).self_distance, 0.002);
  EXPECT_DOUBLE_EQ(build_model(scene).half_thickness[3], 0.001);
  scene.self_collision.distance = 0.03;
  EXPECT_DOUBLE_EQ(build_model(scene).self_distance, 0.03);
  scene.self_collision.distance.reset();
  scene.cloths[0].fabric.thickness = 0;
  EXPECT_THROW(build_model(scene), Error);
}

TEST(InitialState, StartsPinsOnTheirMotionAndHeldAxesAtRest) {
  Cloth cloth = sheet();
  cloth.velocity = {1, 2, 3};
  Pin pin;
  pin.vertices = {3};
  pin.axes = "y";
  pin.motion.swing = {5, 0.5, 0};
  pin.motion.phase = 90;
  cloth.pins = {pin};
  const Model model = model_of({cloth});
  const State state = initial_state(model);
  EXPECT_LT((state.positions.col(3) - model.start.col(3) - Vec3(0, 0.5, 0)).norm(), 1e-12);
  EXPECT_EQ(state.velocities.col(3), Vec3(1, 0, 3));
  EXPECT_EQ(state.velocities.col(2), Vec3(1, 2, 3));
  EXPECT_EQ(state.time, 0);
}

TEST(InitialState, AVertexOfTwoPinsMovesOnce) {
  Cloth cloth = sheet();
  Pin pin;
  pin.sides = {Side::u_min};
  pin.motion.keyframes = {{0, {0, 0.5, 0}, Vec3::Zero()}};
  cloth.pins = {pin, pin};
  cloth.pins[1].sides = {Side::v_min};
  const Model model = model_of({cloth});
  EXPECT_EQ(Vec3(initial_state(model).positions.col(0) - model.start.col(0)), Vec3(0, 0.5, 0));
}

TEST(BuildModel, RefusesMassBeyondNumbers) {
  Cloth cloth = sheet();
  cloth.fabric.density = 1e308;
  cloth.grid->size = {1e10, 1e10};
  EXPECT_THROW(model_of({cloth}), Error);
}

TEST(BuildModel, RefusesWhatHasNoMassOrNoArea) {
  auto mesh = std::make_shared<Mesh>();
  mesh->positions = Points::Identity(3, 4);
  mesh->triangles = {{0, 1, 2}};
  Cloth cloth;
  cloth.mesh = MeshFile();
  cloth.mesh->mesh = mesh;
  EXPECT_THROW(model_of({cloth}), Error) << "vertex 3 is loose";
  mesh->positions = Points::Zero(3, 3);
  EXPECT_THROW(model_of({cloth}), Error) << "no area";
  Cloth empty;
  EXPECT_THROW(model_of({empty}), Error);
  Cloth pinned = sheet();
  pinned.pins = {Pin()};
  pinned.pins[0].vertices = {20};
  EXPECT_THROW(model_of({pinned}), Error);
}

}  // namespace
}  // namespace muslin
