// Times the loops that an iteration of quasi-Newton is made of, in nanoseconds a vertex: F and its gradient,
// assembly of the Hessian as a matrix, the numeric set-up of multigrid with its own assembly, one cycle. On
// the predicted state of a sheet that hangs from two corners, in the middle of its first swing.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "muslin/core/simd_names.h"
#include "muslin/muslin.h"
#include "muslin/solver/line_search.h"
#include "muslin/solver/newton_system.h"

namespace bench {
namespace {

using muslin::Points;

/// Least nanoseconds a vertex of `work`, over a quarter of a second or five times: other programs only add.
double nanoseconds(int vertices, const std::function<void()>& work) {
  double least = 1e99, sum = 0;
  for (int k = 0; k < 5 || (sum < 0.25 && k < 1000); ++k) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    least = std::min(least, seconds);
    sum += seconds;
  }
  return least * 1e9 / vertices;
}

void run(int points, const std::string& membrane, double bend) {
  const muslin::Scene scene =
      muslin::read_scene(std::string(MUSLIN_SCENES) + "/hang.json",
                         {{"/cloths/0/grid/points", fmt::format("[{0}, {0}]", points)},
                          {"/cloths/0/membrane", fmt::format("\"{}\"", membrane)},
                          {"/cloths/0/fabric/bend", fmt::format("{}", bend)}});
  muslin::Simulation simulation(scene);
  for (int f = 0; f < 12; ++f) simulation.step();
  const muslin::Model& model = simulation.model();
  const int n = model.vertex_count();
  const double h = scene.frame_time;
  const muslin::Objective objective =
      muslin::incremental_potential(model, model.script, simulation.state(), h);
  muslin::Iterate here;
  here.x = objective.target();
  const muslin::Filter filter = muslin::pin_filter(muslin::scripted_input(model, 0, h), here.x);

  muslin::Scratch scratch;
  muslin::NewtonSystem system(muslin::Preconditioner::multigrid);
  Points direction;
  const double gradient = nanoseconds(n, [&] { muslin::evaluate(objective, scratch, here); });
  const double assembly =
      nanoseconds(n, [&] { system.assemble(objective, here.x, muslin::Hessian::projected); });
  const double setup =
      nanoseconds(n, [&] { system.update_multigrid(objective, here.x, muslin::Hessian::projected, filter); });
  const double cycle = nanoseconds(n, [&] { system.cycle(here.gradient, direction); });
  fmt::print("{:>7} {:<13} {:>8} | {:>17.0f} {:>9.0f} {:>7.0f} {:>7.0f}\n", n, membrane, bend, gradient,
             assembly, setup, cycle);
  std::fflush(stdout);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  std::vector<int> points{64, 100, 181, 316};
  std::vector<std::string> membranes{"springs", "baraff_witkin"};
  std::vector<double> bends{0, 2e-5};
  int threads = 1;
  CLI::App app("Times the loops of an iteration of quasi-Newton. In nanoseconds a vertex.");
  app.add_option("--points", points, "points along a side")->delimiter(',')->capture_default_str();
  app.add_option("--membranes", membranes, "as in a scene")->delimiter(',')->capture_default_str();
  app.add_option("--bends", bends, "bending rigidities [N m]")->delimiter(',')->capture_default_str();
  app.add_option("--threads", threads, "threads (0: all cores)")->capture_default_str();
  muslin::Simd simd = muslin::Simd::avx512;
  app.add_option("--kernels", simd, "widest vectors: plain, avx2, avx512; absent: the processor's")
      ->transform(CLI::CheckedTransformer(muslin::simd_names()));
  CLI11_PARSE(app, argc, argv);
  muslin::set_threads(threads);
  muslin::limit_simd(simd);
  fmt::print("{:>7} {:<13} {:>8} | {:>17} {:>9} {:>7} {:>7}\n", "points", "membrane", "bend",
             "energy + gradient", "assembly", "set-up", "cycle");
  for (const std::string& membrane : membranes)
    for (const double bend : bends)
      for (const int n : points) bench::run(n, membrane, bend);
  return 0;
} catch (const muslin::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
