// What bench_hang and bench_race have in common: how a contender is run and judged, and the table.
//
// Speed alone says nothing: strain tells how far the cloth is from inextensible, and the gate whether it fell
// at all. The gate compares the height of the centre of mass, relative to its start, with a converged
// reference: of `hang` −0.81 ± 0.03 m at frame 30 (on its way down; free fall would be at −1.23) and between
// −0.60 and −0.43 m at frame 60 (swinging up on the other side). A solver that damps, or lets gravity leak,
// misses one of them.
#include "hang_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>

#include "muslin/core/parallel.h"
#include "muslin/core/timer.h"
#include "muslin/simulation.h"

namespace bench {

namespace {

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// A clock [ms] that other work on the machine does not hasten: the processor's where one thread works.
double milliseconds() {
  if (muslin::threads() == 1) return muslin::thread_milliseconds();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
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

// Of every cell of a grid, at its corner of lowest index: how far warp and weft are from a right angle.
void measure_shear(const muslin::GridPatch& patch, const muslin::Points& x, Row& row) {
  std::vector<double> angles;
  for (int j = 0; j + 1 < patch.nv; ++j)
    for (int i = 0; i + 1 < patch.nu; ++i) {
      const muslin::Vec3 corner = x.col(patch.vertex(i, j));
      const muslin::Vec3 warp = muslin::Vec3(x.col(patch.vertex(i + 1, j))) - corner;
      const muslin::Vec3 weft = muslin::Vec3(x.col(patch.vertex(i, j + 1))) - corner;
      angles.push_back(std::abs(std::asin(std::clamp(warp.normalized().dot(weft.normalized()), -1.0, 1.0))));
    }
  std::sort(angles.begin(), angles.end());
  row.shear = angles[static_cast<size_t>(0.99 * static_cast<double>(angles.size() - 1))];
}

std::string verdict(const Row& row, const std::optional<FallGate>& gate) {
  if (!gate || !row.fall30 || !row.fall60) return "-";
  const bool down = *row.fall30 >= gate->lowest30 && *row.fall30 <= gate->highest30;
  const bool up = *row.fall60 >= gate->lowest60 && *row.fall60 <= gate->highest60;
  return down && up ? "PASS" : "FAIL";
}

std::string number(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}
std::string percent(const std::optional<double>& strain) {
  return strain ? fmt::format("{:.2f}", *strain * 100) : "-";
}

}  // namespace

Row run(const Contender& contender, const muslin::Model& model, int points, int frames, double budget,
        const std::optional<FallGate>& gate) {
  Row row;
  row.engine = contender.engine;
  row.settings = contender.settings;
  row.points = points;
  const double start_height = height(model, model.start);
  std::vector<double> ms;
  Frame sum;
  for (int i = 1; i <= frames && row.note.empty(); ++i) {
    const double start = milliseconds();
    const Frame frame = contender.step();
    ms.push_back(frame.ms > 0 ? frame.ms : milliseconds() - start);
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
  if (row.note.empty()) {
    measure_strain(model, contender.positions(), row);
    if (!model.grids.empty()) measure_shear(model.grids[0], contender.positions(), row);
  }
  if (row.max && !(*row.max < 1000)) row.note = "blew up without saying so";
  row.gate = verdict(row, gate);
  return row;
}

// --- muslin's own contenders -----------------------------------------------------------------------

MakeContender muslin_contender(const std::string& settings, const muslin::SolverSettings& solver) {
  return [settings, solver](muslin::Scene scene) {
    scene.solver = solver;
    const auto simulation = std::make_shared<muslin::Simulation>(scene);
    const auto step = [simulation, projects = solver.family == "position"] {
      const double start = milliseconds();
      const muslin::StepReport report = simulation->advance();
      const double ms = milliseconds() - start;
      double constraints = 0;
      simulation->model().energies.each([&](const auto& energy) { constraints += energy.size(); });
      return Frame{ms, report.solve_ms, projects ? constraints * report.iterations : 0,
                   report.status == muslin::Status::diverged};
    };
    return Contender{"muslin " + solver.family, settings, step,
                     [simulation] { return simulation->state().positions; }};
  };
}

void print_head(int frames) {
  fmt::print(
      "strain at frame {}, centre of mass relative to its start; ns a solve: of a constraint, of the\n",
      frames);
  fmt::print("constraint sweeps in muslin and of the whole step in bullet\n\n");
  fmt::print("{:<17} {:<42} {:>4} {:>10} {:>8} {:>8} {:>10} {:>8} {:>8} {:>5} {:>9}  {}\n", "engine",
             "settings", "N", "ms a frame", "p99 %", "max %", "shear mrad", "y30 m", "y60 m", "gate",
             "ns/solve", "note");
}

void print_row(const Row& row) {
  fmt::print("{:<17} {:<42} {:>4} {:>10} {:>8} {:>8} {:>10} {:>8} {:>8} {:>5} {:>9}  {}\n", row.engine,
             row.settings, row.points, number(row.ms, 3), percent(row.p99), percent(row.max),
             number(row.shear ? std::optional(1000 * *row.shear) : row.shear, 1), number(row.fall30, 3),
             number(row.fall60, 3), row.gate, number(row.ns_a_solve, 2), row.note);
  std::fflush(stdout);
}

std::string csv(const std::vector<Row>& rows) {
  const auto cell = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.6g}", *value) : "";
  };
  std::string text =
      "work,engine,settings,points,ms_a_frame,strain_p99,strain_max,shear_rad,fall_30_m,fall_60_m,gate,"
      "ns_a_solve,note\n";
  for (const Row& row : rows)
    text += fmt::format("{},{},\"{}\",{},{},{},{},{},{},{},{},{},\"{}\"\n", row.work, row.engine,
                        row.settings, row.points, row.ms, cell(row.p99), cell(row.max), cell(row.shear),
                        cell(row.fall30), cell(row.fall60), row.gate, cell(row.ns_a_solve), row.note);
  return text;
}

}  // namespace bench
