#include "muslin/sweep/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "muslin/core/check.h"
#include "muslin/core/maths.h"
#include "muslin/core/random.h"
#include "muslin/core/text.h"
#include "muslin/io/field_reader.h"
#include "muslin/io/scene_paths.h"
#include "muslin/io/schema_writer.h"
#include "muslin/solver/methods.h"
#include "muslin/sweep/figures.h"

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

// values_of(axis).size()
size_t count_values(const PlannedAxis& axis) {
  size_t count = axis.values.size() + axis.words.size();
  for (const auto& span : {axis.range, axis.log_range})
    if (span) count += span->count;
  if (axis.draws) count += axis.draws->count;
  return count;
}

size_t count_runs(const SweepPlan& plan) {
  if (plan.axes.empty()) return 1;
  if (plan.combine == Combine::zipped) return count_values(plan.axes[0]);
  size_t count = 1;
  for (const PlannedAxis& axis : plan.axes) count = std::min(count * count_values(axis), kMostRuns + 1);
  return count;
}

// What is wrong with the solver's name, or "".
std::string solver_trouble(const SweepPlan& plan) try {
  if (!plan.solver.empty()) find_method(plan.solver);
  return "";
} catch (const Error& error) {
  return error.what();
}

// What is wrong with what is set: of all runs, and by axes.
void add_problems_of_paths(const SweepPlan& plan, std::vector<Problem>& problems) {
  const auto expect_path = [&](const std::string& place, const std::string& path) {
    if (const std::string trouble = path_trouble(path); !trouble.empty())
      problems.push_back({place, trouble});
  };
  for (size_t k = 0; k < plan.set.size(); ++k) {
    const std::string place = fmt::format("/set/{}", k);
    if (const auto override = split_assignment(plan.set[k]))
      expect_path(place, override->first);
    else
      problems.push_back({place, "must be PATH=VALUE, is " + in_quotes(plan.set[k])});
  }
  std::map<std::string, size_t> axes;
  for (size_t k = 0; k < plan.axes.size(); ++k) {
    const std::string place = fmt::format("/axes/{}/set", k), &path = plan.axes[k].set;
    if (path.empty())
      problems.push_back({fmt::format("/axes/{}", k), "must say in \"set\" what it changes"});
    else if (const auto [first, is_new] = axes.try_emplace(plain_path(path), k); !is_new)
      problems.push_back({place, fmt::format("is what axis {} sets", first->second)});
    else
      expect_path(place, path);
  }
}

// What no range of a single field says.
std::vector<Problem> problems_of(const SweepPlan& plan) {
  std::vector<Problem> problems;
  if (plan.scene.empty()) problems.push_back({"/scene", "must name a scene"});
  if (const std::string trouble = solver_trouble(plan); !trouble.empty())
    problems.push_back({"/solver", trouble});
  add_problems_of_paths(plan, problems);
  for (size_t k = 0; k < plan.axes.size(); ++k) {
    const PlannedAxis& axis = plan.axes[k];
    const std::string path = fmt::format("/axes/{}", k);
    const int ways = !axis.values.empty() + !axis.words.empty() + axis.range.has_value() +
                     axis.log_range.has_value() + axis.draws.has_value();
    if (ways != 1)
      problems.push_back(
          {path, fmt::format("must have one of values, words, range, log_range and draws, has {}", ways)});
    if (axis.log_range && !(axis.log_range->from > 0 && axis.log_range->to > 0))
      problems.push_back({path + "/log_range", "must go from a number above 0 to another"});
    if (plan.combine == Combine::zipped && count_values(axis) != count_values(plan.axes[0]))
      problems.push_back({path, fmt::format("must have as many values as the first axis, {}, has {}",
                                            count_values(plan.axes[0]), count_values(axis))});
  }
  const std::vector<std::string> names = figure_names();
  for (size_t k = 0; k < plan.figures.size(); ++k)
    if (!std::count(names.begin(), names.end(), plan.figures[k])) {
      const std::string near = nearest_name(plan.figures[k], {names.begin(), names.end()});
      problems.push_back({fmt::format("/figures/{}", k),
                          near.empty() ? "must be a figure of a frame (muslin list figures)"
                                       : fmt::format("is no figure of a frame; did you mean {}?", near)});
    }
  return problems;
}

}  // namespace

SweepPlan parse_plan(const std::string& text, const std::string& name) {
  JsonDocument document{name, text, parse_json(text, name), {}};
  Complaints complaints;
  if (auto* members = document.root.as<JsonNode::Object>())
    std::erase_if(*members, [](const JsonMember& member) { return member.key == "$schema"; });
  const auto plan = read_described<SweepPlan>(document, FieldReader::Missing::keeps_default, complaints);
  complaints.raise(document);  // spans and draws below are of counts that are right
  for (const Problem& problem : problems_of(plan)) complaints.add(document.root, problem);
  complaints.raise(document);
  if (count_runs(plan) > kMostRuns)
    throw Error(ErrorKind::invalid, fmt::format("{}: must be at most {} runs", name, kMostRuns));
  if (const size_t count = count_runs(plan) * plan.axes.size(); count > kMostValues)
    throw Error(ErrorKind::invalid,
                fmt::format("{}: must set at most {} values in all runs, sets {}", name, kMostValues, count));
  return plan;
}

std::vector<std::vector<Override>> planned_runs(const SweepPlan& plan) {
  std::vector<std::vector<std::string>> values;
  for (const PlannedAxis& axis : plan.axes) values.push_back(values_of(axis));
  std::vector<std::vector<Override>> runs(count_runs(plan));
  for (size_t run = 0; run < runs.size(); ++run) {
    size_t rest = run;
    runs[run].resize(values.size());
    for (size_t k = values.size(); k-- > 0;) {
      const size_t place = plan.combine == Combine::zipped ? run : rest % values[k].size();
      rest /= values[k].size();
      runs[run][k] = {plan.axes[k].set, values[k][place]};
    }
  }
  return runs;
}

Scene planned_scene(const SweepPlan& plan, const std::vector<Override>& values) {
  SceneChanges changes{plan.solver, plan.frames, {}};
  for (const std::string& set : plan.set) changes.overrides.push_back(split_assignment(set).value());
  changes.overrides.insert(changes.overrides.end(), values.begin(), values.end());
  return read_changed_scene(plan.scene, changes);
}

std::string plan_schema() {
  Json schema = SchemaWriter::document<SweepPlan>("Muslin sweep");
  schema["properties"]["figures"]["items"] = {{"enum", figure_names()}};
  schema["required"] = {"scene"};
  return schema.dump(2) + "\n";
}

}  // namespace muslin
