// Runs the scenes that break contact, judges every frame, and prints a table.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "muslin/audit/verdict.h"
#include "muslin/core/parallel.h"
#include "muslin/core/timer.h"
#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"
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

bool is_with_moving_body(const Judge& judge, const ElementPair& pair) {
  const Stencil<4> vertices = vertices_of(judge.surface(), pair);
  return std::any_of(vertices.begin(), vertices.end(), [&](int v) { return judge.is_of_moving_body(v); });
}

/// The way that cloth goes in a frame, iterate by iterate, as contact certifies it. On the straight way from
/// frame to frame a fold seems to pass through another, or through a rim, that it went around.
class Way {
 public:
  explicit Way(const Judge& judge) : judge_(judge) {}

  void begin(const Points& start) { places_ = {start}; }

  /// Iterates of a step that is thrown away lead back to where it began.
  void go_to(const Points& place) {
    const auto been = std::find(places_.begin(), places_.end(), place);
    if (been != places_.end())
      places_.erase(been + 1, places_.end());
    else
      places_.push_back(place);
  }

  /// Pairs that passed through each other, of cloth and of what is at rest.
  int crossings() const {
    std::ptrdiff_t count = 0;
    for (size_t k = 1; k < places_.size(); ++k) {
      const auto pairs = find_crossings(judge_.surface(), places_[k - 1], places_[k]);
      count += std::count_if(pairs.begin(), pairs.end(),
                             [&](const ElementPair& pair) { return !is_with_moving_body(judge_, pair); });
    }
    return static_cast<int>(count);
  }

 private:
  const Judge& judge_;
  std::vector<Points> places_;
};

Outcome run(const Scene& scene, int frames) {
  Simulation simulation(scene);
  Outcome outcome;
  outcome.vertices = simulation.model().vertex_count();
  const Judge judge(simulation.model(), 0);
  const auto with_bodies = [&](const Points& cloth, double time) {
    return places_with_bodies(simulation.model(), cloth, time);
  };
  const auto places = [&] { return with_bodies(simulation.state().positions, simulation.state().time); };
  Way way(judge);
  double began = 0;  // the frame: where bodies at rest are, they are all along
  simulation.watch([&](const Points& iterate) { way.go_to(with_bodies(iterate, began)); });
  Points before = places();
  bool as_told = true;  // moving bodies are where the scene has them
  for (int frame = 0; frame < frames; ++frame) {
    began = simulation.state().time;
    way.begin(before);
    double ms = 0;
    FrameReport report;
    {
      const Timer timer(ms);
      report = simulation.step();
    }
    const Points after = places();
    const bool were_as_told = as_told;
    as_told = report.step.held_up == 0;
    const Verdict verdict = judge.judge(simulation.state().time, after, before, were_as_told && as_told);
    before = after;
    way.go_to(with_bodies(simulation.state().positions, began));
    ++outcome.frames;
    outcome.seconds += ms / 1000;
    outcome.iterations += report.step.iterations;
    outcome.linear += report.step.linear_iterations;
    outcome.halvings += report.step.rejections;
    outcome.unconverged += report.step.status != Status::ok;
    outcome.most_contacts = std::max(outcome.most_contacts, report.step.contacts);
    outcome.least_distance = std::min(outcome.least_distance, report.step.least_distance);
    outcome.intersections += static_cast<int>(verdict.meeting.size());
    outcome.crossings += way.crossings();
    outcome.crossings += static_cast<int>(
        std::count_if(verdict.crossings.begin(), verdict.crossings.end(),
                      [&](const ElementPair& pair) { return is_with_moving_body(judge, pair); }));
    outcome.inside += static_cast<int>(verdict.inside.size());
    outcome.p99_sum += report.strain_p99;
    outcome.p99_most = std::max(outcome.p99_most, report.strain_p99);
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
  int cells = 0, frames = 0, seeds = 1, threads = 0, substeps = 1;
  bool full = false;
  std::vector<std::string> known;
  for (const torture::Entry& entry : torture::scenes()) known.push_back(entry.name);
  app.add_option("--scene", names, "scenes to run (default: all)")
      ->delimiter(',')
      ->check(CLI::IsMember(known));
  app.add_flag("--full", full, "full sizes instead of small ones");
  app.add_option("--cells", cells, "cells along the largest cloth, instead of either");
  app.add_option("--frames", frames, "frames instead of the scene's number");
  app.add_option("--seeds", seeds, "runs of each, the start shaken differently");
  app.add_option("--substeps", substeps, "steps a frame: a reference for the strain")
      ->check(CLI::Range(1, 100));
  app.add_option("--threads", threads, "most threads (0: all cores)");
  app.add_option("--write", folder, "write the scenes with their meshes into this folder, and run nothing");
  CLI11_PARSE(app, argc, argv);
  set_threads(threads);
  if (folder.empty()) print_head();
  bool clean = true;
  for (const torture::Entry& entry : torture::scenes()) {
    if (!names.empty() && std::find(names.begin(), names.end(), entry.name) == names.end()) continue;
    const int size = cells > 0 ? cells : full ? entry.full : entry.small;
    if (!folder.empty()) {
      torture::write(torture::make(entry.name, {size, 1}), entry.name, folder);
      continue;
    }
    for (int seed = 1; seed <= seeds; ++seed) {
      Scene scene = torture::make(entry.name, {size, static_cast<std::uint64_t>(seed)});
      scene.solver.quasi_newton.substeps = substeps;
      const Outcome outcome = run(scene, frames > 0 ? frames : scene.frames);
      print(entry.name, seed, outcome);
      clean = clean && outcome.intersections + outcome.crossings + outcome.inside == 0;
    }
  }
  return clean ? 0 : 1;
}
