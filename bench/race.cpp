// Position-based cloth against itself and against Bullet on the standard work `hang`: the general path of
// xpbd, the path `lines`, Bullet's soft body, in one run, the fewest substeps first. What is fast counts
// where strain and the gate (hang_table.cpp) say that it is cloth: compare rows of equal quality, not of
// equal substeps.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>

#include "hang_table.h"
#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/core/simd.h"
#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"
#include "muslin/solver/position/kernels.h"

namespace bench {
namespace {

std::vector<MakeContender> paths(const muslin::SolverSettings& settings, int points) {
  std::vector<MakeContender> all;
  muslin::SolverSettings solver = settings;
  solver.family = "position";
  solver.position.path = muslin::PositionPath::general;
  for (const int substeps : {20, 30, 42, 80, 160})
    if (points <= 64 || substeps >= 80) {
      solver.position.substeps = substeps;
      all.push_back(muslin_contender(fmt::format("general, {} substeps", substeps), solver));
    }
  solver.position.path = muslin::PositionPath::lines;
  for (const bool coarse : {true, false}) {
    solver.position.coarse = coarse;
    for (const int substeps : {2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 30}) {
      solver.position.substeps = substeps;
      all.push_back(
          muslin_contender(fmt::format("lines, {} substeps{}", substeps, coarse ? ", coarse" : ""), solver));
    }
  }
  return all;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  std::vector<int> points{64, 128, 256};
  int frames = 300, threads = 1;
  double budget = 120;
  std::string only;
  muslin::Simd simd = muslin::Simd::avx512;
  CLI::App app("Races the paths of position-based cloth and Bullet on a sheet that hangs from two corners.");
  app.add_option("--points", points, "points along a side")->delimiter(',')->capture_default_str();
  app.add_option("--frames", frames, "frames of 1/60 s")->capture_default_str()->check(CLI::PositiveNumber);
  app.add_option("--threads", threads, "threads (0: all cores); bullet always uses one")
      ->capture_default_str();
  app.add_option("--budget", budget, "seconds after which a run is not worth waiting for")
      ->capture_default_str();
  app.add_option("--only", only, "only contenders whose engine or settings contain this");
  const std::map<std::string, muslin::Simd> widths{
      {"plain", muslin::Simd::plain}, {"avx2", muslin::Simd::avx2}, {"avx512", muslin::Simd::avx512}};
  app.add_option("--kernels", simd, "widest vectors of lines: plain, avx2, avx512; absent: the processor's")
      ->transform(CLI::CheckedTransformer(widths));
  CLI11_PARSE(app, argc, argv);
  muslin::set_threads(threads);
  muslin::limit_simd(simd);

  fmt::print("lines run on {} vectors\n", muslin::chosen_kernels().name);
  bench::print_head(frames);
  for (const int n : points) {
    const std::string file = std::string(MUSLIN_SCENES) + "/hang.json";
    const muslin::Scene scene =
        muslin::read_scene(file, {{"/cloths/0/grid/points", fmt::format("[{0}, {0}]", n)}});
    const muslin::Model model = muslin::build_model(scene);
    std::vector<bench::MakeContender> contenders = bench::paths(scene.solver, n);
#ifdef BENCH_HAS_BULLET
    for (const bench::MakeContender& peer : bench::bullet_contenders()) contenders.push_back(peer);
#endif
    for (const bench::MakeContender& make : contenders) {
      const bench::Contender contender = make(scene);
      if ((contender.engine + " " + contender.settings).find(only) == std::string::npos) continue;
      bench::print_row(bench::run(contender, model, n, frames, budget));
    }
  }
  return 0;
} catch (const muslin::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
