#include "muslin/io/run_record.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "muslin/core/check.h"

namespace muslin {
namespace {

/// A record in which no two numbers are alike.
WholeRecord busy_record() {
  WholeRecord run;
  RunRecord& record = run.record;
  record.scene.frames = 2;
  record.scene.cloths.resize(1);
  record.scene.cloths[0].grid = Grid();
  record.fingerprint = {"aa", "bb", "cc"};
  record.threads = 3;
  record.substeps = 4;
  record.chosen.emplace();
  record.chosen->path = PositionPath::lines;
  record.chosen->substeps = 7;
  record.chosen->coarse = true;
  record.formats = {"obj", "ply"};
  record.checkpoint = 5;
  record.repair = true;
  record.program = "0.0.9";
  record.outcome = "interrupted";
  record.warnings = {"one", "two"};
  record.doubts = {"three"};
  run.frames.resize(2);
  run.frames[0].files = {{"frame_0000.obj", "01"}, {"frame_0000.ply", "02"}};
  record.intersections = {{1, 17}};
  FrameReport& frame = run.frames[1].report;
  frame.frame = 1;
  frame.time = 1.0 / 3;
  frame.hash = 0xFEDCBA9876543210u;
  frame.failure = Failure::over_budget;
  frame.work = std::int64_t{1} << 40;
  frame.strain_max = -0.0;
  frame.strain_p99 = std::numeric_limits<double>::quiet_NaN();
  frame.strain_mean = 5e-324;
  frame.limit_ratio = 0.1;
  frame.center_of_mass = {0.1, -1e300, 3};
  frame.free_fall_error = Vec3(1e-17, 2, 3);
  frame.ms = 12.5;
  frame.step.status = Status::not_converged;
  frame.step.residual = 1e-7;
  frame.step.min_gap = 0.001;
  frame.step.blocked_collider = 2;
  frame.step.jammed = true;
  frame.step.jumped = 6;
  frame.step.jumped_collider = 0;
  for (const RecordedFrame& each : run.frames) record.tally.add(each.report);
  return run;
}

std::string refusal(const std::string& text) {
  try {
    decode_run(text, "run.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid);
    return error.what();
  }
  return "none";
}

TEST(RunRecord, ComesBackAsItWasWritten) {
  const WholeRecord run = busy_record();
  const RunRecord& record = run.record;
  const std::string text = encode_run(run);
  const auto& [back, frames] = decode_run(text, "run.json");
  EXPECT_EQ(encode_run({back, frames}), text);
  EXPECT_EQ(nlohmann::ordered_json::parse(text).dump(1) + "\n", text) << "rows stand as in one piece";
  EXPECT_EQ(back.doubts, record.doubts);
  EXPECT_EQ(back.warnings, record.warnings);
  EXPECT_EQ(back.formats, record.formats);
  EXPECT_EQ(back.checkpoint, 5);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].files, run.frames[0].files);
  EXPECT_EQ(back.tally.not_converged, 1);
  EXPECT_EQ(back.intersections, record.intersections);
  EXPECT_EQ(back.fingerprint, record.fingerprint);
  const FrameReport &first = frames[0].report, &second = frames[1].report;
  EXPECT_EQ(first.step.min_gap, kInfinity) << "nothing was near";
  EXPECT_EQ(first.step.blocked_collider, -1);
  EXPECT_FALSE(first.free_fall_error || first.limit_ratio);
  EXPECT_EQ(second.hash, 0xFEDCBA9876543210u);
  EXPECT_EQ(second.work, std::int64_t{1} << 40);
  EXPECT_TRUE(std::signbit(second.strain_max) && std::isnan(second.strain_p99));
  EXPECT_EQ(second.center_of_mass, Vec3(0.1, -1e300, 3));
  EXPECT_EQ(*second.free_fall_error, Vec3(1e-17, 2, 3));
  EXPECT_EQ(second.failure, Failure::over_budget);
  EXPECT_EQ(second.step.jumped_collider, 0);
}

TEST(RunRecord, SaysWhatIsWrongWithIt) {
  const std::string begin = "run.json: must be the record of a run of this Muslin: ";
  EXPECT_EQ(refusal("{"), begin + "it is no JSON");
  for (const char* other : {"3", "[]", "null", "\"x\"", "{}", R"({"muslin": 3})"})
    EXPECT_EQ(refusal(other).substr(0, begin.size()), begin) << other;
  const std::string text = encode_run(busy_record());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t place = changed.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return refusal(changed.replace(place, from.size(), to));
  };
  EXPECT_EQ(with("\"status\": \"not_converged\"", "\"status\": \"fine\""),
            begin + "must be one of ok, not_converged, diverged, cancelled, got fine");
  EXPECT_EQ(with("\"fedcba9876543210\"", "\"xyz\""), begin + "hash: must be hexadecimal, got xyz");
  EXPECT_EQ(with("\"frame\": 1,", "\"frame\": 7,"), begin + "frame 7 stands in the place of 1");
  EXPECT_NE(with("\"min_gap\": 0.001", "\"min_gap\": \"near\"").find(begin), std::string::npos);
  EXPECT_NE(with("\"min_gap\": 0.001", "\"max_gap\": 1").find("min_gap"), std::string::npos);
  // Cut anywhere, it is no record.
  for (std::size_t length = 0; length + 1 < text.size(); length += 7)
    EXPECT_NE(refusal(text.substr(0, length)), "none") << length;
}

}  // namespace
}  // namespace muslin
