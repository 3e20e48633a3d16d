#include "progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "muslin/core/text.h"
#include "muslin/io/run_doubts.h"
#include "muslin/platform/streams.h"
#include "muslin/solver/position/quality.h"
#include "streams.h"

using namespace muslin;

namespace {

constexpr int kLinesPerHeader = 40;

std::string optional_number(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

/// A column of the table of frames. Where a line has no room for all, those of the highest rank are left out.
struct Column {
  const char* head;
  int width;
  int rank;
};

constexpr std::array kColumns{
    Column{"frame", 9, 0},    Column{"time s", 8, 8},   Column{"ms", 8, 2},       Column{"left", 6, 1},
    Column{"its", 6, 6},      Column{"err mm", 7, 5},   Column{"residual", 9, 7}, Column{"lost g", 7, 9},
    Column{"strain", 8, 3},   Column{"p99", 8, 10},     Column{"mean", 8, 13},    Column{"kinetic", 9, 11},
    Column{"elastic", 9, 12}, Column{"contacts", 8, 4}, Column{"gap mm", 8, 14},  Column{"fall mm", 8, 15}};

using Cells = std::array<std::string, kColumns.size()>;

/// The cells that go in a line of `width` characters.
std::string row_text(const Cells& cells, int width) {
  int most_rank = 0;
  for (int used = 0; most_rank < static_cast<int>(kColumns.size()); ++most_rank) {
    const auto next = std::find_if(kColumns.begin(), kColumns.end(),
                                   [&](const Column& column) { return column.rank == most_rank; });
    used += next->width + 1;
    if (used > width) break;
  }
  std::string row;
  for (size_t c = 0; c < cells.size(); ++c)
    if (kColumns[c].rank < most_rank)
      row += fmt::format("{}{:>{}}", row.empty() ? "" : " ", cells[c], kColumns[c].width);
  return row + "\n";
}

void say_row(const Cells& cells, bool quiet) {
  if (!quiet) show_text(row_text(cells, line_width(STDERR_FILENO)));
  log_text(row_text(cells, std::numeric_limits<int>::max()));
}

void say_header(bool quiet) {
  Cells heads;
  for (size_t c = 0; c < heads.size(); ++c) heads[c] = kColumns[c].head;
  say_row(heads, quiet);
}

// "1:05", "2:03:04"
std::string clock_text(double seconds) {
  const auto s = static_cast<long long>(std::lround(seconds));
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

// "41.1%"; beyond ten times the weight the number itself says nothing more.
std::string percent_text(double fraction) {
  return std::abs(fraction) < 10 ? fmt::format("{:.1f}%", 100 * fraction) : fraction > 0 ? ">999%" : "<-999%";
}

// docs/run.md says why: implicit Euler in steps of h falls g h t / 2 too far in t seconds.
std::string fall_text(double mm_below) {
  if (std::abs(mm_below) < 1e-4) return "where exact free fall would have it";
  return fmt::format("{} {} than in exact free fall", distance_text(std::abs(mm_below) / 1000),
                     mm_below > 0 ? "lower" : "higher");
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void Progress::begin(const Simulation& simulation, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) say("warning: {}\n", warning);
  start_ = Clock::now();
  say_unless(quiet_, "{}: {} vertices, solver {}, {} substep{} a frame\n", simulation.scene().name,
             simulation.model().vertex_count(), simulation.scene().solver.family, simulation.substeps(),
             simulation.substeps() == 1 ? "" : "s");
  const SolverSettings& solver = simulation.settings();
  if (solver.family == "position" && solver.position.quality)
    say_unless(quiet_, "quality {}: {}\n", name_of(*solver.position.quality),
               describe_effort(solver.position));
}

void Progress::frame(const FrameReport& report) {
  if ((report.frame - 1 - first_) % kLinesPerHeader == 0) say_header(quiet_);
  const StepReport& step = report.step;
  const auto percent = [](double strain) { return fmt::format("{:.2f}%", 100 * strain); };
  say_row(
      {fmt::format("{}/{}", report.frame, frames_), fmt::format("{:.4g}", report.time),
       fmt::format("{:.2f}", report.ms), time_left(report.frame), fmt::format("{}", step.iterations),
       step.time_error ? fmt::format("{:.2g}", 1000 * *step.time_error) : "-",
       optional_number(step.residual, "{:.2e}"), step.lost_gravity ? percent_text(*step.lost_gravity) : "-",
       percent(report.strain_max), percent(report.strain_p99), percent(report.strain_mean),
       fmt::format("{:.3e}", report.kinetic_energy), fmt::format("{:.3e}", report.elastic_energy),
       fmt::format("{}", step.contacts),
       std::isfinite(step.min_gap) ? fmt::format("{:.4g}", 1000 * step.min_gap) : "-",
       report.free_fall_error ? fmt::format("{:.3g}", -1000 * report.free_fall_error->y()) : "-"},
      quiet_);
}

std::string Progress::time_left(int frame) const {
  return clock_text(seconds_since(start_) / (frame - first_) * (frames_ - frame));
}

void Progress::end(const RunRecord& record, const std::string& out) const {
  for (const std::string& doubt : record.doubts) say("warning: {}\n", doubt);
  const RunTally& tally = record.tally;
  const FrameReport &last = tally.last, &hardest = tally.hardest;
  if (tally.rejections > 0) say_unless(quiet_, "{} steps were rejected and halved\n", tally.rejections);
  if (tally.handovers > 0)
    say_unless(quiet_, "{} steps, in contact or hard, were finished by Newton's method\n", tally.handovers);
  if (hardest.work > 0)
    say_unless(quiet_, "the hardest frame, {}, took {} of the {} units of work of solver/budget\n",
               hardest.frame, hardest.work, record.scene.solver.budget);
  if (tally.cut > 0) say_unless(quiet_, "contact cut {} displacements of vertices short\n", tally.cut);
  const double seconds = seconds_since(start_);
  say_unless(quiet_, "{} after {} frames in {:.2f} s ({:.2f} ms a frame); hash {:016x}\n", record.outcome,
             last.frame, seconds, 1000 * seconds / std::max(1, last.frame - first_), last.hash);
  if (const std::string error = largest_error(record); !error.empty()) say_unless(quiet_, "{}\n", error);
  if (last.free_fall_error)
    say_unless(quiet_, "the centre of mass is {}\n", fall_text(-1000 * last.free_fall_error->y()));
  if (!out.empty()) say_unless(quiet_, "frames and run.json in {}\n", out);
}

// --- Countdown -------------------------------------------------------------------------------------

Countdown::Countdown(std::string what, int total, bool quiet)
    : what_(std::move(what)), total_(total), quiet_(quiet), terminal_(muslin::platform::is_terminal(2)) {}

void Countdown::done(int count) {
  if (quiet_) return;
  const std::string text = fmt::format("{} {}/{}, {} left", what_, count, total_,
                                       clock_text(seconds_since(start_) / count * (total_ - count)));
  if (terminal_) {
    show_text(fmt::format("\r{:<60}", text));
    open_ = true;
    return;
  }
  const int tenths = count * 10 / total_;
  if (std::exchange(told_, tenths) < tenths || count == 1) say("{}\n", text);
}

void Countdown::end() {
  if (std::exchange(open_, false)) show_text("\n");
}

void Patience::say(const std::string& words) {
  if (!is_due()) return;
  due_ = Clock::now() + std::chrono::seconds(2);
  ::say("{}\n", words);
}
