#include "muslin/sweep/sweep_table.h"

#include <nlohmann/json.hpp>

#include "muslin/core/csv.h"
#include "muslin/io/json_text.h"

namespace muslin {

namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& word) {
  return Json(word).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A value as --set takes it: JSON, or else a word.
std::string value_cell(const std::string& value) {
  return too_deep(value) == value.npos && Json::accept(value) ? value : quoted(value);
}

std::string csv_cell(const std::string& cell) {
  const Json value = Json::parse(cell);
  return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : cell;
}

}  // namespace

std::vector<SweepColumn> sweep_columns(const SweepFolder& folder, bool with_times) {
  std::vector<SweepColumn> columns{{"line", {}}};
  const SweepPlan& plan = folder.plan();
  for (const PlannedAxis& axis : plan.axes) columns.push_back({axis.set, {}});
  columns.push_back({"outcome", {}});
  for (const std::string& figure : plan.figures) columns.push_back({figure, {}});
  columns.push_back({"muslin", {}});
  columns.push_back({"key", {}});
  if (with_times) columns.push_back({"run_ms", {}});
  for (const SweepLine& line : folder.lines()) {
    const auto found = folder.result(line.number);
    if (!found) continue;
    size_t column = 0;
    const auto add = [&](const std::string& cell) { columns[column++].cells.push_back(cell); };
    add(std::to_string(line.number));
    for (const auto& [path, value] : line.values) add(value_cell(value));
    add(quoted(found->outcome));
    for (const std::string& figure : plan.figures) {
      const auto cell = found->figures.find(figure);
      add(cell != found->figures.end() ? cell->second : "null");
    }
    add(quoted(found->version));
    add(quoted(found->key()));
    if (with_times) add(Json(found->ms).dump());
  }
  return columns;
}

std::string sweep_csv(const std::vector<SweepColumn>& columns) {
  CsvLine head;
  for (const SweepColumn& column : columns) head << column.name;
  std::string csv = head.end();
  for (size_t row = 0; row < columns.front().cells.size(); ++row) {
    CsvLine line;
    for (const SweepColumn& column : columns) line << csv_cell(column.cells[row]);
    csv += line.end();
  }
  return csv;
}

std::string sweep_json(const std::vector<SweepColumn>& columns) {
  Json table = Json::object();
  for (const SweepColumn& column : columns) {
    Json& cells = table[column.name] = Json::array();
    for (const std::string& cell : column.cells) cells.push_back(Json::parse(cell));
  }
  return table.dump();
}

}  // namespace muslin
