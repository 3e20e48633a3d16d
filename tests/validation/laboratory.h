#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include "muslin/simulation.h"

// What the tests of physics share: sheets, materials, solvers run to convergence, and statics.

namespace muslin {

inline constexpr double kG = 9.81;  ///< [m/s²], the scenes' gravity

// --- solvers ---------------------------------------------------------------------------------------

/// Newton's method until no vertex moves by more than `tolerance` [m].
inline SolverSettings tight_newton(LinearSolver linear = LinearSolver::cholesky, double tolerance = 1e-11) {
  SolverSettings settings;
  settings.family = "newton";
  settings.newton.linear = linear;
  settings.newton.forcing = 1e-12;
  settings.newton.linear_iterations = 100000;
  settings.newton.iterations = 300;
  settings.newton.tolerance = tolerance;
  return settings;
}

/// One linearised step, its linear system solved to rounding, without adaptation.
inline SolverSettings tight_baraff_witkin() {
  SolverSettings settings;
  settings.family = "baraff_witkin";
  settings.baraff_witkin.adaptive = false;
  settings.baraff_witkin.linear_tolerance = 1e-14;
  settings.baraff_witkin.linear_iterations = 100000;
  return settings;
}

struct NamedSolver {
  std::string name;
  SolverSettings settings;
};
inline bool in_table(const std::string& family) {
  return std::any_of(solvers().begin(), solvers().end(),
                     [&](const SolverEntry& entry) { return entry.name == family; });
}

/// Every family that minimises the incremental potential, run until it has. The first is the reference.
inline std::vector<NamedSolver> converged_minimisers() {
  SolverSettings settings;
  settings.implicit.substeps = 1;
  settings.block_descent.substeps = settings.projective.substeps = 1;
  settings.implicit.tolerance = settings.block_descent.tolerance = 1e-12;
  settings.projective.tolerance = 1e-11;  // its line search sees no less
  settings.implicit.iterations = settings.block_descent.iterations = settings.projective.iterations = 200000;
  settings.block_descent.rho = 0.9;
  std::vector<NamedSolver> all{{"newton, cholesky", tight_newton()},
                               {"newton, pcg", tight_newton(LinearSolver::pcg)}};
  settings.quasi_newton.tolerance = 1e-10;  // of the mean, and no line search sees less than 1e-12 m
  settings.quasi_newton.iterations = 1000;
  settings.quasi_newton.adaptive = false;
  settings.quasi_newton.integrator = Integrator::euler;
  for (const char* family : {"implicit", "block_descent", "projective", "quasi_newton"})
    if (in_table(family)) {
      all.push_back({family, settings});
      all.back().settings.family = family;
    }
  return all;
}

// --- materials -------------------------------------------------------------------------------------

struct Material {
  Membrane membrane;
  Bending bending;
  std::string name() const {
    return std::string(name_of(membrane)) + " and " + std::string(name_of(bending));
  }
};
inline std::vector<Material> all_materials() {
  std::vector<Material> all;
  for (const Membrane membrane : {Membrane::springs, Membrane::baraff_witkin, Membrane::stvk})
    for (const Bending bending : {Bending::quadratic, Bending::dihedral}) all.push_back({membrane, bending});
  return all;
}

// --- scenes ----------------------------------------------------------------------------------------

/// A sheet with a corner at the origin.
inline Cloth rectangle(const std::array<int, 2>& points, const std::array<double, 2>& size, const Vec3& u,
                       const Vec3& v) {
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = points;
  cloth.grid->size = size;
  cloth.grid->u = u;
  cloth.grid->v = v;
  cloth.fabric.thickness = 0;
  return cloth;
}

inline Scene scene_of(const Cloth& cloth, const SolverSettings& solver) {
  Scene scene;
  scene.cloths = {cloth};
  scene.solver = solver;
  return scene;
}

inline Pin pin_sides(const std::vector<Side>& sides, const std::string& axes = "xyz") {
  Pin pin;
  pin.sides = sides;
  pin.axes = axes;
  return pin;
}
inline Pin pin_vertices(const std::vector<int>& vertices, const std::string& axes = "xyz") {
  Pin pin;
  pin.vertices = vertices;
  pin.axes = axes;
  return pin;
}

/// Vertex numbers 0 … count−1.
inline std::vector<int> every_vertex(int count) {
  std::vector<int> vertices(count);
  for (int v = 0; v < count; ++v) vertices[v] = v;
  return vertices;
}

inline void run(Simulation& simulation, int frames) {
  for (int f = 0; f < frames; ++f)
    ASSERT_EQ(simulation.step().step.status, Status::ok)
        << simulation.scene().solver.family << ", frame " << simulation.frame();
}

/// Where cloth comes to rest from x: steps of implicit Euler, each from a standstill, until one moves no
/// vertex by 1e-6 m. A step of h shrinks what is left of a mode ω by 1 + (hω)²; but a minimiser may begin h²g
/// below, where gravity alone takes the cloth, so that steps which fall further than the cloth sinks may end
/// folded over.
inline Points at_rest(Scene scene, Points x, double step = 0.25) {
  constexpr double kStill = 1e-6;
  constexpr int kMostSteps = 100;
  scene.frame_time = step;
  Simulation simulation(scene);
  for (int k = 0; k < kMostSteps; ++k) {
    State state = simulation.state();
    state.positions = x;
    state.velocities.setZero();
    simulation.restore(state, 0);
    const Status status = simulation.step().step.status;
    const double move = (simulation.state().positions - x).cwiseAbs().maxCoeff();
    x = simulation.state().positions;
    if (status == Status::diverged) break;
    if (move < kStill) {
      EXPECT_EQ(status, Status::ok);
      return x;
    }
  }
  ADD_FAILURE() << "no rest found";
  return x;
}
inline Points at_rest(const Scene& scene, double step = 0.25) {
  return at_rest(scene, Simulation(scene).state().positions, step);
}

/// Prints a measured figure beside what theory says.
inline void tell(const std::string& what, double measured, double theory) {
  std::cout << "  " << what << ": " << measured << ", theory " << theory << ", off by "
            << 100 * (measured / theory - 1) << " %\n";
}

}  // namespace muslin
