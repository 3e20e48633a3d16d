#pragma once
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "muslin/simulation.h"

// Every way of solving that the cross product of solver tests visits, and the scenes they share.

namespace muslin {

/// When a method keeps the momentum of a free cloth.
enum class Momentum {
  always,        ///< to rounding
  equal_masses,  ///< to rounding if all vertices have one mass: corrections are shared half and half
  converged,     ///< as far as it is converged
  in_float,      ///< to the rounding of places as floats
  never,         ///< averages over neighbours: borders count less than the middle
};

/// A family with settings, and what it promises.
struct TestedMethod {
  std::string name;
  SolverSettings settings;
  Momentum momentum;
  bool keeps_angular_momentum;
  bool any_order;  ///< vertices and springs may come in any order
};
inline void PrintTo(const TestedMethod& method, std::ostream* out) { *out << method.name; }

inline SolverSettings family(const std::string& name) {
  SolverSettings settings;
  settings.family = name;
  return settings;
}

inline std::vector<TestedMethod> explicit_methods() {
  SolverSettings verlet = family("explicit"), symplectic = verlet, limited = verlet, relaxed = verlet;
  symplectic.explicit_.verlet = false;
  limited.explicit_.stretch_limit = 1.02;
  limited.explicit_.limit_sweeps = 2;
  relaxed.explicit_.spring_forces = false;
  relaxed.explicit_.relaxation_sweeps = 15;
  relaxed.explicit_.split = Split::half;
  return {{"explicit_verlet", verlet, Momentum::always, true, true},
          {"explicit_symplectic", symplectic, Momentum::always, true, true},
          {"explicit_stretch_limit", limited, Momentum::always, false, false},
          {"explicit_relaxation", relaxed, Momentum::equal_masses, false, false}};
}

inline std::vector<TestedMethod> position_methods() {
  SolverSettings lines = family("position"), colours = lines, xpbd = lines, natural = xpbd, pbd = xpbd,
                 jacobi = xpbd;
  colours.position.path = PositionPath::colours;
  xpbd.position.path = PositionPath::general;
  natural.position.sweep = Sweep::natural;
  natural.position.iterations = 2;
  pbd.position.method = jacobi.position.method = PositionMethod::pbd;
  pbd.position.sweep = Sweep::natural;
  jacobi.position.sweep = Sweep::jacobi;
  jacobi.position.split = Split::half;
  for (SolverSettings* settings : {&lines, &colours, &xpbd, &natural, &pbd, &jacobi})
    settings->position.substeps = 6;
  return {{"position_lines", lines, Momentum::in_float, false, false},
          {"position_colours", colours, Momentum::in_float, false, false},
          {"position_xpbd", xpbd, Momentum::always, false, false},
          {"position_xpbd_natural", natural, Momentum::always, false, false},
          {"position_pbd_natural", pbd, Momentum::always, false, false},
          {"position_pbd_jacobi", jacobi, Momentum::never, false, true}};
}

inline std::vector<TestedMethod> implicit_methods() {
  std::vector<TestedMethod> methods;
  for (const Direction direction : {Direction::uniform, Direction::diagonal})
    for (const Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev}) {
      SolverSettings settings = family("implicit");
      settings.implicit.direction = direction;
      settings.implicit.uniform_factor = 12;  // above the row sums of eight springs, so that it converges
      settings.implicit.acceleration = acceleration;
      settings.implicit.iterations = 60;
      methods.push_back({std::string("implicit_") + std::string(name_of(direction)) + "_" +
                             std::string(name_of(acceleration)),
                         settings,
                         direction == Direction::uniform ? Momentum::equal_masses : Momentum::converged,
                         false, true});
    }
  return methods;
}

inline std::vector<TestedMethod> newton_methods() {
  SolverSettings pcg = family("newton"), cholesky = pcg;
  pcg.newton.curvature = Curvature::projected;
  cholesky.newton.linear = LinearSolver::cholesky;
  for (SolverSettings* settings : {&pcg, &cholesky}) settings->newton.tolerance = 1e-12;
  SolverSettings multigrid = pcg, quasi = family("quasi_newton");
  multigrid.newton.preconditioner = Preconditioner::multigrid;
  quasi.quasi_newton.tolerance = 1e-11;
  quasi.quasi_newton.adaptive = false;  // what it leaves is looked at, not mended
  return {{"newton_pcg_projected", pcg, Momentum::converged, false, true},
          {"newton_cholesky", cholesky, Momentum::converged, false, true},
          {"newton_multigrid", multigrid, Momentum::converged, false, true},
          {"quasi_newton", quasi, Momentum::converged, false, true}};
}

/// Steps that end near the minimum of one step of implicit Euler, but not at it: cut into parts, or
/// linearised.
inline std::vector<TestedMethod> large_step_methods() {
  SolverSettings adaptive = family("newton"), equal = family("baraff_witkin");
  adaptive.newton.adaptive = true;
  adaptive.newton.stretch_change = 0.02;
  adaptive.newton.halvings = 4;
  adaptive.newton.tolerance = 1e-12;
  equal.baraff_witkin.adaptive = false;
  equal.baraff_witkin.linear_tolerance = 1e-12;
  return {{"newton_adaptive", adaptive, Momentum::converged, false, true},
          {"baraff_witkin_equal_steps", equal, Momentum::converged, false, true}};
}

