#include <cstdlib>
#include <nlohmann/json.hpp>

#include "render_command.h"

namespace {

/// A pinned sheet without gravity beside a ball that moves 0.6 m in two frames.
const char* const kScene = R"({
  "name": "passing ball", "frames": 2, "frame_time": 0.1, "gravity": [0, 0, 0],
  "cloths": [{"grid": {"points": [5, 5]}, "pins": [{"grid": [[0, 0], [-1, 0], [0, -1], [-1, -1]]}]}],
  "colliders": [{"shape": "sphere", "center": [0.2, 0.6, 0.5], "radius": 0.2, "motion": {"keyframes": [
    {"time": 0}, {"time": 0.2, "offset": [0.6, 0, 0]}]}}]
})";

class RenderCommandTest : public RenderCommand {
 protected:
  RenderCommandTest() { write("scene.json", kScene); }
};

TEST_F(RenderCommandTest, EveryFrameOfARunHasItsPicture) {
  ASSERT_EQ(muslin("run scene.json --out frames"), 0);
  ASSERT_EQ(muslin("render frames --out pictures --size 160x120"), 0);
  std::vector<std::vector<unsigned char>> pictures;
  for (const char* name : {"pictures/frame_0000.png", "pictures/frame_0001.png", "pictures/frame_0002.png"}) {
    pictures.push_back(pixels(name, 160, 120));
    ASSERT_FALSE(pictures.back().empty()) << name;
  }
  int moved = 0;  // one camera for all, so only the ball and its shadow change
  for (size_t i = 0; i < pictures[0].size(); i += 3) moved += std::abs(pictures[0][i] - pictures[2][i]) > 20;
  EXPECT_GT(moved, 160 * 120 / 50);
  EXPECT_LT(moved, 160 * 120 / 2);

  ASSERT_EQ(muslin("render frames --out last.png --size 160x120"), 0);
  ASSERT_EQ(muslin("render scene.json --out simulated.png --size 160x120"), 0);
  const auto last = pixels("last.png", 160, 120), simulated = pixels("simulated.png", 160, 120);
  ASSERT_EQ(last.size(), simulated.size());
  int different = 0;
  for (size_t i = 0; i < last.size(); ++i) different += std::abs(last[i] - simulated[i]) > 8;
  EXPECT_LT(different, 160 * 120 / 200) << "a run's frame and the same frame simulated again";
}

TEST_F(RenderCommandTest, MistakesEndWithTheirExitCode) {
  ASSERT_EQ(muslin("run scene.json --out frames"), 0);
  ASSERT_EQ(muslin("render frames --out one.png --size 32x24"), 0);
  EXPECT_EQ(muslin("render frames --out one.png --size 32x24"), 5) << "exists";
  EXPECT_EQ(muslin("render frames --out one.png --size 32x24 --force"), 0);
  EXPECT_EQ(muslin("render frames --out a.png --frame 7"), 3) << "no such frame";
  EXPECT_EQ(muslin("render frames --out a.png --size 32"), 2);
  EXPECT_EQ(muslin("render frames --out a.png --camera 1,2,3"), 2);
  EXPECT_EQ(muslin("render frames --out a.png --camera 1,2,3,1,2,3"), 2);
  EXPECT_EQ(muslin("render frames --out pictures --frame 1"), 2);
  EXPECT_EQ(muslin("render scene.json --out picture.jpg"), 2);
  EXPECT_NE(messages().find(".webm"), std::string::npos) << messages();
  EXPECT_EQ(muslin("render missing.json --out a.png"), 5);
  std::filesystem::create_directories(folder_ / "empty");
  EXPECT_EQ(muslin("render empty --out a.png"), 5);
  write("empty/run.json", "[1]");
  EXPECT_EQ(muslin("render empty --out a.png"), 3);
  EXPECT_FALSE(exists("a.png"));
}

/// Pixels of two pictures that a person would see to differ.
int differing(const std::vector<unsigned char>& a, const std::vector<unsigned char>& b) {
  int count = 0;
  for (size_t i = 0; i + 2 < a.size() && i + 2 < b.size(); i += 3)
    count += std::abs(a[i] - b[i]) + std::abs(a[i + 1] - b[i + 1]) + std::abs(a[i + 2] - b[i + 2]) > 24;
  return count;
}

