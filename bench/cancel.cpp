// How long a frame goes on after another thread has asked it to stop (Simulation::stop): shipped scenes as
// they come, and slow ones, in which a step takes seconds. The request comes at a random moment of a frame.
// Wall time tells only on a machine that does nothing else; processor time of the stepping thread, the only
// one, tells also on others.
//
// usage: bench_cancel [--scenes NAME…] [--slow] [--times N] [--frames N] [--limit MS]
#include <pthread.h>

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <thread>

#include "muslin/core/random.h"
#include "muslin/core/timer.h"
#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"

namespace {

using namespace muslin;

struct Case {
  std::string name, scene;
  std::vector<Override> overrides = {};
};

/// Processor time of one thread, read from any [s].
double cpu_time(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

struct Latencies {
  int vertices = 0, asked = 0;
  double frame = 0;  ///< the longest that was made [s of wall]
  double worst_wall = 0, worst_cpu = 0, sum_cpu = 0;
  std::string trouble;
};

/// Steps with a request after `delay` seconds; enters how long it took to be obeyed, if it came in time.
void stop_after(double delay, Simulation& simulation, Latencies& latencies) {
  clockid_t clock{};
  pthread_getcpuclockid(pthread_self(), &clock);
  std::atomic<bool> done = false;
  double asked_wall = 0, asked_cpu = 0;
  std::thread asks([&] {
    const double due = now() + delay;
    while (now() < due && !done) std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (done) return;
    asked_cpu = cpu_time(clock);
    asked_wall = now();
    simulation.stop().request();
  });
  const double begin = now();
  const FrameReport report = simulation.step();
  const double end_wall = now(), end_cpu = cpu_time(clock);
  done = true;
  asks.join();
  simulation.stop().take_back();
  if (report.step.status != Status::cancelled) {
    latencies.frame = std::max(latencies.frame, end_wall - begin);
    if (report.step.status == Status::diverged) latencies.trouble = "diverged";
    return;
  }
  ++latencies.asked;
  latencies.worst_wall = std::max(latencies.worst_wall, end_wall - asked_wall);
  latencies.worst_cpu = std::max(latencies.worst_cpu, end_cpu - asked_cpu);
  latencies.sum_cpu += end_cpu - asked_cpu;
}

/// `times` requests at random moments of the time that the last frame took, with so many frames between two.
Latencies measure(const Case& what, int times, int frames, double within, double seconds) {
  Latencies latencies;
  try {
    Simulation simulation(read_scene(what.scene, what.overrides));
    simulation.set_threads(1);
    latencies.vertices = simulation.model().vertex_count();
    const double start = now();
    double frame_time = within;
    for (int k = 0; k < times && now() < start + seconds; ++k) {
      stop_after(frame_time * random_unit(7, 0, k), simulation, latencies);
      for (int f = 0; f < frames && now() < start + seconds; ++f) {
        const double begin = now();
        if (simulation.step().step.status == Status::diverged) simulation.reset();
        frame_time = now() - begin;
        latencies.frame = std::max(latencies.frame, frame_time);
      }
    }
  } catch (const std::exception& error) {
    latencies.trouble = error.what();
  }
  return latencies;
}

std::vector<Case> shipped() {
  std::vector<Case> cases;
  for (const auto& entry : std::filesystem::directory_iterator(MUSLIN_SCENES))
    if (entry.path().extension() == ".json")
      cases.push_back({entry.path().stem().string(), entry.path().string()});
  std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.name < b.name; });
  return cases;
}

/// Steps that take long, by their size or because they have no end (docs/validation.md).
std::vector<Case> slow() {
  const std::string drape = std::string(MUSLIN_SCENES) + "/sphere_drape.json";
  const Override large{"/cloths/0/grid/points", "[201, 201]"};
  const auto family = [](const std::string& name) { return Override{"/solver/family", '"' + name + '"'}; };
  std::vector<Case> cases{
      {"wind of 10 km/s", drape, {{"/wind/velocity", "[1e4, 0, 0]"}, {"/wind/air_density", "1.2"}}},
      {"gravity of 10^12 m/s^2", drape, {{"/gravity", "[0, -1e12, 0]"}}},
      {"cloth at 1 km/s", drape, {{"/cloths/0/velocity", "[0, -1000, 0]"}}},
      {"201 x 201, newton by cholesky",
       drape,
       {large, family("newton"), {"/solver/newton/linear", "\"cholesky\""}}}};
  for (const std::string_view name : kFamilies)
    cases.push_back({fmt::format("201 x 201, {}", name), drape, {large, family(std::string(name))}});
  return cases;
}

}  // namespace

int main(int count, char** arguments) {
  CLI::App app("How long a frame goes on after it was asked to stop");
  std::vector<std::string> names;
  bool slow_ones = false;
  int times = 20, frames = 2;
  double limit = 0, seconds = 60, within = 0.02;
  app.add_option("--scenes", names, "only these shipped scenes");
  app.add_flag("--slow", slow_ones, "slow scenes in place of shipped ones");
  app.add_option("--times", times, "requests a scene");
  app.add_option("--frames", frames, "frames between two requests");
  app.add_option("--within", within, "seconds that a frame is taken to last before one was made");
  app.add_option("--seconds", seconds, "most time a scene");
  app.add_option("--limit", limit, "exit with 1 if a request takes longer, in ms of processor time");
  CLI11_PARSE(app, count, arguments);
  fmt::print("{:34} {:>8} {:>6} {:>10} {:>11} {:>11} {:>11}\n", "scene", "vertices", "asked", "frame [ms]",
             "mean [ms]", "worst [ms]", "wall [ms]");
  bool late = false;
  for (const Case& what : slow_ones ? slow() : shipped()) {
    if (!names.empty() && std::count(names.begin(), names.end(), what.name) == 0) continue;
    const Latencies l = measure(what, times, frames, within, seconds);
    fmt::print("{:34} {:>8} {:>6} {:>10.1f} {:>11.2f} {:>11.2f} {:>11.2f}  {}\n", what.name, l.vertices,
               l.asked, 1000 * l.frame, l.asked > 0 ? 1000 * l.sum_cpu / l.asked : 0, 1000 * l.worst_cpu,
               1000 * l.worst_wall, l.trouble);
    std::fflush(stdout);
    late = late || (limit > 0 && 1000 * l.worst_cpu > limit);
  }
  return late ? 1 : 0;
}
