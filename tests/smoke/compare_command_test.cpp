#include "smoke/command_folder.h"

namespace fs = std::filesystem;

namespace {

const char* const kScene = R"({
  "name": "napkin", "frames": 3,
  "cloths": [{"grid": {"points": [6, 5], "size": [0.3, 0.2]}, "pins": [{"grid": [[0, 0], [-1, 0]]}]}]
})";

class CompareCommandTest : public CommandFolder {
 protected:
  CompareCommandTest() : CommandFolder(kScene) {}
};

TEST_F(CompareCommandTest, WritesPageAndTables) {
  ASSERT_EQ(muslin("compare scene.json --solvers xpbd,chebyshev --out trial"), 0) << text("messages.txt");
  for (const char* file : {"index.html", "compare.csv", "iterations.csv", "compare.json"})
    EXPECT_GT(fs::file_size(folder_ / "trial" / file), 100u) << file;
  EXPECT_FALSE(fs::exists(folder_ / "trial" / "sweep.csv"));
  EXPECT_NE(text("messages.txt").find("3/3"), std::string::npos) << "progress";
  EXPECT_TRUE(text("output.txt").empty());

  ASSERT_EQ(muslin("compare scene.json --solvers pbd --sweep iterations=1,3 --sweep dt=0.01 --frames 2 --out "
                   "swept -q --json"),
            0)
      << text("messages.txt");
  EXPECT_TRUE(text("messages.txt").find("2/2") == std::string::npos) << "quiet";
  EXPECT_EQ(text("output.txt"), text("swept/compare.json"));
  EXPECT_NE(text("swept/sweep.csv").find("\niterations,3,0.016666666666666666,1,30,pbd,1,"),
            std::string::npos);
}

TEST_F(CompareCommandTest, SweepsOverSubstepsAreSweepsOverTheirLengths) {
  const std::string rest = " --solvers xpbd --frames 2 -q --out ";
  ASSERT_EQ(muslin("compare scene.json --sweep substeps=1,2" + rest + "counts"), 0) << text("messages.txt");
  ASSERT_EQ(
      muslin("compare scene.json --sweep dt=0.016666666666666666,0.008333333333333333" + rest + "lengths"), 0)
      << text("messages.txt");
  // Line by line but for the last column, wall time.
  std::istringstream counts(text("counts/sweep.csv")), lengths(text("lengths/sweep.csv"));
  int lines = 0;
  for (std::string a, b; std::getline(counts, a) && std::getline(lengths, b); ++lines)
    EXPECT_EQ(a.substr(0, a.rfind(',')), b.substr(0, b.rfind(',')));
  EXPECT_EQ(lines, 1 + 2 * 2) << "a head; the reference and a solver at each";
  EXPECT_NE(text("counts/sweep.csv").find(",strain_p99,strain_max,ms\n"), std::string::npos);
}

TEST_F(CompareCommandTest, ReplacesOnlyWhenForced) {
  ASSERT_EQ(muslin("compare scene.json --solvers pbd --frames 1 --sweep iterations=2 --out trial"), 0);
  const std::string before = text("trial/compare.csv");
  EXPECT_EQ(muslin("compare scene.json --solvers xpbd --frames 1 --out trial"), 5);
  EXPECT_NE(text("messages.txt").find("--force"), std::string::npos) << text("messages.txt");
  EXPECT_EQ(text("trial/compare.csv"), before);
  std::ofstream(folder_ / "trial" / "notes.txt") << "mine";
  EXPECT_EQ(muslin("compare scene.json --solvers xpbd --frames 1 --out trial --force"), 0);
  EXPECT_NE(text("trial/compare.csv").find("\nxpbd,1,"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "trial" / "sweep.csv")) << "of the earlier comparison";
  EXPECT_EQ(text("trial/notes.txt"), "mine");
}

