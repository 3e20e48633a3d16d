#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <numeric>

#include "muslin/compare/compare.h"
#include "muslin/core/check.h"
#include "muslin/io/scene_json.h"
#include "muslin/solver/methods.h"
#include "viewer/session.h"
#include "viewer/simulation_thread.h"
#include "viewer/stage_view.h"

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

TEST(Lanes, PinsOfAnEditHoldWhereTheClothIsUntilReset) {
  Lanes lanes;
  lanes.load(small_scene(), {});
  for (int i = 0; i < 10; ++i) lanes.step();
  const auto place = [&] {
    const LaneSnapshot lane = lanes.snapshots().front();
    return Vec3(lane.state.positions.col(lane.model->vertex_numbers.to_model(48)));
  };
  const Vec3 fallen = place();
  EXPECT_LT(fallen.y(), -0.02);
  Scene pinned = small_scene();
  pinned.cloths[0].pins.emplace_back().vertices = {48};
  lanes.edit(pinned);
  for (int i = 0; i < 3; ++i) lanes.step();
  EXPECT_EQ(place(), fallen);
  lanes.edit(small_scene());
  for (int i = 0; i < 3; ++i) lanes.step();
  EXPECT_LT(place().y(), fallen.y() - 1e-3);
  lanes.edit(pinned);
  lanes.reset();
  for (int i = 0; i < 3; ++i) lanes.step();
  EXPECT_EQ(place(), Vec3(1, 0, 1));
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
    EXPECT_EQ(std::string(error.what()).find("muslin check"), std::string::npos) << "no file has this";
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

/// A sheet that is pinned as a whole, and a ball that hands have pushed up under it; and a post far from
/// both.
Scene held_ball(Lanes& lanes) {
  Scene scene = small_scene();
  Pin& pin = scene.cloths[0].pins[0];
  pin.vertices.resize(49);
  std::iota(pin.vertices.begin(), pin.vertices.end(), 0);
  scene.colliders[0].center = {0.5, -0.3, 0.5};
  Collider post = scene.colliders[0];
  post.name = "post";
  post.center = {3, 0, 0};
  scene.colliders.push_back(post);
  lanes.load(scene, {});
  for (int frame = 1; frame <= 6; ++frame) {
    lanes.carry(0, {0, 0.05 * frame, 0});
    lanes.step();
  }
  return scene;
}

TEST(Lanes, EditsThatTakeNoRoomAreMadeWhileABodyIsHeldUp) {
  Lanes lanes;
  Scene scene = held_ball(lanes);
  const auto held = [&] { return lanes.snapshots().front().state.blocked; };
  const Points before = held();
  ASSERT_GT(before.cols(), 0);
  scene.colliders[0].friction = 1;
  lanes.edit(scene);
  EXPECT_EQ(held(), before) << "friction";
  scene.gravity.setZero();
  lanes.edit(scene);
  EXPECT_EQ(held(), before) << "gravity";
  for (const bool on : {true, false}) {  // looked for where the ball is, not where it would be
    scene.self_collision.enabled = on;
    lanes.edit(scene);
    EXPECT_EQ(held(), before) << "self-collision " << on;
  }
  scene.colliders[0].radius = 0.19;
  expect_no_room(lanes, scene);
}

TEST(Lanes, SelfCollisionIsSwitchedOffWhateverIntersects) {
  Scene scene = small_scene();
  scene.cloths.push_back(scene.cloths[0]);
  scene.cloths[1].name = "slip";
  scene.cloths[1].grid->origin = {0.3, -0.5, 0.5};
  scene.cloths[1].grid->v = {0, 1, 0};
  scene.cloths[1].grid->points = {5, 5};
  scene.solver.family = "position";
  scene.self_collision.enabled = true;
  Lanes lanes;
  lanes.load(scene, {});
  scene.solver.family = "quasi_newton";
  EXPECT_THROW(lanes.edit(scene), Error);
  scene.self_collision.enabled = false;
  lanes.edit(scene);
  EXPECT_EQ(lanes.snapshots().front().label, "quasi_newton");
  scene.self_collision.enabled = true;
  EXPECT_THROW(lanes.edit(scene), Error);
}

TEST(Lanes, NothingGoesBackToABeginningThatAnEditHasBlocked) {
  Scene scene = small_scene();
  Lanes lanes;
  lanes.load(scene, {});
  for (int i = 0; i < 40; ++i) lanes.step();  // the sheet hangs from its side at z = 0
  scene.colliders[0].center = {0.5, 0, 0.9};
  scene.colliders[0].radius = 0.05;
  lanes.edit(scene);
  const Points before = lanes.snapshots().front().state.positions;
  EXPECT_THROW(lanes.reset(), Error);
  EXPECT_EQ(lanes.frame(), 40);
  EXPECT_EQ(lanes.snapshots().front().state.positions, before);
  EXPECT_TRUE(lanes.step());
  scene.colliders[0].center.y() = 0.5;
  lanes.edit(scene);
  lanes.reset();
  EXPECT_EQ(lanes.frame(), 0);
  EXPECT_EQ(lanes.snapshots().front().state.time, 0);
  EXPECT_EQ(lanes.snapshots().front().model->colliders[0].center.y(), 0.5);
}

TEST(Lanes, AComparisonIsEditedAsAWholeOrNotAtAll) {
  Scene scene = small_scene();
  Lanes lanes;
  lanes.load(scene, {"xpbd", "quasi_newton"});
  lanes.step();
  scene.colliders[0].center = {0.5, 0, 0.5};
  EXPECT_THROW(lanes.edit(scene), Error);
  EXPECT_EQ(lanes.scene().colliders[0].center, small_scene().colliders[0].center);
  for (const LaneSnapshot& lane : lanes.snapshots()) {
    ASSERT_EQ(lane.failure, "") << lane.label;
    EXPECT_EQ(lane.model->colliders[0].center, small_scene().colliders[0].center) << lane.label;
  }
  EXPECT_TRUE(lanes.step());
  for (const LaneSnapshot& lane : lanes.snapshots()) EXPECT_EQ(lane.report.frame, 2) << lane.label;
}

TEST(Lanes, AMethodThatCannotRunAnEditedSceneStopsAlone) {
  Scene scene = small_scene();
  Lanes lanes;
  lanes.load(scene, {"pbd", "newton"});
  const auto pbd = [&] { return lanes.snapshots()[0]; };
  scene.cloths[0].membrane = Membrane::stvk;
  lanes.edit(scene);
  EXPECT_NE(pbd().failure.find("pbd cannot run stvk"), std::string::npos) << pbd().failure;
  EXPECT_EQ(lanes.snapshots()[1].failure, "");
  EXPECT_EQ(lanes.scene().cloths[0].membrane, Membrane::stvk);
  EXPECT_TRUE(lanes.step());
  lanes.reset();
  EXPECT_NE(pbd().failure, "") << "the scene that it ran before is gone";
  scene.cloths[0].membrane = Membrane::springs;
  lanes.edit(scene);
  EXPECT_NE(pbd().failure.find("reset tries it again"), std::string::npos) << pbd().failure;
  lanes.reset();
  EXPECT_EQ(pbd().failure, "");
  EXPECT_TRUE(lanes.step());
  EXPECT_EQ(pbd().report.frame, 1);
}

TEST(Stage, ShowsBodiesWhereClothHoldsThemOrHandsHaveThem) {
  Lanes lanes;
  const Scene scene = held_ball(lanes);
  lanes.carry(1, {0, 0, 0.25});  // between two frames
  Snapshot snapshot;
  snapshot.scene = std::make_shared<const Scene>(scene);
  snapshot.lanes = lanes.snapshots();
  snapshot.carried = lanes.carried();
  const Stage stage = lane_stage(snapshot, snapshot.lanes[0], {});
  ASSERT_EQ(stage.colliders.size(), 2u);
  EXPECT_NEAR(stage.colliders[0].pose.translation.y(), -0.22, 0.02) << "hands want it at 0";
  EXPECT_EQ(stage.colliders[1].pose.translation, Vec3(3, 0, 0.25));
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

TEST(Lanes, AreTheSolversOfACompareCommand) {
  Scene steps = small_scene();
  steps.colliders.clear();
  steps.solver.family = "implicit";
  steps.solver.implicit.substeps = 3;
  steps.solver.implicit.velocity_loss = 0.01;
  const Scene lab = read_scene(std::string(MUSLIN_SCENES) + "/games103_implicit.json");
  CompareOptions options;
  options.frames = 2;
  for (const Method& method : methods()) options.solvers.emplace_back(method.name);
  for (const Scene& scene : {steps, lab}) {
    const Comparison comparison = compare(scene, options);
    Lanes lanes;
    lanes.load(scene, options.solvers);
    for (int frame = 0; frame < 2; ++frame) {
      lanes.step();
      const std::vector<LaneSnapshot> all = lanes.snapshots();
      for (size_t s = 0; s < all.size(); ++s) {
        const bool is_reference = all[s].is_reference;
        const SolverRecord& record = is_reference ? comparison.reference : comparison.solvers[s];
        ASSERT_FALSE(record.refused) << scene.name << ", " << record.name << ": " << record.failure;
        EXPECT_EQ(all[s].report.kinetic_energy, record.frames[frame].kinetic_energy)
            << scene.name << ", " << record.name;
      }
    }
  }
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

/// A way to wait for what a thread publishes.
class News {
 public:
  SimulationThread::Listener listener() {
    return {[this] {
              const std::lock_guard lock(mutex_);
              change_.notify_all();
            },
            {}};
  }

  /// The first snapshot of which `holds` says so; null after half a minute.
  template <class Condition>
  std::shared_ptr<const Snapshot> wait_for(const SimulationThread& thread, const Condition& holds) {
    std::shared_ptr<const Snapshot> found;
    std::unique_lock lock(mutex_);
    change_.wait_for(lock, std::chrono::seconds(30), [&] {
      found = thread.latest();
      return found && holds(*found);
    });
    return found && holds(*found) ? found : nullptr;
  }

 private:
  std::mutex mutex_;
  std::condition_variable change_;
};

class Watched {
 public:
  SimulationThread* operator->() { return &thread_; }
  template <class Condition>
  std::shared_ptr<const Snapshot> wait_for(const Condition& holds) {
    return news_.wait_for(thread_, holds);
  }

 private:
  News news_;
  SimulationThread thread_{news_.listener()};
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

TEST(SimulationThread, WhatBlocksTheBeginningIsTroubleUntilItIsGone) {
  Watched thread;
  Scene scene = small_scene();
  scene.solver.family = "position";
  thread->load(scene, {});
  scene.colliders[0].center = {0.5, 0, 0.5};
  thread->edit(scene);
  scene.solver.family = "quasi_newton";
  thread->load(scene, {});
  const auto refused = thread.wait_for([](const Snapshot& s) { return s.refused == 3; });
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->trouble, "");
  EXPECT_EQ(refused->scene->solver.family, "position") << "what runs";
  thread->reset();
  const auto reset = thread.wait_for([](const Snapshot& s) { return s.trouble.empty(); });
  ASSERT_TRUE(reset);
  EXPECT_EQ(reset->refused, 3) << "that load was not made";
}

/// A session with scenes in files of its own.
class SessionTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const Scene& scene) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << write_scene(scene);
    return path;
  }
  template <class Condition>
  std::shared_ptr<const Snapshot> wait_for(const Condition& holds) {
    return news_.wait_for(session_.thread(), holds);
  }
  /// What answers a change that has no room.
  std::shared_ptr<const Snapshot> refusal_after(int number) {
    return wait_for([number](const Snapshot& s) { return s.refused > number; });
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("muslin_session_" + std::to_string(getpid()));
  News news_;
  Session session_{news_.listener(), {}, true};
};

TEST_F(SessionTest, GoesBackToWhatRunsWhereTheNewestChangeIsRefused) {
  ASSERT_TRUE(session_.open(write("small.json", small_scene()), false));
  ASSERT_TRUE(wait_for([](const Snapshot& s) { return s.load == 1; }));
  const Vec3 gravity = session_.scene().gravity, center = session_.scene().colliders[0].center;
  session_.scene().colliders[0].center = {0.5, 0, 0.5};
  session_.apply();
  const auto first = refusal_after(0);
  ASSERT_TRUE(first);

  // 1. What came after the refused change is not taken back before its own answer
  session_.switch_gravity();
  EXPECT_FALSE(session_.follow(*first));
  EXPECT_EQ(session_.scene().colliders[0].center, Vec3(0.5, 0, 0.5));
  const auto second = refusal_after(first->refused);
  ASSERT_TRUE(second);
  EXPECT_TRUE(session_.follow(*second));
  EXPECT_EQ(session_.scene().colliders[0].center, center);
  EXPECT_EQ(session_.scene().gravity, gravity);

  // 2. The next one is made
  session_.switch_gravity();
  const auto made = wait_for([](const Snapshot& s) { return s.refused == 0 && s.scene->gravity.isZero(); });
  ASSERT_TRUE(made);
  EXPECT_EQ(made->trouble, "");
  EXPECT_FALSE(session_.follow(*made));
  EXPECT_FALSE(session_.has_gravity());
}

TEST_F(SessionTest, GoesBackToTheFileThatRunsWhereAnotherIsRefused) {
  const std::string good = write("good.json", small_scene());
  Scene scene = small_scene();
  scene.colliders[0].center = {0.5, 0, 0.5};
  const std::string blocked = write("blocked.json", scene);
  const auto open_good = [&] { ASSERT_TRUE(session_.open(good, false)); };
  const auto open_blocked = [&] { ASSERT_TRUE(session_.open(blocked, false)); };
  const auto switch_gravity = [&] { session_.switch_gravity(); };
  const std::vector<std::vector<std::function<void()>>> ways{{open_good, open_blocked},
                                                             {open_good, open_blocked, switch_gravity},
                                                             {open_good, open_blocked, open_blocked},
                                                             {open_blocked, open_good, open_blocked}};
  int asked = 0;
  for (const auto& way : ways) {
    for (const auto& ask : way) ask();
    asked += static_cast<int>(way.size());
    const auto refused = refusal_after(asked - 1);
    ASSERT_TRUE(refused);
    EXPECT_TRUE(session_.follow(*refused));
    EXPECT_EQ(session_.path(), good);
    EXPECT_EQ(session_.original().colliders[0].center, small_scene().colliders[0].center);
    EXPECT_EQ(session_.scene().colliders[0].center, small_scene().colliders[0].center);
    EXPECT_EQ(session_.scene().gravity, small_scene().gravity);
    EXPECT_FALSE(session_.follow(*refused)) << "once is enough";
  }

  // What is opened and made, stays
  scene.colliders[0].center = {0, -2, 0};
  const std::string better = write("better.json", scene);
  ASSERT_TRUE(session_.open(better, false));
  session_.scene().colliders[0].center = {0.5, 0, 0.5};
  session_.apply();
  const auto refused = refusal_after(asked + 1);
  ASSERT_TRUE(refused);
  EXPECT_TRUE(session_.follow(*refused));
  EXPECT_EQ(session_.path(), better);
  EXPECT_EQ(session_.scene().colliders[0].center, Vec3(0, -2, 0));
}

TEST_F(SessionTest, GoesBackToTheComparisonThatRuns) {
  ASSERT_TRUE(session_.open(write("small.json", small_scene()), false));
  session_.compare({"xpbd", "newton"});
  ASSERT_TRUE(wait_for([](const Snapshot& s) { return s.load == 2; }));
  session_.scene().colliders[0].center = {0.5, 0, 0.5};
  session_.apply();  // neither method keeps it out
  session_.compare({});
  const auto refused = refusal_after(0);
  ASSERT_TRUE(refused);
  EXPECT_TRUE(session_.follow(*refused));
  EXPECT_EQ(session_.methods().size(), 2u);
}

TEST_F(SessionTest, ComesBackFromXpbdToTheSweepOfTheFile) {
  ASSERT_TRUE(session_.open(std::string(MUSLIN_SCENES) + "/games103_pbd.json", false));
  session_.choose_method("xpbd");
  EXPECT_EQ(session_.scene().solver.position.sweep, Sweep::gauss_seidel);
  session_.choose_method("newton");
  session_.choose_method("pbd");
  EXPECT_EQ(session_.scene().solver.position.sweep, Sweep::jacobi);
  EXPECT_EQ(method_of(session_.scene().solver), "pbd");
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
  EXPECT_EQ(method_of(settings), "position") << "the fastest path";
  settings.position.path = PositionPath::general;
  EXPECT_EQ(method_of(settings), "xpbd");
}

}  // namespace