// A sheet of springs bends over a ball: it has strain, speed, bending, contact and springs of all classes.
const char* const kBent = R"({
  "name": "bent", "frames": 24, "frame_time": 0.02, "damping": 1,
  "cloths": [{"grid": {"points": [17, 17], "origin": [-0.5, 0.32, -0.5]},
              "springs": {"layout": "cross", "structural": 50, "shear": 50, "bend": 10}}],
  "colliders": [{"shape": "sphere", "center": [0, 0, 0], "radius": 0.3, "friction": 0.5}]
})";

TEST_F(RenderCommandTest, EveryWordOfALookDrawsAPictureOfItsOwn) {
  write("bent.json", kBent);
  ASSERT_EQ(muslin("run bent.json --out frames"), 0) << messages();
  const auto draw = [&](const std::string& look) {
    EXPECT_EQ(muslin("render frames --size 240x180 --out a.png --force " + look), 0) << look << messages();
    return pixels("a.png", 240, 180);
  };
  const auto plain = draw("");
  ASSERT_FALSE(plain.empty());
  EXPECT_LT(differing(plain, draw("--look cloth,weave")), 5) << "the defaults";

  ASSERT_EQ(muslin("list looks --json"), 0);
  std::map<std::string, std::vector<unsigned char>> pictures;
  for (const auto& row : nlohmann::json::parse(output())) {
    std::istringstream words(row["words"].get<std::string>());
    for (std::string word; std::getline(words >> std::ws, word, ',');)
      if (word.find('=') == std::string::npos && word != "cloth" && word != "weave")
        pictures[word] = draw("--look " + word);
  }
  for (const char* known : {"phong", "normals", "mirror", "bump", "displacement", "checks", "strain", "speed",
                            "bending", "contact", "wireframe", "structural", "shear", "bend", "ground"})
    EXPECT_TRUE(pictures.contains(known)) << known;
  for (const auto& [word, picture] : pictures) {
    EXPECT_GT(differing(plain, picture), 200) << word;
    for (const auto& [other, theirs] : pictures) {
      if (other >= word) break;  // each pair once
      EXPECT_GT(differing(picture, theirs), 100) << word << " and " << other;
    }
  }
  EXPECT_GT(differing(plain, draw("--look shadows=false")), 200);
  EXPECT_GT(differing(pictures["strain"], draw("--look strain,legend=false")), 50);
  EXPECT_GT(differing(pictures["strain"], draw("--look strain,heat_high=1000")), 200);
}

TEST_F(RenderCommandTest, WordsOfALookThatAreWrongAreNamed) {
  for (const auto& [look, words] :
       std::vector<std::pair<std::string, std::string>>{{"phnog", "did you mean phong?"},
                                                        {"wirefame", "did you mean wireframe?"},
                                                        {"zzzzzzz", "muslin list looks"},
                                                        {"difference", "unknown word"},
                                                        {"heat=difference", "unknown name"},
                                                        {"phong,mirror", "choose one"},
                                                        {"phong,shading=mirror", "choose one"},
                                                        {"heat_high", "heat_high=NUMBER"},
                                                        {"heat_high=high", "must be a number"},
                                                        {"heat_high=", "must be a number"},
                                                        {"legend=no", "true or false"},
                                                        {"heat_hihg=3", "did you mean heat_high?"},
                                                        {"strain,heat_low=2,heat_high=1", "less than"}}) {
    EXPECT_EQ(muslin("render scene.json --size 64x48 --out a.png --look " + look), 2) << look;
    EXPECT_TRUE(says(words)) << look << ": " << messages();
  }
  EXPECT_FALSE(exists("a.png"));
}

TEST_F(RenderCommandTest, ColoursOfAllFramesHaveOneScale) {
  // At first the cloth is at rest, at last it falls: were the scale measured in each, the legend would
  // change.
  write("fall.json",
        R"({"name": "fall", "frames": 10, "frame_time": 0.02, "cloths": [{"grid": {"points": [5, 5]}}]})");
  ASSERT_EQ(muslin("render fall.json --size 240x180 --out each --look speed"), 0) << messages();
  ASSERT_EQ(muslin("render fall.json --size 240x180 --out fixed --look speed,heat_low=0,heat_high=2"), 0)
      << messages();
  for (const char* picture :
       {"frame_0000.png", "frame_0005.png", "frame_0010.png"})  // v = 9.81 m/s² · 0.2 s < 2 m/s
    EXPECT_EQ(read(std::string("each/") + picture), read(std::string("fixed/") + picture)) << picture;
}

}  // namespace
