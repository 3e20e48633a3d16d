#include <Eigen/Geometry>
#include <numbers>

#include "muslin/model/fabrics.h"
#include "validation/laboratory.h"

// What friction holds, against Coulomb: cloth that is loaded with nine tenths of the most that friction can
// do stays where it is.

namespace muslin {
namespace {

constexpr double kMostCreep = 5e-5;  // [m/s]
constexpr double kOfCoulomb = 0.9;

/// A sheet of cotton of n × n vertices, so wide [m], as high above a plane through the origin as it is when
/// it rests there. Its middle is above the origin.
Cloth resting(int n, double width, double height) {
  Cloth cloth = rectangle({n, n}, {width, width}, Vec3::UnitX(), Vec3::UnitZ());
  cloth.fabric = find_fabric("cotton")->fabric;
  cloth.grid->origin = {-width / 2, height, -width / 2};
  return cloth;
}

/// The floor as a plane, the top of a box, or a mesh of many triangles.
Collider floor_of(Shape shape, double friction) {
  Collider floor;
  floor.name = "floor";
  floor.shape = shape;
  floor.friction = friction;
  if (shape == Shape::box) {
    floor.size = {0.6, 0.2, 0.6};
    floor.center = {0, -0.1, 0};
  } else if (shape == Shape::mesh) {
    constexpr int kCells = 12;
    Mesh mesh;
    mesh.positions.resize(3, (kCells + 1) * (kCells + 1));
    for (int j = 0; j <= kCells; ++j)
      for (int i = 0; i <= kCells; ++i)
        mesh.positions.col(j * (kCells + 1) + i) << 0.6 * i / kCells - 0.31, 0, 0.6 * j / kCells - 0.29;
    for (int j = 0; j < kCells; ++j)
      for (int i = 0; i < kCells; ++i) {
        const int a = j * (kCells + 1) + i, b = a + 1, c = a + kCells + 1, d = c + 1;
        mesh.triangles.push_back({a, c, b});
        mesh.triangles.push_back({b, c, d});
      }
    floor.mesh.emplace();
    floor.mesh->mesh = std::make_shared<const Mesh>(mesh);
  }
  return floor;
}

/// Gravity leans, so that what lies on a level floor is loaded with a part of Coulomb's force along x.
Scene leaning(const Cloth& cloth, double friction, double part) {
  Scene scene = scene_of(cloth, SolverSettings());
  const double tangent = part * friction;
  scene.gravity = kG * Vec3(tangent, -1, 0) / std::hypot(1, tangent);
  scene.self_collision.enabled = true;
  scene.self_collision.friction = friction;
  scene.damping = 1;
  return scene;
}

/// The fastest creep of a vertex in the last part of a second [m/s], in a frame that moves with a body.
template <class Local>
double creep_after(Scene scene, double settling, int substeps, const Local& local) {
  constexpr double kWatched = 0.5;
  scene.frame_time = 1.0 / 60 / substeps;
  Simulation simulation(scene);
  const auto run_for = [&](double seconds) {
    for (int left = static_cast<int>(std::lround(seconds / scene.frame_time)); left > 0; --left)
      EXPECT_NE(simulation.step().step.status, Status::diverged);
    return local(simulation.state().positions, simulation.state().time);
  };
  const Points before = run_for(settling), after = run_for(kWatched);
  return (after - before).colwise().norm().maxCoeff() / kWatched;
}
double creep_after(const Scene& scene, double settling, int substeps) {
  return creep_after(scene, settling, substeps, [](const Points& x, double) { return x; });
}

TEST(Sticking, HoldsOnPlanesBoxesAndMeshes) {
  for (const Shape shape : {Shape::plane, Shape::box, Shape::mesh})
    for (const double friction : {0.3, 0.6})
      for (const int substeps : {1, 4}) {
        if (substeps > 1 && (shape != Shape::box || friction > 0.5)) continue;
        Scene scene = leaning(resting(9, 0.2, 0.0006), friction, kOfCoulomb);
        scene.colliders = {floor_of(shape, friction)};
        EXPECT_LE(creep_after(scene, 1, substeps), kMostCreep) << name_of(shape) << friction << substeps;
      }
}

TEST(Sticking, ASheetHoldsOnASheet) {
  Scene scene = leaning(resting(10, 0.2, 0.0006), 0.4, kOfCoulomb);
  Cloth upper = resting(7, 0.13, 0.0017);
  upper.name = "upper";
  scene.cloths.push_back(upper);
  scene.colliders = {floor_of(Shape::plane, 0.4)};
  for (const int substeps : {1, 4}) EXPECT_LE(creep_after(scene, 1.5, substeps), kMostCreep) << substeps;
}

// Nine tenths of μ g are what the floor's acceleration asks for; then it goes on evenly.
TEST(Sticking, AFloorThatMovesTakesClothAlong) {
  Scene scene = leaning(resting(9, 0.2, 0.0006), 0.5, 0);
  Collider floor = floor_of(Shape::box, 0.5);
  constexpr double kSpeed = 0.3, kRest = 0.5;
  floor.motion.keyframes = {{0}, {kRest}, {4, {kSpeed * (4 - kRest), 0, 0}}};
  scene.colliders = {floor};
  const auto local = [&](const Points& x, double time) {
    return Points(x.colwise() - Vec3(kSpeed * (time - kRest), 0, 0));
  };
  EXPECT_LE(creep_after(scene, 1.5, 1, local), kMostCreep);
}

// Its weight leans, and so what friction holds turns about the normal in the cloth's own frame.
TEST(Sticking, AFloorThatTurnsTakesClothAlong) {
  Scene scene = leaning(resting(9, 0.2, 0.0006), 0.5, 0.5);
  Collider floor = floor_of(Shape::box, 0.5);
  constexpr double kDegrees = 50, kRest = 0.5;  // a second
  floor.motion.keyframes = {{0}, {kRest}, {4, {0, 0, 0}, {0, kDegrees * (4 - kRest), 0}}};
  scene.colliders = {floor};
  const auto local = [&](const Points& x, double time) {
    const double angle = kDegrees * std::numbers::pi / 180 * (time - kRest);
    return Points(Eigen::AngleAxisd(-angle, Vec3::UnitY()) * x);
  };
  EXPECT_LE(creep_after(scene, 1.5, 1, local), 10 * kMostCreep);
}

// A sheet hangs between two plates that close until they hold it.
TEST(Sticking, PlatesHoldWhatHangsBetweenThem) {
  Cloth cloth = rectangle({9, 9}, {0.16, 0.16}, Vec3::UnitX(), Vec3::UnitY());
  cloth.fabric = find_fabric("cotton")->fabric;
  cloth.grid->origin = {-0.08, -0.12, 0};
  Scene scene = scene_of(cloth, SolverSettings());
  scene.damping = 1;
  for (const double side : {-1.0, 1.0}) {
    Collider plate;
    plate.name = side < 0 ? "left" : "right";
    plate.shape = Shape::box;
    plate.size = {0.3, 0.1, 0.05};
    plate.center = {0, 0, 0.02735 * side};
    plate.friction = 0.5;
    plate.motion.keyframes = {{0}, {0.05, {0, 0, -0.0022 * side}}};
    scene.colliders.push_back(plate);
  }
  EXPECT_LE(creep_after(scene, 1.5, 1), kMostCreep);
}

// A run that goes on from a saved state, on another number of threads, has the same bits while it sticks.
TEST(Sticking, ASavedStateKeepsWhatItHoldsBy) {
  Scene scene = leaning(resting(9, 0.2, 0.0006), 0.5, kOfCoulomb);
  scene.colliders = {floor_of(Shape::box, 0.5)};
  Simulation simulation(scene), other(scene);
  simulation.set_threads(1);
  other.set_threads(3);
  run(simulation, 20);
  EXPECT_GT(simulation.state().slips.size(), 80u);
  EXPECT_TRUE(std::is_sorted(simulation.state().slips.begin(), simulation.state().slips.end()));
  other.load_saved(simulation.saved());
  run(simulation, 10);
  run(other, 10);
  EXPECT_EQ(hash(other.state()), hash(simulation.state()));
  // Without it, cloth gives way anew.
  State bare = simulation.state();
  bare.slips.clear();
  EXPECT_NE(hash(bare), hash(simulation.state()));
  other.restore(bare, 30);
  run(simulation, 1);
  run(other, 1);
  EXPECT_GT((other.state().positions - simulation.state().positions).norm(), 1e-6);
}

}  // namespace
}  // namespace muslin
