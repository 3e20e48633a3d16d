// Runs the scenes that break contact, judges every frame, and prints a table.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include "muslin/core/parallel.h"
#include "torture/judged_run.h"
#include "torture/scenes.h"

using namespace muslin;

namespace {

/// What came of one run.
struct Outcome {
  int vertices = 0, frames = 0, iterations = 0, linear = 0, halvings = 0, unconverged = 0;
  int most_contacts = 0, intersections = 0, crossings = 0, inside = 0;
  double least_distance = std::numeric_limits<double>::infinity();
  double p99_sum = 0, p99_most = 0, seconds = 0;
};

/// Runs `frames` of a scene and judges each; `after_frame` is told what came of them so far.
Outcome run(const Scene& scene, int frames, const std::function<void(const Outcome&)>& after_frame) {
  torture::JudgedRun judged(scene, torture::Along::iterates);
  Outcome outcome;
  outcome.vertices = judged.model().vertex_count();
  while (outcome.frames < frames) {
    const auto [report, verdict] = judged.step();
    ++outcome.frames;
    outcome.seconds += report.ms / 1000;
    outcome.iterations += report.step.iterations;
    outcome.linear += report.step.linear_iterations;
    outcome.halvings += report.step.rejections;
    outcome.unconverged += report.step.status != Status::ok;
    outcome.most_contacts = std::max(outcome.most_contacts, report.step.contacts);
    outcome.least_distance = std::min(outcome.least_distance, report.step.least_distance);
    outcome.intersections += static_cast<int>(verdict.meeting.size());
    outcome.crossings += static_cast<int>(verdict.crossings.size() + verdict.through.size());
    outcome.inside += static_cast<int>(verdict.inside.size() + verdict.cut.size());
    outcome.p99_sum += report.strain_p99;
    outcome.p99_most = std::max(outcome.p99_most, report.strain_p99);
    after_frame(outcome);
    if (report.step.status == Status::diverged) break;
  }
  return outcome;
}

void print_head() {
  fmt::print("{:<16}{:>5}{:>9}{:>7}{:>10}{:>8}{:>9}{:>9}{:>9}{:>13}{:>10}{:>8}{:>7}{:>16}{:>8}\n", "scene",
             "seed", "vertices", "frames", "its/frame", "PCG/it", "halvings", "not conv", "contacts",
             "least gap mm", "intersect", "crossed", "inside", "p99 mean/max %", "s/frame");
}

void print(const std::string& name, std::uint64_t seed, const Outcome& o) {
  fmt::print("{:<16}{:>5}{:>9}{:>7}{:>10.1f}{:>8.1f}{:>9}{:>9}{:>9}{:>13.4f}{:>10}{:>8}{:>7}{:>16}{:>8.3f}\n",
             name, seed, o.vertices, o.frames, double(o.iterations) / o.frames,
             double(o.linear) / std::max(1, o.iterations), o.halvings, o.unconverged, o.most_contacts,
             1000 * o.least_distance, o.intersections, o.crossings, o.inside,
             fmt::format("{:.2f}/{:.2f}", 100 * o.p99_sum / o.frames, 100 * o.p99_most),
             o.seconds / o.frames);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Runs the scenes that break contact, judges every frame, and prints a table.");
  std::vector<std::string> names;
  std::string folder;
  int cells = 0, sheets = 0, frames = 0, seeds = 1, threads = 0, substeps = 1, every = 0;
  bool full = false;
  std::vector<std::string> known;
  for (const torture::Entry& entry : torture::scenes()) known.push_back(entry.name);
  app.add_option("--scene", names, "scenes to run (default: all)")
      ->delimiter(',')
      ->check(CLI::IsMember(known));
  app.add_flag("--full", full, "full sizes instead of small ones");
  app.add_option("--cells", cells, "cells along the largest cloth, instead of either");
  app.add_option("--sheets", sheets, "sheets of the stack (0: five, ten if they are fine)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--frames", frames, "frames instead of the scene's number");
  app.add_option("--seeds", seeds, "runs of each, the start shaken differently");
  app.add_option("--substeps", substeps, "steps a frame: a reference for the strain")
      ->check(CLI::Range(1, 100));
  app.add_option("--threads", threads, "most threads (0: all cores)");
  app.add_option("--every", every, "a line of what came so far after every so many frames (0: none)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--write", folder, "write the scenes with their meshes into this folder, and run nothing");
  CLI11_PARSE(app, argc, argv);
  set_threads(threads);
  if (folder.empty()) print_head();
  bool clean = true;
  for (const torture::Entry& entry : torture::scenes()) {
    if (!names.empty() && std::find(names.begin(), names.end(), entry.name) == names.end()) continue;
    const int size = cells > 0 ? cells : full ? entry.full : entry.small;
    if (!folder.empty()) {
      torture::write(torture::make(entry.name, {size, 1, sheets}), entry.name, folder);
      continue;
    }
    for (int seed = 1; seed <= seeds; ++seed) {
      Scene scene = torture::make(entry.name, {size, static_cast<std::uint64_t>(seed), sheets});
      scene.solver.quasi_newton.substeps = substeps;
      const Outcome outcome = run(scene, frames > 0 ? frames : scene.frames, [&](const Outcome& so_far) {
        if (every > 0 && so_far.frames % every == 0) print(entry.name, seed, so_far);
      });
      print(entry.name, seed, outcome);
      clean = clean && outcome.intersections + outcome.crossings + outcome.inside == 0;
    }
  }
  return clean ? 0 : 1;
}