/// Block descent with and without Chebyshev, projective dynamics with and without L-BFGS.
inline std::vector<TestedMethod> descent_methods() {
  std::vector<TestedMethod> methods;
  for (const Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev}) {
    SolverSettings settings = family("block_descent");
    settings.block_descent.acceleration = acceleration;
    settings.block_descent.iterations = 40;
    methods.push_back(
        {"block_descent_" + std::string(name_of(acceleration)), settings, Momentum::converged, false, false});
  }
  for (const int history : {0, 5}) {
    SolverSettings settings = family("projective");
    settings.projective.history = history;
    settings.projective.iterations = 20;
    methods.push_back(
        {"projective_history_" + std::to_string(history), settings, Momentum::converged, false, true});
  }
  return methods;
}

/// All that minimise the incremental potential.
inline std::vector<TestedMethod> minimising_methods() {
  std::vector<TestedMethod> all = implicit_methods();
  for (const auto& list : {newton_methods(), descent_methods()})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// Makes every minimiser go on until it is within `tolerance` [m] of the minimum.
inline void settle(SolverSettings& settings, double tolerance, int iterations) {
  settings.implicit.tolerance = settings.block_descent.tolerance = settings.projective.tolerance = tolerance;
  settings.newton.tolerance = 0.01 * tolerance;  // of the last move, and in contact moves shrink slowly
  settings.quasi_newton.tolerance = 0.01 * tolerance;
  settings.quasi_newton.adaptive = false;
  settings.quasi_newton.integrator = Integrator::euler;
  settings.newton.iterations = 300;
  settings.quasi_newton.iterations = 300;
  settings.baraff_witkin.linear_tolerance = 1e-12;
  settings.implicit.iterations = settings.block_descent.iterations = settings.projective.iterations =
      iterations;
}

/// The methods above, and every family of the table as it comes: a new one is tested without a line here.
inline std::vector<TestedMethod> tested_methods() {
  std::vector<TestedMethod> all;
  for (const auto& list :
       {explicit_methods(), position_methods(), minimising_methods(), large_step_methods()})
    all.insert(all.end(), list.begin(), list.end());
  for (const SolverEntry& entry : solvers()) {
    const Momentum momentum = entry.name == "position" ? Momentum::in_float : Momentum::converged;
    all.push_back({std::string(entry.name) + "_default", family(std::string(entry.name)), momentum, false,
                   false});  // where it stops may hang on rounding, and so on any order
  }
  return all;
}

/// Those that promise something.
template <class Promise>
std::vector<TestedMethod> methods_that(const Promise& promise) {
  std::vector<TestedMethod> kept;
  for (const TestedMethod& method : tested_methods())
    if (promise(method)) kept.push_back(method);
  return kept;
}

/// A free horizontal sheet of 0.8 m × 0.6 m.
inline Scene sheet(const SolverSettings& solver, const std::array<int, 2>& points = {9, 7}) {
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = points;
  cloth.grid->size = {0.8, 0.6};
  cloth.grid->origin = {-0.4, 0, -0.3};
  cloth.fabric.warp = 80;
  cloth.fabric.weft = 60;
  cloth.fabric.shear = 20;
  cloth.fabric.bend = 1e-5;
  cloth.fabric.thickness = 0;
  Scene scene;
  scene.solver = solver;
  scene.cloths = {cloth};
  return scene;
}

inline Pin pin_at(const std::vector<std::array<int, 2>>& grid, const std::string& axes = "xyz") {
  Pin pin;
  pin.grid = grid;
  pin.axes = axes;
  return pin;
}

/// A ball under the sheet, a floor, air, and vertices that keep apart: everything that can go wrong at once.
inline Scene busy_sheet(const SolverSettings& solver, const std::array<int, 2>& points) {
  Scene scene = sheet(solver, points);
  scene.cloths[0].velocity = {0.2, -2, 0.1};
  scene.cloths[0].pins = {pin_at({{0, 0}})};
  scene.cloths[0].pins[0].motion.swing = {0, 0, 0.1};
  scene.damping = 0.3;
  scene.wind.air_density = 1.2;
  scene.wind.velocity = {1, 0, 0.5};
  scene.wind.gust = 1;
  Collider ball, floor;
  ball.center = {0.05, -0.205, 0};
  ball.radius = 0.2;
  ball.motion.swing = {0.1, 0, 0};
  ball.rotation = {0, 30, 0};
  floor.shape = Shape::plane;
  floor.center = {0, -0.21, 0};
  scene.colliders = {ball, floor};
  scene.self_collision.enabled = true;
  scene.self_collision.distance = 1.2 * 0.8 / (points[0] - 1);
  return scene;
}

/// The state of a simulation, stirred by velocities drawn evenly from a cube of half edge `speed` [m/s].
inline State stirred(const Simulation& simulation, double speed) {
  State state = simulation.state();
  std::srand(11);
  state.velocities +=
      speed * Points::Random(3, state.velocities.cols()).cwiseProduct(simulation.controls().free);
  return state;
}

inline void run(Simulation& simulation, int frames) {
  for (int f = 0; f < frames; ++f)
    ASSERT_NE(simulation.step().step.status, Status::diverged) << "frame " << simulation.frame();
}

}  // namespace muslin
