#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "muslin/geometry/sheet.h"
#include "muslin/model/scene.h"

namespace muslin {
namespace {

Scene good_scene() {
  Scene scene;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.grid.emplace().points = {5, 4};
  cloth.grid->size = {4, 3};
  cloth.pins.emplace_back().grid = {{0, 0}, {-1, 0}, {-5, -4}, {0, 0}};
  cloth.pins.back().vertices = {19, 19, 0};
  scene.colliders.emplace_back();
  return scene;
}

TEST(SceneProblems, GoodScenesHaveNone) {
  EXPECT_TRUE(find_problems(good_scene()).empty());
  Scene mesh = good_scene();
  mesh.cloths[0].grid.reset();
  mesh.cloths[0].mesh.emplace().file = "shirt/front.ply";
  mesh.cloths[0].pins[0].grid.clear();
  EXPECT_TRUE(find_problems(mesh).empty());
  mesh.cloths[0].mesh->file = "FRONT.OBJ";
  EXPECT_TRUE(find_problems(mesh).empty());
}

TEST(SceneProblems, MeshesInMemoryAreLookedAt) {
  const auto problems = [](const std::function<void(Mesh&)>& spoil) {
    Mesh mesh = make_sheet({3, 3}, Vec3::Zero(), Vec3::UnitX(), Vec3::UnitZ(), Diagonals::alternating);
    spoil(mesh);
    Scene scene = good_scene();
    scene.cloths[0].grid.reset();
    scene.cloths[0].pins.clear();
    scene.cloths[0].mesh.emplace().mesh = std::make_shared<const Mesh>(mesh);
    std::string words;
    for (const Problem& problem : find_problems(scene)) words += problem.path + ": " + problem.message;
    return words;
  };
  EXPECT_EQ(problems([](Mesh&) {}), "");
  EXPECT_EQ(problems([](Mesh& mesh) { mesh.positions(1, 5) = std::nan(""); }),
            "/cloths/0/mesh/positions/5: must be finite numbers [m], got (1, nan, 0.5)");
  EXPECT_EQ(problems([](Mesh& mesh) {
              mesh.diagonals.push_back({0, 99999});
            }),
            "/cloths/0/mesh/diagonals/4: must be two vertices from 0 to 8, got 0 and 99999");
  EXPECT_EQ(problems([](Mesh& mesh) { mesh.uv.assign(4, Vec2::Zero()); }),
            "/cloths/0/mesh/uv: must be empty or one for each of 9 vertices, got 4");
  EXPECT_EQ(problems([](Mesh& mesh) { mesh.uv.assign(9, Vec2(0, std::nan(""))); }),
            "/cloths/0/mesh/uv/0: must be finite numbers, got (0, nan)");
  EXPECT_EQ(problems([](Mesh& mesh) { mesh = Mesh(); }), "/cloths/0/mesh: must have vertices, has none");
}

struct Spoilt {
  std::string path, message;
  std::function<void(Scene&)> spoil;
};
class Spoiling : public ::testing::TestWithParam<Spoilt> {};

TEST_P(Spoiling, IsTheOneProblemFound) {
  Scene scene = good_scene();
  GetParam().spoil(scene);
  const auto problems = find_problems(scene);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, GetParam().path);
  EXPECT_NE(problems[0].message.find(GetParam().message), std::string::npos) << problems[0].message;
}

Cloth& cloth(Scene& scene) { return scene.cloths[0]; }
Pin& pin(Scene& scene) { return scene.cloths[0].pins[0]; }
void add_cloth(Scene& scene, const std::string& name, std::array<int, 2> points) {
  Cloth& added = scene.cloths.emplace_back();
  added.name = name;
  added.grid.emplace().points = points;
  added.grid->size = {1.0 * (points[0] - 1), 1.0 * (points[1] - 1)};  // square cells
}
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

INSTANTIATE_TEST_SUITE_P(
    Fields, Spoiling,
    ::testing::Values(
        Spoilt{"/gravity/1", "must be finite [m/s^2], got nan", [](Scene& s) { s.gravity.y() = kNan; }},
        Spoilt{"/damping", "must be finite", [](Scene& s) { s.damping = kInfinity; }},
        Spoilt{"/frame_time", "must be > 0 [s], got 0", [](Scene& s) { s.frame_time = 0; }},
        Spoilt{"/frames", "must be between 0 and 10000000, got -1", [](Scene& s) { s.frames = -1; }},
        Spoilt{"/cloths/0/velocity/2", "finite", [](Scene& s) { cloth(s).velocity.z() = -kInfinity; }},
        Spoilt{"/cloths/0/fabric/density", "must be > 0 [kg/m^2], got -1",
               [](Scene& s) { cloth(s).fabric.density = -1; }},
        Spoilt{"/cloths/0/grid/points/1", "got 1", [](Scene& s) { cloth(s).grid->points[1] = 1; }},
        Spoilt{"/cloths/0/vertex_mass", "must be > 0", [](Scene& s) { cloth(s).vertex_mass = 0; }},
        Spoilt{"/colliders/0/size/0", "must be > 0", [](Scene& s) { s.colliders[0].size.x() = 0; }},
        Spoilt{"/colliders/0/shape", "not one of its names",
               [](Scene& s) { s.colliders[0].shape = static_cast<Shape>(99); }},
        Spoilt{"/solver/implicit/rho", "must be between 0 and 0.99999",
               [](Scene& s) { s.solver.implicit.rho = 1; }},
        Spoilt{"/solver/explicit/substeps", "got 0", [](Scene& s) { s.solver.explicit_.substeps = 0; }}));

INSTANTIATE_TEST_SUITE_P(
    Cloths, Spoiling,
    ::testing::Values(
        Spoilt{"/cloths", "at least one", [](Scene& s) { s.cloths.clear(); }},
        Spoilt{"/cloths/0", "got both", [](Scene& s) { cloth(s).mesh.emplace().file = "a.obj"; }},
        Spoilt{"/cloths/1", "got none", [](Scene& s) { s.cloths.emplace_back().name = "second"; }},
        Spoilt{"/cloths/1/name", "/cloths/0 has the same name",
               [](Scene& s) {
                 add_cloth(s, "cloth", {3, 3});
               }},
        Spoilt{"/cloths/0/name", "line breaks", [](Scene& s) { cloth(s).name = "a\nb"; }},
        Spoilt{"/colliders/0/name", "line breaks", [](Scene& s) { s.colliders[0].name = "\x7F"; }},
        Spoilt{"/cloths/1/grid/points", "at most 4000000 points, got 2000000000",
               [](Scene& s) {
                 add_cloth(s, "big", {40000, 50000});
               }},
        Spoilt{"/cloths/1/grid/points", "got 1000000000000000000",
               [](Scene& s) {
                 add_cloth(s, "big", {1000000000, 1000000000});
               }},
        Spoilt{"/cloths/1/grid/points", "together",
               [](Scene& s) {
                 add_cloth(s, "big", {2000, 2000});
               }},
        Spoilt{"/cloths/0/grid/u", "zero", [](Scene& s) { cloth(s).grid->u.setZero(); }},
        Spoilt{"/cloths/0/grid/v", "zero", [](Scene& s) { cloth(s).grid->v.setZero(); }},
        Spoilt{"/cloths/0/grid/v", "parallel",
               [](Scene& s) {
                 cloth(s).grid->v = {-1e-200, 0, 0};
               }},
        Spoilt{"/cloths/0/fabric", "right angles",
               [](Scene& s) { cloth(s).grid->v = cloth(s).grid->v + 0.5 * cloth(s).grid->u; }},
        Spoilt{"/cloths/0/fabric/stiffening", "needs the membrane baraff_witkin, got springs",
               [](Scene& s) { cloth(s).fabric.stiffening = 1; }},
        Spoilt{"/cloths/0/fabric/stiffening", "got stvk",
               [](Scene& s) {
                 cloth(s).fabric.stiffening = 1;
                 cloth(s).membrane = Membrane::stvk;
               }},
        Spoilt{"/cloths/0/fabric/strain_limit", "needs the membrane baraff_witkin, got springs",
               [](Scene& s) { cloth(s).fabric.strain_limit = 0.05; }},
        Spoilt{"/cloths/0/fabric/strain_limit", "must be >= 0, got -0.05",
               [](Scene& s) { cloth(s).fabric.strain_limit = -0.05; }},
        Spoilt{"/cloths/0/fabric/strain_limit", "must be",
               [](Scene& s) { cloth(s).fabric.strain_limit = kNan; }},
        Spoilt{"/cloths/0/membrane", "must be absent",
               [](Scene& s) {
                 cloth(s).springs.emplace();
                 cloth(s).membrane = Membrane::springs;
               }},
        Spoilt{"/cloths/0/bending", "must be absent",
               [](Scene& s) {
                 cloth(s).springs.emplace();
                 cloth(s).bending = Bending::dihedral;
               }},
        Spoilt{"/solver/family", "did you mean \"implicit\"?", [](Scene& s) { s.solver.family = "implict"; }},
        Spoilt{"/solver/position/sweep", "got jacobi",
               [](Scene& s) { s.solver.position.sweep = Sweep::jacobi; }},
        Spoilt{"/cloths/0/fabric/preset", "mislin", [](Scene& s) { cloth(s).fabric.preset = "mislin"; }},
        Spoilt{"/cloths/1/mesh/file", "a mesh file (.obj, .ply, .glb, .gltf, .usda)",
               [](Scene& s) {
                 s.cloths.emplace_back().mesh.emplace().file = "shirt.stl";
                 s.cloths.back().name = "shirt";
               }},
        Spoilt{"/cloths/1/mesh/file", "got \"\"",
               [](Scene& s) {
                 s.cloths.emplace_back().mesh.emplace();
                 s.cloths.back().name = "shirt";
               }},
        Spoilt{"/cloths/1/springs/layout", "cross needs a grid", [](Scene& s) {
                 s.cloths.emplace_back().mesh.emplace().file = "shirt.obj";
                 s.cloths.back().name = "shirt";
                 s.cloths.back().springs.emplace();
               }}));

INSTANTIATE_TEST_SUITE_P(
    Pins, Spoiling,
    ::testing::Values(
        Spoilt{"/cloths/0/pins/0/vertices/1", "must be a vertex from 0 to 19, got 20",
               [](Scene& s) { pin(s).vertices[1] = 20; }},
        Spoilt{"/cloths/0/pins/0/vertices/0", "must be >= 0, got -1",
               [](Scene& s) { pin(s).vertices[0] = -1; }},
        Spoilt{"/cloths/0/pins/0/grid/0", "5 x 4 grid, got [5, 0]",
               [](Scene& s) {
                 pin(s).grid[0] = {5, 0};
               }},
        Spoilt{"/cloths/0/pins/0/grid/0", "got [0, -5]",
               [](Scene& s) {
                 pin(s).grid[0] = {0, -5};
               }},
        Spoilt{"/cloths/0/pins/0/grid", "needs a cloth with a grid",
               [](Scene& s) {
                 cloth(s).grid.reset();
                 cloth(s).mesh.emplace().file = "shirt.obj";
               }},
        Spoilt{"/cloths/0/pins/1", "holds neither", [](Scene& s) { cloth(s).pins.emplace_back(); }},
        Spoilt{"/cloths/0/pins/0/axes", "got \"\"", [](Scene& s) { pin(s).axes = ""; }},
        Spoilt{"/cloths/0/pins/0/axes", "got \"xyx\"", [](Scene& s) { pin(s).axes = "xyx"; }},
        Spoilt{"/cloths/0/pins/0/axes", "got \"xw\"", [](Scene& s) { pin(s).axes = "xw"; }},
        Spoilt{"/cloths/0/pins/0/motion/keyframes/1/time", "later than 2",
               [](Scene& s) {
                 pin(s).motion.keyframes = {{2}, {2}};
               }},
        Spoilt{"/cloths/0/pins/0/motion/keyframes/0/rotation", "only pins of axes xyz turn", [](Scene& s) {
                 pin(s).axes = "xz";
                 pin(s).motion.keyframes = {{0, Vec3::Zero(), Vec3::UnitX()}};
               }}));

INSTANTIATE_TEST_SUITE_P(Others, Spoiling,
                         ::testing::Values(Spoilt{"/colliders/0/axis", "zero",
                                                  [](Scene& s) {
                                                    s.colliders[0].shape = Shape::capsule;
                                                    s.colliders[0].axis.setZero();
                                                  }},
                                           Spoilt{"/colliders/0/motion/keyframes/2/time", "later than 1",
                                                  [](Scene& s) {
                                                    s.colliders[0].motion.keyframes = {{0}, {1}, {0.5}};
                                                  }},
                                           Spoilt{"/self_collision", "distance", [](Scene& s) {
                                                    s.self_collision.enabled = true;
                                                    cloth(s).fabric.thickness = 0;
                                                  }}));

// The diagonals carry shear·dx²/dy² along u and shear·dy²/dx² along v.
TEST(SceneProblems, FabricsMustFitGridSprings) {
  Scene scene = good_scene();
  cloth(scene).grid->size = {8, 3};  // dx 2, dy 1
  cloth(scene).fabric.shear = 100;
  cloth(scene).fabric.warp = 400;
  cloth(scene).fabric.weft = 25;
  EXPECT_TRUE(find_problems(scene).empty());

  cloth(scene).fabric.warp = 399;
  auto problems = find_problems(scene);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "/cloths/0/fabric");
  EXPECT_NE(
      problems[0].message.find("stiffer than the warp; lower shear to at most 99.75 N/m, raise warp to at "
                               "least 400 N/m, or choose the membrane baraff_witkin"),
      std::string::npos)
      << problems[0].message;

