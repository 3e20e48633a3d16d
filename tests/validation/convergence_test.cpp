#include <Eigen/Geometry>

#include "muslin/core/random.h"
#include "muslin/model/input.h"
#include "muslin/solver/objective.h"
#include "validation/laboratory.h"

// How fast: orders in time, and Newton's iterations.

namespace muslin {
namespace {

// --- in time ---------------------------------------------------------------------------------------

/// A soft sheet that hangs from one side: all in tension, so that its motion is smooth.
Scene soft_sheet(Membrane membrane, Integrator integrator) {
  Cloth cloth = rectangle({5, 5}, {0.6, 0.6}, {1, 0, 0}, {0, -1, 0});
  cloth.fabric.density = 0.2;
  cloth.fabric.warp = 60;
  cloth.fabric.weft = 40;
  cloth.fabric.shear = 20;
  cloth.fabric.bend = 1e-4;
  cloth.membrane = membrane;
  cloth.pins = {pin_sides({Side::v_min})};
  Scene scene = scene_of(cloth, tight_newton(LinearSolver::cholesky, 1e-12));
  scene.solver.newton.integrator = integrator;
  return scene;
}

/// The sheet hangs at rest in a gravity askew, which is then put right: where is it after `end` seconds?
Points swung(Scene scene, const Points& start, double end, int steps) {
  scene.frame_time = end / steps;
  Simulation simulation(scene);
  State state = simulation.state();
  state.positions = start;
  simulation.restore(state, 0);
  run(simulation, steps);
  return simulation.state().positions;
}

TEST(OrderInTime, IsOneForEulerAndTwoForBdf2AndSdirk2) {
  constexpr double kEnd = 0.3;
  for (const Membrane membrane : {Membrane::springs, Membrane::baraff_witkin, Membrane::stvk}) {
    const Scene euler = soft_sheet(membrane, Integrator::euler),
                bdf2 = soft_sheet(membrane, Integrator::bdf2),
                sdirk2 = soft_sheet(membrane, Integrator::sdirk2);
    Scene askew = euler;
    askew.gravity = kG * Vec3(0.05, -1, 0.3).normalized();
    const Points start = at_rest(askew);
    const Points coarse = swung(bdf2, start, kEnd, 800), fine = swung(bdf2, start, kEnd, 1600);
    const Points exact = fine + (fine - coarse) / 3;  // Richardson
    const auto error = [&](const Scene& scene, int steps) {
      const Points x = swung(scene, start, kEnd, steps);
      return (x - exact).norm() / std::sqrt(static_cast<double>(x.cols()));
    };
    for (const auto& [scene, order, tolerance] :
         {std::tuple{euler, 1.0, 0.1}, {bdf2, 2.0, 0.15}, {sdirk2, 2.0, 0.15}}) {
      const std::vector<double> errors{error(scene, 100), error(scene, 200), error(scene, 400)};
      for (size_t k = 1; k < errors.size(); ++k) {
        const double measured = std::log2(errors[k - 1] / errors[k]);
        std::cout << "  " << name_of(membrane) << ", " << name_of(scene.solver.newton.integrator) << ": "
                  << errors[k - 1] << " m, " << errors[k] << " m, order " << measured << "\n";
        EXPECT_NEAR(measured, order, tolerance) << name_of(membrane);
      }
    }
  }
}

// Wind, damping by the air and damping of the material, which depend on velocities.
TEST(OrderInTime, OfSdirk2IsTwoInWindAndWithDamping) {
  constexpr double kEnd = 0.3;
  const Scene still = soft_sheet(Membrane::stvk, Integrator::sdirk2);
  Scene windy = still, in_air = still, viscous = still;
  windy.wind.velocity = {3, 0, 2};
  windy.wind.air_density = 1.2;
  windy.wind.drag = 1.2;
  windy.wind.lift = 0.8;
  in_air.damping = 2;
  viscous.cloths[0].fabric.damping = 0.02;
  viscous.cloths[0].fabric.bend_damping = 0.02;
  Scene askew = still;
  askew.gravity = kG * Vec3(0.05, -1, 0.3).normalized();
  const Points start = at_rest(askew);
  for (const auto& [name, scene] :
       {std::pair{"wind", windy}, {"damping by the air", in_air}, {"damping of the material", viscous}}) {
    const Points coarse = swung(scene, start, kEnd, 800), fine = swung(scene, start, kEnd, 1600);
    const Points exact = fine + (fine - coarse) / 3;  // Richardson
    double before = 0;
    for (const int steps : {50, 100, 200}) {
      const double error = (swung(scene, start, kEnd, steps) - exact).norm();
      if (before > 0) {
        std::cout << "  " << name << ": order " << std::log2(before / error) << "\n";
        EXPECT_NEAR(std::log2(before / error), 2, 0.15) << name;
      }
      before = error;
    }
  }
}

// --- Newton's iterations ---------------------------------------------------------------------------

struct Descent {
  Status status;
  std::vector<double> residuals;  ///< [N] root mean square, from the start to the last iterate
};

/// One step of a sheet whose border is held where the rest shape is `stretch` times as large; inside,
/// vertices begin up to a tenth of a cell away from there.
Descent descend(const Material& material, double stretch, Curvature curvature) {
  Cloth cloth = rectangle({9, 9}, {0.8, 0.8}, {1, 0, 0}, {0, 0, 1});
  cloth.fabric.warp = 300;
  cloth.fabric.weft = 200;
  cloth.fabric.shear = 80;
  cloth.fabric.bend = 1e-4;
  cloth.membrane = material.membrane;
  cloth.bending = material.bending;
  cloth.pins = {pin_sides({Side::u_min, Side::u_max, Side::v_min, Side::v_max})};
  SolverSettings settings = tight_newton(LinearSolver::cholesky, 1e-15);
  settings.newton.curvature = curvature;
  settings.newton.iterations = 300;
  const Model model = build_model(scene_of(cloth, settings));
  State state = initial_state(model);
  state.positions *= stretch;
  Input input = scripted_input(model, 0, 1);
  input.pin_targets *= stretch;
  for (int v = 0; v < state.positions.cols(); ++v)
    for (int axis = 0; axis < 3; ++axis)
      state.positions(axis, v) += model.script.free(axis, v) * 0.01 * (2 * random_unit(3, v, axis) - 1);

  constexpr double kStep = 0.1;
  const Objective objective = incremental_potential(model, model.script, state, kStep);
  Descent descent;
  const std::unique_ptr<Solver> solver = make_solver(settings);
  solver->watch([&](const Points& x) {
    Points slope;
    Scratch scratch;
    objective.gradient(x, scratch, slope);
    descent.residuals.push_back(root_mean_square(slope));
  });
  descent.status = solver->step(model, input, state, kStep).status;
  return descent;
}

TEST(Newton, ConvergesQuadraticallyInTension) {
  for (const Material& material : all_materials()) {
    const Descent descent = descend(material, 1.2, Curvature::on_demand);
    const std::vector<double>& g = descent.residuals;
    std::cout << "  " << material.name() << ":";
    for (const double residual : g) std::cout << " " << residual;
    std::cout << " N\n";
    ASSERT_GE(g.size(), 4u) << material.name();
    // |g_next| ≤ C |g|² with one C, once it is near and until rounding: 1e-15 of the elastic forces, some N.
    int seen = 0;
    double largest = 0, smallest = std::numeric_limits<double>::infinity();
    for (size_t k = 1; k < g.size(); ++k) {
      if (g[k - 1] > 0.05 * g[0] || g[k] < 1e-13) continue;
      ++seen;
      largest = std::max(largest, g[k] / (g[k - 1] * g[k - 1]));
      smallest = std::min(smallest, g[k - 1]);
    }
    std::cout << "    C = " << largest << " /N over " << seen << " iterations\n";
    EXPECT_GE(seen, 1) << material.name();
    EXPECT_LT(largest, 100 / g[0]) << material.name();
    EXPECT_LE(g.size(), 12u) << material.name();
    EXPECT_LT(*std::min_element(g.begin(), g.end()), 1e-12 * g[0] + 1e-13) << material.name();
  }
}

TEST(Newton, ConvergesWhereCurvatureIsLeftOut) {
  for (const Material& material : all_materials())
    for (const Curvature curvature : {Curvature::projected, Curvature::on_demand}) {
      const Descent descent = descend(material, 0.9, curvature);
      const std::string name = material.name() + ", " + std::string(name_of(curvature));
      const std::vector<double>& g = descent.residuals;
      size_t small = 0;
      while (small + 1 < g.size() && g[small] > 1e-6 * g[0]) ++small;
      std::cout << "  " << name << ": " << small
                << " iterations to 1e-6 of the first residual; the last ratios there";
      for (size_t k = small - std::min<size_t>(small, 4); k < small; ++k) std::cout << " " << g[k + 1] / g[k];
      std::cout << "\n";
      EXPECT_LT(*std::min_element(g.begin(), g.end()), 1e-9 * g[0]) << name;
    }
}

}  // namespace
}  // namespace muslin
