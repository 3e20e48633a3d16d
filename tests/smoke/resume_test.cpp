// Runs that end early, by whatever, and go on from their folder.
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "smoke/command_folder.h"

namespace fs = std::filesystem;

namespace {

// Falls on a ball, through itself: what run.json counts must be carried on, too.
const char* const kScene = R"({
  "frames": 23, "frame_time": 0.01,
  "cloths": [{"name": "upper", "grid": {"points": [9, 9], "size": [0.3, 0.3], "origin": [-0.15, 0.12, -0.15], "jitter": 1e-3},
              "pins": [{"grid": [[0, 0]]}]},
             {"grid": {"points": [9, 9], "size": [0.3, 0.3], "origin": [-0.15, 0.13, -0.15]},
              "velocity": [0, -3, 0]}],
  "colliders": [{"name": "ball", "radius": 0.1, "motion": {"swing": [0, 0.02, 0]}}],
  "solver": {"family": "newton", "newton": {"integrator": "bdf2"}}
})";

class Resume : public CommandFolder {
 protected:
  Resume() : CommandFolder(kScene) {
    EXPECT_EQ(muslin("run scene.json --out whole --checkpoint 5 --format obj,ply -q"), 0)
        << text("messages.txt");
  }

  nlohmann::json record(const std::string& folder) const {
    return nlohmann::json::parse(text(folder + "/run.json"));
  }

  bool exists(const std::string& file) const { return fs::exists(folder_ / file); }

  void write(const std::string& file, const std::string& content) const {
    std::ofstream(folder_ / file, std::ios::binary) << content;
  }

  /// What is in a folder: bytes of all files, but of run.json what equal runs have in common.
  std::map<std::string, std::string> content(const std::string& folder) const {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / folder)) {
      const std::string name = entry.path().filename().string();
      files[name] = text(folder + "/" + name);
    }
    nlohmann::json json = record(folder);
    json.erase("process");
    for (auto& frame : json["frames"]) frame.erase("ms");
    files["run.json"] = json.dump(1);
    return files;
  }

  /// A copy of the whole run, as if it had been killed with so many frames in its record.
  void cut(int recorded) const {
    fs::remove_all(folder_ / "cut");
    fs::copy(folder_ / "whole", folder_ / "cut");
    nlohmann::json json = record("whole");
    json["outcome"] = "running";
    while (std::ssize(json["frames"]) > recorded) json["frames"].erase(json["frames"].size() - 1);
    write("cut/run.json", json.dump());
  }

  void expect_refused(const std::string& words, int code = 3) const {
    const std::string before = text("cut/run.json");
    EXPECT_EQ(muslin("run --resume cut"), code);
    EXPECT_NE(text("messages.txt").find(words), std::string::npos) << words << " is not said in:\n"
                                                                   << text("messages.txt");
    EXPECT_EQ(text("cut/run.json"), before);
    EXPECT_FALSE(exists("cut/run.lock"));
  }

  void expect_resumed(const std::string& words) const {
    EXPECT_EQ(muslin("run --resume cut -q"), 0) << text("messages.txt");
    EXPECT_NE(text("messages.txt").find(words), std::string::npos) << text("messages.txt");
    const auto found = content("cut"), expected = content("whole");
    for (const auto& [name, bytes] : expected) {
      ASSERT_TRUE(found.count(name)) << name;
      EXPECT_TRUE(found.at(name) == bytes) << name;
    }
    EXPECT_EQ(found.size(), expected.size());
  }
};

TEST_F(Resume, TwoStatesAreKeptAndTheFramesAreThoseOfARunWithout) {
  EXPECT_TRUE(exists("whole/checkpoint_0015.state") && exists("whole/checkpoint_0020.state"));
  EXPECT_FALSE(exists("whole/checkpoint_0010.state"));
  ASSERT_EQ(muslin("run scene.json --out plain --format obj,ply -q"), 0);
  EXPECT_EQ(text("plain/frame_0023.ply"), text("whole/frame_0023.ply"));
  EXPECT_EQ(record("plain")["frames"][23]["hash"], record("whole")["frames"][23]["hash"]);
  EXPECT_EQ(muslin("check-frames whole"), muslin("check-frames plain"));
}

