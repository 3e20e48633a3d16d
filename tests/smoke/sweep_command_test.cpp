#include <signal.h>

#include <chrono>
#include <thread>

#include "command_folder.h"

namespace {

constexpr const char* kScene = R"({"frames": 3, "cloths": [{"grid": {"points": [4, 4], "size": [1, 1]},
                                   "fabric": "cotton"}]})";

class SweepCommandTest : public CommandFolder {
 protected:
  SweepCommandTest() : CommandFolder(kScene) {
    std::ofstream(folder_ / "plan.json") << R"({"scene": "scene.json", "checkpoint": 1, "axes": [
        {"set": "cloths/0/fabric/density", "values": [0.1, 0.2, -1]}], "figures": ["hash", "kinetic_energy"]})";
  }
};

TEST_F(SweepCommandTest, RunsWhatIsNotDoneByLinesOrAll) {
  ASSERT_EQ(muslin("sweep plan.json --out trial"), 0) << text("messages.txt");
  ASSERT_EQ(muslin("sweep run trial --index 1"), 0) << text("messages.txt");
  ASSERT_EQ(muslin("sweep status trial"), 0);
  EXPECT_EQ(text("output.txt"), "done 1, failed 0, running 0, left 2\n");
  ASSERT_EQ(muslin("sweep run trial --jobs 2"), 0) << text("messages.txt");
  ASSERT_EQ(muslin("sweep table trial"), 0);
  const std::string table = text("output.txt");
  EXPECT_EQ(
      table.find("line,cloths/0/fabric/density,outcome,hash,kinetic_energy,muslin,key\n0,0.1,finished,"), 0u)
      << table;
  EXPECT_NE(table.find("\n2,-1,invalid,,,"), std::string::npos) << table;

  ASSERT_EQ(muslin("sweep plan.json --out again"), 0);
  ASSERT_EQ(muslin("sweep run again --cache cache"), 0);
  ASSERT_EQ(muslin("sweep table again"), 0);
  EXPECT_EQ(text("output.txt"), table);
  EXPECT_EQ(muslin("sweep plan.json --out trial"), 5) << "it holds a sweep";
}

// A run that was killed, of a plan without saved states, begins anew: what it left says "running".
TEST_F(SweepCommandTest, ARunThatWasCutOffIsNoResult) {
  std::ofstream(folder_ / "plan.json") << R"({"scene": "scene.json", "axes": [
        {"set": "cloths/0/fabric/density", "values": [0.1, 0.2]}], "figures": ["hash"]})";
  ASSERT_EQ(muslin("sweep plan.json --out trial"), 0) << text("messages.txt");
  ASSERT_EQ(muslin("sweep run trial"), 0) << text("messages.txt");
  ASSERT_EQ(muslin("sweep table trial"), 0);
  const std::string table = text("output.txt"), first = table.substr(0, table.find("\n1,"));
  std::filesystem::remove(folder_ / "trial/results/000000.json");
  std::filesystem::create_directories(folder_ / "trial/runs/000000");
  std::ofstream(folder_ / "trial/runs/000000/key") << first.substr(first.rfind(',') + 1);
  std::ofstream(folder_ / "trial/runs/000000/run.json")
      << R"({"muslin": "0.1.0", "outcome": "running", "frames": []})";
  ASSERT_EQ(muslin("sweep run trial"), 0) << text("messages.txt");
  ASSERT_EQ(muslin("sweep table trial"), 0);
  EXPECT_EQ(text("output.txt"), table);
}

TEST_F(SweepCommandTest, WritesAPage) {
  std::ofstream(folder_ / "plan.json") << R"({"scene": "scene.json", "name": "a < b", "axes": [
        {"set": "cloths/0/fabric/density", "values": [0.1, 0.2]}], "figures": ["max strain_max", "ms"]})";
  ASSERT_EQ(muslin("sweep plan.json --out trial"), 0) << text("messages.txt");
  ASSERT_EQ(muslin("sweep page trial --out early.html"), 0) << text("messages.txt");
  ASSERT_EQ(muslin("sweep run trial"), 0) << text("messages.txt");
  ASSERT_EQ(muslin("sweep page trial"), 0) << text("messages.txt");
  const std::string page = text("trial/index.html");
  EXPECT_NE(page.find("<h1>a &lt; b</h1>"), std::string::npos);
  EXPECT_NE(page.find(R"("name":"max strain_max","doc":"max of all frames)"), std::string::npos);
  EXPECT_EQ(page.find("{{"), std::string::npos) << "every place is filled";
  EXPECT_EQ(page.find("src=\"http"), std::string::npos);
}

