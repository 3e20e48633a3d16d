// docs/run_json.md against what is written.
#include "muslin/io/run_record.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

namespace {

using namespace muslin;

WholeRecord record_of(int frames) {
  WholeRecord run;
  RunRecord& record = run.record;
  record.scene.cloths = {Cloth{}};
  record.scene.cloths[0].grid = Grid{};
  run.frames.resize(frames, {{}, {{"frame.obj", "00"}}, Reactions(), 0.5, {{0, Pose()}}});
  record.series = {{"run.glb", "00"}};
  for (int frame = 0; frame < frames; ++frame) {
    run.frames[frame].report.frame = frame;
    record.intersections[frame] = 1;
  }
  return run;
}

/// The first column of the table under a heading.
std::set<std::string> fields_under(const std::string& heading) {
  std::ifstream page(MUSLIN_TESTS "/../docs/run_json.md");
  std::set<std::string> fields;
  std::string line;
  bool inside = false;
  const std::regex row(R"(\| `(\w+)` \|.*)");
  while (std::getline(page, line)) {
    if (line.rfind("## ", 0) == 0) inside = line == "## " + heading;
    std::smatch match;
    if (inside && std::regex_match(line, match, row)) fields.insert(match[1]);
  }
  return fields;
}

std::set<std::string> keys(const nlohmann::json& json) {
  std::set<std::string> names;
  for (const auto& [name, value] : json.items()) names.insert(name);
  return names;
}

TEST(RunJson, ThePageNamesEveryFieldAndNoOther) {
  const auto run = nlohmann::json::parse(encode_run(record_of(1)));
  EXPECT_EQ(keys(run), fields_under("The run"));
  EXPECT_EQ(keys(run["frames"][0]), fields_under("A frame"));
}

TEST(RunJson, LinesHaveTheFieldsThatThePageSays) {
  std::set<std::string> begin = fields_under("The run"), frame = fields_under("A frame");
  for (const char* later : {"outcome", "doubts", "not_converged", "frames", "series"}) begin.erase(later);
  for (const char* in_file : {"intersections", "sha256", "reactions", "slow_since", "blocked_bodies"})
    frame.erase(in_file);
  begin.insert("type");
  frame.insert("type");
  const auto& [record, frames] = record_of(1);
  EXPECT_EQ(keys(nlohmann::json::parse(encode_begin(record))), begin);
  EXPECT_EQ(keys(nlohmann::json::parse(encode_frame(frames[0].report))), frame);
  EXPECT_EQ(keys(nlohmann::json::parse(encode_end(record))),
            (std::set<std::string>{"type", "outcome", "warnings", "doubts", "not_converged"}));
}

TEST(RunJson, CountsFramesThatDidNotConverge) {
  WholeRecord run = record_of(5);
  run.frames[2].report.step.status = run.frames[3].report.step.status = Status::not_converged;
  run.frames[4].report.step.status = Status::diverged;
  for (const RecordedFrame& frame : run.frames) run.record.tally.add(frame.report);
  EXPECT_EQ(nlohmann::json::parse(encode_run(run))["not_converged"], 2);
}

}  // namespace
