// Folders from somebody else: links in them, JSON that nests without end, names that other programs read.
#include <nlohmann/json.hpp>

#include "smoke/command_folder.h"

namespace fs = std::filesystem;

namespace {

const char* const kScene = R"({"frames": 6, "frame_time": 0.01, "cloths": [{"grid": {"points": [3, 3]}}],
                               "solver": {"family": "position"}})";

class ForeignFolder : public CommandFolder {
 protected:
  ForeignFolder() : CommandFolder(kScene) { write("mine.txt", "precious"); }

  void write(const std::string& file, const std::string& content) const {
    std::ofstream(folder_ / file, std::ios::binary) << content;
  }
  bool is_link(const std::string& file) const { return fs::is_symlink(folder_ / file); }
  void link(const std::string& file, const std::string& target = "mine.txt") const {
    fs::remove_all(folder_ / file);
    fs::create_symlink(folder_ / target, folder_ / file);
  }
  void expect_said(const std::string& words) const {
    EXPECT_NE(text("messages.txt").find(words), std::string::npos) << words << " is not said in:\n"
                                                                   << text("messages.txt");
  }
  nlohmann::json record(const std::string& folder) const {
    return nlohmann::json::parse(text(folder + "/run.json"));
  }
  static std::string deep(int levels) { return std::string(levels, '[') + std::string(levels, ']'); }

  /// The folder of a run that was cut off after frame 4.
  void make_run(const std::string& folder) const {
    ASSERT_EQ(muslin("run scene.json --out " + folder + " --format ply,pc2 --checkpoint 2 -q"), 0)
        << text("messages.txt");
    nlohmann::json run = record(folder);
    run["outcome"] = "interrupted";
    while (run["frames"].size() > 5) run["frames"].erase(run["frames"].size() - 1);
    write(folder + "/run.json", run.dump());
    for (const char* file : {"frame_0005.ply", "frame_0006.ply", "checkpoint_0006.state"})
      fs::remove(folder_ / folder / file);
  }

  void make_sweep(const std::string& folder) const {
    write(
        "plan.json",
        R"({"scene": "scene.json", "frames": 1, "checkpoint": 1, "axes": [{"set": "seed", "values": [1, 2]}]})");
    ASSERT_EQ(muslin("sweep plan.json --out '" + folder + "'"), 0) << text("messages.txt");
  }

  /// Line 0 of the manifest is changed so; the first line of what is said.
  std::string refusal_of_manifest(const std::string& from, const std::string& to) const {
    fs::remove_all(folder_ / "s");
    make_sweep("s");
    std::string manifest = text("s/manifest.jsonl");
    manifest.replace(manifest.find(from), from.size(), to);
    write("s/manifest.jsonl", manifest);
    EXPECT_EQ(muslin("sweep table s"), 3);
    return text("messages.txt");
  }
};

// --- links -----------------------------------------------------------------------------------------

TEST_F(ForeignFolder, LinksInPlacesOfFilesAreReplaced) {
  make_run("theirs");
  for (const char* file : {"frame_0005.ply", "checkpoint_0006.state", "run.pc2", "run.obj", "run.json.rows"})
    link(fmt::format("theirs/{}", file));
  EXPECT_EQ(muslin("run --resume theirs -q"), 0) << text("messages.txt");
  EXPECT_EQ(text("mine.txt"), "precious");
  for (const char* file : {"frame_0005.ply", "checkpoint_0006.state", "run.pc2", "run.obj"})
    EXPECT_TRUE(!is_link(fmt::format("theirs/{}", file)) && fs::exists(folder_ / "theirs" / file)) << file;
}

