#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "muslin/core/check.h"
#include "viewer/session.h"
#include "viewer/simulation_thread.h"

using namespace muslin;

namespace {

/// A small sheet hanging from two corners above a ball.
Scene small_scene() {
  Scene scene;
  scene.name = "small";
  Cloth cloth;
  cloth.grid.emplace();
  cloth.grid->points = {7, 7};
  cloth.pins.resize(1);
  cloth.pins[0].vertices = {0, 6};
  scene.cloths = {cloth};
  Collider ball;
  ball.name = "ball";
  ball.center = {0.5, -1, 0.5};
  ball.radius = 0.2;
  scene.colliders = {ball};
  return scene;
}

TEST(Lanes, EditKeepsTheStateAndAnotherSheetBeginsAnew) {
  Lanes lanes;
  lanes.load(small_scene(), {});
  for (int i = 0; i < 3; ++i) lanes.step();
  const Points before = lanes.snapshots().front().state.positions;
  Scene other = small_scene();
  other.gravity.setZero();
  other.solver.family = "implicit";
  lanes.edit(other);
  EXPECT_EQ(lanes.frame(), 3);
  EXPECT_EQ(lanes.snapshots().front().state.positions, before);
  EXPECT_EQ(lanes.snapshots().front().label, "implicit");
  other.cloths[0].grid->points = {5, 5};
  lanes.edit(other);
  EXPECT_EQ(lanes.frame(), 0);
  EXPECT_EQ(lanes.snapshots().front().state.positions.cols(), 25);
}

/// That the edit is refused and names the ball, and the lanes go on as they were.
void expect_no_room(Lanes& lanes, const Scene& scene) {
  const Points before = lanes.snapshots().front().state.positions;
  const Scene running = lanes.scene();
  try {
    lanes.edit(scene);
    ADD_FAILURE() << "the ball is in the cloth";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("\"ball\""), std::string::npos) << error.what();
  }
  EXPECT_EQ(lanes.snapshots().front().state.positions, before);
  EXPECT_EQ(lanes.scene().colliders[0].center, running.colliders[0].center);
  EXPECT_EQ(lanes.scene().solver.family, running.solver.family);
  EXPECT_TRUE(lanes.step());
}

TEST(Lanes, NoEditPutsABodyIntoClothThatIsKeptOut) {
  Scene scene = small_scene();
  ASSERT_TRUE(keeps_out(scene.solver));
  Lanes lanes;
  lanes.load(scene, {});
  lanes.step();
  scene.colliders[0].center = {0.5, 0, 0.5};
  expect_no_room(lanes, scene);
  scene.colliders[0].center = {0.5, -1, 0.5};
  scene.colliders[0].motion.keyframes = {{0}, {1. / 60, {0, 1, 0}}};  // where it would be by now
  expect_no_room(lanes, scene);
  EXPECT_THROW(lanes.load(
                   [&] {
                     Scene inside = small_scene();
                     inside.colliders[0].center = {0.5, 0, 0.5};
                     return inside;
                   }(),
                   {}),
               Error);

  // Vertices can be pushed out; but not handed over before they are.
  scene = small_scene();
  scene.solver.family = "position";
  scene.colliders[0].center = {0.5, 0, 0.5};
  lanes.edit(scene);
  lanes.reset();
  scene.solver.family = "quasi_newton";
  expect_no_room(lanes, scene);
}

TEST(Lanes, ARefusedEditChangesNothing) {
  Lanes lanes;
  lanes.load(small_scene(), {});
  lanes.step();
  Scene bad = small_scene();
  bad.cloths[0].fabric.density = -1;
  EXPECT_THROW(lanes.edit(bad), Error);
  EXPECT_EQ(lanes.frame(), 1);
  EXPECT_EQ(lanes.scene().cloths[0].fabric.density, small_scene().cloths[0].fabric.density);
  EXPECT_TRUE(lanes.step());
}

TEST(Lanes, MethodsRunInStepBesideAReference) {
  Lanes lanes;
  lanes.load(small_scene(), {"implicit_plain", "newton"});
  for (int i = 0; i < 4; ++i) lanes.step();
  const std::vector<LaneSnapshot> all = lanes.snapshots();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_TRUE(all[2].is_reference);
  const auto away = [&](int lane) {
    return (all[lane].state.positions - all[2].state.positions).cwiseAbs().maxCoeff();
  };
  for (const LaneSnapshot& lane : all) {
    EXPECT_EQ(lane.failure, "") << lane.label;
    EXPECT_NEAR(lane.state.time, 4 * small_scene().frame_time, 1e-12);
  }
  EXPECT_LT(away(1), 1e-4);  // Newton finds the same minimum
  EXPECT_LE(away(1), away(0));
}

