#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stb/stb_image.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace fs = std::filesystem;

namespace {

/// A pinned sheet without gravity beside a ball that moves 0.6 m in two frames.
const char* const kScene = R"({
  "name": "passing ball", "frames": 2, "frame_time": 0.1, "gravity": [0, 0, 0],
  "cloths": [{"grid": {"points": [5, 5]}, "pins": [{"grid": [[0, 0], [-1, 0], [0, -1], [-1, -1]]}]}],
  "colliders": [{"shape": "sphere", "center": [0.2, 0.6, 0.5], "radius": 0.2, "motion": {"keyframes": [
    {"time": 0}, {"time": 0.2, "offset": [0.6, 0, 0]}]}}]
})";

/// A folder of its own that goes with the test.
class RenderCommandTest : public testing::Test {
 protected:
  RenderCommandTest() {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "scene.json") << kScene;
  }
  ~RenderCommandTest() override { fs::remove_all(folder_); }

  /// Exit code of `muslin …` in the folder.
  int muslin(const std::string& arguments) const {
    const std::string command = fmt::format("cd '{}' && '{}' {} > /dev/null 2> messages.txt",
                                            folder_.string(), MUSLIN_CLI, arguments);
    return WEXITSTATUS(std::system(command.c_str()));
  }

  std::vector<unsigned char> pixels(const std::string& file, int width, int height) const {
    int w = 0, h = 0, channels = 0;
    unsigned char* data = stbi_load((folder_ / file).c_str(), &w, &h, &channels, 3);
    if (!data) return {};
    std::vector<unsigned char> copy(data, data + 3 * w * h);
    stbi_image_free(data);
    EXPECT_EQ(w, width) << file;
    EXPECT_EQ(h, height) << file;
    return copy;
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("muslin_render_{}", getpid());
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
  EXPECT_EQ(muslin("render scene.json --out pictures"), 2);
  EXPECT_EQ(muslin("render missing.json --out a.png"), 5);
  fs::create_directories(folder_ / "empty");
  EXPECT_EQ(muslin("render empty --out a.png"), 5);
  std::ofstream(folder_ / "empty" / "run.json") << "[1]";
  EXPECT_EQ(muslin("render empty --out a.png"), 3);
  EXPECT_FALSE(fs::exists(folder_ / "a.png"));
}

}  // namespace
