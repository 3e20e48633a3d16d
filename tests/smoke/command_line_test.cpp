// What the program answers to those who do not know it yet.
#include <fcntl.h>
#include <pty.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "smoke/command_folder.h"

namespace {

const char* const kScene = R"({
  "frames": 2, "frame_time": 0.01,
  "cloths": [{"grid": {"points": [4, 4], "size": [0.3, 0.3]}}]
})";

class CommandLine : public CommandFolder {
 protected:
  CommandLine() : CommandFolder(kScene) {}

  void expect_said(const std::string& words, const std::string& file = "messages.txt") const {
    EXPECT_NE(text(file).find(words), std::string::npos) << words << " is not said in:\n" << text(file);
  }

  /// All that a command says on a terminal of `width` columns, in lines.
  std::vector<std::string> on_terminal(int width, const std::string& arguments) const {
    int master = -1;
    winsize size{};
    size.ws_col = static_cast<unsigned short>(width);
    const pid_t pid = ::forkpty(&master, nullptr, nullptr, &size);
    if (pid == 0) {
      const std::string command =
          fmt::format("cd '{}' && unset COLUMNS && exec '{}' {}", folder_.string(), MUSLIN_CLI, arguments);
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(1);
    }
    std::string all;
    char piece[4096];
    for (ssize_t count; (count = ::read(master, piece, sizeof piece)) > 0;)
      all.append(piece, static_cast<size_t>(count));
    ::waitpid(pid, nullptr, 0);
    ::close(master);
    std::vector<std::string> lines;
    std::istringstream in(all);
    for (std::string line; std::getline(in, line);) {
      while (line.ends_with('\r')) line.pop_back();
      lines.push_back(line);
    }
    return lines;
  }

  /// What the last command printed with --json.
  std::vector<nlohmann::json> lines() const {
    std::istringstream output(text("output.txt"));
    std::vector<nlohmann::json> said;
    for (std::string line; std::getline(output, line);) said.push_back(nlohmann::json::parse(line));
    return said;
  }
};

size_t longest(const std::vector<std::string>& lines) {
  size_t most = 0;
  for (const std::string& line : lines) most = std::max(most, line.size());
  return most;
}

TEST_F(CommandLine, HelpComesUnasked) {
  EXPECT_EQ(muslin(""), 0);
  expect_said("muslin run hang --out hang", "output.txt");
  expect_said("muslin help has all commands", "output.txt");
  EXPECT_EQ(muslin("--help"), 0);
  expect_said("muslin run sphere_drape --out drape", "output.txt");
  const std::string help = text("output.txt");
  EXPECT_EQ(muslin("help"), 0);
  EXPECT_EQ(text("output.txt"), help);
  EXPECT_EQ(muslin("run --help"), 0);
  const std::string of_run = text("output.txt");
  EXPECT_EQ(muslin("help run"), 0);
  EXPECT_EQ(text("output.txt"), of_run);
}

TEST_F(CommandLine, ListAloneListsItsTopics) {
  const std::vector<std::string> topics{"solvers", "fabrics", "scenes", "formats", "looks"};
  EXPECT_EQ(muslin("list"), 0);
  for (const std::string& topic : topics) expect_said(topic, "output.txt");
  for (const std::string& topic : topics) EXPECT_EQ(muslin("list " + topic), 0);
}

TEST_F(CommandLine, EveryMethodOfCompareStandsApartFromItsSentence) {
  EXPECT_EQ(muslin("compare --help"), 0);
  expect_said("newton_multigrid  Newton whose", "output.txt");
}

