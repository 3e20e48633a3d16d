#include "muslin/compare/work_precision_page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "muslin/compare/page_parts.h"
#include "muslin/page/page.h"
#include "muslin/solver/methods.h"
#include "muslin/version.h"

namespace muslin {

namespace {

// A line has its method's colour, whatever its integrator.
std::string colours(const WorkPrecision& result, std::string_view Stroke::*ink) {
  std::string css;
  for (const WorkLine& line : result.lines)
    css += fmt::format(" --s-{}: {};", line.name, find_method(line.method).stroke.*ink);
  return css;
}

// And its dashes with its first integrator; with another it is solid.
std::string dashes_json(const WorkPrecision& result) {
  nlohmann::ordered_json dashes = nlohmann::ordered_json::object();
  const WorkLine* before = nullptr;
  for (const WorkLine& line : result.lines) {
    const bool is_first = !before || before->method != line.method;
    dashes[line.name] = is_first ? std::string(find_method(line.method).stroke.dash) : "";
    before = &line;
  }
  return dashes.dump();
}

}  // namespace

std::string work_precision_page(const WorkPrecision& result) {
  return filled_page(kWorkPrecisionPage,
                     {{"scene", html_escaped(result.scene.name)},
                      {"version", html_escaped(version())},
                      {"style", std::string(kPageStyle)},
                      {"colours", colours(result, &Stroke::on_light)},
                      {"dark_colours", colours(result, &Stroke::on_dark)},
                      {"dashes", script_escaped(dashes_json(result))},
                      {"data", script_escaped(work_precision_json(result, 6))},
                      {"script", fmt::format("{}{}", kPageScript, kWorkPrecisionScript)}});
}

}  // namespace muslin
