// Position-based cloth against itself and against other engines: every work by every path of xpbd and by the
// peers that are built in, the fewest substeps first, until the last target is reached. What is fast counts
// where strain and the gate (hang_table.cpp) say that it is cloth. The second table has the cheapest settings
// that reach each target, and at equal dissipation; ratios are to the general path and to the fastest
// setting of each peer, of the same run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/core/simd_names.h"
#include "muslin/io/file.h"
#include "muslin/simulation.h"
#include "muslin/solver/position/kernels.h"
#include "muslin/solver/position/paths.h"
#include "race_works.h"

namespace bench {
namespace {

struct Options {
  std::vector<int> points{64, 128, 256};
  int threads = 1, reference = 160;
  double budget = 120;
  std::string only, work, skirt, csv;
  muslin::Simd simd = muslin::Simd::avx512;
};

/// Settings of one engine, the cheapest first.
struct Ladder {
  std::string name;  // "lines, coarse"
  std::vector<MakeContender> rungs;
};

Ladder ladder(const muslin::Scene& scene, const muslin::Model& model, muslin::PositionPath path,
              bool coarse) {
  muslin::SolverSettings solver = scene.solver;
  muslin::PositionSettings& position = solver.position;
  solver.family = "position";
  position.path = path;
  position.coarse = coarse;
  Ladder ladder{std::string(name_of(path)) + (coarse ? ", coarse" : ""), {}};
  if (path_taken(position, model) != path) return ladder;
  const bool general = path == muslin::PositionPath::general;
  for (const int substeps : general
                                ? std::vector{10, 20, 30, 42, 60, 80, 120, 160}
                                : std::vector{2, 3, 4, 5, 6, 8, 10, 13, 14, 16, 20, 26, 32, 40, 52, 66, 84}) {
    position.substeps = substeps;
    ladder.rungs.push_back(muslin_contender(fmt::format("{}, {} substeps", ladder.name, substeps), solver));
  }
  return ladder;
}

std::vector<Ladder> ladders(const Work& work, const muslin::Model& model) {
  std::vector<Ladder> all;
  for (size_t k = 0; k < muslin::EnumNames<muslin::PositionPath>::names.size(); ++k) {
    const muslin::PositionPath path{static_cast<int>(k)};
    all.push_back(ladder(work.scene, model, path, false));
    if (path != muslin::PositionPath::general) all.push_back(ladder(work.scene, model, path, true));
  }
#ifdef BENCH_HAS_BULLET
  if (work.for_peers) all.push_back({"bullet", bullet_contenders()});
#endif
#ifdef BENCH_HAS_OWN_ENGINE
  if (work.for_peers) all.push_back({"own engine", own_contenders()});
#endif
  return all;
}

// --- the judge -------------------------------------------------------------------------------------

bool reaches(const Row& row, const Target& target) {
  return row.p99 && *row.p99 < target.p99 && *row.max < target.largest && row.gate == "PASS";
}

/// The rows of one ladder, up to the one that reaches the last target.
std::vector<Row> climb(const Ladder& ladder, const Work& work, const muslin::Model& model,
                       const Options& options) {
  std::vector<Row> rows;
  for (const MakeContender& make : ladder.rungs) {
    const Contender contender = make(work.scene);
    if ((contender.engine + " " + contender.settings).find(options.only) == std::string::npos) continue;
    rows.push_back(run(contender, model, work.points, work.frames, options.budget, work.gate));
    print_row(rows.back());
    const bool done = std::all_of(work.targets.begin(), work.targets.end(),
                                  [&](const Target& target) { return reaches(rows.back(), target); });
    if (done) break;
  }
  return rows;
}

/// Where converged cloth falls, by the general path in small steps.
FallGate gate_by_small_steps(const Work& work, const muslin::Model& model, const Options& options) {
  muslin::SolverSettings solver = work.scene.solver;
  solver.family = "position";
  solver.position.path = muslin::PositionPath::general;
  solver.position.substeps = options.reference;
  const Contender reference =
      muslin_contender(fmt::format("the gate: general, {} substeps", options.reference), solver)(work.scene);
  const Row row = run(reference, model, 0, work.frames, 1e9, std::nullopt);
  print_row(row);
  if (!row.fall30 || !row.fall60)
    throw muslin::Error(muslin::ErrorKind::invalid,
                        work.name + ": the run that makes the gate does not come through");
  return {*row.fall30 - 0.03, *row.fall30 + 0.03, *row.fall60 - 0.03, *row.fall60 + 0.03};
}

// --- the table of the cheapest ---------------------------------------------------------------------

using Climbed = std::pair<std::string, std::vector<Row>>;

const Row* cheapest(const std::vector<Row>& rows, const Target& target, const Row* as_lively = nullptr) {
  constexpr double kEqual = 0.01;  // [m] of the centre of mass at frame 60
  const Row* best = nullptr;
  for (const Row& row : rows) {
    if (!reaches(row, target) || (best && best->ms <= row.ms)) continue;
    if (as_lively && std::abs(*row.fall60 - *as_lively->fall60) > kEqual) continue;
    best = &row;
  }
  return best;
}

std::string times(const Row* slow, const Row& fast) {
  return slow ? fmt::format("{:.1f}", slow->ms / fast.ms) : "-";
}

void print_cheapest(const Work& work, const std::vector<Climbed>& climbed) {
  const auto rows_of = [&](const std::string& name) {
    const auto found =
        std::find_if(climbed.begin(), climbed.end(), [&](const Climbed& c) { return c.first == name; });
    return found == climbed.end() ? std::vector<Row>() : found->second;
  };
  const std::vector<Row> general = rows_of("general"), bullet = rows_of("bullet");
  fmt::print("\n{}: the cheapest that reach a target; x: how many times as long others take\n", work.name);
  fmt::print("{:<10} {:<34} {:>10} {:>9} {:>9} {:>10} {:>8}  {}\n", "target", "settings", "ms a frame",
             "x general", "x bullet", "shear mrad", "y60 m", "as lively as the general path's");
  for (const Target& target : work.targets)
    for (const auto& [name, rows] : climbed) {
      const Row* row = cheapest(rows, target);
      if (!row) continue;
      const Row* peer = cheapest(general, target);
      const Row* lively = peer ? cheapest(rows, target, peer) : nullptr;
      fmt::print("{:<10} {:<34} {:>10.3f} {:>9} {:>9} {:>10} {:>8.3f}  {}\n", target.name, row->settings,
                 row->ms, times(peer, *row), times(cheapest(bullet, target), *row),
                 row->shear ? fmt::format("{:.1f}", 1000 * *row->shear) : "-", *row->fall60,
                 lively ? fmt::format("{}: {:.3f} ms", lively->settings, lively->ms) : "-");
    }
  fmt::print("\n");
  std::fflush(stdout);
}

void race(Work work, const Options& options, std::vector<Row>& all) {
  const muslin::Model model = muslin::build_model(work.scene);
  fmt::print("{}: {} vertices, {} frames\n", work.name, model.vertex_count(), work.frames);
  print_head(work.frames);
  if (!work.gate) work.gate = gate_by_small_steps(work, model, options);
  std::vector<Climbed> climbed;
  for (const Ladder& ladder : ladders(work, model)) {
    climbed.emplace_back(ladder.name, climb(ladder, work, model, options));
    for (Row row : climbed.back().second) {
      row.work = work.name;
      all.push_back(row);
    }
  }
  print_cheapest(work, climbed);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  bench::Options o;
  CLI::App app(
      "Races the paths of position-based cloth, Bullet where it is installed, and an engine of your own\n"
      "(bench/README.md), on sheets that hang from two corners, on a skirt and on a drape. Times are of the\n"
      "processor where one thread is used, else of the wall.");
  app.add_option("--points", o.points, "points along a side of the sheets")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--work", o.work,
                 "only works whose name contains this: grid, Delaunay, skirt, sphere_drape");
  app.add_option("--only", o.only, "only contenders whose engine or settings contain this");
  app.add_option(
      "--skirt", o.skirt,
      "OBJ file of scripts/make_skirt instead of the shipped skirt of 2570 vertices (0.0157: 5 000)");
  app.add_option("--threads", o.threads, "threads (0: all cores); peers use one")->capture_default_str();
  app.add_option("--budget", o.budget, "seconds after which a run is not worth waiting for")
      ->capture_default_str();
  app.add_option("--reference", o.reference, "substeps of the run that makes the gate where none is known")
      ->capture_default_str();
  app.add_option("--csv", o.csv, "also write all rows here");
  app.add_option("--kernels", o.simd,
                 "widest vectors of fast paths: plain, avx2, avx512; absent: the processor's")
      ->transform(CLI::CheckedTransformer(muslin::simd_names()));
  CLI11_PARSE(app, argc, argv);
  muslin::set_threads(o.threads);
  muslin::limit_simd(o.simd);

  fmt::print("fast paths run on {} vectors\n\n", muslin::chosen_kernels().name);
  std::vector<bench::Row> rows;
  for (const bench::Work& work : bench::works(o.points, o.skirt))
    if (work.name.find(o.work) != std::string::npos) bench::race(work, o, rows);
  if (!o.csv.empty()) muslin::write_file(o.csv, bench::csv(rows), /*overwrite=*/true);
  return 0;
} catch (const muslin::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
