#include "work_precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "commands.h"
#include "interrupt.h"
#include "muslin/compare/headline.h"
#include "muslin/compare/work_precision_page.h"
#include "muslin/io/file.h"
#include "page_folder.h"
#include "streams.h"
#include "table.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

std::string millimetres(double metres) { return fmt::format("{:.3g}", 1000 * metres); }

std::string remark_of(const WorkPoint& point, int frames) {
  std::string text = point.own ? "the scene's own steps" : "";
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
  if (point.unsolved_frames > 0)
    add(fmt::format("{} of {} frames not converged", point.unsolved_frames, frames));
  if (!point.remark.empty()) add(point.remark);
  return text;
}

// Twice the steps, and the error by 2^order.
std::string order_of(const WorkPoint& point, const WorkPoint& before, int frames) {
  const auto now = summary_until(point, frames), then = summary_until(before, frames);
  if (!now || !then || point.own || point.steps <= before.steps || !(now->mean > 0)) return "";
  return fmt::format("{:.1f}",
                     std::log2(then->mean / now->mean) / std::log2(double(point.steps) / before.steps));
}

Rows rows_of(const WorkPrecision& result) {
  const std::vector<int> looks = looked_at(result.frames);
  Rows rows{{"solver", "steps", "ms a frame"}};
  for (const int frame : looks) rows[0].push_back(fmt::format("mm at {}", frame));
  rows[0].insert(rows[0].end(), {"mean mm", "largest mm", "order", ""});
  for (const WorkLine& line : result.lines)
    for (size_t p = 0; p < line.points.size(); ++p) {
      const WorkPoint& point = line.points[p];
      const auto whole = summary_until(point, result.frames);
      std::vector<std::string> row{line.name, fmt::format("{}", point.steps),
                                   whole ? fmt::format("{:.3g}", whole->ms) : "-"};
      for (const int frame : looks) {
        const auto until = summary_until(point, frame);
        row.push_back(until ? millimetres(until->last) : "-");
      }
      row.insert(
          row.end(),
          {whole ? millimetres(whole->mean) : "-", whole ? millimetres(whole->largest) : "-",
           p > 0 ? order_of(point, line.points[p - 1], result.frames) : "", remark_of(point, result.frames)});
      rows.push_back(std::move(row));
    }
  return rows;
}

std::string words_of(const WorkReference& reference) {
  const double doubt =
      reference.doubt.empty() ? 0 : *std::max_element(reference.doubt.begin(), reference.doubt.end());
  return fmt::format("reference: {} ({}), {} steps a frame; with {} it is within {}", reference.method,
                     reference.integrator, reference.steps, reference.check_steps, length_text(doubt));
}

/// A line a run on standard error.
WorkWatcher watcher_for(const WorkPrecisionArguments& arguments) {
  WorkWatcher watcher;
  watcher.began = [&](const WorkPrecision& result) {
    prepare_page_folder(arguments.out, arguments.force);
    for (const std::string& warning : result.warnings) say("warning: {}\n", warning);
    std::string_view before;
    for (const WorkLine& line : result.lines) {  // of a method all say the same
      if (line.method == before) continue;
      before = line.method;
      if (!line.refusal.empty()) say("warning: {}: {}\n", line.method, line.refusal);
      if (!line.limits.empty()) say("warning: {}: {}\n", line.method, line.limits);
    }
    say_unless(arguments.quiet, "{}: {} vertices, {} frames\n", result.scene.name, result.vertex_count,
               result.frames);
  };
  watcher.reference = [&](const WorkReference& reference) {
    if (reference.failure.empty()) say_unless(arguments.quiet, "{}\n", words_of(reference));
    if (reference.unsolved_frames > 0)
      say("warning: {} frames of the reference hold a step that stopped before its tolerance\n",
          reference.unsolved_frames);
  };
  watcher.point = [&](const WorkLine& line, const WorkPoint& point) {
    const auto until = summary_until(point, static_cast<int>(point.error.size()));
    const std::string result =
        point.remark.empty() && until
            ? fmt::format("{:.3g} ms a frame, {} on average", until->ms, length_text(until->mean))
            : point.remark;
    say_unless(arguments.quiet, "{}, {} steps: {}\n", line.name, point.steps, result);
  };
  watcher.stop = is_interrupted;
  return watcher;
}

// Nothing to compare is a failure; one run that came through is a diagram.
void end_with_code(const WorkPrecision& result) {
  if (result.interrupted) throw Exit{kInterrupted};
  if (std::all_of(result.lines.begin(), result.lines.end(),
                  [](const WorkLine& line) { return !line.refusal.empty(); }))
    throw Exit{kFailed};
  const auto came_through = [](const WorkPoint& point) { return point.remark.empty(); };
  if (std::none_of(result.lines.begin(), result.lines.end(), [&](const WorkLine& line) {
        return std::any_of(line.points.begin(), line.points.end(), came_through);
      }))
    throw Exit{kDiverged};
}

}  // namespace

void run_work_precision(const Scene& scene, const WorkPrecisionArguments& arguments) {
  const WorkPrecision result = work_precision(scene, arguments.options, watcher_for(arguments));
  const auto put = [&](const char* file, const std::string& content) {
    write_file((fs::path(arguments.out) / file).string(), content, arguments.force);
  };
  put("work_precision.csv", work_precision_csv(result));
  put("work_precision.json", work_precision_json(result));
  put("index.html", work_precision_page(result));
  if (!result.reference.failure.empty()) say("warning: the reference {}\n", result.reference.failure);
  if (arguments.json) {
    print_text(work_precision_json(result));
  } else {
    print("{}: errors, root mean square over vertices; processor time of one thread\n{}\n", result.scene.name,
          words_of(result.reference));
    print_text(table_text(rows_of(result), line_width(STDOUT_FILENO)));
  }
  say_unless(arguments.quiet, "open {}\n", (fs::path(arguments.out) / "index.html").string());
  end_with_code(result);
}
