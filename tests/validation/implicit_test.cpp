#include <Eigen/Geometry>
#include <complex>

#include "muslin/core/random.h"
#include "muslin/geometry/shapes.h"
#include "muslin/model/measure.h"
#include "muslin/solver/objective.h"
#include "validation/laboratory.h"

// What implicit Euler owes to any cloth: its amplitude law, damping as prescribed, momentum, an energy that
// never rises, and one answer whichever way it is found.

namespace muslin {
namespace {

// --- a mode ----------------------------------------------------------------------------------------

/// One cell between a wall and a rail: two vertices that swing along x alone, ω = 20 /s, without gravity.
class Oscillator {
 public:
  static constexpr double kOmega = 20, kAmplitude = 1e-4;

  Oscillator(const SolverSettings& settings, Membrane membrane, bool along_warp, double step,
             double damping = 0)
      : simulation_(scene(settings, membrane, along_warp, step, damping)) {
    State state = simulation_.state();
    const Points to_the_right = simulation_.model().script.free * kAmplitude;
    state.positions += to_the_right;
    simulation_.restore(state, 0);
    probe_ = along_warp ? 1 : 2;
  }
  void step() { run(simulation_, 1); }
  double displacement() const {
    return simulation_.state().positions(0, probe_) - simulation_.model().start(0, probe_);
  }
  double velocity() const { return simulation_.state().velocities(0, probe_); }

