#include <cstdlib>

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

}  // namespace
