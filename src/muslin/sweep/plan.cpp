#include "muslin/sweep/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "muslin/core/check.h"
#include "muslin/core/maths.h"
#include "muslin/core/random.h"
#include "muslin/core/text.h"
#include "muslin/io/field_reader.h"
#include "muslin/io/run_record.h"
#include "muslin/io/sha256.h"
#include "muslin/model/field_check.h"
#include "muslin/simulation.h"

namespace muslin {

namespace {

std::vector<std::string> values_of(const PlannedAxis& axis) {
  std::vector<double> numbers = axis.values;
  if (const auto& span = axis.range)
    for (int k = 0; k < span->count; ++k)
      numbers.push_back(span->from + (span->to - span->from) * k / (span->count - 1));
  if (const auto& span = axis.log_range)
    for (int k = 0; k < span->count; ++k)
      numbers.push_back(span->from * maths::pow(span->to / span->from, double(k) / (span->count - 1)));
  if (const auto& draws = axis.draws)
    for (int k = 0; k < draws->count; ++k)
      numbers.push_back(draws->low + (draws->high - draws->low) * random_unit(draws->seed, k, 0));
  std::vector<std::string> values = axis.words;
  for (const double number : numbers) values.push_back(fmt::format("{}", number));
  return values;
}

size_t count_runs(const SweepPlan& plan) {
  if (plan.axes.empty()) return 1;
  if (plan.combine == Combine::zipped) return values_of(plan.axes[0]).size();
  size_t count = 1;
  for (const PlannedAxis& axis : plan.axes) count = std::min(count * values_of(axis).size(), kMostRuns + 1);
  return count;
}

// What no range of a single field says.
std::vector<Problem> problems_of(const SweepPlan& plan) {
  std::vector<Problem> problems;
  if (plan.scene.empty()) problems.push_back({"/scene", "must name a scene"});
  for (size_t k = 0; k < plan.axes.size(); ++k) {
    const PlannedAxis& axis = plan.axes[k];
    const std::string path = fmt::format("/axes/{}", k);
    const int ways = !axis.values.empty() + !axis.words.empty() + axis.range.has_value() +
                     axis.log_range.has_value() + axis.draws.has_value();
    if (axis.set.empty()) problems.push_back({path, "must say in \"set\" what it changes"});
    if (ways != 1)
      problems.push_back(
          {path, fmt::format("must have one of values, words, range, log_range and draws, has {}", ways)});
    if (axis.log_range && !(axis.log_range->from > 0 && axis.log_range->to > 0))
      problems.push_back({path + "/log_range", "must go from a number above 0 to another"});
    if (plan.combine == Combine::zipped && values_of(axis).size() != values_of(plan.axes[0]).size())
      problems.push_back({path, fmt::format("must have as many values as the first axis, {}, has {}",
                                            values_of(plan.axes[0]).size(), values_of(axis).size())});
  }
  const std::vector<std::string> names = figure_names();
  for (size_t k = 0; k < plan.figures.size(); ++k)
    if (!std::count(names.begin(), names.end(), plan.figures[k])) {
      const std::string near = nearest_name(plan.figures[k], {names.begin(), names.end()});
      problems.push_back({fmt::format("/figures/{}", k),
                          near.empty() ? fmt::format("must be a figure of a frame (docs/sweeps.md)")
                                       : fmt::format("is no figure of a frame; did you mean {}?", near)});
    }
  return problems;
}

}  // namespace

SweepPlan parse_plan(const std::string& text, const std::string& name) {
  JsonDocument document{name, text, parse_json(text, name), {}};
  Complaints complaints;
  SweepPlan plan;
  FieldReader(complaints, FieldReader::Missing::keeps_default).read(document.root, plan);
  FieldCheck ranges;
  ranges.check(plan);
  for (const Problem& problem : ranges.problems()) complaints.add(document.root, problem);
  complaints.raise(document);  // spans and draws below are of counts that are right
  for (const Problem& problem : problems_of(plan)) complaints.add(document.root, problem);
  complaints.raise(document);
  if (count_runs(plan) > kMostRuns)
    throw Error(ErrorKind::invalid, fmt::format("{}: must be at most {} runs", name, kMostRuns));
  return plan;
}

std::vector<std::vector<Override>> planned_runs(const SweepPlan& plan) {
  std::vector<std::vector<std::string>> values;
  for (const PlannedAxis& axis : plan.axes) values.push_back(values_of(axis));
  std::vector<std::vector<Override>> runs(count_runs(plan));
  for (size_t run = 0; run < runs.size(); ++run) {
    size_t rest = run;
    for (size_t k = values.size(); k-- > 0;) {
      const size_t place = plan.combine == Combine::zipped ? run : rest % values[k].size();
      rest /= values[k].size();
      runs[run].insert(runs[run].begin(), {plan.axes[k].set, values[k][place]});
    }
  }
  return runs;
}

std::vector<std::string> figure_names() {
  const auto frame = nlohmann::ordered_json::parse(encode_frame(FrameReport{}));
  std::vector<std::string> names;
  for (const auto& [name, value] : frame.items())
    if (!value.is_structured() && name != "type") names.push_back(name);
  return names;
}

std::string run_inputs(const Scene& scene) {
  const Fingerprint parts = Simulation(scene).fingerprint();
  return sha256(fmt::format("{} {} {} {}", scene.frames, parts.shapes, parts.numbers, parts.solver));
}

std::string run_key(const std::string& inputs, std::string_view version) {
  return sha256(fmt::format("{} {}", inputs, version));
}

}  // namespace muslin
