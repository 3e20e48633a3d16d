// What stands in the folder of a run: one run at a time, what was recorded, and nothing of anybody else's.
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "smoke/command_folder.h"

namespace fs = std::filesystem;

namespace {

const char* const kScene = R"({
  "frames": 3, "frame_time": 0.01,
  "cloths": [{"grid": {"points": [4, 4], "size": [0.3, 0.3]}}]
})";

class RunFolder : public CommandFolder {
 protected:
  RunFolder() : CommandFolder(kScene) {
    EXPECT_EQ(muslin("run scene.json --out frames -q"), 0) << text("messages.txt");
  }

  nlohmann::json record(const std::string& folder = "frames") const {
    return nlohmann::json::parse(text(folder + "/run.json"));
  }

  bool exists(const std::string& file) const { return fs::exists(folder_ / file); }

  void write(const std::string& file, const std::string& content) const {
    std::ofstream(folder_ / file) << content;
  }

  void expect_said(const std::string& words, const std::string& file = "messages.txt") const {
    EXPECT_NE(text(file).find(words), std::string::npos) << words << " is not said in:\n" << text(file);
  }

  /// A run of very many frames into a folder, once its first frame is there.
  pid_t start_long_run(const std::string& folder) const {
    const pid_t pid = ::fork();
    if (pid == 0) {
      if (::chdir(folder_.c_str()) != 0) _exit(1);
      ::execl(MUSLIN_CLI, "muslin", "run", "scene.json", "--frames", "1000000", "--out", folder.c_str(), "-q",
              "--force", nullptr);
      _exit(1);
    }
    for (int k = 0; k < 2000 && !exists(folder + "/frame_0001.obj"); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return pid;
  }

  static void end_by(int signal, pid_t pid) {
    ::kill(pid, signal);
    ::waitpid(pid, nullptr, 0);
  }
};

TEST_F(RunFolder, ASecondRunIsToldOfTheFirst) {
  const pid_t first = start_long_run("busy");
  ASSERT_TRUE(exists("busy/frame_0001.obj"));
  for (const char* force : {"", "--force"}) {
    EXPECT_EQ(muslin(fmt::format("run scene.json --out busy {}", force)), 5);
    expect_said(fmt::format("busy: another run is writing there: process {} since 20", first));
  }
  EXPECT_TRUE(exists("busy/frame_0001.obj"));
  end_by(SIGTERM, first);
  EXPECT_EQ(record("busy")["outcome"], "interrupted");
  EXPECT_FALSE(exists("busy/run.lock"));
  EXPECT_EQ(muslin("run scene.json --out busy --force -q"), 0) << text("messages.txt");
  EXPECT_EQ(muslin("check-frames busy"), 0) << text("output.txt");
  expect_said("frames              4 of 16 vertices", "output.txt");
}

// Its lock is no lock any more, its frames go, also those after its last record.
TEST_F(RunFolder, AKilledRunIsInNobodysWay) {
  end_by(SIGKILL, start_long_run("killed"));
  ASSERT_EQ(record("killed")["outcome"], "running");
  ASSERT_TRUE(exists("killed/frame_0001.obj") && exists("killed/run.lock"));
  EXPECT_EQ(muslin("run scene.json --out killed --frames 0 --force -q"), 0) << text("messages.txt");
  EXPECT_TRUE(exists("killed/frame_0000.obj"));
  EXPECT_FALSE(exists("killed/frame_0001.obj") || exists("killed/run.lock"));
}

TEST_F(RunFolder, ForceRemovesWhatWasRecordedAndNothingElse) {
  write("frames/frame_0007.obj", "mine");
  write("frames/notes.txt", "mine");
  write("frames/.muslin-1-0.tmp", "somebody's");
  EXPECT_EQ(muslin("run scene.json --out frames --frames 1 --force -q"), 0) << text("messages.txt");
  EXPECT_FALSE(exists("frames/frame_0002.obj") || exists("frames/frame_0003.obj"));
  EXPECT_EQ(text("frames/frame_0007.obj") + text("frames/notes.txt"), "minemine");
  EXPECT_TRUE(exists("frames/.muslin-1-0.tmp"));
  EXPECT_EQ(muslin("check-frames frames"), 0) << text("output.txt");
  expect_said("frames              2 of 16 vertices", "output.txt");
  expect_said("files               as the run wrote them", "output.txt");
}

// A run that comes to nothing leaves the earlier one as it was.
TEST_F(RunFolder, AnEarlierRunGoesWithTheFirstFrameOnly) {
  const std::string before = text("frames/run.json");
  EXPECT_EQ(muslin("run missing.json --out frames --force"), 5);
  EXPECT_EQ(muslin("run scene.json --set frames=-1 --out frames --force"), 3);
  EXPECT_EQ(
      shell(fmt::format("ulimit -f 48; '{}' run scene.json --set cloths/0/grid/points=[40,40] --out frames "
                        "--force 2>messages.txt",
                        MUSLIN_CLI)),
      5);
  expect_said("frame_0000.obj: cannot be written: File too large");
  EXPECT_EQ(text("frames/run.json"), before);
  EXPECT_EQ(muslin("check-frames frames"), 0) << text("output.txt");
}

TEST_F(RunFolder, NamesInARecordLeadNowhereElse) {
  auto json = record();
  json["frames"][1]["sha256"] = {{"../scene.json", "0"}, {"notes.txt", "0"}, {"frame_0001.obj", "0"}};
  write("frames/run.json", json.dump());
  write("frames/notes.txt", "mine");
  EXPECT_EQ(muslin("run scene.json --out frames --force -q"), 0) << text("messages.txt");
  EXPECT_TRUE(exists("scene.json") && exists("frames/notes.txt"));
}

// By the sums that another program makes of the files.
TEST_F(RunFolder, TheRecordHoldsTheSumsOfTheFrames) {
  EXPECT_EQ(muslin("run scene.json --format obj,ply --out both -q"), 0);
  ASSERT_EQ(shell("cd both && sha256sum frame_* > ../sums.txt"), 0);
  std::istringstream lines(text("sums.txt"));
  int count = 0;
  std::string sum, name;
  for (const auto json = record("both"); lines >> sum >> name; ++count) {
    const int frame = std::stoi(name.substr(6, 4));
    EXPECT_EQ(json["frames"][frame]["sha256"][name], sum);
  }
  EXPECT_EQ(count, 8);
}

TEST_F(RunFolder, ChangedFramesAreNamed) {
  for (const char* frame : {"frames/frame_0001.obj", "frames/frame_0003.obj"})
    write(frame, text(frame) + "# touched\n");
  EXPECT_EQ(muslin("check-frames frames"), 3);
  expect_said(
      "files               2 of the frames differ from what the run wrote: frame_0001.obj, frame_0003.obj",
      "output.txt");
  EXPECT_EQ(muslin("check-frames frames -q"), 3);
  EXPECT_EQ(muslin("check-frames frames --json"), 3);
  const std::string lines = text("output.txt");
  const auto verdict = nlohmann::json::parse(lines.substr(lines.rfind('\n', lines.size() - 2) + 1));
  EXPECT_EQ(verdict["changed_files"], (nlohmann::json{"frame_0001.obj", "frame_0003.obj"}));
}

}  // namespace