TEST_F(CompareCommandTest, MistakesEndWithTheirExitCode) {
  EXPECT_EQ(muslin("compare scene.json --solvers chebychev --out trial"), 2);
  EXPECT_NE(text("messages.txt").find("did you mean 'chebyshev'?"), std::string::npos)
      << text("messages.txt");
  EXPECT_EQ(muslin("compare scene.json"), 2) << "no folder";
  EXPECT_EQ(muslin("compare scene.json --out trial --frames 0"), 2);
  for (const char* sweep : {"iterations", "steps=3", "iterations=2.5", "dt=0", "dt=", "dt=0.1x",
                            "iterations=-3", "resolution=0", "iterations=2@dt", "substeps=1.5"})
    EXPECT_EQ(muslin(fmt::format("compare scene.json --out trial --sweep {}", sweep)), 2) << sweep;
  EXPECT_EQ(muslin("compare scene.json --solvers pbd --out trial --trace 9"), 3) << "no such frame";
  EXPECT_EQ(muslin("compare scene.json --solvers pbd --out trial --sweep dt=1e-9"), 3) << "too many steps";
  EXPECT_EQ(muslin("compare missing.json --out trial"), 5);
  EXPECT_EQ(muslin("compare scene.json --out trial --set cloths/0/fabric/density=-1"), 3);
  EXPECT_FALSE(fs::exists(folder_ / "trial")) << "nothing is made before the input is known to be good";
  EXPECT_EQ(muslin("compare scene.json --solvers explicit --substeps 1 --frames 60 --out trial"), 4);
  EXPECT_TRUE(fs::exists(folder_ / "trial" / "index.html")) << "a divergence is a result";
}

TEST_F(CompareCommandTest, DrawsWorkAndPrecision) {
  const std::string command = "compare scene.json --work-precision --steps 2,1 --solvers newton,xpbd --out ";
  ASSERT_EQ(muslin(command + "work --integrators euler,bdf2"), 0) << text("messages.txt");
  for (const char* file : {"index.html", "work_precision.csv", "work_precision.json"})
    EXPECT_GT(fs::file_size(folder_ / "work" / file), 100u) << file;
  for (const char* words :
       {"reference: quasi_newton", "newton_euler", "newton_bdf2", "xpbd_euler", "mm at 3"})
    EXPECT_NE(text("output.txt").find(words), std::string::npos) << words;
  EXPECT_NE(text("messages.txt").find("newton_bdf2, 2 steps: "), std::string::npos) << "progress";
  EXPECT_NE(text("work/work_precision.csv").find("\nnewton,bdf2,2,0,3,"), std::string::npos);
  EXPECT_EQ(muslin(command + "work -q"), 5) << "only when forced";
  EXPECT_EQ(muslin(command + "work -q --force --json"), 0);
  EXPECT_EQ(text("output.txt"), text("work/work_precision.json"));

  EXPECT_EQ(muslin("compare scene.json --steps 1,2 --out other"), 2) << "of the diagram alone";
  EXPECT_EQ(muslin(command + "other --sweep iterations=2"), 2);
  EXPECT_EQ(muslin(command + "other --integrators rk4"), 2);
  EXPECT_EQ(muslin("compare scene.json --work-precision --steps 0 --out other"), 2);
  EXPECT_EQ(muslin(command + "other --longest nan"), 2);
  EXPECT_FALSE(fs::exists(folder_ / "other"));
}

TEST_F(CompareCommandTest, RunTakesTheNamesOfMethods) {
  EXPECT_EQ(muslin("run scene.json --frames 1 --solver pbd --out run"), 0) << text("messages.txt");
  EXPECT_NE(text("run/run.json").find("\"method\": \"pbd\""), std::string::npos);
  EXPECT_EQ(muslin("run scene.json --frames 1 --solver position"), 0);
  EXPECT_EQ(muslin("run scene.json --frames 1 --solver xpdb"), 2);
  EXPECT_NE(text("messages.txt").find("'xpbd'"), std::string::npos) << text("messages.txt");
}

}  // namespace
