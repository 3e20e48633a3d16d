#include "muslin/io/run_doubts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

bool has(const std::vector<std::string>& sentences, const std::string& part) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& sentence) { return sentence.find(part) != sentence.npos; });
}

RunTally tally_of(const std::vector<FrameReport>& frames) {
  RunTally tally;
  for (const FrameReport& frame : frames) tally.add(frame);
  return tally;
}

// What `muslin run` records of a scene; `change` alters what a frame reports.
RunRecord run_of(const Scene& scene, int frames, const std::function<void(FrameReport&)>& change = {}) {
  Simulation simulation(scene);
  RunRecord record;
  record.scene = simulation.scene();
  record.substeps = simulation.substeps();
  record.tally.add(simulation.report());
  record.outcome = "finished";
  for (int k = 0; k < frames && record.outcome == "finished"; ++k) {
    FrameReport report = simulation.step();
    if (change) change(report);
    record.tally.add(report);
    if (report.step.status == Status::diverged) record.outcome = "diverged";
  }
  return record;
}

Scene shipped(const std::string& name, const std::vector<Override>& overrides = {}) {
  return read_scene(MUSLIN_SCENES "/" + name + ".json", overrides);
}

// Cloth of 100 N/m stretches by more, whatever the substeps.
TEST(RunDoubts, AQualityThatWasMissedIsSaid) {
  const std::vector<Override> stiff{{"cloths/0/grid/points", "[12, 12]"},
                                    {"solver/position", R"({"quality": "strain 2 %"})"}};
  EXPECT_FALSE(has(doubts_about(run_of(shipped("hang", stiff), 40)), "was missed"));
  std::vector<Override> soft = stiff;
  soft.push_back({"cloths/0/fabric/warp", "100"});
  soft.push_back({"cloths/0/fabric/weft", "100"});
  soft.push_back({"cloths/0/fabric/shear", "33"});
  const std::vector<std::string> missed = doubts_about(run_of(shipped("hang", soft), 40));
  EXPECT_TRUE(has(missed, "the quality \"strain 2 %\" was missed in "));
  EXPECT_TRUE(has(missed, "`muslin tune` tells what other settings give"));
}

TEST(RunDoubts, DisplacementsThatWereCutShortAreSaid) {
  const std::vector<Override> small{{"cloths/0/grid/points", "[9, 9]"}};
  const auto with_cuts = [](FrameReport& frame) { frame.step.cut = 5; };
  EXPECT_FALSE(has(doubts_about(run_of(shipped("sphere_drape", small), 2)), "cut short"));
  EXPECT_TRUE(has(doubts_about(run_of(shipped("sphere_drape", small), 2, with_cuts)),
                  "displacements were cut short 10 times"));
}

TEST(RunDoubts, TheClockIsNotTakenForIterations) {
  const std::vector<Override> hurried{{"solver/family", "\"quasi_newton\""},
                                      {"solver/quasi_newton/milliseconds", "1"}};
  const auto unsolved = [](FrameReport& frame) { frame.step.status = Status::not_converged; };
  const std::vector<std::string> said = doubts_about(run_of(shipped("hang", hurried), 2, unsolved));
  EXPECT_TRUE(has(said, "the clock ends steps: more solver/quasi_newton/milliseconds than 1 bring it there"));
  EXPECT_FALSE(has(said, "iterations"));
}

TEST(RunDoubts, StepsThatLoseGravityAreSaid) {
  // 41 % is what the method loses by arithmetic: 32 steps of descent of 1/(m/h² + 4k).
  const std::vector<std::string> plain = doubts_about(run_of(shipped("games103_implicit_plain"), 3));
  EXPECT_TRUE(has(plain, "steps lost up to 41 % of gravity (frame 1"));
  EXPECT_TRUE(has(plain,
                  "more solver/implicit/iterations than 32, or --set "
                  "solver/implicit/acceleration=chebyshev"));
  const std::vector<Override> stiff{{"cloths/0/springs/structural", "1e6"}};
  EXPECT_TRUE(has(doubts_about(run_of(shipped("games103_implicit", stiff), 1)), "they were not solved"));
  EXPECT_FALSE(has(doubts_about(run_of(shipped("games103_implicit"), 3)), "of gravity"));
}