#ifdef __linux__
/// Programs that have a word with `part` among their arguments.
int count_programs(const std::string& part) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ostringstream words;
    words << std::ifstream(entry.path() / "cmdline").rdbuf();
    count += words.str().find(part) != std::string::npos;
  }
  return count;
}

TEST_F(SweepCommandTest, AKilledPoolLeavesNoRunBehind) {
  std::ofstream(folder_ / "plan.json") << R"({"scene": "scene.json", "frames": 1000000, "axes": [
        {"set": "cloths/0/fabric/density", "values": [0.1, 0.2, 0.3]}]})";
  const std::string pool = (folder_ / "pool").string(), runs = pool + "/runs/";
  ASSERT_EQ(muslin("sweep plan.json --out " + pool), 0) << text("messages.txt");
  const auto wait_for = [&](int runs_left) {
    for (int k = 0; k < 3000 && count_programs(runs) != runs_left; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return count_programs(runs);
  };
  const pid_t worker = ::fork();
  if (worker == 0) {
    ::execl(MUSLIN_CLI, "muslin", "sweep", "run", pool.c_str(), "--jobs", "2", nullptr);
    _exit(1);
  }
  ASSERT_EQ(wait_for(2), 2);
  ::kill(worker, SIGKILL);
  ::waitpid(worker, nullptr, 0);
  EXPECT_EQ(wait_for(0), 0) << "runs without a pool";
  ASSERT_EQ(muslin("sweep status pool"), 0);
  EXPECT_EQ(text("output.txt"), "done 0, failed 0, running 0, left 3\n");
}
#endif

// The key of a result says what ran, so that nothing else may run under it.
TEST_F(SweepCommandTest, RefusesASceneThatHasChanged) {
  ASSERT_EQ(muslin("sweep plan.json --out trial"), 0) << text("messages.txt");
  std::ofstream(folder_ / "scene.json")
      << R"({"frames": 2, "cloths": [{"grid": {"points": [4, 4], "size": [1, 1]}}]})";
  EXPECT_EQ(muslin("sweep run trial"), 3);
  EXPECT_NE(text("messages.txt").find("has changed since the sweep was made"), std::string::npos);
}

// What cannot be claimed is said, not taken for the work of others.
TEST_F(SweepCommandTest, SaysThatItsFolderCannotBeWritten) {
  ASSERT_EQ(muslin("sweep plan.json --out trial"), 0) << text("messages.txt");
  std::filesystem::remove_all(folder_ / "trial/claims");
  std::ofstream(folder_ / "trial/claims") << "no folder";
  EXPECT_EQ(muslin("sweep run trial"), 5) << text("messages.txt");
  ASSERT_EQ(muslin("sweep status trial"), 0);
  EXPECT_EQ(text("output.txt"), "done 0, failed 0, running 0, left 3\n");
}

TEST_F(SweepCommandTest, PrintsWhatItWouldSubmit) {
  ASSERT_EQ(muslin("sweep plan.json --out trial"), 0);
  ASSERT_EQ(muslin("sweep submit trial --slurm --chunk 2 --time 00:05:00 --dry-run"), 0)
      << text("messages.txt");
  EXPECT_NE(text("output.txt").find("#SBATCH --array=0-1\n#SBATCH --time=00:05:00\n"), std::string::npos);
  ASSERT_EQ(muslin("sweep submit trial --parallel --dry-run"), 0) << text("messages.txt");
  const std::string command = text("output.txt");
  EXPECT_EQ(command.find("seq 0 2 | MUSLIN_SWEEP="), 0u) << command;
  EXPECT_NE(command.find(" parallel --jobs 1 --retries 3 'eval \"$MUSLIN_SWEEP {}\"'\n"), std::string::npos)
      << command;
  EXPECT_EQ(muslin("sweep submit trial"), 2);
}

}  // namespace