TEST(Lanes, HandsDoTheSameToAll) {
  Lanes lanes;
  lanes.load(small_scene(), {"xpbd", "newton"});
  lanes.step();
  const Vec3 place = lanes.snapshots()[0].state.positions.col(45);
  lanes.hold(45);
  lanes.carry(0, {0.3, 0, 0});
  for (int i = 0; i < 3; ++i) lanes.step();
  EXPECT_LT((lanes.snapshots()[0].state.positions.col(45) - place).norm(), 1e-12);
  EXPECT_EQ(lanes.held(), std::vector<int>{45});
  EXPECT_EQ(lanes.carried().at(0), Vec3(0.3, 0, 0));
  lanes.let_go(45);
  EXPECT_TRUE(lanes.held().empty());
  lanes.step();
  EXPECT_GT((lanes.snapshots()[0].state.positions.col(45) - place).norm(), 1e-6);
  lanes.reset();
  EXPECT_EQ(lanes.carried().at(0), Vec3(0, 0, 0));
}

/// A thread, and a way to wait for what it publishes.
class Watched {
 public:
  Watched()
      : thread_({[this] {
                   const std::lock_guard lock(mutex_);
                   ++news_;
                   change_.notify_all();
                 },
                 {}}) {}
  SimulationThread* operator->() { return &thread_; }

  /// The first snapshot of which `holds` says so; null after half a minute.
  template <class Condition>
  std::shared_ptr<const Snapshot> wait_for(const Condition& holds) {
    std::shared_ptr<const Snapshot> found;
    std::unique_lock lock(mutex_);
    change_.wait_for(lock, std::chrono::seconds(30), [&] {
      found = thread_.latest();
      return found && holds(*found);
    });
    return found && holds(*found) ? found : nullptr;
  }

 private:
  std::mutex mutex_;
  std::condition_variable change_;
  int news_ = 0;
  SimulationThread thread_;
};

TEST(SimulationThread, PlaysPausesAndSteps) {
  Watched thread;
  thread->load(small_scene(), {});
  thread->play(true);
  ASSERT_TRUE(thread.wait_for([](const Snapshot& s) { return s.frame >= 3; }));
  thread->play(false);
  const auto paused = thread.wait_for([](const Snapshot& s) { return !s.playing; });
  ASSERT_TRUE(paused);
  thread->step();
  const auto stepped = thread.wait_for([&](const Snapshot& s) { return s.frame > paused->frame; });
  ASSERT_TRUE(stepped);
  EXPECT_EQ(stepped->frame, paused->frame + 1);
}

TEST(SimulationThread, ABadEditIsTroubleAndTheRunGoesOn) {
  Watched thread;
  thread->load(small_scene(), {});
  Scene bad = small_scene();
  bad.cloths[0].fabric.warp = -5;
  thread->edit(bad);
  const auto troubled = thread.wait_for([](const Snapshot& s) { return !s.trouble.empty(); });
  ASSERT_TRUE(troubled);
  EXPECT_NE(troubled->trouble.find("/cloths/0/fabric/warp"), std::string::npos) << troubled->trouble;
  thread->step();
  ASSERT_TRUE(thread.wait_for([](const Snapshot& s) { return s.frame == 1; }));
  thread->edit(small_scene());
  EXPECT_TRUE(thread.wait_for([](const Snapshot& s) { return s.trouble.empty(); }));
}

TEST(SimulationThread, AFilmSeesEveryFrame) {
  Watched thread;
  thread->load(small_scene(), {});
  ASSERT_TRUE(thread.wait_for([](const Snapshot& s) { return s.load == 1; }));
  thread->wait_for_viewer(true);
  thread->play(true);
  for (int frame = 1; frame <= 5; ++frame) {
    const auto next = thread.wait_for([&](const Snapshot& s) { return s.frame >= frame; });
    ASSERT_TRUE(next);
    EXPECT_EQ(next->frame, frame);
    thread->seen(frame);
  }
}

TEST(Session, NamesTheMethodThatRuns) {
  SolverSettings settings;
  settings.family = "implicit";
  settings.implicit.acceleration = Acceleration::none;
  EXPECT_EQ(method_of(settings), "implicit_plain");
  settings.implicit.acceleration = Acceleration::chebyshev;
  EXPECT_EQ(method_of(settings), "chebyshev");
  settings.family = "position";
  settings.position.method = PositionMethod::xpbd;
  EXPECT_EQ(method_of(settings), "xpbd");
}

}  // namespace
