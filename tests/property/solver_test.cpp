#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <random>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/io/scene_json.h"
#include "muslin/model/fabrics.h"
#include "muslin/model/measure.h"
#include "property/methods.h"

// What every solver must do, whatever its mathematics.

namespace muslin {
namespace {

class EverySolver : public testing::TestWithParam<TestedMethod> {
 protected:
  const SolverSettings& settings() const { return GetParam().settings; }
};
std::string method_name(const testing::TestParamInfo<TestedMethod>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Methods, EverySolver, testing::ValuesIn(tested_methods()), method_name);

// --- impacts ---------------------------------------------------------------------------------------

// What falls on a floor stays there, by two steps back, too: no velocity comes of having stopped.
TEST(Bdf2, DoesNotThrowBackWhatLands) {
  for (const char* const family : {"newton", "quasi_newton", "baraff_witkin", "position"})
    for (const int substeps : {1, 4, 20}) {
      Scene scene;
      scene.cloths.resize(1);
      scene.cloths[0].grid = Grid();
      scene.cloths[0].grid->points = {5, 5};
      scene.cloths[0].grid->size = {0.2, 0.2};
      scene.cloths[0].grid->origin = {-0.1, 0.15, -0.1};
      scene.colliders.resize(1);
      scene.colliders[0].shape = Shape::plane;
      scene.solver.family = family;
      scene.solver.position.integrator = Integrator::bdf2;
      scene.solver.position.substeps = substeps;
      for (Stepping* stepping :
           {static_cast<Stepping*>(&scene.solver.newton), static_cast<Stepping*>(&scene.solver.baraff_witkin),
            static_cast<Stepping*>(&scene.solver.quasi_newton)}) {
        stepping->integrator = Integrator::bdf2;
        stepping->adaptive = false;
        stepping->substeps = substeps;
      }
      Simulation simulation(scene);
      const FrameReport start = simulation.report();
      double lowest = start.center_of_mass.y();
      for (int frame = 0; frame < 40; ++frame) {
        const FrameReport report = simulation.step();
        ASSERT_LT(report.kinetic_energy + report.potential_energy + report.elastic_energy,
                  start.potential_energy + 0.02 * start.potential_energy)
            << family << ", " << substeps << " substeps, frame " << frame;
        lowest = std::min(lowest, report.center_of_mass.y());
        ASSERT_LT(report.center_of_mass.y(), lowest + 0.01)
            << family << ", " << substeps << " substeps, frame " << frame;
      }
      EXPECT_LT(lowest, 0.02);
    }
}

// --- pins ------------------------------------------------------------------------------------------

TEST_P(EverySolver, HoldsPinsExactlyAndOnlyTheirAxes) {
  Scene scene = sheet(settings());
  scene.cloths[0].pins = {pin_at({{0, 0}}), pin_at({{-1, 0}}, "y"), pin_at({{-1, -1}}, "xz")};
  Simulation simulation(scene);
  const Points start = simulation.state().positions;
  const int corner = 0, on_rail = 8, on_pole = 62;
  for (int frame = 0; frame < 12; ++frame) {
    run(simulation, 1);
    const Points &x = simulation.state().positions, &v = simulation.state().velocities;
    EXPECT_EQ(x.col(corner), start.col(corner));
    EXPECT_EQ(v.col(corner), Vec3::Zero());
    EXPECT_EQ(x(1, on_rail), start(1, on_rail));
    EXPECT_EQ(v(1, on_rail), 0);
    EXPECT_EQ(x(0, on_pole), start(0, on_pole));
    EXPECT_EQ(x(2, on_pole), start(2, on_pole));
  }
  const Points moved = (simulation.state().positions - start).cwiseAbs();
  EXPECT_GT(moved(0, on_rail), 1e-4);
  EXPECT_GT(moved(1, on_pole), 1e-3);
  EXPECT_GT(moved(1, 31), 1e-2) << "the middle of the sheet";
}

TEST_P(EverySolver, MovesPinsThroughTheirKeyframes) {
  Scene scene = sheet(settings());
  scene.frame_time = 1.0 / 64;  // times are exact
  Pin pin = pin_at({{0, 0}, {0, -1}});
  const auto key = [](double time, const Vec3& offset) { return Keyframe{time, offset, Vec3::Zero()}; };
  pin.motion.keyframes = {key(0, {0, 0, 0}), key(0.0625, {0.125, 0.0625, 0}),
                          key(0.125, {0.125, 0.0625, -0.25})};
  scene.cloths[0].pins = {pin};
  Simulation simulation(scene);
  const Points start = simulation.state().positions;
  const auto expect_offset = [&](const Vec3& offset, double tolerance) {
    for (const int v : {0, 54})
      EXPECT_LE((simulation.state().positions.col(v) - start.col(v) - offset).norm(), tolerance)
          << "at " << simulation.state().time << " s";
  };
  run(simulation, 2);
  expect_offset({0.0625, 0.03125, 0}, 1e-16);
  EXPECT_LT((simulation.state().velocities.col(0) - Vec3(2, 1, 0)).norm(), 1e-9);
  run(simulation, 2);
  expect_offset({0.125, 0.0625, 0}, 1e-16);
  run(simulation, 2);
  expect_offset({0.125, 0.0625, -0.125}, 1e-16);
  run(simulation, 3);
  EXPECT_EQ(simulation.state().positions.col(54), start.col(54) + Vec3(0.125, 0.0625, -0.25));
  EXPECT_EQ(simulation.state().velocities.col(54), Vec3::Zero());
}

// --- momentum and free fall ------------------------------------------------------------------------

struct Momenta {
  Vec3 linear, angular;
  double size;  ///< Σ m|v|: what rounding is relative to
};
Momenta momenta(const Simulation& simulation) {
  const Scalars& mass = simulation.model().mass;
  const Points &x = simulation.state().positions, &v = simulation.state().velocities;
  Momenta sum{Vec3::Zero(), Vec3::Zero(), 0};
  for (int i = 0; i < mass.size(); ++i) {
    sum.linear += mass[i] * v.col(i);
    sum.angular += mass[i] * Vec3(x.col(i)).cross(Vec3(v.col(i)));
    sum.size += mass[i] * v.col(i).norm();
  }
  return sum;
}

// --- external forces -------------------------------------------------------------------------------

TEST_P(EverySolver, TakesAForceAVertexLikeAWeightOfThatSize) {
  Scene heavy = sheet(settings());
  heavy.cloths[0].pins = {pin_at({{0, 0}}), pin_at({{-1, 0}})};
  Scene weightless = heavy;
  weightless.gravity.setZero();
  Simulation falls(heavy), pushed(weightless);
  pushed.push(heavy.gravity * pushed.model().mass.transpose());
  run(falls, 5);
  run(pushed, 5);
  EXPECT_LT((pushed.positions() - falls.positions()).colwise().norm().maxCoeff(), 1e-7);
  EXPECT_GT((falls.positions() - falls.model().start).norm(), 1e-2);

  pushed.push({});
  EXPECT_EQ(pushed.controls().force.cols(), 0);
}

TEST(Simulation, RefusesForcesThatDoNotFit) {
  Simulation simulation(sheet(family("position")));
  EXPECT_THROW(simulation.push(Points::Zero(3, 4)), Error);
  Points force = Points::Zero(3, simulation.positions().cols());
  force(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(simulation.push(force), Error);
  EXPECT_EQ(simulation.controls().force.cols(), 0);
}

class MomentumKeepingSolver : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Methods, MomentumKeepingSolver,
                         testing::ValuesIn(methods_that([](const TestedMethod& m) {
                           return m.momentum != Momentum::never;
                         })),
                         method_name);

TEST_P(MomentumKeepingSolver, KeepsTheMomentumOfAFreeCloth) {
  const TestedMethod& method = GetParam();
  Scene scene = sheet(settings());
  scene.gravity.setZero();
  if (method.momentum == Momentum::equal_masses) scene.cloths[0].vertex_mass = 1e-3;
  if (method.momentum == Momentum::converged) settle(scene.solver, 1e-13, 3000);
  Simulation simulation(scene);
  simulation.restore(stirred(simulation, 1), 0);
  const Momenta before = momenta(simulation);
  run(simulation, 10);
  const Momenta after = momenta(simulation);
  // Floats round places 0.4 m away by 2e-8 m, velocities so by 3e-5 m/s a substep, of which there are 200.
  const double tolerance = method.momentum == Momentum::in_float    ? 1e-3
                           : method.momentum == Momentum::converged ? 1e-9
                                                                    : 1e-12;
  EXPECT_LT((after.linear - before.linear).norm(), tolerance * before.size);
  if (method.keeps_angular_momentum) {
    EXPECT_LT((after.angular - before.angular).norm(), tolerance * before.size);
  }
  EXPECT_GT(elastic_energy(simulation.model().energies, simulation.state().positions), 1e-6)
      << "nothing pulled";
}

TEST_P(EverySolver, FallsAsTheClosedFormSays) {
  Scene scene = sheet(settings());
  scene.cloths[0].velocity = {0.3, 1, -0.2};
  scene.solver.implicit.tolerance = 1e-13;
  Simulation simulation(scene);
  const Points start = simulation.state().positions;
  const bool is_exact =
      scene.solver.family == "quasi_newton" && scene.solver.quasi_newton.integrator == Integrator::sdirk2;
  const double h = is_exact ? 0 : scene.frame_time / simulation.substeps();
  for (int frame = 1; frame <= 12; ++frame) {
    const FrameReport report = simulation.step();
    EXPECT_NE(report.step.status, Status::diverged);
    EXPECT_EQ(report.step.status, Status::ok) << "nothing is easier than free fall";
    const double t = frame * scene.frame_time;
    const Vec3 moved = scene.cloths[0].velocity * t + scene.gravity * t * (t + h) / 2;
    EXPECT_NEAR(simulation.state().time, t, 1e-15);
    EXPECT_LT(((simulation.state().positions - start).colwise() - moved).colwise().norm().maxCoeff(), 1e-12);
    // Against the exact ½ g t² the error is that of the first order, or none, and the report says so.
    ASSERT_TRUE(report.free_fall_error);
    EXPECT_LT((*report.free_fall_error - scene.gravity * t * h / 2).norm(), 1e-12);
  }
}

TEST_P(EverySolver, LosesVelocityAsDampingSays) {
  Scene scene = sheet(settings());
  scene.gravity.setZero();
  scene.damping = 2.5;
  scene.solver.implicit.tolerance = 1e-13;
  scene.cloths[0].velocity = {0.3, 1, -0.2};
  Simulation simulation(scene);
  run(simulation, 30);
  const Vec3 expected = std::exp(-2.5 * 0.5) * scene.cloths[0].velocity;
  EXPECT_LT((simulation.state().velocities.colwise() - expected).colwise().norm().maxCoeff(), 1e-10);
}

// --- determinism -----------------------------------------------------------------------------------

std::uint64_t hash_after(const Scene& scene, int frames) {
  Simulation simulation(scene);
  simulation.restore(stirred(simulation, 1), 0);
  run(simulation, frames);
  return hash(simulation.state());
}

class EverySolverInBulk : public EverySolver {
 protected:
  // Large enough that loops over vertices, springs and colours are split into chunks.
  Scene bulk() const {
    Scene scene = busy_sheet(settings(), {73, 72});
    scene.frame_time = 1.0 / 500;
    // Bits show in a few iterations; every factorisation of so many vertices takes a second
    if (!scene.solver.newton.adaptive) scene.solver.newton.iterations = 4;
    return scene;
  }
  void TearDown() override { set_threads(0); }
};
INSTANTIATE_TEST_SUITE_P(Methods, EverySolverInBulk, testing::ValuesIn(tested_methods()), method_name);

TEST_P(EverySolverInBulk, GivesTheSameBitsOnAnyNumberOfThreads) {
  set_threads(1);
  const std::uint64_t alone = hash_after(bulk(), 2);
  for (const int count : {2, 3, 7}) {
    set_threads(count);
    EXPECT_EQ(hash_after(bulk(), 2), alone) << count << " threads";
  }

  // The test would prove nothing if neither kind of contact took part.
  Scene no_colliders = bulk(), no_self_collision = bulk();
  no_colliders.colliders.clear();
  no_self_collision.self_collision.enabled = false;
  EXPECT_NE(hash_after(no_colliders, 2), alone);
  EXPECT_NE(hash_after(no_self_collision, 2), alone);
}

TEST_P(EverySolver, AdvancesAsItSteps) {
  const Scene scene = busy_sheet(settings(), {17, 13});
  Simulation measured(scene), quick(scene);
  for (int frame = 0; frame < 8; ++frame) {
    const FrameReport report = measured.step();
    const StepReport of_solver = quick.advance();
    EXPECT_EQ(of_solver.status, report.step.status);
    EXPECT_EQ(of_solver.iterations, report.step.iterations);
    EXPECT_EQ(quick.report().hash, report.hash) << "frame " << frame;
    EXPECT_EQ(quick.report().strain_max, report.strain_max);
  }
  EXPECT_EQ(quick.frame(), measured.frame());
}

TEST_P(EverySolver, RepeatsItself) {
  const Scene scene = busy_sheet(settings(), {17, 13});
  Simulation simulation(scene);
  run(simulation, 10);
  const std::uint64_t first = hash(simulation.state());
  simulation.reset();
  EXPECT_EQ(simulation.state().time, 0);
  run(simulation, 10);
  EXPECT_EQ(hash(simulation.state()), first) << "after reset";
  Simulation again(scene);
  run(again, 10);
  EXPECT_EQ(hash(again.state()), first) << "another simulation";
}

TEST_P(EverySolver, ContinuesFromASavedState) {
  const Scene scene = busy_sheet(settings(), {17, 13});
  Simulation simulation(scene);
  run(simulation, 7);
  const State saved = simulation.state();
  run(simulation, 6);
  Simulation continued(scene);
  run(continued, 3);  // whatever it did before must not matter
  continued.restore(saved, 7);
  run(continued, 6);
  EXPECT_EQ(hash(continued.state()), hash(simulation.state()));
  EXPECT_EQ(continued.state().step, 13 * simulation.substeps());
  EXPECT_EQ(continued.frame(), 13);
}

// Hands included, to the bits of what is measured.
TEST_P(EverySolver, ContinuesFromASavedFile) {
  const Scene scene = busy_sheet(settings(), {17, 13});
  const std::string path = testing::TempDir() + "muslin_saved_" + GetParam().name;
  Simulation simulation(scene);
  run(simulation, 4);
  simulation.pull(100, simulation.positions().col(100) + Vec3(0.02, 0.1, 0));
  simulation.hold(16);
  simulation.carry(1, {0, 0.01, 0});
  simulation.push(Points::Constant(3, 17 * 13, 1e-4));
  run(simulation, 3);
  simulation.save(path);
  Simulation continued(scene);
  run(continued, 3);  // whatever it did before must not matter
  continued.load(path);
  std::filesystem::remove(path);
  EXPECT_EQ(continued.frame(), 7);
  for (int frame = 0; frame < 6; ++frame) {
    const FrameReport expected = simulation.step(), found = continued.step();
    EXPECT_EQ(found.hash, expected.hash) << frame;
    EXPECT_EQ(found.work, expected.work);
    EXPECT_EQ(found.step.iterations, expected.step.iterations);
    EXPECT_EQ(found.step.linear_iterations, expected.step.linear_iterations);
    EXPECT_EQ(found.step.rebuilds, expected.step.rebuilds);
    EXPECT_EQ(found.step.residual, expected.step.residual);
    EXPECT_EQ(found.step.min_gap, expected.step.min_gap);
    EXPECT_EQ(found.elastic_energy, expected.elastic_energy);
    EXPECT_EQ(found.free_fall_error, expected.free_fall_error);
  }
  EXPECT_EQ(hash(continued.state()), hash(simulation.state()));
}

TEST(Simulation, DoesNotCallAContinuedRunFreeFallWhereItMayHaveTouched) {
  Scene scene = sheet(family("position"));
  Collider floor;
  floor.shape = Shape::plane;
  floor.center = {0, -0.01, 0};
  scene.colliders = {floor};
  Simulation simulation(scene);
  EXPECT_TRUE(simulation.step().free_fall_error) << "it falls still";
  run(simulation, 10);
  EXPECT_FALSE(simulation.report().free_fall_error) << "it lies on the floor";
  Simulation continued(scene);
  continued.restore(simulation.state(), simulation.frame());
  EXPECT_FALSE(continued.report().free_fall_error) << "it lay on the floor when it was saved";
  continued.reset();
  EXPECT_TRUE(continued.step().free_fall_error);
}

TEST_P(EverySolver, DoesNotCallItFreeFallWhenTouchedWithinAFrame) {
  Scene scene = sheet(settings());
  SolverSettings& solver = scene.solver;
  solver.explicit_.substeps = solver.position.substeps = solver.implicit.substeps = 10;
  solver.newton.substeps = solver.baraff_witkin.substeps = 10;
  solver.block_descent.substeps = solver.projective.substeps = solver.quasi_newton.substeps = 10;
  scene.frame_time = 0.1;
  scene.gravity.setZero();
  Collider ball;  // strikes the sheet and is away again by the end of the frame
  ball.radius = 0.15;
  ball.center = {0.02, -0.3, 0.01};
  ball.motion.keyframes = {Keyframe{}, {0.05, {0, 0.155, 0}, Vec3::Zero()}, {0.1, {0, 0, 0}, Vec3::Zero()}};
  scene.colliders = {ball};
  Simulation simulation(scene);
  const FrameReport report = simulation.step();
  EXPECT_GT(report.center_of_mass.y(), 1e-5) << "it was struck";
  EXPECT_FALSE(report.free_fall_error);
}

/// Every number of a model that could be changed by accident.
std::vector<double> numbers(const Model& model) {
  std::vector<double> all;
  for (const Points* points : {&model.start, &model.start_velocity, &model.script.free})
    all.insert(all.end(), points->data(), points->data() + points->size());
  for (const Scalars* scalars : {&model.mass, &model.half_thickness})
    all.insert(all.end(), scalars->data(), scalars->data() + scalars->size());
  const SpringEnergy& springs = model.energies.springs;
  for (const std::vector<double>* list :
       {&springs.rest, &springs.stiffness, &model.edge_length, &model.triangle_mass})
    all.insert(all.end(), list->begin(), list->end());
  for (const auto& spring : springs.elements().vertices) all.insert(all.end(), spring.begin(), spring.end());
  for (const auto& pin : model.script.pins) all.insert(all.end(), pin.place.begin(), pin.place.end());
  for (const auto& collider : model.colliders)
    all.insert(all.end(), collider.center.begin(), collider.center.end());
  return all;
}

TEST_P(EverySolver, LeavesSceneAndModelAlone) {
  const Scene scene = busy_sheet(settings(), {11, 9});
  const std::string before = write_scene(resolved(scene));
  Simulation simulation(scene);
  const std::vector<double> model = numbers(simulation.model());
  run(simulation, 3);
  EXPECT_EQ(write_scene(simulation.scene()), before);
  EXPECT_EQ(numbers(simulation.model()), model);
}

// --- energy ----------------------------------------------------------------------------------------

double total(const FrameReport& report) {
  return report.kinetic_energy + report.elastic_energy + report.potential_energy;
}

/// A sheet that swings from one border.
Scene swing(const SolverSettings& settings) {
  Scene scene = sheet(settings);
  scene.cloths[0].pins = {pin_at({{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}})};
  return scene;
}

TEST(ImplicitSolvers, NeverGainEnergy) {
  for (const TestedMethod& method : implicit_methods()) {
    Scene scene = swing(method.settings);
    scene.solver.implicit.tolerance = 1e-9;
    scene.solver.implicit.iterations = 20000;
    Simulation simulation(scene);
    // The sheet's weight times its length: what the swing turns over. Each step ends within about
    // tolerance / (1 − ρ) ≈ 1e-7 m of the minimum, where the largest force, some 10 N, does 1e-6 J.
    const double turned_over = 0.15 * 0.48 * 9.81 * 0.8;
    double last = total(simulation.report());
    for (int frame = 0; frame < 60; ++frame) {
      const FrameReport report = simulation.step();
      ASSERT_EQ(report.step.status, Status::ok) << method.name << " frame " << frame;
      ASSERT_LE(total(report), last + 2e-6 * turned_over) << method.name << " frame " << frame;
      last = total(report);
    }
  }
}

TEST(ExplicitSolvers, KeepTheirEnergyBoundedAtTheirOwnStep) {
  for (const TestedMethod& method : explicit_methods()) {
    if (!method.keeps_angular_momentum) continue;  // sweeps take energy out
    Simulation simulation(swing(method.settings));
    const double start = total(simulation.report()), turned_over = 0.15 * 0.48 * 9.81 * 0.8;
    for (int frame = 0; frame < 240; ++frame) {
      const FrameReport report = simulation.step();
      ASSERT_NEAR(total(report), start, 0.05 * turned_over) << method.name << " frame " << frame;
    }
  }
}

// --- trouble ---------------------------------------------------------------------------------------

TEST(ExplicitSolvers, SayThatTheyDivergeAndStandIt) {
  for (const Shape shape : {Shape::sphere, Shape::plane, Shape::box, Shape::capsule, Shape::cylinder}) {
    Scene scene = busy_sheet(family("explicit"), {17, 13});
    scene.solver.explicit_.substeps = 1;
    scene.cloths[0].fabric.warp = scene.cloths[0].fabric.weft = 1e5;
    scene.colliders[0].shape = shape;
    Simulation simulation(scene);
    Status status = Status::ok;
    while (simulation.frame() < 1000 && status != Status::diverged) status = simulation.step().step.status;
    EXPECT_EQ(status, Status::diverged);
    for (int more = 0; more < 3; ++more) EXPECT_EQ(simulation.step().step.status, Status::diverged);
  }
}

TEST_P(EverySolver, ReportsAStateThatIsNotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), 1e200}) {
    Simulation simulation(busy_sheet(settings(), {9, 7}));
    State state = simulation.state();
    state.velocities(1, 30) = bad;
    simulation.restore(state, 0);
    FrameReport report = simulation.step();
    for (int more = 0; more < 2; ++more) report = simulation.step();
    EXPECT_EQ(report.step.status, Status::diverged) << bad;
    EXPECT_FALSE(std::isfinite(report.strain_max)) << bad << ": a broken cloth must not look unstretched";
    EXPECT_FALSE(std::isfinite(report.strain_p99)) << bad;
  }
}