TEST_F(ForeignFolder, ForceReplacesLinksAndRemovesNothingBehindThem) {
  make_run("theirs");
  write("run.json", text("theirs/run.json"));
  for (const char* file : {"frame_0000.ply", "frame_0003.ply", "run.pc2"})
    link(fmt::format("theirs/{}", file));
  link("theirs/run.json", "run.json");
  EXPECT_EQ(muslin("run scene.json --out theirs --format ply,pc2 --force -q"), 0) << text("messages.txt");
  EXPECT_EQ(text("mine.txt"), "precious");
  EXPECT_EQ(nlohmann::json::parse(text("run.json"))["outcome"], "interrupted");
  EXPECT_EQ(record("theirs")["outcome"], "finished");

  fs::create_directory(folder_ / "out");
  link("out/frame_0001.obj");
  EXPECT_EQ(muslin("convert theirs --to obj --out out"), 5);
  expect_said("frame_0001.obj: exists already");
  EXPECT_EQ(muslin("convert theirs --to obj --out out --force"), 0) << text("messages.txt");
  EXPECT_EQ(text("mine.txt"), "precious");
}

TEST_F(ForeignFolder, WhatItsUserNamesIsWrittenThrough) {
  write("table.csv", "");
  link("latest.csv", "table.csv");
  EXPECT_EQ(muslin("run scene.json --csv latest.csv --force -q"), 0) << text("messages.txt");
  EXPECT_TRUE(is_link("latest.csv"));
  EXPECT_EQ(text("table.csv").find("frame,time_s,"), 0u);

  fs::create_directory(folder_ / "disk");
  link("out", "disk");
  EXPECT_EQ(muslin("run scene.json --out out -q"), 0) << text("messages.txt");
  EXPECT_TRUE(fs::exists(folder_ / "disk/frame_0006.obj"));
}

TEST_F(ForeignFolder, FoldersOfASweepAreNoLinks) {
  fs::create_directories(folder_ / "elsewhere/000000");
  write("elsewhere/000000/mine.txt", "precious");
  for (const char* part : {"runs", "claims", "results", "pictures", "logs"}) {
    make_sweep(part);
    link(fmt::format("{0}/{0}", part), "elsewhere");
    EXPECT_EQ(muslin(fmt::format("sweep run {}", part)), 5) << part;
    expect_said(fmt::format("{}: must be a folder, found a symbolic link", part));
  }
  make_sweep("one");
  link("one/claims/000000", "elsewhere/000000");
  EXPECT_EQ(muslin("sweep run one"), 5);
  expect_said("000000: must be a folder, found a symbolic link");
  EXPECT_EQ(text("elsewhere/000000/mine.txt"), "precious");
}

TEST_F(ForeignFolder, LinksInFoldersOfASweepAreReplaced) {
  make_sweep("s");
  fs::create_directory(folder_ / "elsewhere");
  write("elsewhere/run.json", "precious");
  link("s/runs/000000", "elsewhere");
  for (const char* file : {"pictures/000000.png", "logs/000000.txt", "index.html"})
    link(fmt::format("s/{}", file));
  EXPECT_EQ(muslin("sweep run s"), 0) << text("messages.txt");
  EXPECT_EQ(muslin("sweep page s"), 0) << text("messages.txt");
  EXPECT_EQ(text("mine.txt"), "precious");
  EXPECT_EQ(text("elsewhere/run.json"), "precious");
  EXPECT_EQ(text("s/index.html").find("<!"), 0u);
}

// --- what stands in files --------------------------------------------------------------------------

TEST_F(ForeignFolder, LinesOfAManifestAreThoseOfThePlan) {
  const std::string words = "s/manifest.jsonl:1: ";
  const auto expect_refused = [&](const char* from, const char* to, const std::string& why) {
    const std::string said = refusal_of_manifest(from, to);
    EXPECT_NE(said.find(words + why), std::string::npos) << said;
  };
  expect_refused(R"([["seed","1"]])", "[]", "must set what the axes of the plan set");
  expect_refused(R"(["seed","1"])", R"(["seed","1"],["seed","2"])", "must set what the axes of the plan set");
  expect_refused(R"("seed")", R"("frames")", "must set what the axes of the plan set");
  expect_refused(R"("line":0)", R"("line":1e20)", "must be of line 0, got 1e+20");
  expect_refused(R"("line":0)", R"("line":-1)", "must be of line 0, got -1");
  expect_refused(R"("line":0)", R"("line":4294967296)", "must be of line 0, got 4294967296");
  expect_refused(R"("1")", deep(60000).c_str(), "byte ");
}

