#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

using namespace muslin;

namespace {

constexpr int kLinesPerHeader = 40;
constexpr double kSuspiciousStrain = 0.1;  // of the 99th percentile

std::string optional_number(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

void print_header() {
  fmt::print(stderr, "{:>9} {:>8} {:>8} {:>6} {:>6} {:>9} {:>7} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8}\n",
             "frame", "time s", "ms", "left", "its", "residual", "lost g", "strain", "p99", "mean", "kinetic",
             "elastic", "contacts", "gap mm", "fall mm");
}

// "1:05", "2:03:04"
std::string clock_text(double seconds) {
  const auto s = static_cast<long long>(std::lround(seconds));
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

// "41.1%"; beyond ten times the weight the number itself says nothing more.
std::string share_text(double share) {
  return std::abs(share) < 10 ? fmt::format("{:.1f}%", 100 * share) : share > 0 ? ">999%" : "<-999%";
}

// Whether every step came to the minimum that its solver looks for.
bool is_converged(const RunRecord& record) {
  const std::string& family = record.scene.solver.family;
  return (family == "quasi_newton" || family == "newton") &&
         std::all_of(record.frames.begin(), record.frames.end(),
                     [](const FrameReport& frame) { return frame.step.status == Status::ok; });
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void Progress::begin(const Simulation& simulation, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
  start_ = Clock::now();
  if (quiet_) return;
  fmt::print(stderr, "{}: {} vertices, solver {}, {} substeps a frame\n", simulation.scene().name,
             simulation.model().vertex_count(), simulation.scene().solver.family, simulation.substeps());
}

void Progress::frame(const FrameReport& report) {
  if (quiet_) return;
  if ((report.frame - 1) % kLinesPerHeader == 0) print_header();
  const StepReport& step = report.step;
  const std::string gap = std::isfinite(step.min_gap) ? fmt::format("{:.4g}", 1000 * step.min_gap) : "-";
  const std::string fall =
      report.free_fall_error ? fmt::format("{:.3g}", -1000 * report.free_fall_error->y()) : "-";
  fmt::print(stderr,
             "{:>9} {:>8.4g} {:>8.2f} {:>6} {:>6} {:>9} {:>7} {:>7.2f}% {:>7.2f}% {:>7.2f}% {:>9.3e} "
             "{:>9.3e} {:>8} {:>8} {:>8}\n",
             fmt::format("{}/{}", report.frame, frames_), report.time, report.ms, time_left(report.frame),
             step.iterations, optional_number(step.residual, "{:.2e}"),
             step.lost_gravity ? share_text(*step.lost_gravity) : "-", 100 * report.strain_max,
             100 * report.strain_p99, 100 * report.strain_mean, report.kinetic_energy, report.elastic_energy,
             step.contacts, gap, fall);
}

std::string Progress::time_left(int frame) const {
  return clock_text(seconds_since(start_) / frame * (frames_ - frame));
}

std::vector<std::string> doubts_about(const RunRecord& record) {
  std::vector<std::string> doubts;
  const auto count = [&](Status status) {
    return std::count_if(record.frames.begin(), record.frames.end(),
                         [&](const FrameReport& frame) { return frame.step.status == status; });
  };
  const FrameReport& last = record.frames.back();
  if (record.outcome == "diverged")
    doubts.push_back(
        fmt::format("diverged in frame {} (t = {:.4g} s): positions are no longer finite numbers; try more "
                    "substeps or softer springs",
                    last.frame, last.time));
  if (const auto missed = count(Status::not_converged); missed > 0)
    doubts.push_back(fmt::format("{} of {} frames stopped before the solver's tolerance was reached", missed,
                                 record.frames.size() - 1));
  const auto softest =
      std::max_element(record.frames.begin(), record.frames.end(),
                       [](const auto& a, const auto& b) { return a.strain_p99 < b.strain_p99; });
  if (softest->strain_p99 > kSuspiciousStrain && record.outcome != "diverged")
    doubts.push_back(
        fmt::format("edges stretched by up to {:.0f} % (1 % of them by over {:.0f} %, frame {}): cloth "
                    "seldom does; {}",
                    100 * softest->strain_max, 100 * softest->strain_p99, softest->frame,
                    is_converged(record)
                        ? "so much the scene asks of this fabric: stiffer warp and weft, a strain_limit or "
                          "other pins would change it"
                        : "more substeps or iterations bring a solver closer to its material"));
  const auto tautest =
      std::max_element(record.frames.begin(), record.frames.end(),
                       [](const auto& a, const auto& b) { return a.limit_share < b.limit_share; });
  if (tautest->limit_share > 1 && record.outcome != "diverged")
    doubts.push_back(
        fmt::format("warp or weft stretched to {:.5g} times the strain limit (frame {}): pulled harder "
                    "than the limit holds, or by steps that stopped too early",
                    *tautest->limit_share, tautest->frame));
  const auto held =
      std::max_element(record.frames.begin(), record.frames.end(),
                       [](const auto& a, const auto& b) { return a.step.held_up < b.step.held_up; });
  if (held->step.held_up > 0)
    doubts.push_back(
        fmt::format("{} stopped up to {:.3g} mm short of where the scene wants it (frame {}): {}",
                    held->step.held_up_collider < 0
                        ? "a pin"
                        : '"' + record.scene.colliders[held->step.held_up_collider].name + '"',
                    1000 * held->step.held_up, held->frame,
                    held->step.squeezes ? "it squeezed cloth that could not give way"
                                        : "its way took more iterations than a step has"));
  int restarts = 0;
  for (const FrameReport& frame : record.frames) restarts += frame.step.restarts;
  if (restarts > 0)
    doubts.push_back(
        fmt::format("descent diverged and was restarted {} times with a shorter step", restarts));
  return doubts;
}

void Progress::end(const RunRecord& record, const std::vector<std::string>& doubts,
                   const std::string& out) const {
  for (const std::string& doubt : doubts) fmt::print(stderr, "warning: {}\n", doubt);
  if (quiet_) return;
  const FrameReport& last = record.frames.back();
  int rejections = 0, handovers = 0, cut = 0;
  for (const FrameReport& frame : record.frames) {
    rejections += frame.step.rejections;
    handovers += frame.step.handovers;
    cut += frame.step.cut;
  }
  if (rejections > 0) fmt::print(stderr, "{} steps were rejected and halved\n", rejections);
  if (handovers > 0)
    fmt::print(stderr, "{} steps, in contact or hard, were finished by Newton's method\n", handovers);
  if (cut > 0) fmt::print(stderr, "contact cut {} displacements of vertices short\n", cut);
  const double seconds = seconds_since(start_);
  fmt::print(stderr, "{} after {} frames in {:.2f} s ({:.2f} ms a frame); hash {:016x}\n", record.outcome,
             last.frame, seconds, 1000 * seconds / std::max(1, last.frame), last.hash);
  if (last.free_fall_error)
    fmt::print(stderr, "centre of mass against exact free fall: {:+.3e} m down\n",
               -last.free_fall_error->y());
  if (!out.empty()) fmt::print(stderr, "frames and run.json in {}\n", out);
}

// --- Countdown -------------------------------------------------------------------------------------

Countdown::Countdown(std::string what, int total, bool quiet)
    : what_(std::move(what)), total_(total), quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

void Countdown::done(int count) {
  if (quiet_) return;
  const std::string text = fmt::format("{} {}/{}, {} left", what_, count, total_,
                                       clock_text(seconds_since(start_) / count * (total_ - count)));
  if (terminal_) {
    fmt::print(stderr, "\r{:<60}", text);
    open_ = true;
    return;
  }
  const int tenths = count * 10 / total_;
  if (std::exchange(told_, tenths) < tenths || count == 1) fmt::print(stderr, "{}\n", text);
}

void Countdown::end() {
  if (std::exchange(open_, false)) fmt::print(stderr, "\n");
}
