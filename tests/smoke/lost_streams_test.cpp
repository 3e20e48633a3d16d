// What becomes of a command whose messages or results nobody takes.
#include <nlohmann/json.hpp>

#include "smoke/command_folder.h"

namespace {

const char* const kScene = R"({
  "frames": 4, "frame_time": 0.01,
  "cloths": [{"grid": {"points": [4, 4], "size": [0.3, 0.3]}}]
})";

/// $muslin is the program, "frames" a folder that it filled.
class LostStreams : public CommandFolder {
 protected:
  LostStreams() : CommandFolder(kScene) {
    EXPECT_EQ(muslin("run scene.json --out frames -q"), 0) << text("messages.txt");
  }

  int run(const std::string& command) const {
    return shell(fmt::format("muslin='{}'; {}", MUSLIN_CLI, command));
  }

  /// That a run wrote the same four frames as the one whose messages were heard, and says so.
  void expect_whole(const std::string& folder) const {
    for (int frame = 0; frame <= 4; ++frame) {
      const std::string file = fmt::format("/frame_{:04d}.obj", frame);
      EXPECT_EQ(text(folder + file), text("frames" + file)) << folder;
    }
    EXPECT_EQ(nlohmann::json::parse(text(folder + "/run.json"))["outcome"], "finished");
  }
};

TEST_F(LostStreams, ARunGoesOnWithoutItsMessages) {
  EXPECT_EQ(run("$muslin run scene.json --out closed 2>&-"), 0);
  expect_whole("closed");
  EXPECT_EQ(run("$muslin run scene.json --out full 2>/dev/full"), 0);
  expect_whole("full");
  EXPECT_EQ(run("{ $muslin run scene.json --out unheard; echo $? >code.txt; } 2>&1 | true"), 0);
  EXPECT_EQ(text("code.txt"), "0\n");
  expect_whole("unheard");
  EXPECT_EQ(run("$muslin run scene.json --out none <&- >&- 2>&-"), 0);
  expect_whole("none");
}

// As on a disk that fills up: files may grow to 512 bytes, the log of so many frames is longer.
TEST_F(LostStreams, ARunGoesOnWhenItsLogFillsTheDisk) {
  EXPECT_EQ(run("ulimit -f 1; $muslin run scene.json --frames 20 2>messages.txt"), 0);
  EXPECT_EQ(text("messages.txt").size(), 512u);
  EXPECT_EQ(run("ulimit -f 1; $muslin run scene.json --frames 20 -q --log log.txt 2>messages.txt"), 0);
  EXPECT_EQ(text("log.txt").size(), 512u);
  EXPECT_EQ(text("messages.txt"),
            "warning: the log cannot be written any more: File too large; the run goes on without it\n");
}

TEST_F(LostStreams, LostResultsAreAnError) {
  for (const char* lost : {">/dev/full", ">&-"})
    for (const char* command : {"--help", "--version", "list scenes", "list fabrics --json", "schema",
                                "check scene.json", "check-frames frames", "check-frames frames --json",
                                "run scene.json --json", "run scene.json --json --out again --force"})
      EXPECT_EQ(run(fmt::format("$muslin {} 2>messages.txt {}", command, lost)), 5) << command << lost;
  EXPECT_NE(text("messages.txt").find("standard output"), std::string::npos) << text("messages.txt");
}

TEST_F(LostStreams, AReaderThatLeavesEndsTheCommandInSilence) {
  EXPECT_EQ(run("{ sleep 0.2; $muslin run scene.json --json; echo $? >code.txt; } 2>messages.txt | true"), 0);
  EXPECT_EQ(text("code.txt"), "5\n");
  EXPECT_EQ(text("messages.txt").find("standard output"), std::string::npos) << text("messages.txt");
}

// Nothing was to be printed, or nobody could be told what went wrong: the exit code still tells.
TEST_F(LostStreams, OtherExitCodesStay) {
  EXPECT_EQ(run("$muslin check missing.json >&- 2>&-"), 5);
  EXPECT_EQ(run("$muslin run --wrong >&- 2>&-"), 2);
  EXPECT_EQ(run("$muslin run scene.json --set frames=-1 >&- 2>/dev/full"), 3);
}

}  // namespace
