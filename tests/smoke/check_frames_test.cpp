// `muslin check-frames` on runs of its own program and on frames that were tampered with by hand.
#include <nlohmann/json.hpp>

#include "muslin/io/mesh_reader.h"
#include "smoke/command_folder.h"

namespace fs = std::filesystem;

namespace {

/// Two sheets of 4 × 4 vertices, one 2 cm above the other, fall beside a ball.
const char* const kScene = R"({
  "frames": 3, "frame_time": 0.01,
  "cloths": [{"name": "lower", "grid": {"points": [4, 4], "size": [0.3, 0.3]}},
             {"name": "upper", "grid": {"points": [4, 4], "size": [0.3, 0.3], "origin": [0.01, 0.02, 0.02]}}],
  "colliders": [{"name": "ball", "center": [2, 0, 0], "radius": 0.1}]
})";

/// The folder holds the run "frames", too.
class CheckFramesTest : public CommandFolder {
 protected:
  CheckFramesTest() : CommandFolder(kScene) {
    EXPECT_EQ(muslin("run scene.json --out frames -q"), 0) << text("messages.txt");
  }

  /// Moves vertices first … last-1 of a frame [m].
  void shift(int frame, int first, int last, double x, double y) const {
    const std::string file = fmt::format("frames/frame_{:04d}.obj", frame);
    std::istringstream lines(text(file));
    std::ofstream out(folder_ / file);
    int vertex = 0;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string kind;
      muslin::Vec3 p;
      words >> kind >> p.x() >> p.y() >> p.z();
      const bool moved = kind == "v" && vertex >= first && vertex < last;
      vertex += kind == "v";
      out << (moved ? fmt::format("v {} {} {}", p.x() + x, p.y() + y, p.z()) : line) << "\n";
    }
  }

  /// What --json printed.
  std::vector<nlohmann::json> lines() const {
    std::istringstream output(text("output.txt"));
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(output, line);) lines.push_back(nlohmann::json::parse(line));
    return lines;
  }

  void expect_said(const std::string& words, const std::string& file = "output.txt") const {
    EXPECT_NE(text(file).find(words), std::string::npos) << words << " is not said in:\n" << text(file);
  }
};

// A ball that is pressed into the floor through a sheet: it stops above, the script goes on.
TEST_F(CheckFramesTest, CollidersThatWereHeldUpAreNotJudgedWhereTheyAreNot) {
  std::ofstream(folder_ / "squeeze.json") << R"({
    "frames": 8,
    "cloths": [{"grid": {"points": [9, 9], "size": [0.4, 0.4], "origin": [-0.2, 0.01, -0.2]}}],
    "self_collision": {"enabled": true, "distance": 0.009},
    "colliders": [{"name": "floor", "shape": "plane"},
                  {"name": "ball", "center": [0, 0.23, 0], "radius": 0.2,
                   "motion": {"keyframes": [{"time": 0}, {"time": 0.12, "offset": [0, -0.08, 0]}]}}]})";
  ASSERT_EQ(muslin("run squeeze.json --out squeezed -q"), 0) << text("messages.txt");
  EXPECT_EQ(muslin("check-frames squeezed"), 0) << text("output.txt");
  expect_said("moving colliders    not judged in ");
  expect_said("last 8: the run held them up");
  EXPECT_EQ(muslin("check-frames squeezed --json"), 0);
  const auto json = lines().back();
  EXPECT_GT(json["blocked"].size(), 1u);
}

TEST_F(CheckFramesTest, ACleanRunPasses) {
  EXPECT_EQ(muslin("check-frames frames --obj bad.obj"), 0) << text("output.txt");
  expect_said("frames              4 of 32 vertices, 36 triangles");
  expect_said("intersecting pairs  none");
  expect_said("least gap           above 0.64 mm");
  expect_said("inside colliders    none");
  expect_said("layer order         kept");
  EXPECT_FALSE(fs::exists(folder_ / "bad.obj")) << "there is nothing to show";
  EXPECT_EQ(muslin("check-frames frames -q --within 0.03"), 0);
  EXPECT_EQ(text("output.txt") + text("messages.txt"), "");
  EXPECT_EQ(muslin("check-frames frames --within 0.03"), 0);
  expect_said("20 mm in frame ");  // both fall alike
}

