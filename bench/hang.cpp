// Runs the standard work `hang` with every solver family, and with Bullet's soft body where CMake found it.
// How contenders are judged: hang_table.cpp.
#include "hang_table.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include "muslin/io/file.h"
#include "muslin/muslin.h"

namespace bench {
namespace {

std::vector<MakeContender> muslin_contenders(const muslin::SolverSettings& settings) {
  std::vector<MakeContender> all;
  muslin::SolverSettings solver = settings;
  solver.family = "explicit";
  all.push_back(muslin_contender("as many substeps as stability needs", solver));

  solver.family = "position";
  solver.position.method = muslin::PositionMethod::xpbd;
  solver.position.iterations = 1;
  for (const int substeps : {10, 20, 40, 80}) {
    solver.position.substeps = substeps;
    all.push_back(muslin_contender(fmt::format("xpbd, {} substeps x 1 iterations", substeps), solver));
  }
  solver.position.method = muslin::PositionMethod::pbd;
  solver.position.substeps = 1;
  for (const int iterations : {20, 80}) {
    solver.position.iterations = iterations;
    all.push_back(muslin_contender(fmt::format("pbd, 1 substeps x {} iterations", iterations), solver));
  }

  solver.family = "implicit";
  solver.implicit.direction = muslin::Direction::diagonal;
  solver.implicit.acceleration = muslin::Acceleration::chebyshev;
  struct Effort {
    int substeps, iterations;
  };
  for (const Effort effort : {Effort{1, 100}, {1, 400}, {8, 50}, {8, 200}}) {
    solver.implicit.substeps = effort.substeps;
    solver.implicit.iterations = effort.iterations;
    all.push_back(muslin_contender(
        fmt::format("chebyshev, {} substeps x <= {} iterations", effort.substeps, effort.iterations),
        solver));
  }
  return all;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  std::vector<int> points{21, 64, 128, 256};
  int frames = 300, threads = 1;
  bool quick = false;
  double budget = 120;
  std::string csv_file, only;
  CLI::App app("Times every solver on a sheet that hangs from two corners.");
  const CLI::Option* points_option =
      app.add_option("--points", points, "points along a side")->delimiter(',')->capture_default_str();
  const CLI::Option* frames_option = app.add_option("--frames", frames, "frames of 1/60 s")
                                         ->capture_default_str()
                                         ->check(CLI::PositiveNumber);
  app.add_flag("--quick", quick, "the same as --points 21,64 --frames 60");
  app.add_option("--threads", threads, "threads (0: all cores); bullet always uses one")
      ->capture_default_str();
  app.add_option("--budget", budget, "seconds after which a run is not worth waiting for")
      ->capture_default_str();
  app.add_option("--only", only, "only engines whose name contains this");
  app.add_option("--csv", csv_file, "also write the table here");
  CLI11_PARSE(app, argc, argv);
  if (quick && points_option->count() == 0) points = {21, 64};
  if (quick && frames_option->count() == 0) frames = 60;
  muslin::set_threads(threads);

  std::vector<bench::Row> rows;
  bench::print_head(frames);
  for (const int n : points) {
    const std::string file = std::string(MUSLIN_SCENES) + "/hang.json";
    const muslin::Scene scene =
        muslin::read_scene(file, {{"/cloths/0/grid/points", fmt::format("[{0}, {0}]", n)}});
    const muslin::Model model = muslin::build_model(scene);
    std::vector<bench::MakeContender> contenders = bench::muslin_contenders(scene.solver);
#ifdef BENCH_HAS_BULLET
    for (const bench::MakeContender& peer : bench::bullet_contenders()) contenders.push_back(peer);
#endif
    for (const bench::MakeContender& make : contenders) {
      const bench::Contender contender = make(scene);
      if (contender.engine.find(only) == std::string::npos) continue;
      rows.push_back(bench::run(contender, model, n, frames, budget, bench::kHangGate));
      bench::print_row(rows.back());
    }
  }
  if (!csv_file.empty()) muslin::write_file(csv_file, bench::csv(rows), /*overwrite=*/true);
  return 0;
} catch (const muslin::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