TEST_F(Resume, GoesOnFromTheNewestStateThatFits) {
  const std::string said = text("whole/run.json");
  ASSERT_NE(said.find("cloth passes through cloth"), std::string::npos) << "or there is nothing to carry on";
  cut(24);
  expect_resumed("cut: resumes after frame 20 of 23");
  cut(21);
  write("cut/frame_0022.obj", "half");
  expect_resumed("cut: resumes after frame 20 of 23");
  cut(20);  // killed after a state of which the record does not know, as another record took its place
  expect_resumed("checkpoint_0020.state: must be of one of the 20 frames in run.json");
  cut(24);
  write("cut/checkpoint_0020.state", text("whole/checkpoint_0020.state") + "x");
  expect_resumed("cut: resumes after frame 15 of 23");
  cut(24);  // killed after a state was saved, and before an older one was removed
  write("cut/checkpoint_0010.state", text("whole/checkpoint_0015.state"));
  expect_resumed("cut: resumes after frame 20 of 23");
}

TEST_F(Resume, StartsOverWhereNothingIsSavedYet) {
  cut(3);
  for (const char* state : {"cut/checkpoint_0015.state", "cut/checkpoint_0020.state"})
    fs::remove(folder_ / state);
  expect_resumed("cut: no state is saved yet: the run starts over");
}

TEST_F(Resume, AfterAnOrderlyEndGoesOnFromThere) {
  for (int k = 0; k < 20 && !exists("cut/checkpoint_0020.state"); ++k) {
    const std::string command = exists("cut/run.json")
                                    ? "run --resume cut"
                                    : "run scene.json --out cut --checkpoint 5 --format obj,ply";
    const int code = muslin(command + " -q --time-limit 0.05");
    if (code == 0) break;
    ASSERT_EQ(code, 4) << text("messages.txt");
    EXPECT_EQ(record("cut")["outcome"], "time_limit");
  }
  if (record("cut")["outcome"] != "finished") {
    ASSERT_EQ(muslin("run --resume cut -q"), 0);
  }
  const auto found = content("cut"), expected = content("whole");
  for (const auto& [name, bytes] : expected)
    if (name.find("checkpoint") == std::string::npos) {
      EXPECT_TRUE(found.at(name) == bytes) << name;
    }
}

TEST_F(Resume, AfterSigkillLeavesNoTraceOfIt) {
  for (int k = 0; k < 3; ++k) {
    fs::remove_all(folder_ / "cut");
    const pid_t pid = ::fork();
    if (pid == 0) {
      if (::chdir(folder_.c_str()) != 0) _exit(1);
      ::execl(MUSLIN_CLI, "muslin", "run", "scene.json", "--out", "cut", "--checkpoint", "5", "--format",
              "obj,ply", "-q", nullptr);
      _exit(1);
    }
    const std::string frame = fmt::format("cut/frame_{:04d}.ply", 2 + 6 * k);
    for (int wait = 0; wait < 20000 && !exists(frame); ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    if (record("cut")["outcome"] == "finished") continue;
    EXPECT_TRUE(exists("cut/run.lock"));
    write(fmt::format("cut/.muslin-{}-99.tmp", pid), "half");
    expect_resumed("cut: ");
  }
}

TEST_F(Resume, ARunningRunIsLeftAlone) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (::chdir(folder_.c_str()) != 0) _exit(1);
    ::execl(MUSLIN_CLI, "muslin", "run", "scene.json", "--frames", "1000000", "--out", "cut", "--checkpoint",
            "5", "-q", nullptr);
    _exit(1);
  }
  for (int wait = 0; wait < 2000 && !exists("cut/frame_0001.obj"); ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(muslin("run --resume cut"), 5);
  EXPECT_NE(text("messages.txt").find(fmt::format("another run is writing there: process {} since 20", pid)),
            std::string::npos)
      << text("messages.txt");
  ::kill(pid, SIGTERM);
  ::waitpid(pid, nullptr, 0);
  EXPECT_EQ(record("cut")["outcome"], "interrupted");
}

