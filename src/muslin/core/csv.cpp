#include "muslin/core/csv.h"

#include <fmt/format.h>

#include <cmath>

namespace muslin {

CsvLine& CsvLine::operator<<(double value) {
  return add(std::isfinite(value) ? fmt::format("{}", value) : "");
}

CsvLine& CsvLine::operator<<(std::int64_t value) { return add(std::to_string(value)); }

CsvLine& CsvLine::operator<<(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return add(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return add(quoted + '"');
}

CsvLine& CsvLine::skip(int count) {
  for (int k = 0; k < count; ++k) add("");
  return *this;
}

CsvLine& CsvLine::add(std::string_view cell) {
  if (!is_first_) text_ += ',';
  text_ += cell;
  is_first_ = false;
  return *this;
}

}  // namespace muslin
