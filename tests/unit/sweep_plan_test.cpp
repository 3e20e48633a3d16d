#include "muslin/sweep/plan.h"

#include <gtest/gtest.h>

#include "muslin/core/check.h"

using namespace muslin;

namespace {

std::string message_of(const std::string& plan) {
  try {
    parse_plan(plan, "plan.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SweepPlan, MultipliesAxesWithTheLastFastest) {
  const auto runs = planned_runs(parse_plan(R"({"scene": "hang", "axes": [
      {"set": "a", "log_range": {"from": 1, "to": 100, "count": 3}}, {"set": "b", "words": ["x", "y"]}]})",
                                            "plan.json"));
  ASSERT_EQ(runs.size(), 6u);
  EXPECT_EQ(runs[1], (std::vector<Override>{{"a", "1"}, {"b", "y"}}));
  EXPECT_EQ(runs[4], (std::vector<Override>{{"a", "100"}, {"b", "x"}}));
}

TEST(SweepPlan, ZipsAxesOfOneLength) {
  const std::string axes = R"("axes": [{"set": "a", "values": [1, 2]}, {"set": "b", "values": [3, 4]}])";
  const auto runs = planned_runs(parse_plan(R"({"scene": "hang", "combine": "zipped", )" + axes + "}", "p"));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1], (std::vector<Override>{{"a", "2"}, {"b", "4"}}));
  EXPECT_NE(message_of(R"({"scene": "hang", "combine": "zipped", "axes": [{"set": "a", "values": [1]},
                           {"set": "b", "values": [1, 2]}]})")
                .find("as many values as the first axis"),
            std::string::npos);
}

TEST(SweepPlan, DrawsTheSameNumbersForASeed) {
  const std::string plan =
      R"({"scene": "hang", "axes": [{"set": "a", "draws": {"low": 2, "high": 3, "count": 5, "seed": 7}}]})";
  const auto runs = planned_runs(parse_plan(plan, "p"));
  EXPECT_EQ(runs, planned_runs(parse_plan(plan, "p")));
  for (const auto& run : runs) {
    EXPECT_GE(std::stod(run[0].second), 2);
    EXPECT_LT(std::stod(run[0].second), 3);
  }
}

TEST(SweepPlan, SaysWhatIsWrong) {
  EXPECT_NE(message_of(R"({"scene": "hang", "axess": []})").find("did you mean \"axes\"?"),
            std::string::npos);
  EXPECT_NE(message_of(R"({"scene": "hang", "figures": ["strain_maxx"]})").find("did you mean strain_max?"),
            std::string::npos);
  EXPECT_NE(message_of(R"({"axes": []})").find("must name a scene"), std::string::npos);
  EXPECT_NE(message_of(R"({"scene": "hang", "axes": [{"set": "a"}]})").find("must have one of values"),
            std::string::npos);
}

TEST(SweepPlan, KeysFollowInputsAndVersion) {
  EXPECT_EQ(run_key("a", "1"), run_key("a", "1"));
  EXPECT_NE(run_key("a", "1"), run_key("a", "2"));
  EXPECT_NE(run_key("a", "1"), run_key("b", "1"));
}

}  // namespace