// A hanging strip stretches by ρgL²/2k; sweeps leave it longer, and then its springs pull with more than its
// weight, as many times as it is too long.
TEST(RunDoubts, PositionBasedStepsAreHeldAgainstTheMaterial) {
  Scene scene;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.grid.emplace();
  cloth.grid->points = {6, 51};
  cloth.grid->size = {0.1, 1};
  cloth.grid->v = {0, -1, 0};
  cloth.pins.emplace_back().sides = {Side::v_min};
  cloth.fabric.preset = "cotton";
  scene.damping = 5;
  scene.solver.family = "position";
  scene.solver.position.path = PositionPath::general;  // lines hold the strip
  const RunRecord record = run_of(scene, 300);
  const double lost = *record.tally.last.step.lost_gravity;
  EXPECT_LT(lost, -1) << "the lower edge sinks four times as far as the material lets it";
  EXPECT_TRUE(has(doubts_about(record), "xpbd has not come to its material"));
  EXPECT_TRUE(has(doubts_about(record), "--set solver/position/substeps=80"));
  const RunRecord near = run_of(scene, 3, [](FrameReport& frame) { frame.step.lost_gravity = 0.01; });
  EXPECT_FALSE(has(doubts_about(near), "has not come to its material"));
}

// --- what is advised is what helps -----------------------------------------------------------------

TEST(RunDoubts, AdviceOnExplicitStepsIsMoreOfThem) {
  std::vector<Override> overrides{{"solver/family", "explicit"}, {"solver/explicit/substeps", "1"}};
  const RunRecord record = run_of(shipped("hang", overrides), 60);
  ASSERT_EQ(record.outcome, "diverged");
  const std::string words = advice(record);
  EXPECT_NE(words.find("--set solver/explicit/substeps=null"), words.npos) << words;
  EXPECT_EQ(words.find("stiffer"), words.npos) << words;
  overrides[1].second = "null";
  EXPECT_EQ(run_of(shipped("hang", overrides), 5).outcome, "finished");
}

TEST(RunDoubts, AdviceOnChebyshevIsItsRho) {
  std::vector<Override> overrides{{"solver/implicit/rho", "0.9999"}};
  const RunRecord record = run_of(shipped("games103_implicit", overrides), 30);
  ASSERT_EQ(record.outcome, "diverged");
  EXPECT_NE(advice(record).find("--set solver/implicit/rho=null"), std::string::npos) << advice(record);
  overrides[0].second = "null";
  EXPECT_EQ(run_of(shipped("games103_implicit", overrides), 30).outcome, "finished");
}

TEST(RunDoubts, AdviceOnMillisecondsIsSeconds) {
  RunRecord record;
  record.scene.frame_time = 16;
  record.outcome = "diverged";
  record.tally.last.failure = Failure::overstretched;
  for (const char* family : {"explicit", "implicit", "newton", "quasi_newton", "position"}) {
    record.scene.solver.family = family;
    EXPECT_NE(advice(record).find("frame_time is 16 s: is it in milliseconds?"), std::string::npos);
  }
  record.scene.frame_time = 0.016;
  record.scene.solver.family = "newton";
  EXPECT_NE(advice(record).find("stiffer fabric"), std::string::npos);
}

TEST(RunDoubts, WhatASoftMaterialDoesIsNotBlamedOnTheSolver) {
  Scene scene;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.grid.emplace();
  cloth.grid->points = {8, 8};
  cloth.springs.emplace().structural = 0.5;
  cloth.springs->shear = 0.5;
  cloth.pins.emplace_back().sides = {Side::v_min};
  for (const char* family : {"explicit", "newton"}) {
    scene.solver.family = family;
    const std::vector<std::string> doubts = doubts_about(run_of(scene, 60));
    EXPECT_TRUE(has(doubts, "so much the scene asks of these springs")) << family;
    EXPECT_FALSE(has(doubts, "whether the solver does it")) << family;
  }
}

TEST(RunDoubts, OpenSeamsAreNamedInPlaceOfAdviceThatCannotHelp) {
  RunRecord record = run_of(shipped("games103_implicit_plain"), 1);
  record.scene.self_collision.enabled = true;
  EXPECT_TRUE(has(doubts_about(record), "more solver/implicit/iterations"));
  record.open_seams = {{50, 1e-4, 0}};
  const std::vector<std::string> doubts = doubts_about(record);
  EXPECT_TRUE(has(doubts, "50 pairs of vertices")) << doubts.size();
  EXPECT_TRUE(has(doubts, "--set cloths/0/mesh/merge=1e-4"));
  EXPECT_TRUE(has(doubts, "sew it first"));
  EXPECT_FALSE(has(doubts, "more solver/implicit/iterations"));
  EXPECT_FALSE(has(doubts, "xpbd"));
}

