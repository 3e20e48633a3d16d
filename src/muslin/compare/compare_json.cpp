#include "muslin/compare/compare_json.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "muslin/compare/headline.h"
#include "muslin/io/scene_json.h"
#include "muslin/version.h"

namespace muslin {

namespace {

using Json = nlohmann::ordered_json;

/// Makes JSON of rows: one array a column.
class Columns {
 public:
  explicit Columns(int digits) : digits_(digits) {}

  Json number(double value) const {
    if (!std::isfinite(value)) return nullptr;
    return digits_ == 0 ? value : std::strtod(fmt::format("{:.{}g}", value, digits_).c_str(), nullptr);
  }
  Json number(const std::optional<double>& value) const { return value ? number(*value) : Json(nullptr); }

  template <class Rows, class Get>
  Json column(const Rows& rows, const Get& get) const {
    Json array = Json::array();
    for (const auto& row : rows) {
      if constexpr (requires { number(get(row)); })
        array.push_back(number(get(row)));
      else
        array.push_back(get(row));
    }
    return array;
  }

  template <class Rows, class Get>
  void errors(Json& table, const Rows& rows, const Get& error) const {
    table["energy_gap"] = column(rows, [&](const auto& row) { return error(row).energy_gap; });
    table["residual"] = column(rows, [&](const auto& row) { return error(row).residual; });
    table["lost_gravity"] = column(rows, [&](const auto& row) { return error(row).lost_gravity; });
    table["error_rms"] = column(rows, [&](const auto& row) { return error(row).position.rms; });
    table["error_max"] = column(rows, [&](const auto& row) { return error(row).position.max; });
  }

