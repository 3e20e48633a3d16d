#include "mesh_folder.h"
#include "muslin/audit/names.h"
#include "muslin/audit/verdict.h"
#include "muslin/simulation.h"

// Cloth on bodies that are meshes: it rests on them, they lift it, and the independent judge finds nothing
// that meets.

namespace muslin {
namespace {

/// A square of 0.48 m of felt, 3 cm above the top of a ball of radius 0.15 m about the origin.
const char* const kSheet =
    R"("grid": {"points": [13, 13], "size": [0.48, 0.48], "origin": [-0.24, 0.18, -0.24]}, "fabric": {"thickness": 0.004})";
constexpr int kMiddle = 84;
const char* const kRest =
    R"(, "solver": {"family": "quasi_newton"}, "self_collision": {"enabled": true}, "damping": 2)";
const char* const kBall = R"("name": "ball", "shape": "mesh", "friction": 0.6, "mesh": {"file": "ball.obj"})";

class ClothOnMesh : public MeshFolder {
 protected:
  ClothOnMesh() { write("ball.obj", ball_mesh(0.15, 16)); }

  /// Runs and judges every frame; the simulation as it is at the end.
  Simulation run(const Scene& scene, int frames) const {
    Simulation simulation(scene);
    const Judge judge(simulation.model(), 0.002);
    const auto places = [&] {
      const State& state = simulation.state();
      EXPECT_EQ(state.blocked.cols(), 0) << "bodies are where the scene has them";
      return places_with_bodies(simulation.model(), state.positions, state.time);
    };
    Points before = places();
    for (int frame = 1; frame <= frames; ++frame) {
      const double began = simulation.state().time;
      EXPECT_NE(simulation.step().step.status, Status::diverged) << frame;
      const Points now = places();
      const Verdict verdict = judge.judge({simulation.state().time, now}, {began, before});
      EXPECT_TRUE(verdict.meeting.empty())
          << "frame " << frame << ": " << triangle_name(simulation.model(), verdict.meeting[0].first)
          << " and " << triangle_name(simulation.model(), verdict.meeting[0].second);
      EXPECT_TRUE(verdict.crossings.empty())
          << "frame " << frame << ": "
          << pair_name(simulation.model(), judge.surface(), verdict.crossings[0]);
      before = now;
    }
    return simulation;
  }

  /// The cloth lies on a ball whose top is at this height: between touching it and half its own thickness, or
  /// a little more as triangles span the ball.
  static void expect_lies_on(double top, const Simulation& simulation) {
    const double height = simulation.state().positions(1, kMiddle);
    EXPECT_GT(height, top);
    EXPECT_LT(height, top + 0.004);
  }
};

TEST_F(ClothOnMesh, RestsOnABallThatStands) {
  const Simulation simulation = run(scene(kBall, kRest, kSheet), 40);
  expect_lies_on(0.15, simulation);
  EXPECT_LT(simulation.state().positions.row(1).minCoeff(), 0.1) << "it hangs down around the ball";
}

TEST_F(ClothOnMesh, IsLiftedByABallThatRises) {
  std::string rises(kBall);
  rises += R"(, "motion": {"keyframes":
      [{"time": 0.1}, {"time": 0.6, "offset": [0, 0.1, 0], "rotation": [0, 20, 0]}]})";
  expect_lies_on(0.25, run(scene(rises, kRest, kSheet), 42));
}

TEST_F(ClothOnMesh, IsLiftedByABallThatSwells) {
  for (int k = 0; k < 3; ++k) write(fmt::format("ball_{}.obj", k), ball_mesh(0.15, 16, 1 + 0.2 * k));
  std::string swells(kBall);
  swells += R"(, "frames": {"file": "ball_%d.obj", "count": 3, "start": 0.1, "interval": 0.25})";
  expect_lies_on(0.15 * 1.4, run(scene(swells, kRest, kSheet), 42));
}

}  // namespace
}  // namespace muslin