TEST_F(Resume, RefusesWhatItCannotGoOnWith) {
  expect_refused("cut: holds no run.json, so there is no run to resume");
  cut(24);
  fs::remove(folder_ / "cut/run.json");
  expect_refused("cut: holds no run.json, so there is no run to resume");

  fs::remove_all(folder_ / "cut");
  fs::copy(folder_ / "whole", folder_ / "cut");
  expect_refused("cut: the run is finished, 23 frames: there is nothing to resume");

  auto json = record("whole");
  json["outcome"] = "diverged";
  write("cut/run.json", json.dump());
  expect_refused("cut: the run diverged, and would again");

  write("cut/run.json", text("whole/run.json").substr(0, 1000));
  expect_refused("cut/run.json: must be the record of a run of this Muslin: it is no JSON");
  write("cut/run.json", R"({"scene": {}})");
  expect_refused("cut/run.json: must be the record of a run of this Muslin: ");
  for (const char* member : {"options", "fingerprint", "frames", "folder", "outcome", "substeps"}) {
    json = record("whole");
    json.erase(member);
    write("cut/run.json", json.dump());
    expect_refused("cut/run.json: must be the record of a run of this Muslin: ");
  }

  cut(24);
  json = record("cut");
  json["scene"]["gravity"][1] = -9.0;
  write("cut/run.json", json.dump());
  expect_refused("cut: cannot be resumed, for the scene is not what it was: numbers of the scene are others");

  cut(24);
  write("cut/frame_0003.obj", "mine");
  expect_refused("frame_0003.obj: is not as the run wrote it");
  fs::remove(folder_ / "cut/frame_0003.obj");
  expect_refused("frame_0003.obj: is missing");

  cut(24);
  json = record("cut");
  json["frames"][4]["sha256"]["../scene.json"] = "0";
  json["frames"][4]["sha256"].erase("frame_0004.obj");
  write("cut/run.json", json.dump());
  expect_refused("must be the name of a frame");

  cut(24);
  for (const char* state : {"cut/checkpoint_0015.state", "cut/checkpoint_0020.state"})
    write(state, "damaged");
  expect_refused("cut: no saved state can be used");

  ASSERT_EQ(muslin("run scene.json --out cut --force -q"), 0);
  EXPECT_FALSE(exists("cut/checkpoint_0015.state")) << "states go with the run that saved them";
  json = record("cut");
  json["outcome"] = "interrupted";
  write("cut/run.json", json.dump());
  expect_refused("cut: was run without --checkpoint, so no state is saved");
}

TEST_F(Resume, RefusesMeshesThatHaveChanged) {
  write("cloth.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 3 2\nf 2 3 4\n");
  write("scene.json", R"({"frames": 12, "cloths": [{"mesh": {"file": "cloth.obj"}}]})");
  ASSERT_EQ(muslin("run scene.json --out whole --checkpoint 5 --force -q"), 0) << text("messages.txt");
  cut(8);
  expect_resumed("cut: resumes after frame 5 of 12");
  cut(8);
  write("cloth.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1.01\nf 1 3 2\nf 2 3 4\n");
  expect_refused("the scene is not what it was: meshes, masses, elements or pins are others");
}

// The slow frames before the end count, too: the resumed run ends in the frame of the whole one.
TEST_F(Resume, ARunUntilRestIsResumedUntilRest) {
  write("rest.json", R"({"frames": 400, "damping": 8, "solver": {"family": "newton"},
                         "cloths": [{"grid": {"points": [4, 4], "size": [0.2, 0.2], "u": [1, 0, 0], "v": [0, -1, 0]},
                                     "pins": [{"sides": ["v_min"]}]}]})");
  ASSERT_EQ(muslin("run rest.json --out whole --force --until-rest 0.001 --checkpoint 7 -q"), 0);
  const nlohmann::json whole = record("whole");
  const int frames = static_cast<int>(whole["frames"].size());
  ASSERT_LT(frames, 401) << "it rests before the last frame";
  ASSERT_TRUE(whole["frames"].back().contains("slow_since"));
  ASSERT_EQ(whole["options"]["until_rest"], 0.001);
  cut(frames - 1);
  nlohmann::json json = record("cut");
  json["scene"]["frames"] = 400;
  write("cut/run.json", json.dump());
  ASSERT_EQ(muslin("run --resume cut -q"), 0) << text("messages.txt");
  EXPECT_EQ(content("cut"), content("whole"));
}

TEST_F(Resume, TakesNoOptionsThatTheFolderHas) {
  for (const char* option : {"--frames 3", "--out x", "--format ply", "--solver xpbd", "--set frames=3",
                             "--checkpoint 2 --out x", "--repair", "--force", "scene.json"})
    EXPECT_EQ(muslin(fmt::format("run --resume whole {}", option)), 2) << option;
  EXPECT_EQ(muslin("run scene.json --checkpoint 2"), 2) << "without --out";
  EXPECT_EQ(muslin("run scene.json --checkpoint 0 --out x"), 2);
  EXPECT_EQ(muslin("run"), 2);
  EXPECT_NE(text("messages.txt").find("SCENE is required"), std::string::npos);
}

}  // namespace