// Free fall under implicit Euler is known: after n steps of h, -g h^2 n (n + 1) / 2.
TEST_F(CommandLine, ATableHasTheFiguresAndProbesOfEveryFrame) {
  EXPECT_EQ(muslin("run scene.json --solver newton --csv table.csv --probe 0,15"), 0);
  std::istringstream table(text("table.csv"));
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(table, line);) {
    lines.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) lines.back().push_back(cell);
  }
  ASSERT_EQ(lines.size(), 4u) << "the head, the start and two frames";
  const auto value = [&](int frame, const std::string& column) {
    const auto& head = lines[0];
    return std::stod(lines[frame + 1].at(std::find(head.begin(), head.end(), column) - head.begin()));
  };
  for (int n = 0; n <= 2; ++n)
    for (const char* column : {"v0_y_m", "v15_y_m", "center_y_m"})
      EXPECT_NEAR(value(n, column) - value(0, column), -9.81 * 1e-4 * n * (n + 1) / 2, 1e-9);
  EXPECT_NEAR(std::abs(value(2, "v15_x_m") - value(2, "v0_x_m")), 0.3, 1e-9) << "corners of the cloth";
  EXPECT_EQ(value(2, "frame"), 2);
  EXPECT_EQ(muslin("run scene.json --csv table.csv"), 5) << "it exists";
  EXPECT_EQ(muslin("run scene.json --csv table.csv --force"), 0);
  EXPECT_EQ(muslin("run scene.json --probe 0"), 2) << "no table";
  EXPECT_EQ(muslin("run scene.json --csv other.csv --probe 16"), 3);
  expect_said("there are vertices 0 to 15, got 16");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "other.csv"));
}

TEST_F(CommandLine, AFrameInMillisecondsIsDoubted) {
  EXPECT_EQ(muslin("check scene.json --set frame_time=16"), 0);
  expect_said("/frame_time: a frame of 16 s: is it in milliseconds?");
  EXPECT_EQ(muslin("check scene.json --set frame_time=0.016"), 0);
  EXPECT_EQ(text("messages.txt").find("milliseconds"), std::string::npos);
}

TEST_F(CommandLine, WhatIsMistypedIsNamed) {
  EXPECT_EQ(muslin("rnu scene.json"), 2);
  expect_said("rnu: did you mean run?");
  EXPECT_EQ(muslin("run scene.json --frame 3"), 2);
  expect_said("--frame: did you mean --frames?");
  EXPECT_EQ(muslin("run scene.json --slover=xpbd"), 2);
  expect_said("--slover: did you mean --solver?");
  EXPECT_EQ(muslin("help chek"), 2);
  expect_said("did you mean check?");
  EXPECT_EQ(muslin("run scene.json zzzzzzz"), 2);
  EXPECT_EQ(text("messages.txt").find("did you mean"), std::string::npos);
}

TEST_F(CommandLine, AnUnreadableMeshIsSaidWithItsPlaceInTheScene) {
  std::ofstream(folder_ / "dress.json") << "{\"cloths\": [\n  {\"mesh\": {\"file\": \"dress.obj\"}}]}";
  EXPECT_EQ(muslin("check dress.json"), 5);
  expect_said("dress.json:2:21: /cloths/0/mesh/file: dress.obj: cannot be read: No such file or directory");
  std::ofstream(folder_ / "dress.obj") << "v 0 0 zero\n";
  EXPECT_EQ(muslin("check dress.json"), 3);
  expect_said("dress.json:2:21: /cloths/0/mesh/file: dress.obj:1");
}

TEST_F(CommandLine, ARunPrintsALineAFrame) {
  ASSERT_EQ(muslin("run scene.json --json --out frames"), 0);
  std::istringstream lines(text("output.txt"));
  std::vector<nlohmann::json> said;
  for (std::string line; std::getline(lines, line);) said.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(said.size(), 5u);
  const auto record = nlohmann::json::parse(text("frames/run.json"));
  EXPECT_EQ(said[0]["type"], "run");
  EXPECT_EQ(said[0]["scene"], record["scene"]);
  for (int frame = 0; frame <= 2; ++frame) {
    EXPECT_EQ(said[1 + frame]["type"], "frame");
    EXPECT_EQ(said[1 + frame]["hash"], record["frames"][frame]["hash"]);
  }
  EXPECT_EQ(said[4]["type"], "end");
  EXPECT_EQ(said[4]["outcome"], "finished");
}

TEST_F(CommandLine, ARunOfWhichNoFrameConvergedSaysSo) {
  const std::string hang =
      "run hang --set cloths/0/grid/points=[12,12] --solver newton --frames 3 --force --out frames";
  ASSERT_EQ(muslin(hang + " --set solver/newton/iterations=1"), 4);
  expect_said("3 of 3 frames stopped before the solver's tolerance");
  expect_said("--set solver/newton/iterations=");
  const auto record = nlohmann::json::parse(text("frames/run.json"));
  EXPECT_EQ(record["not_converged"], 3);
  EXPECT_EQ(record["outcome"], "finished");
  ASSERT_EQ(muslin(hang), 0);
  EXPECT_EQ(nlohmann::json::parse(text("frames/run.json"))["not_converged"], 0);
}

