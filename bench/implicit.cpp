// Times what a Newton step is made of: assembly, sparse Cholesky and conjugate gradients, on the Hessian of
// the incremental potential of the standard work `hang` in the middle of its first swing, at the predicted
// state.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

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

/// Median milliseconds of `work`, over a quarter of a second or five times.
double milliseconds(const std::function<void()>& work) {
  std::vector<double> ms;
  double sum = 0;
  while (ms.size() < 5 || (sum < 250 && ms.size() < 1000)) {
    const auto start = std::chrono::steady_clock::now();
    work();
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    sum += ms.back();
  }
  std::nth_element(ms.begin(), ms.begin() + ms.size() / 2, ms.end());
  return ms[ms.size() / 2];
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
      muslin::incremental_potential(system.model, simulation.state(), system.h);
  system.x = objective.target();
  muslin::apply_pins(system.model,
                     muslin::scripted_input(system.model, 0, simulation.state().time + system.h), system.x);
  muslin::Scratch scratch;
  objective.gradient(system.x, scratch, system.right);
  system.right *= -1;
  for (const muslin::PinnedVertex& pin : system.model.pins)
    system.filter.hold_axes(pin.vertex, pin.fixed, muslin::Vec3::Zero());
  return system;
}

void print_head() {
  fmt::print(
      "{:>4} {:<14} {:<8} {:>7} | {:>8} {:>7} | {:>8} {:>8} {:>8} | {:>13} {:>13} {:>13} | {:>8} {:>9}\n",
      "N", "membrane", "fabric", "blocks", "assembly", "ns/vert", "symbolic", "factor", "solve", "pcg 1e-2",
      "pcg 1e-4", "pcg 1e-6", "ns/block", "chol/pcg4");
}

void run(const Case& which, int frames) {
  const System system = make_system(which, frames);
  const muslin::Model& model = system.model;
  const int n = model.vertex_count();

  // 1. Assembly, with inertia on the diagonal
  muslin::HessianAssembly assembly(model.energies, n);
  muslin::BlockMatrix matrix;
  const double assembly_ms = milliseconds([&] {
    assembly.assemble(model.energies, system.x, muslin::Hessian::projected, matrix);
    for (int v = 0; v < n; ++v) matrix.add_to_diagonal(v, model.mass[v] / (system.h * system.h));
  });
  fmt::print("{:>4} {:<14} {:<8} {:>7} | {:>8.3f} {:>7.0f} | ", which.points, which.membrane, which.fabric,
             matrix.pattern().slots(), assembly_ms, assembly_ms * 1e6 / n);
  std::fflush(stdout);

  // 2. Cholesky
  muslin::BlockCholesky cholesky;
  Points x;
  const double factor_ms = [&] {
    cholesky.factorize(matrix, system.filter);
    return milliseconds([&] { cholesky.factorize(matrix, system.filter); });
  }();
  const double symbolic_ms =
      milliseconds([&] { muslin::BlockCholesky().factorize(matrix, system.filter); }) - factor_ms;
  const double solve_ms = milliseconds([&] { cholesky.solve(system.right, x); });
  fmt::print("{:>8.2f} {:>8.2f} {:>8.2f} | ", symbolic_ms, factor_ms, solve_ms);
  std::fflush(stdout);

  // 3. Conjugate gradients
  double pcg_ms = 0;
  for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
    muslin::PcgReport report;
    const double ms = milliseconds([&] {
      Points from_zero;
      report = muslin::solve_pcg(matrix, system.right, system.filter, {tolerance, 100000}, from_zero);
    });
    fmt::print("{:>5} {:>7.2f} ", report.iterations, ms);
    if (tolerance == 1e-4) pcg_ms = ms;
  }
  Points y;
  const double product_ms = milliseconds([&] { matrix.multiply(x, y); });
  fmt::print("| {:>8.2f} {:>9.2f}\n", product_ms * 1e6 / matrix.pattern().slots(),
             (factor_ms + solve_ms) / pcg_ms);
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