 private:
  static Scene scene(const SolverSettings& settings, Membrane membrane, bool along_warp, double step,
                     double damping) {
    constexpr double kLength = 0.5, kWidth = 0.4, kMass = 0.02;
    Cloth cloth = along_warp ? rectangle({2, 2}, {kLength, kWidth}, {1, 0, 0}, {0, 0, 1})
                             : rectangle({2, 2}, {kWidth, kLength}, {0, 0, 1}, {1, 0, 0});
    cloth.membrane = membrane;
    // Two vertices of mass m share the cell's energy ½ k (width/length) x².
    const double stiffness = 2 * kMass * kOmega * kOmega * kLength / kWidth;
    cloth.fabric.warp = along_warp ? stiffness : 2 * stiffness;
    cloth.fabric.weft = along_warp ? 2 * stiffness : stiffness;
    cloth.fabric.shear = stiffness / 3;
    cloth.fabric.bend = 0;
    cloth.fabric.damping = damping;
    cloth.vertex_mass = kMass;
    cloth.pins = {pin_sides({along_warp ? Side::u_min : Side::v_min}), pin_vertices(every_vertex(4), "yz")};
    Scene scene = scene_of(cloth, settings);
    scene.gravity.setZero();
    scene.frame_time = step;
    return scene;
  }
  Simulation simulation_;
  int probe_ = 0;
};

std::vector<NamedSolver> euler_solvers() {
  std::vector<NamedSolver> all = converged_minimisers();
  all.push_back({"baraff_witkin", tight_baraff_witkin()});
  return all;
}

constexpr std::array kMembranes{Membrane::springs, Membrane::baraff_witkin, Membrane::stvk};

TEST(AmplitudeLaw, EverySolverLosesWhatTheFormulaSaysAndNoMore) {
  double worst = 0;
  for (const auto& [name, settings] : euler_solvers())
    for (const Membrane membrane : kMembranes)
      for (const bool along_warp : {true, false})
        for (const double h : {0.005, 0.05, 0.5}) {
          Oscillator oscillator(settings, membrane, along_warp, h);
          const double wh = Oscillator::kOmega * h;
          double before = Oscillator::kAmplitude;
          for (int step = 1; step <= 4; ++step) {
            oscillator.step();
            const double now =
                std::hypot(oscillator.displacement(), oscillator.velocity() / Oscillator::kOmega);
            const double error = std::abs(now / before * std::sqrt(1 + wh * wh) - 1);
            EXPECT_LT(error, 0.01) << name << ", " << name_of(membrane) << ", " << h << " s, step " << step;
            worst = std::max(worst, error);
            before = now;
          }
        }
  std::cout << "  largest error of the amplitude law: " << worst << "\n";
}

/// A strain rate weighs τ times as much as a strain: m ẍ = −k (x + τ ẋ), stepped by backward Euler.
TEST(MaterialDamping, FollowsTheDampedOscillator) {
  constexpr double kTau = 0.02, kOmega2 = Oscillator::kOmega * Oscillator::kOmega, kStep = 0.002;
  double worst = 0;
  for (const auto& [name, settings] : euler_solvers())
    for (const Membrane membrane : kMembranes) {
      Oscillator oscillator(settings, membrane, true, kStep, kTau);
      double x = Oscillator::kAmplitude, v = 0;
      for (int step = 1; step <= 60; ++step) {
        oscillator.step();
        v = (v - kStep * kOmega2 * x) / (1 + kStep * kTau * kOmega2 + kStep * kStep * kOmega2);
        x += kStep * v;
        const double error = std::abs(oscillator.displacement() - x) / Oscillator::kAmplitude;
        EXPECT_LT(error, 1e-3) << name << ", " << name_of(membrane) << ", step " << step;
        worst = std::max(worst, error);
      }
    }
  std::cout << "  largest departure from the recursion: " << worst << " of the amplitude\n";
}

/// By BDF2 the decay is that of the differential equation: exp(−½ω²τ t).
TEST(MaterialDamping, DecaysAtTheRateOfTheDifferentialEquation) {
  constexpr double kTau = 0.01, kOmega = Oscillator::kOmega, kStep = 0.0005;
  const double rate = kOmega * kOmega * kTau / 2, shifted = std::sqrt(kOmega * kOmega - rate * rate);
  for (const Membrane membrane : kMembranes) {
    SolverSettings settings = tight_newton();
    settings.newton.integrator = Integrator::bdf2;
    Oscillator oscillator(settings, membrane, true, kStep, kTau);
    double worst = 0;
    for (int step = 1; step <= 800; ++step) {
      oscillator.step();
      const double t = step * kStep;
      const double exact =
          std::exp(-rate * t) * (std::cos(shifted * t) + rate / shifted * std::sin(shifted * t));
      worst = std::max(worst, std::abs(oscillator.displacement() / Oscillator::kAmplitude - exact));
    }
    std::cout << "  " << name_of(membrane) << ": off by " << worst << " of the amplitude\n";
    EXPECT_LT(worst, 0.01) << name_of(membrane);
  }
}

/// Three rows of vertices of which the last swings across: one mode of bending, whose stiffness the energy
/// itself tells.
TEST(MaterialDamping, DampsBendingLikewise) {
  constexpr double kTau = 0.03, kStep = 0.005, kLift = 1e-4;
  for (const Bending bending : {Bending::quadratic, Bending::dihedral})
    for (const SolverSettings& settings : {tight_newton(), tight_baraff_witkin()}) {
      Cloth cloth = rectangle({3, 2}, {0.2, 0.1}, {1, 0, 0}, {0, 0, 1});
      cloth.bending = bending;
      cloth.membrane = Membrane::baraff_witkin;
      cloth.fabric.warp = cloth.fabric.weft = cloth.fabric.shear = 0;
      cloth.fabric.bend = 1e-3;
      cloth.fabric.bend_damping = kTau;
      cloth.vertex_mass = 0.01;
      cloth.pins = {pin_vertices({0, 1, 3, 4}), pin_vertices({2, 5}, "xz")};
      Scene scene = scene_of(cloth, settings);
      scene.gravity.setZero();
      scene.frame_time = kStep;
      Simulation simulation(scene);
      State state = simulation.state();
      state.positions(1, 2) = state.positions(1, 5) = kLift;
      simulation.restore(state, 0);
      const double omega2 = 2 * simulation.report().elastic_energy / (kLift * kLift) / (2 * 0.01);
      double x = kLift, v = 0;
      for (int step = 1; step <= 40; ++step) {
        run(simulation, 1);
        v = (v - kStep * omega2 * x) / (1 + kStep * kTau * omega2 + kStep * kStep * omega2);
        x += kStep * v;
        EXPECT_NEAR((simulation.state().positions(1, 2) + simulation.state().positions(1, 5)) / 2 / kLift,
                    x / kLift, 1e-3)
            << settings.family << ", " << name_of(bending) << ", step " << step;
      }
      std::cout << "  " << settings.family << ", " << name_of(bending) << ": omega " << std::sqrt(omega2)
                << " /s, after 40 steps " << x / kLift << " of the lift\n";
    }
}

// --- free cloth ------------------------------------------------------------------------------------

/// Velocities drawn evenly from a cube of half edge `speed` [m/s].
void stir(Simulation& simulation, double speed, const Vec3& mean) {
  State state = simulation.state();
  for (int v = 0; v < state.velocities.cols(); ++v)
    for (int axis = 0; axis < 3; ++axis)
      state.velocities(axis, v) += mean[axis] + speed * (2 * random_unit(5, v, axis) - 1);
  simulation.restore(state, 0);
}

/// Free cloth without gravity.
Scene floating(const Material& material, const SolverSettings& settings, double damping = 0) {
  Cloth cloth = rectangle({8, 6}, {0.7, 0.5}, {1, 0, 0}, {0, 0, 1});
  cloth.fabric.warp = 80;
  cloth.fabric.weft = 60;
  cloth.fabric.shear = 20;
  cloth.fabric.bend = 1e-4;
  cloth.fabric.damping = cloth.fabric.bend_damping = damping;
  cloth.membrane = material.membrane;
  cloth.bending = material.bending;
  Scene scene = scene_of(cloth, settings);
  scene.gravity.setZero();
  return scene;
}

/// Total energies [J] of stirred free cloth, frame by frame.
std::vector<double> energies_of(const Material& material, double damping) {
  Simulation simulation(floating(material, tight_newton(), damping));
  stir(simulation, 1, Vec3::Zero());
  std::vector<double> totals;
  const auto total = [&] {
    const FrameReport report = simulation.report();
    return report.kinetic_energy + report.elastic_energy;
  };
  totals.push_back(total());
  for (int frame = 0; frame < 40; ++frame) {
    run(simulation, 1);
    totals.push_back(total());
  }
  return totals;
}

TEST(FreeCloth, NeverGainsEnergyAndLosesItFasterWhenDamped) {
  for (const Material& material : all_materials()) {
    const std::vector<double> free = energies_of(material, 0), damped = energies_of(material, 0.02);
    for (const auto& totals : {free, damped})
      for (size_t k = 1; k < totals.size(); ++k)
        EXPECT_LE(totals[k], totals[k - 1] * (1 + 1e-12)) << material.name() << ", frame " << k;
    for (const size_t k : {2, 10, 40}) EXPECT_LT(damped[k], free[k]) << material.name() << ", frame " << k;
    std::cout << "  " << material.name() << ": of the energy remain after 10 frames " << free[10] / free[0]
              << ", damped " << damped[10] / damped[0] << "\n";
  }
}

TEST(FreeCloth, KeepsItsMomentum) {
  double worst = 0;
  for (const LinearSolver linear : {LinearSolver::cholesky, LinearSolver::pcg})
    for (const Material& material : all_materials())
      for (const double damping : {0.0, 0.02}) {
        Simulation simulation(floating(material, tight_newton(linear), damping));
        stir(simulation, 0.5, {0.4, -0.7, 0.3});
        const Scalars& mass = simulation.model().mass;
        const Vec3 before = simulation.state().velocities * mass;
        const double scale = mass.dot(simulation.state().velocities.colwise().norm());
        run(simulation, 10);
        const double error = (simulation.state().velocities * mass - before).norm() / scale;
        EXPECT_LT(error, 1e-12) << material.name() << ", " << name_of(linear) << ", damping " << damping;
        worst = std::max(worst, error);
      }
  std::cout << "  largest change of momentum in ten steps: " << worst << "\n";
}

// --- one answer ------------------------------------------------------------------------------------

struct OneStep {
  std::string name;
  Scene scene;
  State state;
};

/// A sheet on two corners, in the middle of its fall.
OneStep swinging(const std::string& name, const Material& material) {
  Cloth cloth = rectangle({9, 7}, {0.8, 0.6}, {1, 0, 0}, {0, 0, 1});
  cloth.fabric.warp = 300;
  cloth.fabric.weft = 120;
  cloth.fabric.shear = 40;
  cloth.fabric.bend = 1e-4;
  cloth.membrane = material.membrane;
  cloth.bending = material.bending;
  Pin corners;
  corners.grid = {{0, 0}, {-1, 0}};
  cloth.pins = {corners};
  const Scene scene = scene_of(cloth, tight_newton());
  Simulation simulation(scene);
  run(simulation, 15);
  return {name, scene, simulation.state()};
}

/// A free sheet that turns by 1 rad in the step, about an axis along none of its own.
OneStep turning(const Material& material) {
  Scene scene = floating(material, tight_newton());
  Simulation simulation(scene);
  State state = simulation.state();
  const Vec3 spin = Vec3(1, 2, 0.5).normalized() / scene.frame_time;
  const Vec3 center = center_of_mass(simulation.model(), state.positions);
  for (int v = 0; v < state.positions.cols(); ++v)
    state.velocities.col(v) = spin.cross(state.positions.col(v) - center);
  return {"turning by 1 rad, " + material.name(), scene, state};
}

/// A graded sheet on two corners and one with a hole that flies, both of irregular triangles.
OneStep two_pieces() {
  std::vector<Cloth> cloths;
  for (const Mesh& mesh :
       {make_irregular_sheet({.points = 8, .grading = 10, .seed = 5}),
        cut_holes(make_irregular_sheet({.points = 9, .seed = 6}), {{Vec3(0.4, 0, 0.6), 0.2}})}) {
    Cloth cloth;
    cloth.mesh = MeshFile();
    cloth.mesh->mesh = std::make_shared<const Mesh>(mesh);
    cloth.fabric.warp = cloth.fabric.weft = 300;
    cloth.fabric.shear = 40;
    cloth.fabric.bend = 1e-4;
    cloth.fabric.thickness = 0;
    cloths.push_back(cloth);
  }
  Pin corners;
  corners.vertices = {0, 7};
  cloths[0].pins = {corners};
  cloths[1].name = "holed";
  cloths[1].mesh->translation = Vec3(0, 2, 0);
  cloths[1].velocity = Vec3(0.5, 1, 0);
  Scene scene = scene_of(cloths[0], tight_newton());
  scene.cloths = cloths;
  Simulation simulation(scene);
  run(simulation, 10);
  stir(simulation, 0.3, {0, 0, 0});
  return {"two irregular pieces", scene, simulation.state()};
}

TEST(Minimisers, AgreeOnOneStep) {
  for (const OneStep& one :
       {swinging("springs", {Membrane::springs, Bending::quadratic}),
        swinging("warp and weft with bending", {Membrane::baraff_witkin, Bending::quadratic}),
        swinging("stvk with dihedral bending", {Membrane::stvk, Bending::dihedral}),
        turning({Membrane::baraff_witkin, Bending::quadratic}),
        turning({Membrane::springs, Bending::quadratic}), two_pieces()}) {
    Points reference;
    for (const auto& [name, settings] : converged_minimisers()) {
      Scene scene = one.scene;
      scene.solver = settings;
      Simulation simulation(scene);
      simulation.restore(one.state, 0);
      const StepReport report = simulation.step().step;
      const Points& x = simulation.state().positions;
      const Objective objective =
          incremental_potential(simulation.model(), simulation.controls(), one.state, scene.frame_time);
      Points slope;
      Scratch scratch;
      objective.gradient(x, scratch, slope);
      if (reference.size() == 0) reference = x;
      const double apart = (x - reference).colwise().norm().maxCoeff();
      std::cout << "  " << one.name << ", " << name << ": " << apart << " m from the reference after "
                << report.iterations << " iterations, residual " << root_mean_square(slope) << " N\n";
      EXPECT_LT(apart, 1e-8) << one.name << ", " << name;
      EXPECT_GT((x - one.state.positions).colwise().norm().maxCoeff(), 1e-3) << "nothing moved";
    }
  }
}

}  // namespace
}  // namespace muslin
