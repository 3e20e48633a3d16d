#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "muslin/core/types.h"

namespace muslin {

/// A line of a table in CSV [RFC 4180]. What does not exist is an empty cell.
class CsvLine {
 public:
  /// The shortest text that gives the number back; an empty cell if it is not finite.
  CsvLine& operator<<(double value);
  CsvLine& operator<<(std::int64_t value);
  CsvLine& operator<<(int value) { return *this << std::int64_t{value}; }
  /// An empty cell if there is none.
  CsvLine& operator<<(const std::optional<double>& value) { return value ? *this << *value : *this << ""; }
  /// Three cells.
  CsvLine& operator<<(const Vec3& value) { return *this << value.x() << value.y() << value.z(); }
  /// In quotes where it must be.
  CsvLine& operator<<(std::string_view text);
  /// So many empty cells.
  CsvLine& skip(int count);

  /// The whole line, with its end.
  std::string end() const { return text_ + '\n'; }

 private:
  CsvLine& add(std::string_view cell);

  std::string text_;
  bool is_first_ = true;
};

}  // namespace muslin