TEST(RunDoubts, ClothThatHangsInTheAirIsSaid) {
  const Scene scene = shipped("games103_implicit_plain");
  EXPECT_FALSE(has(doubts_about(run_of(scene, 3)), "hangs in the air"));
  const RunRecord record = run_of(scene, 3, [](FrameReport& frame) { frame.step.lost_gravity = 0.99; });
  EXPECT_TRUE(has(doubts_about(record), "the cloth hangs in the air, for its solver has lost gravity"));
}

// 27 % of gravity in a step of 1/60 s is 0.7 mm, far more than the tolerance: what is left over is stiffness
// times less than that.
TEST(RunDoubts, StepsThatEndByDistanceAreBelievedAboveTheirTolerance) {
  const auto doubted = [](const std::string& family, const std::string& tolerance, bool stays) {
    const Scene scene = shipped("hang", {{"cloths/0/grid/points", "[8, 8]"},
                                         {"solver", "{\"family\": \"" + family + "\", \"" + family +
                                                        "\": {\"tolerance\": " + tolerance + "}}"}});
    const RunRecord record = run_of(scene, 4, [&](FrameReport& frame) {
      frame.step.status = Status::ok;
      frame.step.lost_gravity = -0.27;
      if (stays) frame.center_of_mass = Vec3::Zero();
    });
    return has(doubts_about(record), "made up forces of up to 27 % of gravity");
  };
  EXPECT_FALSE(doubted("quasi_newton", "1e-4", false));
  EXPECT_FALSE(doubted("newton", "1e-5", false));
  EXPECT_TRUE(doubted("quasi_newton", "1e-2", false)) << "gravity moves cloth by 2.7 mm within a step";
  EXPECT_TRUE(doubted("implicit", "1e-5", true)) << "which ends by its last move";
  const auto lost = [](double fraction) {
    RunTally tally;
    FrameReport frame;
    for (int k = 0; k < 3; ++k, frame.time += 1) {
      frame.step.lost_gravity = fraction;
      tally.add(frame);
    }
    return tally.unsolved_moving;
  };
  EXPECT_EQ(lost(-0.27), 0) << "at rest";
  EXPECT_EQ(lost(0.95), 3) << "hangs in the air";
}

// Against a look at all frames at once: the first of the largest, and sums.
TEST(RunTally, KeepsTheFramesThatAFullLookWouldFind) {
  std::vector<FrameReport> frames(50);
  for (int k = 0; k < std::ssize(frames); ++k) {
    FrameReport& frame = frames[k];
    frame.frame = k;
    frame.strain_p99 = k * 7 % 13;
    frame.work = k * 11 % 17;
    if (k % 3 == 0) frame.limit_ratio = k * 5 % 19;
    if (k % 2 == 0) frame.step.lost_gravity = (k * 3 % 7 - 3) / 10.0;
    frame.step.status = k % 4 == 1 ? Status::not_converged : Status::ok;
    frame.step.restarts = k % 5;
  }
  const RunTally tally = tally_of(frames);
  const auto first_largest = [&](const auto& number) {
    return std::max_element(frames.begin(), frames.end(),
                            [&](const auto& a, const auto& b) { return number(a) < number(b); })
        ->frame;
  };
  EXPECT_EQ(tally.most_strained.frame, first_largest([](const auto& f) { return f.strain_p99; }));
  EXPECT_EQ(tally.hardest.frame, first_largest([](const auto& f) { return f.work; }));
  EXPECT_EQ(tally.most_limited.frame, first_largest([](const auto& f) { return f.limit_ratio; }));
  EXPECT_EQ(tally.most_lost.frame, 0) << "-0.3 is the first of the largest";
  EXPECT_EQ(tally.last.frame, 49);
  EXPECT_EQ(tally.frames, 50);
  EXPECT_EQ(tally.not_converged, 13);
  EXPECT_EQ(tally.restarts, 100);
  const auto is_unsolved = [](const FrameReport& f) {
    return std::abs(f.step.lost_gravity.value_or(0)) > 0.1;
  };
  EXPECT_EQ(tally.unsolved, std::count_if(frames.begin(), frames.end(), is_unsolved));
  const auto is_missed = [&](const FrameReport& f) { return is_unsolved(f) && f.step.status != Status::ok; };
  EXPECT_EQ(tally.unsolved_missed, std::count_if(frames.begin(), frames.end(), is_missed));
}

}  // namespace
}  // namespace muslin
