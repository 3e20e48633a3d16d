// Times what a Newton step is made of: assembly, sparse Cholesky and conjugate gradients, on the Hessian of
// the incremental potential of the standard work `hang` in the middle of its first swing, at the predicted
// state.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "muslin/energy/assembly.h"
#include "muslin/linear/cholesky.h"
#include "muslin/linear/pcg.h"
#include "muslin/muslin.h"
#include "muslin/solver/objective.h"

namespace bench {
namespace {

using muslin::Points;

struct Case {
  int points;
  std::string membrane, fabric;
};

/// A linear system of Newton's method: H dx = −g with pins held.
struct System {
  muslin::Model model;
  Points x;  // [m] the predicted state
  Points right;
  muslin::Filter filter;
  double h;  // [s]
};

/// Least milliseconds of `work`, over a quarter of a second or five times: other programs only add to it.
double milliseconds(const std::function<void()>& work) {
  double least = 1e99, sum = 0;
  for (int k = 0; k < 5 || (sum < 250 && k < 1000); ++k) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    least = std::min(least, ms);
    sum += ms;
  }
  return least;
}

System make_system(const Case& which, int frames) {
  std::vector<muslin::Override> overrides{{"/cloths/0/grid/points", fmt::format("[{0}, {0}]", which.points)},
                                          {"/cloths/0/membrane", which.membrane}};
  if (which.fabric != "stiff")
    overrides.push_back({"/cloths/0/fabric", fmt::format("{{\"preset\": \"{}\"}}", which.fabric)});
  const muslin::Scene scene = muslin::read_scene(std::string(MUSLIN_SCENES) + "/hang.json", overrides);
  muslin::Simulation simulation(scene);
  for (int f = 0; f < frames; ++f) simulation.step();

  System system{simulation.model(), {}, {}, {}, scene.frame_time};
  const muslin::Objective objective =
      muslin::incremental_potential(system.model, system.model.script, simulation.state(), system.h);
  system.x = objective.target();
  muslin::apply_pins(muslin::scripted_input(system.model, 0, simulation.state().time + system.h), system.x);
  muslin::Scratch scratch;
  objective.gradient(system.x, scratch, system.right);
  system.right *= -1;
  for (const muslin::PinnedVertex& pin : system.model.script.pins)
    system.filter.hold_axes(pin.vertex, pin.fixed, muslin::Vec3::Zero());
  return system;
}

void print_head() {
  fmt::print(
      "ns/vertex and ns/block: of assembly and of one matrix product; pcg: iterations and ms with "
      "block-Jacobi "
      "and with two\nlevels; ratios: of Cholesky's factor + solve, and of block-Jacobi, to two levels at "
      "1e-4\n\n");
  fmt::print("{:>3} {:<13} {:<6} {:>6} | {:>8} {:>5} {:>5} | {:>8} {:>6} {:>5} | ", "N", "membrane", "fabric",
             "blocks", "assembly", "ns/v", "ns/bl", "symbolic", "factor", "solve");
  for (const char* tolerance : {"1e-2", "1e-4", "1e-6"}) fmt::print("{:>12} ", tolerance);
  fmt::print("| {:>8} ", "symbolic");
  for (const char* tolerance : {"1e-2", "1e-4", "1e-6"}) fmt::print("{:>12} ", tolerance);
  fmt::print("| {:>6} {:>6}\n", "chol", "jacobi");
}

/// Solves to 1e-2, 1e-4 and 1e-6; prints iterations and ms; returns the ms of 1e-4.
double run_pcg(const System& system, const muslin::BlockMatrix& matrix,
               muslin::Preconditioner preconditioner) {
  std::vector<double> ms;
  muslin::PcgMemory memory;
  for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
    muslin::PcgReport report;
    ms.push_back(milliseconds([&] {
      Points x;
      report = muslin::solve_pcg(matrix, system.right, system.filter, {tolerance, 100000, preconditioner}, x,
                                 &memory);
    }));
    fmt::print("{:>5} {:>6.1f} ", report.iterations, ms.back());
    std::fflush(stdout);
  }
  return ms[1];
}

void run(const Case& which, int frames) {
  const System system = make_system(which, frames);
  const muslin::Model& model = system.model;
  const int n = model.vertex_count();

  // 1. Assembly, with inertia on the diagonal, and a product
  muslin::HessianAssembly assembly(model.energies, n);
  muslin::BlockMatrix matrix;
  const double assembly_ms = milliseconds([&] {
    assembly.assemble(model.energies, system.x, muslin::Hessian::projected, matrix);
    for (int v = 0; v < n; ++v) matrix.add_to_diagonal(v, model.mass[v] / (system.h * system.h));
  });
  Points x;
  const double product_ms = milliseconds([&] { matrix.multiply(system.x, x); });
  const int blocks = matrix.pattern().slots();
  fmt::print("{:>3} {:<13} {:<6} {:>6} | {:>8.2f} {:>5.0f} {:>5.2f} | ", which.points, which.membrane,
             which.fabric, blocks, assembly_ms, assembly_ms * 1e6 / n, product_ms * 1e6 / blocks);
  std::fflush(stdout);

  // 2. Cholesky
  muslin::BlockCholesky cholesky;
  const double all_ms = milliseconds([&] { muslin::BlockCholesky().factorize(matrix, system.filter); });
  cholesky.factorize(matrix, system.filter);
  const double factor_ms = milliseconds([&] { cholesky.factorize(matrix, system.filter); });
  const double solve_ms = milliseconds([&] { cholesky.solve(system.right, x); });
  fmt::print("{:>8.1f} {:>6.1f} {:>5.1f} | ", all_ms - factor_ms, factor_ms, solve_ms);
  std::fflush(stdout);

  // 3. Conjugate gradients
  const double jacobi_ms = run_pcg(system, matrix, muslin::Preconditioner::block_jacobi);
  muslin::CoarseSpace coarse;
  const double first_ms = milliseconds([&] { muslin::CoarseSpace().prepare(matrix, system.filter); });
  coarse.prepare(matrix, system.filter);
  const double again_ms = milliseconds([&] { coarse.prepare(matrix, system.filter); });
  fmt::print("| {:>8.1f} ", first_ms - again_ms);
  const double two_level_ms = run_pcg(system, matrix, muslin::Preconditioner::two_level);
  fmt::print("| {:>6.1f} {:>6.1f}\n", (factor_ms + solve_ms) / two_level_ms, jacobi_ms / two_level_ms);
  std::fflush(stdout);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  std::vector<int> points{64, 100};
  std::vector<std::string> membranes{"springs", "baraff_witkin"}, fabrics{"cotton", "stiff"};
  int frames = 20, threads = 1;
  CLI::App app("Times the parts of a Newton step on a sheet that hangs from two corners. Times in ms.");
  app.add_option("--points", points, "points along a side")->delimiter(',')->capture_default_str();
  app.add_option("--membranes", membranes, "as in a scene")->delimiter(',')->capture_default_str();
  app.add_option("--fabrics", fabrics, "presets, or stiff: the scene's own")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--frames", frames, "frames of 1/60 s before the step")->capture_default_str();
  app.add_option("--threads", threads, "threads (0: all cores)")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  muslin::set_threads(threads);
  bench::print_head();
  for (const std::string& fabric : fabrics)
    for (const std::string& membrane : membranes)
      for (const int n : points) bench::run({n, membrane, fabric}, frames);
  return 0;
} catch (const muslin::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
