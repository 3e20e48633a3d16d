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

TEST_F(SweepCommandTest, PrintsWhatItWouldSubmit) {
  ASSERT_EQ(muslin("sweep plan.json --out trial"), 0);
  ASSERT_EQ(muslin("sweep submit trial --slurm --chunk 2 --time 00:05:00 --dry-run"), 0)
      << text("messages.txt");
  EXPECT_NE(text("output.txt").find("#SBATCH --array=0-1\n#SBATCH --time=00:05:00\n"), std::string::npos);
  ASSERT_EQ(muslin("sweep submit trial --parallel --dry-run"), 0) << text("messages.txt");
  EXPECT_EQ(text("output.txt").find("seq 0 2 | parallel --jobs 1 --retries 3 "), 0u);
  EXPECT_EQ(muslin("sweep submit trial"), 2);
}

}  // namespace
