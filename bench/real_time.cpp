// How fast every shipped scene runs, as a run takes it and in its variant for the viewer: milliseconds a
// frame and the fraction of real time. Wall time tells only on a machine that does nothing else; processor
// time of one thread tells also on others.
//
// usage: bench_real_time [SECONDS A SCENE [THREADS]]
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "muslin/core/parallel.h"
#include "muslin/core/timer.h"
#include "muslin/io/viewer_variant.h"
#include "muslin/simulation.h"
#include "muslin/solver/methods.h"

namespace {

using namespace muslin;

/// Of all threads together [s].
double processor_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Speed {
  int vertices = 0, frames = 0;
  std::string solver;
  double wall_ms = 0, cpu_ms = 0;  ///< a frame, in the mean
  double frame_ms = 0;             ///< that a frame lasts in the scene
};

/// All frames of the scene, or as many as the time allows.
Speed measure(const Scene& scene, double seconds) {
  Simulation simulation(scene);
  Speed speed;
  speed.vertices = simulation.model().vertex_count();
  speed.solver = scene.solver.family;
  speed.frame_ms = 1000 * scene.frame_time;
  const double start = now(), processor_start = processor_time();
  while (speed.frames < scene.frames && now() < start + seconds) {
    simulation.step();
    ++speed.frames;
  }
  speed.wall_ms = 1000 * (now() - start) / speed.frames;
  speed.cpu_ms = 1000 * (processor_time() - processor_start) / speed.frames;
  return speed;
}

void print_row(const std::string& name, const char* form, const Speed& s) {
  fmt::print("{:26} {:7} {:>8} {:13} {:>6} {:>9.1f} {:>9.1f} {:>9.2f} {:>9.2f}\n", name, form, s.vertices,
             s.solver, s.frames, s.wall_ms, s.cpu_ms, s.frame_ms / s.wall_ms, s.frame_ms / s.cpu_ms);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const double seconds = count > 1 ? std::atof(arguments[1]) : 10;
  set_threads(count > 2 ? std::atoi(arguments[2]) : 0);
  std::vector<std::filesystem::path> scenes;
  for (const auto& entry : std::filesystem::directory_iterator(MUSLIN_SCENES))
    if (entry.path().extension() == ".json") scenes.push_back(entry.path());
  std::sort(scenes.begin(), scenes.end());
  fmt::print("{:26} {:7} {:>8} {:13} {:>6} {:>9} {:>9} {:>9} {:>9}\n", "scene", "form", "vertices", "solver",
             "frames", "ms wall", "ms cpu", "of real", "by cpu");
  for (const auto& path : scenes) {
    const std::vector<Override> variant = read_viewer_variant(path.string());
    print_row(path.stem().string(), "run", measure(read_scene(path.string()), seconds));
    if (!variant.empty()) print_row("", "viewer", measure(read_scene(path.string(), variant), seconds));
  }
}