// --- order -----------------------------------------------------------------------------------------

/// The sheet as a mesh in memory, its vertices renamed v → name[v] and its triangles shuffled.
Scene renamed_sheet(const SolverSettings& settings, const std::vector<int>& name, std::mt19937& random) {
  Scene scene = sheet(settings);
  const Mesh sheet = make_sheet({9, 7}, {-0.4, 0, -0.3}, {0.8, 0, 0}, {0, 0, 0.6}, Diagonals::alternating);
  auto mesh = std::make_shared<Mesh>(sheet);
  for (int v = 0; v < sheet.vertex_count(); ++v) {
    mesh->positions.col(name[v]) = sheet.positions.col(v);
    mesh->uv[name[v]] = sheet.uv[v];
  }
  for (Stencil<3>& triangle : mesh->triangles) {
    for (int& v : triangle) v = name[v];
    std::rotate(triangle.begin(), triangle.begin() + random() % 3, triangle.end());
  }
  std::shuffle(mesh->triangles.begin(), mesh->triangles.end(), random);
  mesh->diagonals.clear();
  scene.cloths[0].grid.reset();
  scene.cloths[0].mesh = MeshFile();
  scene.cloths[0].mesh->mesh = mesh;
  scene.cloths[0].membrane = Membrane::springs;  // which every method runs
  Pin pin;
  pin.vertices = {name[0], name[8]};
  scene.cloths[0].pins = {pin};
  return scene;
}

class OrderlessSolver : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Methods, OrderlessSolver,
                         testing::ValuesIn(methods_that([](const TestedMethod& m) { return m.any_order; })),
                         method_name);

TEST_P(OrderlessSolver, DoesNotDependOnTheNamesOfVertices) {
  SolverSettings settings = GetParam().settings;
  settings.implicit.tolerance = 0;  // or rounding may decide upon one iteration more
  std::mt19937 random(3);
  std::vector<int> same(63), shuffled(63);
  std::iota(same.begin(), same.end(), 0);
  std::iota(shuffled.begin(), shuffled.end(), 0);
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  Simulation plain(renamed_sheet(settings, same, random)), renamed(renamed_sheet(settings, shuffled, random));
  run(plain, 20);
  run(renamed, 20);
  EXPECT_GT((plain.state().positions - plain.model().start).norm(), 0.1);
  for (int v = 0; v < 63; ++v)
    EXPECT_LT((plain.state().positions.col(v) - renamed.state().positions.col(shuffled[v])).norm(), 1e-9)
        << v;
}

}  // namespace
}  // namespace muslin
