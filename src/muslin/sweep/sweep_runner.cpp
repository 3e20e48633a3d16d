#include "muslin/sweep/sweep_runner.h"

#include <nlohmann/json.hpp>

#include "muslin/audit/start.h"
#include "muslin/core/check.h"
#include "muslin/io/run_record.h"
#include "muslin/simulation.h"
#include "muslin/sweep/figures.h"
#include "muslin/version.h"

namespace muslin {

namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// To the last frame, or to where it diverges; nothing if it is stopped.
std::optional<RunResult> run_to_end(Simulation& simulation) {
  RunResult result{run_inputs(simulation.fingerprint(), simulation.scene().frames),
                   std::string(version()),
                   "finished",
                   "",
                   0,
                   {}};
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
  return run_to_end(simulation);
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
