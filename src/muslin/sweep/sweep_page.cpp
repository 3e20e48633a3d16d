#include "muslin/sweep/sweep_page.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "muslin/io/file.h"
#include "muslin/page/page.h"
#include "muslin/sweep/figures.h"
#include "muslin/sweep/sweep_page_parts.h"
#include "muslin/sweep/sweep_table.h"
#include "muslin/version.h"

namespace fs = std::filesystem;

namespace muslin {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostPictures = 400;  // about 10 MB of page

Json encode_axes(const SweepPlan& plan) {
  Json axes = Json::array();
  for (const PlannedAxis& axis : plan.axes)
    axes.push_back(
        {{"name", axis.set}, {"ratios", axis.log_range.has_value()}, {"drawn", axis.draws.has_value()}});
  return axes;
}

Json encode_figures(const SweepPlan& plan) {
  Json list = Json::array();
  for (const std::string& name : plan.figures)
    for (const Figure& figure : figures())
      if (figure.name == name)
        list.push_back(
            {{"name", name}, {"doc", figure.doc}, {"unit", figure.unit}, {"number", figure.is_number}});
  return list;
}

Json encode_troubles(const SweepFolder& folder) {
  Json troubles = Json::array();
  for (const auto& [line, result] : folder.failures())
    troubles.push_back({{"line", line}, {"outcome", result.outcome}, {"reason", result.reason}});
  return troubles;
}

// By the numbers of lines; of too many every second, third, …
Json encode_pictures(const SweepFolder& folder) {
  std::vector<int> lines;
  for (const SweepLine& line : folder.lines())
    if (fs::is_regular_file(fs::symlink_status(folder.picture(line.number)))) lines.push_back(line.number);
  const size_t every = (lines.size() + kMostPictures - 1) / kMostPictures;
  Json pictures = Json::object();
  for (size_t k = 0; k < lines.size(); k += every) {
    const std::string bytes = read_file(folder.picture(lines[k]).string());
    pictures[std::to_string(lines[k])] =
        base64(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  }
  return {{"png", pictures}, {"of", lines.size()}};
}

std::string page_json(const SweepFolder& folder, const std::string& title) {
  const SweepPlan& plan = folder.plan();
  const SweepStatus status = folder.status();
  return Json{{"title", title},
              {"runs", folder.lines().size()},
              {"status",
               {{"done", status.done},
                {"failed", status.failed},
                {"running", status.running},
                {"left", status.left}}},
              {"side_by_side", plan.combine == Combine::zipped},
              {"set", plan.set},
              {"axes", encode_axes(plan)},
              {"figures", encode_figures(plan)},
              {"table", Json::parse(sweep_json(sweep_columns(folder, true)))},
              {"troubles", encode_troubles(folder)},
              {"pictures", encode_pictures(folder)}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string sweep_page(const SweepFolder& folder) {
  const SweepPlan& plan = folder.plan();
  const std::string scene = fs::path(plan.scene).stem().string(),
                    title = plan.name.empty() ? scene : plan.name;
  const std::string below =
      fmt::format("{} under {}{}", scene, plan.solver.empty() ? "its own solver" : plan.solver,
                  plan.frames ? fmt::format(", {} frames", *plan.frames) : "");
  return filled_page(kSweepPage, {{"title", html_escaped(title)},
                                  {"below", html_escaped(with_firm_spaces(below))},
                                  {"version", html_escaped(version())},
                                  {"style", std::string(kPageStyle)},
                                  {"data", script_escaped(page_json(folder, title))},
                                  {"script", fmt::format("{}{}", kPageScript, kSweepScript)}});
}

}  // namespace muslin