TEST_F(CheckFramesTest, IntersectionsAreNamed) {
  shift(2, 16, 17, 0.05, -0.03);  // a corner of the upper sheet, vertex 16, is below the lower one
  EXPECT_EQ(muslin("check-frames frames -v --obj bad.obj"), 1);
  expect_said("first in frame 2: triangle 0 (vertices ");
  expect_said("of \"lower\" and triangle 18 (vertices 16, ");
  expect_said("in 1 frame; first");
  const muslin::Mesh bad = muslin::read_mesh((folder_ / "bad.obj").string());
  EXPECT_GE(bad.triangles.size(), 2u);
  EXPECT_NEAR(bad.positions.row(1).maxCoeff() - bad.positions.row(1).minCoeff(), 0.03, 1e-9);
  EXPECT_EQ(muslin("check-frames frames --obj bad.obj"), 5) << "it exists already";
  expect_said("bad.obj", "messages.txt");

  EXPECT_EQ(muslin("check-frames frames --json -q"), 1);
  const auto json = lines().back();
  EXPECT_FALSE(json["clean"]);
  EXPECT_EQ(json["intersecting_pairs"]["first"]["frame"], 2);
  EXPECT_EQ(json["intersecting_pairs"]["first"]["triangles"][0], 0);
  ASSERT_EQ(lines().size(), 5u) << "a line a frame before the verdict";
  EXPECT_EQ(lines()[2]["intersecting_pairs"], json["intersecting_pairs"]["total"]);
  EXPECT_EQ(lines()[3]["frame"], 3);
  EXPECT_EQ(lines()[3]["intersecting_pairs"], 0);
}

TEST_F(CheckFramesTest, LayersThatPassBetweenFramesAreNamed) {
  for (const int frame : {2, 3}) shift(frame, 16, 32, 0, -0.05);  // all of the upper sheet
  EXPECT_EQ(muslin("check-frames frames"), 1);
  expect_said("intersecting pairs  none");
  expect_said("first between frames 1 and 2: vertex ");
  expect_said("layer order         crossed: ");
}

TEST_F(CheckFramesTest, LayersThatAreInOrderAtTheEndAreANote) {
  shift(2, 16, 32, 0, -0.05);  // all of the upper sheet, and back again
  EXPECT_EQ(muslin("check-frames frames --json"), 3) << "the file is no longer the run's";
  EXPECT_EQ(lines().back()["layer_crossings"]["total"], 0);
  EXPECT_GT(lines().back()["layer_crossings"]["doubted"], 0);
  EXPECT_EQ(lines().back()["clean"], true);
  EXPECT_EQ(muslin("check-frames frames"), 3);
  expect_said("layer order         kept");
  expect_said("no passage here");
}

// A ball between four vertices of the lower sheet, and a board that all of the upper one falls through.
TEST_F(CheckFramesTest, CollidersThatCutAndThatArePassedAreNamed) {
  const std::string bodies =
      R"( --set 'colliders/0/center=[0.05,-0.008,0.05]' --set colliders/0/radius=0.01 --set colliders/0/enabled=true)";
  EXPECT_EQ(muslin("run scene.json --set solver/family=newton --out cut -q" + bodies), 0);
  EXPECT_EQ(muslin("check-frames cut --obj cut.obj"), 1);
  expect_said("inside colliders    none");
  expect_said("between vertices; first in frame ");
  expect_said("mm inside \"ball\" at (0.05, ");
  expect_said("o cut\n", "cut.obj");
  expect_said("# triangle 0 (vertices 0, 1, 5) of \"lower\"\nf 1 2 3\n", "cut.obj");
  EXPECT_EQ(muslin("check-frames cut --json"), 1);
  auto json = lines().back();
  EXPECT_EQ(json["cut_by_colliders"]["deepest"]["collider"], "ball");
  EXPECT_LT(json["cut_by_colliders"]["deepest"]["depth"], 0.02);

  const std::string board =
      R"( --set colliders/0/shape='"box"' --set 'colliders/0/size=[1,0.001,1]' --set 'colliders/0/center=[0,0.01,0]')";
  EXPECT_EQ(muslin("run scene.json --set solver/family=newton --set frame_time=0.1 --out fallen -q" + board),
            0);
  EXPECT_EQ(muslin("check-frames fallen"), 1);
  expect_said("16 in 1 frame; first between frames 0 and 1: vertex 16 of \"upper\" and \"ball\"");
  EXPECT_EQ(muslin("check-frames fallen --json"), 1);
  json = lines().back();
  EXPECT_EQ(json["through_colliders"]["total"], 16);
}

TEST_F(CheckFramesTest, RunsThatDidNotEndAreSaidToBeSo) {
  auto run = nlohmann::json::parse(text("frames/run.json"));
  run["outcome"] = "interrupted";
  run["scene"]["frames"] = 30;
  std::ofstream(folder_ / "frames/run.json") << run;
  EXPECT_EQ(muslin("check-frames frames"), 0);
  expect_said("left out            the run was interrupted: 4 of its 31 frames are there");
  EXPECT_EQ(muslin("check-frames frames --json"), 0);
  const auto json = lines().back();
  EXPECT_EQ(json["outcome"], "interrupted");
  EXPECT_EQ(json["frames_wanted"], 31);
}

TEST_F(CheckFramesTest, VerticesInsideCollidersAreNamed) {
  shift(1, 1, 3, 1.95, 0);  // vertices 1 and 2 of the lower sheet, to x = 2.05 and 2.15
  EXPECT_EQ(muslin("check-frames frames"), 1);
  expect_said("first in frame 1: vertex 1 of \"lower\", ");
  expect_said("mm inside \"ball\"; deepest in frame 1: vertex 1");
}

