#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "muslin/compare/work_precision.h"
#include "muslin/core/csv.h"
#include "muslin/io/scene_json.h"
#include "muslin/version.h"

namespace muslin {

namespace {

using Json = nlohmann::ordered_json;

/// Numbers with so many digits; 0: all.
struct Rounded {
  int digits;

  Json operator()(double value) const {
    if (!std::isfinite(value)) return nullptr;
    return digits == 0 ? value : std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
  }
  Json operator()(const std::vector<double>& values) const {
    Json array = Json::array();
    for (const double value : values) array.push_back((*this)(value));
    return array;
  }
};

Json encode(const WorkPoint& point, int frames, const Rounded& number) {
  const std::optional<WorkSummary> whole = summary_until(point, frames);
  const auto of_all = [&](double WorkSummary::*value) { return whole ? number((*whole).*value) : Json(); };
  return {{"steps", point.steps},
          {"own", point.own},
          {"mean_ms", of_all(&WorkSummary::ms)},
          {"mean_error", of_all(&WorkSummary::mean)},
          {"largest_error", of_all(&WorkSummary::largest)},
          {"unsolved_frames", point.unsolved_frames},
          {"diverged", point.diverged},
          {"remark", point.remark},
          {"ms", number(point.ms)},
          {"error", number(point.error)}};
}

Json encode(const WorkLine& line, int frames, const Rounded& number) {
  Json points = Json::array();
  for (const WorkPoint& point : line.points) points.push_back(encode(point, frames, number));
  return {{"name", line.name},       {"method", line.method},
          {"label", line.label},     {"integrator", line.integrator},
          {"refusal", line.refusal}, {"limits", line.limits},
          {"points", points}};
}

}  // namespace

std::string work_precision_json(const WorkPrecision& result, int digits) {
  const Rounded number{digits};
  const WorkReference& reference = result.reference;
  Json lines = Json::array();
  for (const WorkLine& line : result.lines) lines.push_back(encode(line, result.frames, number));
  const Json document{{"muslin", std::string(version())},
                      {"scene_name", result.scene.name},
                      {"outcome", result.interrupted ? "interrupted" : "finished"},
                      {"frames", result.frames},
                      {"looked_at", looked_at(result.frames)},
                      {"frame_time", result.scene.frame_time},
                      {"vertices", result.vertex_count},
                      {"triangles", result.triangle_count},
                      {"warnings", result.warnings},
                      {"reference",
                       {{"method", reference.method},
                        {"integrator", reference.integrator},
                        {"steps", reference.steps},
                        {"check_steps", reference.check_steps},
                        {"unsolved_frames", reference.unsolved_frames},
                        {"failure", reference.failure},
                        {"doubt", number(reference.doubt)},
                        {"travelled", number(reference.travelled)}}},
                      {"lines", lines},
                      {"scene", Json::parse(write_scene(result.scene))}};
  return document.dump(digits == 0 ? 1 : -1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string work_precision_csv(const WorkPrecision& result) {
  std::string csv = "solver,integrator,steps,own,frame,ms,error_rms_m,remark\n";
  for (const WorkLine& line : result.lines)
    for (const WorkPoint& point : line.points)
      for (size_t f = 0; f < point.ms.size(); ++f) {
        CsvLine row;
        row << line.method << line.integrator << point.steps << int{point.own} << static_cast<int>(f + 1)
            << point.ms[f];
        row << (f < point.error.size() ? std::optional(point.error[f]) : std::nullopt)
            << (f < point.error.size() ? "" : point.remark);
        csv += row.end();
      }
  return csv;
}

}  // namespace muslin
