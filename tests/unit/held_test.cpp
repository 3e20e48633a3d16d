// Starts in which pins hold cloth inside bodies, or through other cloth.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "muslin/audit/start.h"
#include "muslin/core/check.h"
#include "muslin/io/scene_json.h"

namespace muslin {
namespace {

Model model_of(const std::string& cloths, const std::string& rest) {
  return build_model(parse_scene(R"({"cloths": [)" + cloths + "]" + rest + "}", "scene", "."));
}

std::vector<std::string> check(const Model& model, bool keeps_out) {
  return check_start(model, initial_state(model).positions, keeps_out);
}

TEST(AuditStart, PinsInsideBodiesStopNoRunUnlessTheyGiveWay) {
  const auto troubles_with = [](const std::string& pin, double radius) {
    return check(model_of(R"({"grid": {"points": [3, 3], "size": [1, 1]}, "pins": [)" + pin + "]}",
                          fmt::format(R"(, "colliders": [{{"center": [0, 0, 0], "radius": {}}}])", radius)),
                 /*keeps_out=*/true);
  };
  EXPECT_EQ(troubles_with(R"({"vertices": [0]})", 0.2).size(), 1u) << "a warning";
  EXPECT_THROW(troubles_with(R"({"vertices": [0], "axes": "xy"})", 0.2), Error) << "may go along z";
  EXPECT_THROW(troubles_with(R"({"vertices": [0]})", 0.6), Error) << "vertices 1 and 3 are inside, too";
  EXPECT_THROW(troubles_with(R"({"vertices": [0]})", 2), Error) << "wholly inside";
}

TEST(AuditStart, WhatCannotMoveIsNotRefused) {
  const std::string both =
      R"({"grid": {"points": [9, 9]}, "pins": [{"box": {"min": [-9, -9, -9], "max": [9, 9, 9]}}]},)"
      R"({"name": "through", "grid": {"points": [9, 9], "origin": [0.5, -0.5, 0.3], "u": [0, 1, 0]},)"
      R"( "pins": [{"box": {"min": [-9, -9, -9], "max": [9, 9, 9]}MOTION}]})";
  const auto trouble = [&](const std::string& motion) {
    std::string cloths = both;
    cloths.replace(cloths.find("MOTION"), 6, motion);
    return check(model_of(cloths, R"(, "self_collision": {"enabled": true})"), false);
  };
  EXPECT_NO_THROW(trouble(""));
  EXPECT_THROW(trouble(R"(, "motion": {"swing": [0.1, 0, 0]})"), Error);
}

}  // namespace
}  // namespace muslin
