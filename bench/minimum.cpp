// How fast solvers come to the minimum of implicit Euler's objective, on whole runs of cloth without contact:
// swinging, recoiling, twisting, flying, of uneven fabrics and meshes.
//
// --part runs    quasi-Newton along whole runs: iterations to 1 % and 0.1 % of the energy gap from sampled
//                states of the converged run, iterations to the tolerance along its own run, and how far that
//                ends from the converged run at the same time step.
// --part race    milliseconds of processors to 1 % of the gap, for every minimising method, from states
//                sampled along the run: of a step, and of a first step with all that is made once (patterns,
//                hierarchies, factors of constant matrices).
// --part frames  milliseconds a frame of the standard work `hang`, and of a drape, to the default tolerance.
#include <fmt/format.h>
#include <fmt/ranges.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <CLI/CLI.hpp>
#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "muslin/compare/common_step.h"
#include "muslin/compare/trace.h"
#include "muslin/geometry/shapes.h"
#include "muslin/geometry/sheet.h"
#include "muslin/io/file.h"
#include "muslin/muslin.h"

namespace bench {
namespace {

using namespace muslin;

constexpr double kFrame = 1.0 / 60;  // [s]
const double kPi = std::acos(-1.0);

// --- scenes ------------------------------------------------------------------------------------------

Fabric study_fabric() {
  Fabric fabric;
  fabric.density = 0.2;
  fabric.warp = fabric.weft = 1000;
  fabric.shear = 300;
  fabric.bend = 2e-5;
  return fabric;
}

Cloth cloth_of(Mesh mesh, const Fabric& fabric) {
  Cloth cloth;
  cloth.mesh = MeshFile();
  cloth.mesh->mesh = std::make_shared<const Mesh>(std::move(mesh));
  cloth.fabric = fabric;
  cloth.membrane = Membrane::baraff_witkin;
  return cloth;
}

Mesh regular_sheet(int side) {
  Mesh mesh = make_sheet({side, side}, Vec3::Zero(), Vec3::UnitX(), Vec3::UnitZ(), Diagonals::alternating);
  mesh.diagonals.clear();
  return mesh;
}

/// A run: a scene, and how its vertices move at first.
struct Run {
  std::string name;
  Scene scene;
  std::function<Vec3(const Vec3&)> velocity = nullptr;  // [m/s] at a place
};

Scene scene_of(std::vector<Cloth> cloths) {
  Scene scene;
  scene.frame_time = kFrame;
  scene.cloths = std::move(cloths);
  return scene;
}

// Held at two corners, from the horizontal. The corners are those farthest along x at the least z and at the
// least x.
Run swing(const std::string& name, Mesh mesh, const Fabric& fabric) {
  int origin = 0, far = 0;
  const Points& x = mesh.positions;
  for (int v = 0; v < x.cols(); ++v) {
    if (x(0, v) + x(2, v) < x(0, origin) + x(2, origin)) origin = v;
    if (x(0, v) - x(2, v) > x(0, far) - x(2, far)) far = v;
  }
  Cloth cloth = cloth_of(std::move(mesh), fabric);
  Pin pin;
  pin.vertices = {origin, far};
  cloth.pins = {pin};
  return {name, scene_of({cloth})};
}

// Held along one side, thrown upwards: it falls back and is caught by its pins.
Run recoil(int side) {
  Cloth cloth = cloth_of(regular_sheet(side), study_fabric());
  Pin pin;
  for (int i = 0; i < side; ++i) pin.vertices.push_back(i);
  cloth.pins = {pin};
  return {"recoil", scene_of({cloth}), [](const Vec3& x) -> Vec3 { return {0, 4 * x.z(), 0}; }};
}

// Without pins, spinning about two axes.
Run flight(int side) {
  Cloth cloth = cloth_of(regular_sheet(side), study_fabric());
  return {"free flight", scene_of({cloth}), [](const Vec3& x) -> Vec3 {
            return Vec3(3, 0, 5).cross(x - Vec3(0.5, 0, 0.5)) + Vec3(0, 0.5 * std::sin(9 * x.x()), 0);
          }};
}

// Two tubes side by side, their upper rims held, their lower rims turned by 90° a second and lifted a little.
Run garment(int around, int along) {
  std::vector<Cloth> cloths;
  for (const double place : {-0.2, 0.2}) {
    Mesh mesh = make_tube(around, along, 0.1, 0.6);
    mesh.positions.row(0).array() += place;
    Cloth cloth = cloth_of(mesh, study_fabric());
    cloth.name = place < 0 ? "left" : "right";
    Pin top;
    for (int i = 0; i < around; ++i) top.vertices.push_back((along - 1) * around + i);
    cloth.pins.push_back(top);
    for (int i = 0; i < around; ++i) {
      const Vec3 start = mesh.positions.col(i), axis(place, 0, 0);
      Pin pin;
      pin.vertices = {i};
      for (int k = 0; k <= 150; ++k) {
        const double time = k * kFrame, angle = time * kPi / 2 * (place < 0 ? 1 : -1);
        const Vec3 turned = axis + Eigen::AngleAxisd(angle, Vec3::UnitY()) * (start - axis);
        Keyframe key;
        key.time = time;
        key.offset = turned - start + Vec3(0, 0.05 * time, 0);
        pin.motion.keyframes.push_back(key);
      }
      cloth.pins.push_back(pin);
    }
    cloths.push_back(cloth);
  }
  return {"garment", scene_of(cloths)};
}

std::vector<Run> all_runs(int vertices) {
  const int side = static_cast<int>(std::lround(std::sqrt(vertices)));
  const Fabric plain = study_fabric();
  Fabric stiff = plain, bent = plain, uneven = plain, loose = plain;
  stiff.warp = stiff.weft = 1e4;
  stiff.shear = 3000;
  bent.bend = 1e-4;
  uneven.weft = 100;
  loose.shear = 1;
  Mesh holed = make_irregular_sheet({.points = side, .seed = 3});
  holed = cut_holes(holed, {{Vec3(0.3, 0, 0.3), 0.08},
                            {Vec3(0.7, 0, 0.25), 0.1},
                            {Vec3(0.5, 0, 0.55), 0.06},
                            {Vec3(0.25, 0, 0.75), 0.09},
                            {Vec3(0.75, 0, 0.75), 0.12}});
  const int around = 2 * static_cast<int>(std::lround(std::sqrt(vertices) / 2.0));
  return {
      swing("swing", regular_sheet(side), plain),
      swing("swing, k 1e4", regular_sheet(side), stiff),
      swing("swing, bending x5", regular_sheet(side), bent),
      recoil(side),
      garment(around, std::max(4, vertices / 2 / around)),
      flight(side),
      swing("warp:weft 10:1", regular_sheet(side), uneven),
      swing("stretch:shear 1000:1", regular_sheet(side), loose),
      swing("Delaunay, graded 10:1", make_irregular_sheet({.points = side, .grading = 10, .seed = 2}), plain),
      swing("Delaunay, 5 holes", std::move(holed), plain)};
}

State start_of(const Run& run, const Model& model) {
  State state = initial_state(model);
  if (run.velocity)
    for (int v = 0; v < model.vertex_count(); ++v)
      state.velocities.col(v) = run.velocity(state.positions.col(v)).cwiseProduct(model.script.free.col(v));
  return state;
}

// --- solvers -----------------------------------------------------------------------------------------

SolverSettings reference_of(const Scene& scene) {
  SolverSettings settings = reference_settings(scene, {kFrame, 1, 0});
  settings.newton.linear = LinearSolver::pcg;
  settings.newton.preconditioner = Preconditioner::multigrid;
  settings.newton.curvature = Curvature::on_demand;
  settings.newton.forcing = 1e-2;
  settings.newton.tolerance = 1e-7;
  return settings;
}

SolverSettings quasi_newton_of(const Scene& scene, double tolerance) {
  SolverSettings settings = scene.solver;
  settings.family = "quasi_newton";
  settings.quasi_newton.tolerance = tolerance;
  return settings;
}

Input input_at(const Model& model, const State& state) {
  return scripted_input(model, state.time, state.time + kFrame);
}

/// Of processors, on all threads: what else a machine does hardly counts.
double milliseconds_of(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return 1e3 * double(std::clock() - start) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values) {
  if (values.empty()) return NAN;
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}
double mean(const std::vector<double>& values) {
  return values.empty() ? NAN : std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}
double largest(const std::vector<double>& values) {
  return values.empty() ? NAN : *std::max_element(values.begin(), values.end());
}

/// The first row of a trace from which on the energy gap stays below `gap`; null if there is none.
const IterationRow* first_below(const Trace& trace, double gap) {
  const IterationRow* found = nullptr;
  for (const IterationRow& row : trace.rows) {
    if (!row.error.energy_gap || *row.error.energy_gap > gap)
      found = nullptr;
    else if (!found)
      found = &row;
  }
  return found;
}

// --- whole runs --------------------------------------------------------------------------------------

void print_runs_head() {
  fmt::print(
      "iterations from sampled states of the converged run, median (worst), with the position error left\n"
      "there; then quasi-Newton's own run to its tolerance, and where it ends against the converged run\n\n");
  fmt::print("{:<22} {:>7} | {:>9} {:>16} {:>9} | {:>12} {:>8} {:>8} {:>16} {:>8} {:>6}\n", "", "", "to 1e-2",
             "rms / max [mm]", "to 1e-3", "its to tol.", "rebuilds", "handed", "rms / max [mm]", "kinetic",
             "missed");
}

void run_whole(const Run& run, int frames, int every, double tolerance, std::string& csv) {
  const Model model = build_model(run.scene);
  std::unique_ptr<Solver> reference = make_solver(reference_of(run.scene));
  SolverSettings to_the_end = quasi_newton_of(run.scene, 1e-6);
  to_the_end.quasi_newton.adaptive = false;  // half a step has another minimum
  std::unique_ptr<Solver> traced = make_solver(to_the_end);
  std::unique_ptr<Solver> own = make_solver(quasi_newton_of(run.scene, tolerance));
  State converged = start_of(run, model), state = converged;
  std::vector<double> to_2, to_3, rms, max, iterations, rebuilds;
  double kinetic = 0, kinetic_converged = 0;
  int handovers = 0, missed = 0, unconverged = 0;
  for (int f = 0; f < frames; ++f) {
    // 1. From the converged run
    const State before = converged;
    const Input input = input_at(model, before);
    unconverged += take_step(model, *reference, input, converged, kFrame).status != Status::ok;
    if (every > 0 && f % every == every - 1) {
      ReferenceStep held(model, {kFrame, 1, 0}, {before, input, converged, converged.positions, StepReport()},
                         ContactForm::energy);
      const Trace trace = trace_step(model, *traced, before, input, kFrame, held);
      if (const IterationRow* row = first_below(trace, 1e-2)) {
        to_2.push_back(row->iteration);
        rms.push_back(1e3 * row->error.position.rms);
        max.push_back(1e3 * row->error.position.max);
      }
      if (const IterationRow* row = first_below(trace, 1e-3)) to_3.push_back(row->iteration);
    }
    // 2. Along its own
    const StepReport report = take_step(model, *own, input_at(model, state), state, kFrame);
    iterations.push_back(report.iterations);
    rebuilds.push_back(report.rebuilds);
    handovers += report.handovers;
    missed += report.status != Status::ok;
    kinetic += kinetic_energy(model, state.velocities);
    kinetic_converged += kinetic_energy(model, converged.velocities);
  }
  const PositionError error = position_error(state.positions, converged.positions);
  fmt::print(
      "{:<22} {:>7} | {:>4.0f} ({:>2.0f}) {:>7.2f} /{:>7.2f} {:>4.0f} ({:>2.0f}) | {:>6.1f} ({:>3.0f}) "
      "{:>8.2f} {:>8} {:>7.1f} /{:>7.1f} {:>+7.2f}% {:>6}{}\n",
      run.name, model.vertex_count(), median(to_2), largest(to_2), median(rms), largest(max), median(to_3),
      largest(to_3), mean(iterations), largest(iterations), mean(rebuilds), handovers, 1e3 * error.rms,
      1e3 * error.max, 100 * (kinetic / kinetic_converged - 1), missed,
      unconverged > 0 ? fmt::format("  ({} reference steps unconverged)", unconverged) : "");
  csv += fmt::format("\"{}\",{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", run.name, model.vertex_count(),
                     median(to_2), largest(to_2), median(rms), largest(max), median(to_3), largest(to_3),
                     mean(iterations), largest(iterations), mean(rebuilds), handovers, 1e3 * error.rms,
                     1e3 * error.max, kinetic / kinetic_converged - 1);
  std::fflush(stdout);
}

// --- race --------------------------------------------------------------------------------------------

void print_race_head() {
  fmt::print("one step from sampled states: iterations, ms and position error at 1 % of the energy gap\n\n");
  fmt::print("{:>7} {:>6} {:>8} {:>5} {:<16} {:>6} {:>10} {:>11} {:>9} {:>16}\n", "points", "k", "bending",
             "frame", "method", "its", "ms", "first step", "gap", "rms / max [mm]");
}

void set_iterations(SolverSettings& settings, int iterations) {
  settings.implicit.iterations = settings.newton.iterations = settings.block_descent.iterations =
      settings.projective.iterations = iterations;
  settings.quasi_newton.iterations = iterations;
}

// Never stops early, so that iterates can be counted.
SolverSettings endless(const std::string& name, const Scene& scene, int iterations) {
  SolverSettings settings = settings_for(find_method(name), scene, {kFrame, 1, 0}, iterations);
  settings.implicit.tolerance = settings.block_descent.tolerance = settings.projective.tolerance = 0;
  settings.quasi_newton.tolerance = 1e-9;
  set_iterations(settings, iterations);
  return settings;
}

/// What a method needs for one step.
struct Lap {
  int iterations = 0;
  double ms = 0, first_ms = 0;  // of a step; of one with all that is made once
  bool arrived = false;         // at 1 % of the gap
};

Lap race_step(const Run& run, const Model& model, const State& before, int frame, const std::string& name,
              ReferenceStep& held, double most_seconds, std::string& csv) {
  const Input input = input_at(model, before);
  // 1. How many iterations it needs: every iterate is looked at, as long as patience lasts
  struct Row {
    int iteration;
    double gap, rms;
  };
  Lap lap;
  std::vector<Row> rows;
  int seen = -1;
  StepError error;
  const auto start = std::chrono::steady_clock::now();
  struct Enough {};
  std::unique_ptr<Solver> solver = make_solver(endless(name, run.scene, 1000000));
  solver->watch([&](const Points& x) {
    ++seen;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const bool late = seconds > most_seconds;
    if (seen % std::max(1, seen / 50) != 0 && !late) return;
    error = held.error(x);
    rows.push_back({seen, error.energy_gap.value_or(NAN), error.position.rms});
    lap.iterations = seen;
    lap.arrived = error.energy_gap.value_or(1) <= 1e-2;
    if (lap.arrived || late) throw Enough();
  });
  try {
    State state = before;
    solver->step(model, input, state, kFrame);
  } catch (const Enough&) {
  }
  // 2. What a step of so many costs; who comes after another shall not find memory at hand in the first one
  solver.reset();
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  std::unique_ptr<Solver> timed = make_solver(endless(name, run.scene, std::max(1, lap.iterations)));
  std::vector<double> ms;
  double spent = 0;
  for (int k = 0; k < 4 && (k < 2 || spent < 3000); ++k) {
    State state = before;
    ms.push_back(milliseconds_of([&] { timed->step(model, input, state, kFrame); }));
    spent += ms.back();
  }
  lap.first_ms = ms.front();
  lap.ms = *std::min_element(ms.begin() + 1, ms.end());

  const Fabric& fabric = run.scene.cloths[0].fabric;
  for (const Row& row : rows)  // what a step needs before its first iteration is spread over all of them
    csv += fmt::format("{},{},{},{},{},{},{:.4g},{:.4g},{:.4g}\n", model.vertex_count(), *fabric.warp,
                       *fabric.bend, frame, name, row.iteration,
                       row.iteration * lap.ms / std::max(1, lap.iterations), row.gap, row.rms);
  fmt::print("{:>7} {:>6g} {:>8g} {:>5} {:<16} {:>6} {:>10.1f} {:>11.1f} {:>9.1e} {:>7.3f} /{:>7.3f}{}\n",
             model.vertex_count(), *fabric.warp, *fabric.bend, frame, name, lap.iterations, lap.ms,
             lap.first_ms, error.energy_gap.value_or(NAN), 1e3 * error.position.rms, 1e3 * error.position.max,
             lap.arrived ? "" : "  gave up");
  std::fflush(stdout);
  return lap;
}

// A race after every `every` frames, and how many times as long as the first method the others take.
void race(const Run& run, int frames, int every, const std::vector<std::string>& names, double most_seconds,
          std::string& csv) {
  const Model model = build_model(run.scene);
  State state = start_of(run, model);
  std::unique_ptr<Solver> lead_in = make_solver(quasi_newton_of(run.scene, 1e-5));
  std::vector<std::vector<double>> times(names.size()), first_times(names.size());
  std::vector<int> missed(names.size(), 0);
  for (int frame = 1; frame <= frames; ++frame) {
    take_step(model, *lead_in, input_at(model, state), state, kFrame);
    if (every == 0 || frame % every != 0) continue;
    State before = state;  // without what the lead-in has learnt of its steps
    before.history.parts = 1;
    before.history.starts_with_newton = false;
    std::unique_ptr<Solver> reference = make_solver(reference_of(run.scene));
    ReferenceStep held(model, {kFrame, 1, 0},
                       watch_step(model, *reference, before, input_at(model, before), kFrame),
                       ContactForm::energy);
    Lap first;
    for (size_t n = 0; n < names.size(); ++n) {
      const Lap lap = race_step(run, model, before, frame, names[n], held, most_seconds, csv);
      if (n == 0) first = lap;
      times[n].push_back(lap.ms / first.ms);
      first_times[n].push_back(lap.first_ms / first.first_ms);
      missed[n] += !lap.arrived;
    }
  }
  for (size_t n = 1; n < names.size() && !times[n].empty(); ++n)
    fmt::print(
        "{:>7} {}: {} takes {:.2f} to {:.2f} times as long as {}, median {:.2f}; in a first step {:.2f}{}\n",
        model.vertex_count(), run.name, names[n], *std::min_element(times[n].begin(), times[n].end()),
        largest(times[n]), names[0], median(times[n]), median(first_times[n]),
        missed[n] + missed[0] > 0
            ? fmt::format(" (gave up {} and {} of {} times)", missed[n], missed[0], times[n].size())
            : "");
  fmt::print("\n");
}

// --- frames ------------------------------------------------------------------------------------------

void frame_times(int side, int frames) {
  for (const std::string name : {"hang", "sphere_drape"}) {
    std::vector<Override> overrides{{"/cloths/0/grid/points", fmt::format("[{0}, {0}]", side)},
                                    {"/solver/family", "\"quasi_newton\""}};
    if (name == "sphere_drape") overrides.push_back({"/self_collision/enabled", "false"});
    Simulation simulation(read_scene(std::string(MUSLIN_SCENES) + "/" + name + ".json", overrides));
    std::vector<double> ms, iterations, rebuilds;
    int handovers = 0, missed = 0;
    for (int f = 0; f < frames; ++f) {
      const FrameReport report = simulation.step();
      ms.push_back(report.step.solve_ms + report.step.contact_ms);
      iterations.push_back(report.step.iterations);
      rebuilds.push_back(report.step.rebuilds);
      handovers += report.step.handovers;
      missed += report.step.status != Status::ok;
    }
    fmt::print("{:>7} {:<13} {:>9.1f} {:>9.1f} {:>10.1f} {:>9.2f} {:>7} {:>7}\n", side * side, name,
               median(ms), largest(ms), mean(iterations), mean(rebuilds), handovers, missed);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  std::string part = "runs", out;
  std::vector<int> vertices{4096};
  std::vector<std::string> names{"quasi_newton", "newton_multigrid", "projective", "chebyshev",
                                 "block_descent"};
  std::vector<std::string> only;
  int frames = 120, every = 10, threads = 0;
  double tolerance = 1e-4, patience = 60;
  CLI::App app("Measures how fast solvers come to the minimum of implicit Euler's objective.");
  app.add_option("--part", part, "runs, race or frames")->capture_default_str();
  app.add_option("--vertices", vertices, "about so many")->delimiter(',')->capture_default_str();
  app.add_option("--only", only, "runs whose name begins so");
  app.add_option("--methods", names, "of the race")->delimiter(',')->capture_default_str();
  app.add_option("--frames", frames, "of 1/60 s")->capture_default_str();
  app.add_option("--every", every, "frames between sampled states; 0: none")->capture_default_str();
  app.add_option("--tolerance", tolerance, "of quasi-Newton's own run [m]")->capture_default_str();
  app.add_option("--patience", patience, "seconds that a method of the race may take")->capture_default_str();
  app.add_option("--threads", threads, "threads (0: all cores)")->capture_default_str();
  app.add_option("--csv", out, "file for the numbers");
  CLI11_PARSE(app, argc, argv);
  muslin::set_threads(threads);
  std::string csv;
  if (part == "runs") {
    bench::print_runs_head();
    csv =
        "run,vertices,to_1e-2,to_1e-2_worst,rms_mm,max_mm,to_1e-3,to_1e-3_worst,iterations,iterations_worst,"
        "rebuilds,handovers,end_rms_mm,end_max_mm,kinetic_drift\n";
  }
  if (part == "race") {
    bench::print_race_head();
    csv = "vertices,stiffness,bending,frame,method,iteration,ms,energy_gap,rms_m\n";
  }
  if (part == "frames")
    fmt::print("{:>7} {:<13} {:>9} {:>9} {:>10} {:>9} {:>7} {:>7}\n", "points", "scene", "median ms",
               "worst ms", "iterations", "rebuilds", "handed", "missed");
  for (const int n : vertices) {
    if (part == "frames") {
      bench::frame_times(static_cast<int>(std::lround(std::sqrt(n))), frames);
      continue;
    }
    for (const bench::Run& run : bench::all_runs(n)) {
      const auto begins = [&](const std::string& word) { return run.name.rfind(word, 0) == 0; };
      if (!only.empty() && std::none_of(only.begin(), only.end(), begins)) continue;
      if (part == "runs") bench::run_whole(run, frames, every, tolerance, csv);
      if (part == "race") bench::race(run, frames, every, names, patience, csv);
    }
  }
  if (!out.empty()) muslin::write_file(out, csv, true);
  return 0;
} catch (const muslin::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