TEST_F(ForeignFolder, JsonThatNestsTooDeepIsRefused) {
  const auto expect_refused = [&](const std::string& arguments, int code = 3) {
    EXPECT_EQ(muslin(arguments), code) << arguments << "\n" << text("messages.txt");
    expect_said("nested deeper than 64 levels");
  };
  make_run("r");
  const nlohmann::json whole = record("r");
  for (const char* place : {"/scene/a", "/frames/0/strain_max", "/warnings", "/options/formats"}) {
    nlohmann::json run = whole;
    run[nlohmann::json::json_pointer(place)] = "DEEP";
    std::string file = run.dump();
    file.replace(file.find("\"DEEP\""), 6, deep(150000));
    write("r/run.json", file);
    expect_refused("check-frames r");
    expect_refused("run --resume r");
    expect_refused("convert r --to obj --out c");
  }

  make_sweep("s");
  write("s/results/000000.json",
        R"({"figures": )" + deep(80000) +
            R"(, "inputs": "", "muslin": "", "outcome": "finished", "reason": "", "ms": 1})");
  for (const char* command : {"sweep status s", "sweep table s", "sweep page s", "sweep run s"})
    expect_refused(command);

  // A value of an axis may be JSON; one that nests is a word
  fs::remove(folder_ / "s/results/000000.json");
  ASSERT_EQ(muslin("sweep run s"), 0) << text("messages.txt");
  std::string manifest = text("s/manifest.jsonl");
  manifest.replace(manifest.find("\"1\""), 3, "\"" + deep(60000) + "\"");
  write("s/manifest.jsonl", manifest);
  EXPECT_EQ(muslin("sweep table s"), 0) << text("messages.txt");
  EXPECT_EQ(muslin("sweep page s"), 0) << text("messages.txt");
}

// --- names that other programs read ----------------------------------------------------------------

/// An argument of a directive as sbatch reads it: quotes of both kinds, and a backslash before what is meant
/// as it is.
std::string as_sbatch_reads(const std::string& argument) {
  std::string word;
  char open = 0;
  for (size_t k = 0; k < argument.size(); ++k) {
    const char c = argument[k];
    if (c == '\\')
      word += argument[++k];
    else if (open ? c == open : c == '"' || c == '\'')
      open = open ? 0 : c;
    else if (!open && (c == ' ' || c == '#'))
      break;
    else
      word += c;
  }
  return word;
}

/// A file's name as Slurm fills it in for task 7.
std::string as_slurm_fills(const std::string& name) {
  std::string file;
  for (size_t k = 0; k < name.size(); ++k)
    if (name[k] == '%' && k + 1 < name.size())
      file += name[++k] == 'a' ? "7" : std::string(1, name[k]);
    else
      file += name[k];
  return file;
}