 private:
  int digits_;
};

// A whole number stays one: Columns::number is for measured values.
struct Count {
  int value;
};
void to_json(Json& json, const Count& count) { json = count.value; }

Json encode_frames(const Columns& columns, const std::vector<FrameRow>& rows) {
  const auto column = [&](const auto& get) { return columns.column(rows, get); };
  Json table;
  table["frame"] = column([](const FrameRow& row) { return Count{row.frame}; });
  table["time"] = column([](const FrameRow& row) { return row.time; });
  table["status"] = column([](const FrameRow& row) { return std::string(name_of(row.step.status)); });
  table["iterations"] = column([](const FrameRow& row) { return Count{row.step.iterations}; });
  columns.errors(table, rows, [](const FrameRow& row) -> const StepError& { return row.error; });
  table["strain_p99"] = column([](const FrameRow& row) { return row.strain.p99; });
  table["strain_max"] = column([](const FrameRow& row) { return row.strain.max; });
  table["kinetic_energy"] = column([](const FrameRow& row) { return row.kinetic_energy; });
  table["elastic_energy"] = column([](const FrameRow& row) { return row.elastic_energy; });
  table["potential_energy"] = column([](const FrameRow& row) { return row.potential_energy; });
  table["contacts"] = column([](const FrameRow& row) { return Count{row.step.contacts}; });
  table["ms"] = column([](const FrameRow& row) { return row.ms; });
  return table;
}

Json encode_trace(const Columns& columns, const TraceStart& start, const Trace& trace) {
  Json table{{"frame", start.frame},
             {"status", std::string(name_of(trace.status))},
             {"iterations", trace.iterations},
             {"contacts", trace.contacts}};
  table["step_ms"] = columns.number(trace.ms);
  table["iteration"] =
      columns.column(trace.rows, [](const IterationRow& row) { return Count{row.iteration}; });
  columns.errors(table, trace.rows, [](const IterationRow& row) -> const StepError& { return row.error; });
  table["ms"] = columns.column(trace.rows, [](const IterationRow& row) { return row.ms; });
  return table;
}

Json encode_solver(const Columns& columns, const Comparison& comparison, const SolverRecord& record) {
  Json traces = Json::array();
  for (size_t t = 0; t < record.traces.size(); ++t)
    traces.push_back(encode_trace(columns, comparison.traces[t], record.traces[t]));
  return {{"name", record.name},
          {"label", record.label},
          {"summary", record.summary},
          {"limits", record.limits},
          {"failure", record.failure},
          {"refused", record.refused},
          {"diverged", record.diverged},
          {"frames", encode_frames(columns, record.frames)},
          {"traces", traces}};
}

Json encode_trace_start(const Columns& columns, const TraceStart& start) {
  const ReferenceRecord& step = start.reference;
  return {{"frame", start.frame},
          {"time", columns.number(start.time)},
          {"objective_start", columns.number(step.objective_start)},
          {"objective", columns.number(step.objective)},
          {"residual_start", columns.number(step.residual_start)},
          {"residual", columns.number(step.residual)},
          {"gap_rounding", columns.number(step.gap_rounding)},
          {"iterations", step.iterations},
          {"contacts", step.contacts},
          {"converged", step.converged}};
}

Json encode_sweep(const Columns& columns, const SweepResult& sweep) {
  const auto column = [&](const auto& get) { return columns.column(sweep.rows, get); };
  Json table;
  for (const SweptAxis& swept : sweep.request) table["axes"].push_back(std::string(name_of(swept.axis)));
  table["has_paths"] = sweep.has_paths;
  table["end_time"] = sweep.has_paths ? columns.number(sweep.end_time) : Json(nullptr);
  table["finest_step"] = sweep.has_paths ? columns.number(sweep.finest_step) : Json(nullptr);
  table["finest_resolution"] = sweep.finest_resolution;
  table["most_iterations"] =
      column([](const SweepRow& row) { return std::optional<double>(row.point.iterations); });
  table["dt"] = column([](const SweepRow& row) { return row.point.dt; });
  table["resolution"] = column([](const SweepRow& row) { return row.point.resolution; });
  table["vertices"] = column([](const SweepRow& row) { return Count{row.vertices}; });
  table["solver"] = column([](const SweepRow& row) { return row.solver; });
  table["frame"] = column([](const SweepRow& row) { return Count{row.frame}; });
  table["status"] = column([](const SweepRow& row) { return std::string(name_of(row.status)); });
  table["iterations"] = column([](const SweepRow& row) { return Count{row.iterations}; });
  columns.errors(table, sweep.rows, [](const SweepRow& row) -> const StepError& { return row.error; });
  table["path_error_rms"] = column(
      [](const SweepRow& row) { return row.path_error ? std::optional(row.path_error->rms) : std::nullopt; });
  table["path_error_max"] = column(
      [](const SweepRow& row) { return row.path_error ? std::optional(row.path_error->max) : std::nullopt; });
  table["strain_p99"] = column([](const SweepRow& row) { return row.strain.p99; });
  table["strain_max"] = column([](const SweepRow& row) { return row.strain.max; });
  table["ms"] = column([](const SweepRow& row) { return row.ms; });
  return table;
}

}  // namespace

std::string compare_json(const Comparison& comparison, int digits) {
  const Columns columns(digits);
  const Headline head = headline(comparison);
  Json solvers = Json::array(), traces = Json::array(), sweeps = Json::array();
  for (const SolverRecord& record : comparison.solvers)
    solvers.push_back(encode_solver(columns, comparison, record));
  for (const TraceStart& start : comparison.traces) traces.push_back(encode_trace_start(columns, start));
  for (const SweepResult& sweep : comparison.sweeps) sweeps.push_back(encode_sweep(columns, sweep));
  const Json document{
      {"muslin", std::string(version())},
      {"scene_name", comparison.scene.name},
      {"headline", {{"title", head.title}, {"below", head.below}}},
      {"outcome", comparison.interrupted ? "interrupted" : "finished"},
      {"threads", comparison.threads},
      {"frames", comparison.frames},
      {"frame_time", comparison.scene.frame_time},
      {"substeps", comparison.step.substeps},
      {"step", comparison.step.h},
      {"velocity_loss", comparison.step.velocity_loss},
      {"forced_iterations", comparison.iterations ? Json(*comparison.iterations) : Json(nullptr)},
      {"reference_every", comparison.every},
      {"reference_steps", comparison.reference_steps},
      {"unconverged_reference_steps", comparison.unconverged_reference_steps},
      {"vertices", comparison.vertex_count},
      {"triangles", comparison.triangle_count},
      {"weight", columns.number(comparison.weight)},
      {"warnings", comparison.warnings},
      {"notes", comparison.notes},
      {"traces", traces},
      {"reference", encode_solver(columns, comparison, comparison.reference)},
      {"solvers", solvers},
      {"sweeps", sweeps},
      {"scene", Json::parse(write_scene(comparison.scene))}};
  return document.dump(digits == 0 ? 1 : -1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace muslin
