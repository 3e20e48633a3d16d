#include "muslin/io/scene_text.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/model/same_fields.h"

using namespace muslin;

namespace {

const char* const kText = R"({
  // A handkerchief hangs from two corners.
  "solver": {"family": "position"}, // before the cloth, as nobody else would
  "cloths": [
    {
      "fabric": "silk", // "cotton" is too stiff
      "grid": {"points": [9, 9], /* coarse */ "size": [0.4, 0.4]},
      "pins": [{"grid": [[0, 0], [-1, 0]]}] // two corners
    }
    // no more cloths
  ],
  "colliders": [],
  "gravity": [0, -9.8, 0] // as in the course
}
)";

Scene read(const std::string& text) { return parse_scene(text, "scene.json", ""); }

std::string edited(const std::string& text, const Scene& to) {
  return change_scene_text(text, "scene.json", read(text), to);
}

/// The text with one part replaced.
std::string with(std::string text, const std::string& part, const std::string& other) {
  const size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

TEST(SceneText, NothingChangedIsTheSameText) { EXPECT_EQ(edited(kText, read(kText)), kText); }

TEST(SceneText, AddedPinsStandBehindTheOthers) {
  Scene scene = read(kText);
  Pin pin;
  pin.vertices = {40, 41};
  scene.cloths[0].pins.push_back(pin);
  EXPECT_EQ(edited(kText, scene), with(kText, "[-1, 0]]}]", "[-1, 0]]}, {\"vertices\": [40, 41]}]"));
}

TEST(SceneText, OneNumberIsOneNumber) {
  Scene scene = read(kText);
  scene.gravity.y() = -1.5;
  EXPECT_EQ(edited(kText, scene), with(kText, "[0, -9.8, 0]", "[0.0, -1.5, 0.0]"));
}

TEST(SceneText, WhatWasNotThereIsAddedInItsOwnLineBehindTheComment) {
  Scene scene = read(kText);
  scene.damping = 0.25;
  EXPECT_EQ(edited(kText, scene), with(kText, "[0, -9.8, 0] // as in the course",
                                       "[0, -9.8, 0], // as in the course\n  \"damping\": 0.25"));
}

TEST(SceneText, AFabricThatIsOnlyANameGetsRoomForNumbers) {
  Scene scene = read(kText);
  scene.cloths[0].fabric.density = 0.5;
  EXPECT_EQ(edited(kText, scene), with(kText, "\"silk\",", "{\"preset\": \"silk\", \"density\": 0.5},"));
}

TEST(SceneText, ElementsOfAnEmptyListAndDeepMembers) {
  Scene scene = read(kText);
  Collider ball;
  ball.radius = 0.25;
  scene.colliders.push_back(ball);
  scene.solver.position.substeps = 7;
  std::string expected = with(kText, "\"colliders\": []", "\"colliders\": [{\"radius\": 0.25}]");
  expected = with(expected, "\"position\"}", "\"position\", \"position\": {\"substeps\": 7}}");
  EXPECT_EQ(edited(kText, scene), expected);
}

TEST(SceneText, RemovedPinsAreGoneAndTheTextSaysTheScene) {
  Scene scene = read(kText);
  scene.cloths[0].pins.clear();
  const std::string text = edited(kText, scene);
  EXPECT_EQ(text, with(kText, "[{\"grid\": [[0, 0], [-1, 0]]}]", "[]"));
  EXPECT_TRUE(same(read(text), scene));
}

TEST(SceneText, EveryShippedSceneTakesAPinAndKeepsAllElse) {
  for (const auto& entry : std::filesystem::directory_iterator(MUSLIN_SCENES)) {
    if (entry.path().extension() != ".json") continue;
    const std::string path = entry.path().string(), text = read_file(path);
    const Scene from = read_scene(path);
    Scene to = from;
    Pin pin;
    pin.vertices = {3};
    to.cloths[0].pins.push_back(pin);
    const std::string after = change_scene_text(text, path, from, to);
    // What was there is all there, in its order: only one piece more.
    size_t head = 0, tail = 0;
    while (head < text.size() && text[head] == after[head]) ++head;
    while (tail < text.size() - head && text[text.size() - 1 - tail] == after[after.size() - 1 - tail])
      ++tail;
    EXPECT_EQ(head + tail, text.size()) << path;
    EXPECT_TRUE(same(parse_scene(after, path, from.folder), to)) << path;
  }
}

}  // namespace