TEST_F(ForeignFolder, ASweepMayHaveAnyNameThatCanBePrinted) {
  // As GNU parallel: every form of {} is replaced, and {= … =} is Perl that runs
  write("parallel",
        "#!/bin/sh\nfor word; do :; done\nwhile read -r line; do sh -c \"$(printf '%s' \"$word\" |\n"
        "  sed -e \"s/{= .* =}/;touch RAN;/g; s/{[#%.\\/]*}/$line/g\")\" || exit 1; done\n");
  fs::permissions(folder_ / "parallel", fs::perms::owner_all);
  for (const char* name : {"my sweep", "100%a", "a{}b", "{#}{.}", "{= system(1) =}", "it's \"quoted\" #1",
                           "$(touch RAN)`touch RAN`"}) {
    SCOPED_TRACE(name);
    write("plan.json",
          R"({"scene": "scene.json", "frames": 1, "axes": [{"set": "seed", "values": [1, 2]}]})");
    std::ofstream(folder_ / "name") << name;
    ASSERT_EQ(muslin("sweep plan.json --out \"$(cat name)\""), 0) << text("messages.txt");
    ASSERT_EQ(muslin("sweep submit \"$(cat name)\" --slurm --dry-run"), 0) << text("messages.txt");
    const std::string script = text("output.txt"), key = "#SBATCH --output=";
    const size_t begin = script.find(key) + key.size();
    const std::string output = as_sbatch_reads(script.substr(begin, script.find('\n', begin) - begin));
    EXPECT_EQ(as_slurm_fills(output), (folder_ / name / "logs/slurm-7.txt").string());
    EXPECT_EQ(shell("SLURM_ARRAY_TASK_ID=1 sh output.txt 2> messages.txt"), 0) << text("messages.txt");
    ASSERT_EQ(muslin("sweep status \"$(cat name)\""), 0);
    EXPECT_EQ(text("output.txt"), "done 1, failed 0, running 0, left 1\n");

    EXPECT_EQ(shell("PATH=.:\"$PATH\" '" MUSLIN_CLI
                    "' sweep submit \"$(cat name)\" --parallel > output.txt 2> messages.txt"),
              0)
        << text("messages.txt");
    ASSERT_EQ(muslin("sweep status \"$(cat name)\""), 0);
    EXPECT_EQ(text("output.txt"), "done 2, failed 0, running 0, left 0\n");
    EXPECT_FALSE(fs::exists(folder_ / "RAN"));
  }
}

TEST_F(ForeignFolder, NamesThatCannotBeHandedOnAreRefused) {
  make_sweep("plain");
  for (const std::string name : {"x\ntouch RAN\n#", "tab\there", "\x1b[2J", "bell\x7f"}) {
    SCOPED_TRACE(name);
    fs::copy(folder_ / "plain", folder_ / name, fs::copy_options::recursive);
    std::ofstream(folder_ / "name") << name << '.';  // the shell drops line breaks at the end
    for (const char* to : {"--slurm", "--parallel"}) {
      EXPECT_EQ(muslin(fmt::format("sweep submit \"$(sed '$s/.$//' name)\" {} --dry-run", to)), 3)
          << text("output.txt");
      expect_said("must have no control characters to be handed on");
    }
  }
  EXPECT_EQ(muslin("sweep submit plain --slurm --dry-run --time \"1\nrm\""), 3);
  EXPECT_EQ(muslin("sweep submit plain --parallel --dry-run --cache \"1\nrm\""), 3);
  fs::copy(folder_ / "plain", folder_ / "a\\b", fs::copy_options::recursive);
  EXPECT_EQ(muslin("sweep submit 'a\\b' --slurm --dry-run"), 3);
  expect_said("must have no backslash");
  EXPECT_EQ(muslin("sweep submit 'a\\b' --parallel --dry-run"), 0) << text("messages.txt");
}

TEST_F(ForeignFolder, ASceneWhoseNameBeginsAsAnOptionIsAScene) {
  make_sweep("s");
  nlohmann::json plan = nlohmann::json::parse(text("s/sweep.json"));
  plan["scene"] = "--out=elsewhere";
  write("s/sweep.json", plan.dump());
  EXPECT_EQ(muslin("sweep run s"), 1) << "no file has that name";
  EXPECT_FALSE(fs::exists(folder_ / "elsewhere"));
  EXPECT_NE(text("s/logs/000000.txt").find("./--out=elsewhere: cannot be read"), std::string::npos)
      << text("s/logs/000000.txt");
}

}  // namespace
