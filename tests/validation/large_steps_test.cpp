#include "muslin/model/input.h"
#include "validation/laboratory.h"

// Large steps in cloth simulation: constraints that hold whatever the linear solver does, steps that adapt.

namespace muslin {
namespace {

// --- constraints -----------------------------------------------------------------------------------

/// A sheet of which vertices may move along none, one, two or three axes; one border is carried along.
Scene constrained(const SolverSettings& settings) {
  Cloth cloth = rectangle({9, 7}, {0.8, 0.6}, {1, 0, 0}, {0, 0, 1});
  cloth.membrane = Membrane::baraff_witkin;
  cloth.velocity = {0.5, 0.3, -0.4};
  Pin one, two, three, carried;
  one.grid = {{2, 2}, {5, 1}};
  one.axes = "y";
  two.grid = {{4, 4}, {7, 5}};
  two.axes = "xz";
  three.grid = {{0, 0}};
  carried.sides = {Side::u_max};
  carried.axes = "xy";
  carried.motion.swing = {0.1, 0.05, 0};
  cloth.pins = {one, two, three, carried};
  return scene_of(cloth, settings);
}

TEST(Constraints, HoldAtAnyNumberOfLinearIterations) {
  double worst = 0;
  for (const char* family : {"baraff_witkin", "newton"})
    for (const int iterations : {1, 2, 5, 1000}) {
      SolverSettings settings = tight_baraff_witkin();
      settings.family = family;
      settings.baraff_witkin.linear_tolerance = settings.newton.forcing = 1e-12;
      settings.baraff_witkin.linear_iterations = settings.newton.linear_iterations = iterations;
      settings.newton.linear = LinearSolver::pcg;
      Simulation simulation(constrained(settings));
      const Model& model = simulation.model();
      double freedom = 0;
      for (int frame = 0; frame < 5; ++frame) {
        simulation.step();
        const double end = simulation.frame() * simulation.scene().frame_time;
        const Points targets = scripted_input(model, end, end).pin_targets;
        for (size_t p = 0; p < model.script.pins.size(); ++p)
          for (int axis = 0; axis < 3; ++axis) {
            const PinnedVertex& pin = model.script.pins[p];
            const double away =
                std::abs(simulation.state().positions(axis, pin.vertex) - targets(axis, static_cast<int>(p)));
            if (pin.fixed[axis] == 0) {
              freedom = std::max(freedom, away);
              continue;
            }
            EXPECT_LE(away, 1e-14) << family << ", " << iterations << " iterations, vertex " << pin.vertex;
            worst = std::max(worst, away);
          }
      }
      EXPECT_GT(freedom, 1e-3) << "free axes must move";
    }
  std::cout << "  largest move along a held axis: " << worst << " m\n";
}

// --- adaptive steps --------------------------------------------------------------------------------

TEST(AdaptiveSteps, DrapeASheetOverASphere) {
  SolverSettings settings;
  settings.family = "baraff_witkin";
  Cloth cloth = rectangle({40, 40}, {1, 1}, {1, 0, 0}, {0, 0, 1});
  cloth.grid->origin = {-0.5, 0.35, -0.5};
  cloth.membrane = Membrane::baraff_witkin;
  Scene scene = scene_of(cloth, settings);
  scene.frame_time = 1.0 / 30;
  Collider ball;
  ball.center = {0, 0, 0};
  ball.radius = 0.3;
  scene.colliders = {ball};
  Simulation simulation(scene);
  StepReport whole;
  double strain = 0;
  for (int frame = 0; frame < 24; ++frame) {
    const FrameReport report = simulation.step();
    ASSERT_EQ(report.step.status, Status::ok) << "frame " << simulation.frame();
    EXPECT_GE(report.step.min_gap, -1e-9) << "frame " << simulation.frame();
    strain = std::max(strain, report.strain_max);
    accumulate(whole, report.step);
  }
  std::cout << "  rejections " << whole.rejections << ", steps " << whole.iterations << ", linear iterations "
            << whole.linear_iterations << ", largest strain " << strain << ", smallest gap " << whole.min_gap
            << " m, solve " << whole.solve_ms << " ms\n";
  EXPECT_LT(strain, 0.3);
  EXPECT_GT(whole.rejections, 0);
  EXPECT_GT(whole.contacts, 0);
  // It hangs down around the ball.
  EXPECT_LT(simulation.state().positions.row(1).minCoeff(), 0.1);
  EXPECT_GT(simulation.state().positions.row(1).maxCoeff(), 0.29);
}

TEST(AdaptiveSteps, AreNotNeededByClothAtRest) {
  for (const char* family : {"baraff_witkin", "newton"}) {
    Cloth cloth = rectangle({9, 9}, {0.5, 0.5}, {1, 0, 0}, {0, -1, 0});
    cloth.membrane = Membrane::baraff_witkin;
    cloth.pins = {pin_sides({Side::v_min})};
    Scene scene = scene_of(cloth, tight_newton());
    const Points rest = at_rest(scene);
    scene.solver = SolverSettings();
    scene.solver.family = family;
    scene.solver.newton.adaptive = true;
    scene.frame_time = 1.0 / 30;
    Simulation simulation(scene);
    State state = simulation.state();
    state.positions = rest;
    simulation.restore(state, 0);
    StepReport whole;
    for (int frame = 0; frame < 20; ++frame) accumulate(whole, simulation.step().step);
    EXPECT_EQ(whole.status, Status::ok) << family;
    EXPECT_EQ(whole.rejections, 0) << family;
    EXPECT_LT((simulation.state().positions - rest).cwiseAbs().maxCoeff(), 1e-5) << family;
  }
}

}  // namespace
}  // namespace muslin
