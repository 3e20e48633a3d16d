// Runs the standard work `hang` with every solver family, and with Bullet's soft body where CMake found it.
//
// Speed alone says nothing: strain tells how far the cloth is from inextensible, and the gate whether it fell
// at all. The gate compares the height of the centre of mass, relative to its start, with a converged
// reference at N = 64: −0.81 ± 0.03 m at frame 30 (on its way down; free fall would be at −1.23) and between
// −0.60 and −0.43 m at frame 60 (swinging up on the other side). A solver that damps, or lets gravity leak,
// misses one of them.
#include "hang.h"

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

struct Row {
  std::string engine, settings;
  int points;
  double ms = 0;                         // median of the frames
  std::optional<double> p99, max;        // strain at the last frame
  std::optional<double> fall30, fall60;  // [m] centre of mass, relative to its start
  std::string gate = "-";
  std::optional<double> ns_a_solve;
  std::string note;
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double height(const muslin::Model& model, const muslin::Points& x) {
  return x.row(1).dot(model.mass) / model.mass.sum();
}

// Strain over all mesh edges; the same code for every engine.
void measure_strain(const muslin::Model& model, const muslin::Points& x, Row& row) {
  std::vector<double> strain;
  for (size_t e = 0; e < model.edges.size(); ++e) {
    const auto& [a, b] = model.edges[e];
    strain.push_back((x.col(b) - x.col(a)).norm() / model.edge_length[e] - 1);
  }
  std::sort(strain.begin(), strain.end());
  row.p99 = strain[static_cast<size_t>(0.99 * static_cast<double>(strain.size() - 1))];
  row.max = strain.back();
}

std::string gate(const Row& row) {
  if (row.points != 64 || !row.fall30 || !row.fall60) return "-";
  const bool down = std::abs(*row.fall30 + 0.81) <= 0.03;
  const bool up = *row.fall60 >= -0.60 && *row.fall60 <= -0.43;
  return down && up ? "PASS" : "FAIL";
}

/// Runs a contender for `frames` frames; gives up early when that would take more than `budget` seconds.
Row run(const Contender& contender, const muslin::Model& model, int points, int frames, double budget) {
  Row row;
  row.engine = contender.engine;
  row.settings = contender.settings;
  row.points = points;
  const double start_height = height(model, model.start);
  std::vector<double> ms;
  Frame sum;
  for (int i = 1; i <= frames && row.note.empty(); ++i) {
    const auto start = std::chrono::steady_clock::now();
    const Frame frame = contender.step();
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    sum.solve_ms += frame.solve_ms;
    sum.solves += frame.solves;
    if (i == 30) row.fall30 = height(model, contender.positions()) - start_height;
    if (i == 60) row.fall60 = height(model, contender.positions()) - start_height;
    if (frame.diverged) row.note = fmt::format("diverged at frame {}", i);
    if (i == 3 && median(ms) * frames > budget * 1000)
      row.note = fmt::format("stopped: would take {:.0f} s", median(ms) * frames / 1000);
  }
  row.ms = median(ms);
  if (sum.solves > 0) row.ns_a_solve = sum.solve_ms * 1e6 / sum.solves;
  if (row.note.empty()) measure_strain(model, contender.positions(), row);
  if (row.max && !(*row.max < 1000)) row.note = "blew up without saying so";
  row.gate = gate(row);
  return row;
}

// --- muslin's own contenders -----------------------------------------------------------------------

MakeContender muslin_contender(const std::string& settings, const muslin::SolverSettings& solver) {
  return [settings, solver](muslin::Scene scene) {
    scene.solver = solver;
    const auto simulation = std::make_shared<muslin::Simulation>(scene);
    const auto step = [simulation, projects = solver.family == "position"] {
      const muslin::StepReport report = simulation->step().step;
      double constraints = 0;
      simulation->model().energies.each([&](const auto& energy) { constraints += energy.size(); });
      return Frame{report.solve_ms, projects ? constraints * report.iterations : 0,
                   report.status == muslin::Status::diverged};
    };
    return Contender{"muslin " + solver.family, settings, step,
                     [simulation] { return simulation->state().positions; }};
  };
}

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

// --- the table -------------------------------------------------------------------------------------

std::string number(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}
std::string percent(const std::optional<double>& strain) {
  return strain ? fmt::format("{:.2f}", *strain * 100) : "-";
}

void print_head(int frames) {
  fmt::print(
      "strain at frame {}, centre of mass relative to its start; ns a solve: of a constraint, of the\n",
      frames);
  fmt::print("constraint sweeps in muslin and of the whole step in bullet\n\n");
  fmt::print("{:<17} {:<42} {:>4} {:>10} {:>8} {:>8} {:>8} {:>8} {:>5} {:>9}  {}\n", "engine", "settings",
             "N", "ms a frame", "p99 %", "max %", "y30 m", "y60 m", "gate", "ns/solve", "note");
}

void print_row(const Row& row) {
  fmt::print("{:<17} {:<42} {:>4} {:>10} {:>8} {:>8} {:>8} {:>8} {:>5} {:>9}  {}\n", row.engine, row.settings,
             row.points, number(row.ms, 3), percent(row.p99), percent(row.max), number(row.fall30, 3),
             number(row.fall60, 3), row.gate, number(row.ns_a_solve, 2), row.note);
  std::fflush(stdout);
}

std::string csv(const std::vector<Row>& rows) {
  const auto cell = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.6g}", *value) : "";
  };
  std::string text =
      "engine,settings,points,ms_a_frame,strain_p99,strain_max,fall_30_m,fall_60_m,gate,ns_a_solve,note\n";
  for (const Row& row : rows)
    text += fmt::format("{},\"{}\",{},{},{},{},{},{},{},{},\"{}\"\n", row.engine, row.settings, row.points,
                        row.ms, cell(row.p99), cell(row.max), cell(row.fall30), cell(row.fall60), row.gate,
                        cell(row.ns_a_solve), row.note);
  return text;
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
      rows.push_back(bench::run(contender, model, n, frames, budget));
      bench::print_row(rows.back());
    }
  }
  if (!csv_file.empty()) muslin::write_file(csv_file, bench::csv(rows), /*overwrite=*/true);
  return 0;
} catch (const muslin::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
