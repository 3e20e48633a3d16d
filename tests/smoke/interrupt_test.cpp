// Runs that are told to end, or that would have none.
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "smoke/command_folder.h"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A sheet of which every step would take very long, under a solver.
struct SlowScene {
  std::string solver, settings;
};

const SlowScene kSlow[] = {
    {"explicit", R"({"substeps": 100000})"},
    {"position", R"({"substeps": 100000})"},
    {"implicit", R"({"iterations": 1000000, "tolerance": 0})"},
    {"newton", R"({"substeps": 100000})"},
    {"newton", R"({"iterations": 100000, "tolerance": 0, "linear": "cholesky", "substeps": 1000})"},
    {"baraff_witkin", R"({"substeps": 100000})"},
    {"block_descent", R"({"iterations": 1000000, "tolerance": 0})"},
    {"projective", R"({"iterations": 1000000, "tolerance": 0, "substeps": 1000})"},
    {"quasi_newton", R"({"substeps": 100000})"},
};

class Interrupts : public CommandFolder {
 protected:
  Interrupts() : CommandFolder("{}") {}

  void write_scene(const nlohmann::json& scene) const { std::ofstream(folder_ / "scene.json") << scene; }

  static nlohmann::json sheet(int points) {
    return {
        {"frames", 1000},
        {"cloths",
         {{{"grid", {{"points", {points, points}}, {"size", {0.5, 0.5}}, {"origin", {-0.25, 0.3, -0.25}}}},
           {"pins", {{{"grid", {{0, 0}, {-1, 0}}}}}}}}},
        {"colliders", {{{"name", "ball"}, {"center", {0, 0.05, 0}}, {"radius", 0.2}}}},
        {"self_collision", {{"enabled", true}}}};
  }

  nlohmann::json record() const { return nlohmann::json::parse(text("frames/run.json")); }

  /// Starts the run and sends it a signal in its first step; its exit code, and how long it took to end [s].
  std::pair<int, double> interrupted_run(int signal) const {
    const pid_t pid = ::fork();
    if (pid == 0) {
      if (::chdir(folder_.c_str()) != 0) _exit(1);
      ::execl(MUSLIN_CLI, "muslin", "run", "scene.json", "--out", "frames", "-q", "--force", nullptr);
      _exit(1);
    }
    const auto has_begun = [&] { return std::filesystem::exists(folder_ / "frames/run.json"); };
    for (int k = 0; k < 3000 && !has_begun(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const Clock::time_point sent = Clock::now();
    ::kill(pid, signal);
    int status = 0;
    ::waitpid(pid, &status, 0);
    const double latency = seconds_since(sent);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, latency};
  }
};

TEST_F(Interrupts, EndASlowStepOfEveryFamily) {
  for (const auto& [solver, settings] : kSlow) {
    nlohmann::json scene = sheet(41);
    scene["solver"] = {{"family", solver}, {solver, nlohmann::json::parse(settings)}};
    write_scene(scene);
    std::filesystem::remove_all(folder_ / "frames");
    const auto [code, latency] = interrupted_run(SIGTERM);
    EXPECT_EQ(code, 130) << solver;
    EXPECT_LT(latency, 2) << solver;
    EXPECT_EQ(record()["outcome"], "interrupted") << solver << " must have come to an orderly end";
    EXPECT_EQ(record()["frames"].size(), 1u) << solver;
    EXPECT_EQ(muslin("check-frames frames -q"), 0) << text("messages.txt");
  }
}

TEST_F(Interrupts, ATimeLimitEndsTheRunWithWhatIsDone) {
  nlohmann::json scene = sheet(13);
  scene["frames"] = 10000000;
  write_scene(scene);
  const Clock::time_point start = Clock::now();
  EXPECT_EQ(muslin("run scene.json --out frames -q --time-limit 0.7"), 4);
  EXPECT_LT(seconds_since(start), 2.7);
  EXPECT_EQ(record()["outcome"], "time_limit");
  EXPECT_GT(record()["frames"].size(), 1u);
  EXPECT_NE(text("messages.txt").find("--time-limit ended the run before frame"), std::string::npos);
  muslin("check-frames frames");
  EXPECT_NE(text("output.txt").find("the run ran out of time: "), std::string::npos) << text("output.txt");
}

TEST_F(Interrupts, RunsThatTakeTooMuchAreGivenUpForThatReason) {
  nlohmann::json scene = sheet(13);
  scene["gravity"] = {0, -1e12, 0};
  scene["solver"]["budget"] = 2000;
  write_scene(scene);
  EXPECT_EQ(muslin("run scene.json --out frames"), 4);
  EXPECT_EQ(record()["outcome"], "diverged");
  EXPECT_EQ(record()["frames"][1]["failure"], "over_budget");
  EXPECT_NE(text("messages.txt").find("given up in frame 1 (t = 0.01667 s): the frame took all the work"),
            std::string::npos)
      << text("messages.txt");

  scene = sheet(13);
  scene["cloths"][0]["pins"] = {
      {{"grid", {{0, 0}}}},
      {{"grid", {{-1, 0}}},
       {"motion", {{"keyframes", {{{"time", 0}}, {{"time", 0.01}, {"offset", {500, 0, 0}}}}}}}}};
  scene["solver"]["family"] = "newton";
  write_scene(scene);
  EXPECT_EQ(muslin("run scene.json"), 4);
  EXPECT_NE(text("messages.txt").find("an edge is over a hundred times as long as at rest"),
            std::string::npos)
      << text("messages.txt");
  EXPECT_EQ(text("messages.txt").find("finite"), std::string::npos) << text("messages.txt");
}

}  // namespace