TEST_F(CheckFramesTest, FramesThatAreMissingOrMixedAreRefused) {
  fs::remove(folder_ / "frames/frame_0002.obj");
  EXPECT_EQ(muslin("check-frames frames"), 5);
  expect_said("frames: must hold frames 0 to 3, frame 2 is missing", "messages.txt");

  std::ofstream(folder_ / "frames/frame_0002.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  EXPECT_EQ(muslin("check-frames frames"), 3);
  expect_said("frame_0002.obj: must have the 32 vertices of the scene in run.json, got 3", "messages.txt");

  EXPECT_EQ(muslin("run scene.json --set cloths/0/grid/diagonals=forward --out other -q"), 0);
  fs::copy_file(folder_ / "other/frame_0002.obj", folder_ / "frames/frame_0002.obj",
                fs::copy_options::overwrite_existing);
  EXPECT_EQ(muslin("check-frames frames"), 3);
  expect_said("frame_0002.obj: must have the faces of the scene in run.json", "messages.txt");

  fs::remove(folder_ / "frames/run.json");
  EXPECT_EQ(muslin("check-frames frames"), 5);
  expect_said("run.json", "messages.txt");
  EXPECT_EQ(muslin("check-frames nowhere"), 5);
  expect_said("nowhere", "messages.txt");
}

TEST_F(CheckFramesTest, AStartThatIntersectsStopsARunWithSelfCollision) {
  const std::string pierced = "--set cloths/1/grid/v=[0,1,0] --set cloths/1/grid/origin=[0.01,-0.15,0.17]";
  EXPECT_EQ(muslin("run scene.json --out second -q " + pierced), 0);
  expect_said("warning: the start has pairs of triangles that intersect (", "messages.txt");
  const auto run = nlohmann::json::parse(text("second/run.json"));
  EXPECT_NE(run["warnings"].dump().find("that intersect"), std::string::npos);
  const std::string stopped = pierced + " --set self_collision/enabled=true";
  EXPECT_EQ(muslin("run scene.json --out third " + stopped), 3);
  expect_said("self_collision: cannot keep apart what intersects already", "messages.txt");
  EXPECT_FALSE(fs::exists(folder_ / "third"));
  EXPECT_EQ(muslin("check scene.json --obj places.obj " + stopped), 3);
  expect_said("  triangle 8 (vertices", "messages.txt");
  expect_said("o intersecting", "places.obj");

  expect_said(" more (-v names them)", "messages.txt");
  EXPECT_EQ(muslin("check scene.json -v " + stopped), 3);
  const std::string all = text("messages.txt");
  EXPECT_EQ(all.find(" more (-v"), std::string::npos);
  int count = 0, named = 0;  // of both kinds, on borders and elsewhere
  const std::string head = "warning: the start has pairs of triangles ";
  for (size_t at = all.find(head); at != std::string::npos; at = all.find(head, at + 1))
    count += std::stoi(all.substr(all.find('(', at) + 1));
  for (size_t at = all.find("\n  triangle "); at != std::string::npos; at = all.find("\n  triangle ", at + 1))
    ++named;
  EXPECT_GT(count, 5) << all;
  EXPECT_EQ(named, count) << all;
}

TEST_F(CheckFramesTest, AStartThatIntersectsIsRepaired) {
  const std::string pierced =
      "--set cloths/1/grid/v=[0,1,0] --set cloths/1/grid/origin=[0.01,-0.15,0.17] "
      "--set self_collision/enabled=true ";
  EXPECT_EQ(muslin("check scene.json " + pierced), 3);
  EXPECT_EQ(muslin("check scene.json --repair --out start.obj " + pierced), 0) << text("messages.txt");
  expect_said("repair of the start: ");
  expect_said(" pairs of triangles intersected; cloth was drawn apart in ");
  expect_said("; none does now; ");
  EXPECT_EQ(text("messages.txt").find("that intersect"), std::string::npos) << text("messages.txt");
  EXPECT_EQ(muslin("check start.obj --repair"), 0);
  expect_said("the start needs no repair");
  EXPECT_EQ(muslin("check scene.json --repair --out start.obj " + pierced), 5) << "it exists already";

  EXPECT_EQ(muslin("run scene.json --repair --out repaired -q " + pierced), 0) << text("messages.txt");
  expect_said("warning: repair of the start: ", "messages.txt");
  EXPECT_EQ(text("repaired/frame_0000.obj"), text("start.obj"));

  std::string held;  // where nothing can move, nothing can be repaired, and a run goes on
  for (const char* cloth : {"0", "1"})
    held += fmt::format("--set 'cloths/{}/pins=[{{\"vertices\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]}}]' ",
                        cloth);
  EXPECT_EQ(muslin("check scene.json --repair " + pierced + held), 3);
  expect_said("11 of 11 intersecting pairs of triangles could not be drawn apart", "messages.txt");
  EXPECT_EQ(muslin("run scene.json --repair " + pierced + held), 0);
  EXPECT_EQ(muslin("check scene.json --out other.obj"), 2) << "--out needs --repair";
}

}  // namespace
