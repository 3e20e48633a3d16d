// What a machine may lack: locks, memory, room on the disk. And names that would steer a terminal.
#include "smoke/command_folder.h"

namespace fs = std::filesystem;

namespace {

const char* const kScene =
    R"({"frames": 3, "cloths": [{"grid": {"points": [60, 60]}}], "solver": {"family": "position"}})";

class Scarce : public CommandFolder {
 protected:
  Scarce() : CommandFolder(kScene) {}
  int limited(const std::string& limit, const std::string& arguments) const {
    return shell(
        fmt::format("ulimit {} && '{}' {} > output.txt 2> messages.txt", limit, MUSLIN_CLI, arguments));
  }
  bool says(const std::string& words) const { return text("messages.txt").find(words) != std::string::npos; }
};

#ifdef MUSLIN_NO_LOCKS  // no sanitizer, whose runtime must be loaded first
TEST_F(Scarce, FoldersWithoutLocksAreKeptByAFile) {
  for (const char* kind : {"", "NO_LOCKS_ENOSYS=1 "}) {
    const auto muslin = [&](const std::string& arguments) {
      return shell(fmt::format("{}LD_PRELOAD='{}' '{}' {} > output.txt 2> messages.txt", kind,
                               MUSLIN_NO_LOCKS, MUSLIN_CLI, arguments));
    };
    EXPECT_EQ(muslin("run scene.json --out o --force -q"), 0) << text("messages.txt");
    EXPECT_TRUE(says("warning: o: its file system has no locks")) << text("messages.txt");
    EXPECT_FALSE(fs::exists(folder_ / "o/run.lock"));
    std::ofstream(folder_ / "o/run.lock") << "process 1 since yesterday\n";
    EXPECT_EQ(muslin("run scene.json --out o --force -q"), 5);
    EXPECT_TRUE(says("another run is writing there: process 1 since yesterday")) << text("messages.txt");
    EXPECT_TRUE(says("if that run was killed, remove o/run.lock")) << text("messages.txt");
    fs::remove(folder_ / "o/run.lock");

    fs::remove_all(folder_ / "s");
    std::ofstream(folder_ / "plan.json")
        << R"({"scene": "scene.json", "axes": [{"set": "seed", "values": [1, 2]}]})";
    EXPECT_EQ(muslin("sweep plan.json --out s"), 0) << text("messages.txt");
    EXPECT_EQ(muslin("sweep run s"), 0) << text("messages.txt");
    EXPECT_EQ(muslin("sweep status s"), 0);
    EXPECT_EQ(text("output.txt"), "done 2, failed 0, running 0, left 0\n");
  }
}

TEST_F(Scarce, MemoryThatRunsOutEndsARunWithWords) {
  std::ofstream(folder_ / "large.json") << R"({"frames": 1, "cloths": [{"grid": {"points": [1900, 1900]}}]})";
  EXPECT_EQ(limited("-v 400000", "run large.json --threads 1"), 1) << text("messages.txt");
  EXPECT_TRUE(says("muslin run: out of memory\n")) << text("messages.txt");
}
#endif

TEST_F(Scarce, FilesThatDoNotFitOnTheDiskEndARunWithWords) {
  for (const char* format : {"h5", "npz", "glb", "vtp"}) {
    ASSERT_EQ(muslin(fmt::format("run scene.json --out whole --format {} --force -q", format)), 0)
        << text("messages.txt");
    std::uintmax_t largest = 0;
    for (const auto& entry : fs::directory_iterator(folder_ / "whole"))
      largest = std::max(largest, entry.file_size());
    for (const int percent : {5, 50, 90, 94, 98}) {
      const std::uintmax_t blocks = largest * percent / 100 / 512;
      EXPECT_EQ(limited(fmt::format("-f {}", blocks),
                        fmt::format("run scene.json --out o --format {} --force -q", format)),
                5)
          << format << ' ' << percent << ": " << text("messages.txt");
      EXPECT_TRUE(says("cannot be written")) << text("messages.txt");
    }
  }
}

TEST_F(Scarce, NamesSteerNoTerminal) {
  for (const char* name : {"\x1b[2J\x1b]0;mine\x07",
                           "\x9b"
                           "31m",
                           "\xc2\x9b"
                           "31m",
                           "a\rb", "\x08\x7f"}) {
    SCOPED_TRACE(name);
    std::ofstream(folder_ / "name") << name;
    EXPECT_NE(muslin("run \"$(cat name)\""), 0);
    std::ofstream(folder_ / name) << R"({"name": 1})";
    EXPECT_NE(muslin("run \"$(cat name)\""), 0);
    EXPECT_NE(muslin("\"$(cat name)\""), 0);
    std::ofstream(folder_ / "named.json") << R"({"colliders": [{"name": "x", ")" << name << R"(": 1}]})";
    EXPECT_NE(muslin("run named.json"), 0);
    for (const unsigned char c : text("messages.txt"))
      EXPECT_TRUE(c == '\n' || (c >= 0x20 && c != 0x7f && c != 0x9b)) << int{c};
  }
}

}  // namespace
