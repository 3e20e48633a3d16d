#include "muslin/sweep/plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "muslin/core/check.h"
#include "muslin/sweep/figures.h"
#include "muslin/sweep/run_result.h"

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
      {"set": "seed", "log_range": {"from": 1, "to": 100, "count": 3}}, {"set": "name", "words": ["x", "y"]}]})",
                                            "plan.json"));
  ASSERT_EQ(runs.size(), 6u);
  EXPECT_EQ(runs[1], (std::vector<Override>{{"seed", "1"}, {"name", "y"}}));
  EXPECT_EQ(runs[4], (std::vector<Override>{{"seed", "100"}, {"name", "x"}}));
}

TEST(SweepPlan, ZipsAxesOfOneLength) {
  const std::string axes =
      R"("axes": [{"set": "seed", "values": [1, 2]}, {"set": "frames", "values": [3, 4]}])";
  const auto runs = planned_runs(parse_plan(R"({"scene": "hang", "combine": "zipped", )" + axes + "}", "p"));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1], (std::vector<Override>{{"seed", "2"}, {"frames", "4"}}));
  EXPECT_NE(message_of(R"({"scene": "hang", "combine": "zipped", "axes": [{"set": "seed", "values": [1]},
                           {"set": "frames", "values": [1, 2]}]})")
                .find("as many values as the first axis"),
            std::string::npos);
}

TEST(SweepPlan, DrawsTheSameNumbersForASeed) {
  const std::string plan =
      R"({"scene": "hang", "axes": [{"set": "frame_time", "draws": {"low": 2, "high": 3, "count": 5, "seed": 7}}]})";
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
  EXPECT_NE(message_of(R"({"scene": "hang", "axes": [{"set": "seed"}]})").find("must have one of values"),
            std::string::npos);
}

TEST(SweepPlan, RefusesPathsThatNoSceneHas) {
  const auto of = [](const std::string& set) {
    return message_of("{\"scene\": \"hang\",\n \"set\": [\"" + set + "\"]}");
  };
  EXPECT_EQ(of("frames"), "plan.json:2:10: /set/0: must be PATH=VALUE, is \"frames\"");
  EXPECT_EQ(of("cloths/0/fabric/densty=1"),
            "plan.json:2:10: /set/0: has no key \"densty\" at /cloths/0/fabric; did you mean \"density\"?");
  EXPECT_NE(of("cloths/fabric=felt").find("must have an index at /cloths, not \"fabric\""),
            std::string::npos);
  EXPECT_NE(of("frames/0=1").find("/frames is a single value"), std::string::npos);
  EXPECT_NE(of("density=1").find("it stands at cloths/0/fabric/density"), std::string::npos);
  for (const char* known : {"cloths/0/grid/points=[9,9]", "cloths.0.fabric=felt",
                            "/solver/position/iterations=3", "wind/velocity/1=2", "colliders/0/radius=0.1",
                            "cloths/0/fabric/strain_limit=0.1", "cloths/0/pins/0/grid=[[0,0]]"})
    EXPECT_EQ(of(known), "") << known;
  EXPECT_NE(message_of(R"({"scene": "hang", "axes": [{"set": "seeds", "values": [1]}]})")
                .find("plan.json:1:36: /axes/0/set: has no key \"seeds\"; did you mean \"seed\"?"),
            std::string::npos);
  EXPECT_NE(message_of(R"({"scene": "hang", "axes": [{"set": "seed", "values": [1]},
                                                       {"set": "/seed", "values": [2]}]})")
                .find("/axes/1/set: is what axis 0 sets"),
            std::string::npos);
  EXPECT_NE(message_of(R"({"scene": "hang", "solver": "newtn"})").find("did you mean 'newton'"),
            std::string::npos);
}

TEST(SweepPlan, FiguresAreThoseOfFramesAndTheirExtent) {
  const auto frame = [](double strain, const char* gap) {
    return fmt::format(R"({{"strain_max": {}, "min_gap": {}, "status": "ok", "center_of_mass": [0, {}, 2],
                           "ms": {{"frame": 1, "solve": 2, "contact": 3}}}})",
                       strain, gap, -strain);
  };
  const auto frames = nlohmann::ordered_json::parse("[" + frame(9, "9") + "," + frame(0.5, "0.25") + "," +
                                                    frame(0.25, "null") + "]");
  const auto found = figures_of(frames);
  EXPECT_EQ(found.at("strain_max"), "0.25");
  EXPECT_EQ(found.at("max strain_max"), "0.5") << "the start does not count";
  EXPECT_EQ(found.at("mean strain_max"), "0.375");
  EXPECT_EQ(found.at("min center_of_mass_y"), "-0.5");
  EXPECT_EQ(found.at("min_gap"), "null");
  EXPECT_EQ(found.at("mean min_gap"), "0.25");
  EXPECT_EQ(found.at("status"), "\"ok\"");
  EXPECT_EQ(found.at("contact_ms"), "3");
  EXPECT_FALSE(found.contains("max status"));
}

TEST(SweepPlan, KeysFollowInputsAndVersion) {
  EXPECT_EQ(run_key("a", "1"), run_key("a", "1"));
  EXPECT_NE(run_key("a", "1"), run_key("a", "2"));
  EXPECT_NE(run_key("a", "1"), run_key("b", "1"));
}

TEST(SweepPlan, HasAtMostSoManyValues) {
  const auto plan_of = [](int axes, int count) {
    std::string text = R"({"scene": "hang", "combine": "zipped", "axes": [)";
    for (int k = 0; k < axes; ++k)
      text += fmt::format(
          R"({}{{"set": "cloths/{}/fabric/density", "range": {{"from": 1, "to": 2, "count": {}}}}})",
          k == 0 ? "" : ", ", k, count);
    return text + "]}";
  };
  EXPECT_EQ(message_of(plan_of(11, 1'000'000)),
            "plan.json: must set at most 10000000 values in all runs, sets 11000000");
  const auto runs = planned_runs(parse_plan(plan_of(3, 100'000), "plan.json"));
  ASSERT_EQ(runs.size(), 100'000u);
  EXPECT_EQ(runs.back(), (std::vector<Override>{{"cloths/0/fabric/density", "2"},
                                                {"cloths/1/fabric/density", "2"},
                                                {"cloths/2/fabric/density", "2"}}));
}

}  // namespace