  cloth(scene).fabric.warp = 400;
  cloth(scene).fabric.weft = 24;
  problems = find_problems(scene);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(
      problems[0].message.find("the weft; lower shear to at most 96 N/m, raise weft to at least 25 N/m"),
      std::string::npos)
      << problems[0].message;

  cloth(scene).membrane = Membrane::stvk;
  EXPECT_TRUE(find_problems(scene).empty()) << "triangles can";
  cloth(scene).membrane = Membrane::springs;
  EXPECT_EQ(find_problems(scene).size(), 1u);
  cloth(scene).membrane.reset();
  cloth(scene).springs.emplace();
  EXPECT_TRUE(find_problems(scene).empty());
}

TEST(SceneProblems, AreFoundAllAtOnce) {
  Scene scene = good_scene();
  add_cloth(scene, "second", {3, 3});
  scene.cloths[1].pins.emplace_back().vertices = {9, 8, 10};
  scene.cloths[0].fabric.density = 0;
  scene.colliders[0].shape = Shape::plane;
  scene.colliders[0].axis.setZero();
  std::vector<std::string> paths;
  for (const Problem& problem : find_problems(scene)) paths.push_back(problem.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"/cloths/0/fabric/density", "/cloths/1/pins/0/vertices/0",
                                             "/cloths/1/pins/0/vertices/2", "/colliders/0/axis"}));
}

TEST(SceneProblems, ListsAreBounded) {
  Scene scene = good_scene();
  pin(scene).vertices.assign(1000000, 20);
  EXPECT_EQ(find_problems(scene).size(), 100u);
}

}  // namespace
}  // namespace muslin
