#include "muslin/sweep/sweep_runner.h"

#include <nlohmann/json.hpp>

#include "muslin/audit/start.h"
#include "muslin/core/check.h"
#include "muslin/core/text.h"
#include "muslin/io/run_record.h"
#include "muslin/simulation.h"
#include "muslin/sweep/figures.h"
#include "muslin/version.h"

namespace muslin {

namespace {

// To the last frame, or to where it diverges; nothing if it is stopped. A run of other inputs is not made, as
// SweepFolder::make refuses it.
std::optional<RunResult> run_to_end(Simulation& simulation, const std::string& expected_inputs) {
  RunResult result{run_inputs(simulation.fingerprint(), simulation.scene().frames),
                   std::string(version()),
                   "finished",
                   "",
                   0,
                   {}};
  if (result.inputs != expected_inputs) return result;
  auto frames = nlohmann::ordered_json::array();
  const auto add = [&](const FrameReport& report) {
    frames.push_back(nlohmann::ordered_json::parse(encode_frame(report)));
    result.ms += report.ms;
  };
  add(simulation.report());
  while (simulation.frame() < simulation.scene().frames && result.outcome == "finished") {
    const FrameReport report = simulation.step();
    if (report.step.status == Status::cancelled) return {};
    add(report);
    if (report.step.status != Status::diverged) continue;
    result.outcome = "diverged";
    result.reason = describe(report.failure);
  }
  result.figures = figures_of(frames);
  return result;
}

}  // namespace

void SweepRunner::run(const SweepLine& line) {
  folder_.make(line, cache_, [&] { return result_of(line); });
}

std::optional<RunResult> SweepRunner::result_of(const SweepLine& line) try {
  Simulation simulation(planned_scene(folder_.plan(), line.values));
  simulation.set_threads(1);
  check_start(simulation.model(), simulation.state().positions, keeps_out(simulation.scene().solver));
  {
    const std::lock_guard lock(guard_);
    if (stopped_) return {};
    running_.insert(&simulation.stop());
  }
  struct Leave {
    ~Leave() {
      const std::lock_guard lock(runner.guard_);
      runner.running_.erase(&simulation.stop());
    }
    SweepRunner& runner;
    Simulation& simulation;
  } const leave{*this, simulation};
  return run_to_end(simulation, line.inputs);
} catch (const Error& error) {
  if (error.kind() == ErrorKind::file) throw;  // that may be mended
  return RunResult{"", std::string(version()), "invalid", first_line(error.what()), 0, {}};
}

void SweepRunner::stop() {
  const std::lock_guard lock(guard_);
  stopped_ = true;
  for (Stop* stop : running_) stop->request();
}

}  // namespace muslin