TEST_F(CommandLine, ACheckPrintsItsFindingsForPrograms) {
  ASSERT_EQ(muslin("check scene.json --json"), 0);
  std::vector<nlohmann::json> said = lines();
  ASSERT_EQ(said.size(), 2u) << text("output.txt");
  EXPECT_EQ(said[0]["type"], "scene");
  EXPECT_GT(said[0]["vertices"], 0);
  EXPECT_EQ(said[1]["ok"], true);

  std::ofstream(folder_ / "inside.json") << R"({"colliders": [{"shape": "sphere", "radius": 2}],
    "cloths": [{"grid": {"points": [3, 3]}}]})";
  ASSERT_EQ(muslin("check inside.json --json"), 3);
  said = lines();
  ASSERT_GE(said.size(), 3u) << text("output.txt");
  EXPECT_EQ(said[1]["type"], "trouble");
  EXPECT_EQ(said[1]["kind"], "inside");
  EXPECT_EQ(said[1]["count"], 9);
  EXPECT_EQ(said[1]["named"].size(), 5u) << "as many as are said";
  EXPECT_EQ(said.back()["ok"], false);
  EXPECT_NE(text("messages.txt").find(said.back()["error"].get<std::string>()), std::string::npos);
}

TEST_F(CommandLine, ACheckOfAMeshEndsWithWhoTakesItAsACollider) {
  const std::string corners = "v 0 1 0\nv 1 -1 0\nv -1 -1 1\nv -1 -1 -1\n",
                    three = "f 1 3 2\nf 1 2 4\nf 1 4 3\n";
  const auto end_of_check = [&](const std::string& mesh) {
    std::ofstream(folder_ / "body.obj") << mesh;
    EXPECT_EQ(muslin("check body.obj"), 0);
    std::string said = text("output.txt");
    said.pop_back();
    return said.substr(said.rfind('\n') + 1);
  };
  EXPECT_EQ(end_of_check(corners + three + "f 2 3 4\n"),
            "body.obj: closed: every solver takes it as a collider");
  EXPECT_EQ(end_of_check(corners + three),
            "body.obj: is open, or turns its front, at edge 3-2: quasi_newton alone takes it as a collider, "
            "others need a closed mesh");
  EXPECT_EQ(
      end_of_check(corners + "v 5 5 5\n" + three + "f 2 3 4\n"),
      "body.obj: closed: no solver takes it as a collider before vertex 4 is removed, which no face uses");
}

TEST_F(CommandLine, TheLogHasWhatQuietLeavesUnsaid) {
  ASSERT_EQ(muslin("run scene.json -q --log log.txt"), 0);
  EXPECT_EQ(text("messages.txt"), "");
  expect_said("2/2", "log.txt");
  expect_said("finished after 2 frames", "log.txt");
  EXPECT_EQ(muslin("run scene.json --log log.txt"), 5);
  expect_said("log.txt: exists already");
}

TEST_F(CommandLine, NarrowerKernelsHaveTheSameBits) {
  std::vector<std::string> hashes;
  for (const char* kernels : {"plain", "avx2", "avx512"}) {
    ASSERT_EQ(muslin(fmt::format("run hang --frames 2 --solver line_xpbd --json -q --kernels {}", kernels)),
              0);
    for (const nlohmann::json& line : lines())
      if (line["type"] == "frame" && line["frame"] == 2) hashes.push_back(line["hash"]);
  }
  ASSERT_EQ(hashes.size(), 3u);
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
  EXPECT_EQ(muslin("run hang --kernels sse9"), 2);
  expect_said("sse9 not in {avx2,avx512,plain}");
}

TEST_F(CommandLine, TablesFitTheTerminal) {
  for (const int width : {80, 100, 250})
    for (const char* command :
         {"list solvers", "list fabrics", "list scenes", "list looks", "run scene.json"})
      EXPECT_LE(longest(on_terminal(width, command)), static_cast<size_t>(width)) << command;
  EXPECT_GT(longest(on_terminal(250, "run scene.json")), 120u);
  ASSERT_EQ(muslin("list solvers"), 0);
  expect_said(
      "quasi_newton    L-BFGS over a multigrid cycle; Newton's method in contact and where that is slow  ",
      "output.txt");
}

}  // namespace
