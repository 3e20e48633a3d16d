#include "muslin/core/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace muslin {

namespace {
// Levenshtein's distance, one row at a time.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}
}  // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string_view>& names) {
  if (word.size() > 100) return "";
  std::string_view best;
  int best_distance = 2 + static_cast<int>(word.size()) / 3;
  for (const std::string_view name : names) {
    const int distance = edit_distance(word, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return std::string(best);
}

std::string extension_of(const std::string& file) {
  std::string extension = file.substr(std::min(file.rfind('.'), file.size()));
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
}

std::optional<std::string> numbered(std::string_view pattern, int number) {
  const size_t percent = pattern.find('%'), end = pattern.find('d', percent);
  if (percent == pattern.npos || end == pattern.npos || pattern.find('%', percent + 1) != pattern.npos)
    return {};
  const std::string_view width = pattern.substr(percent + 1, end - percent - 1);
  const bool is_width = width.size() == 2 && width[0] == '0' && width[1] >= '1' && width[1] <= '9';
  if (!width.empty() && !is_width) return {};
  std::string digits = std::to_string(number);
  const size_t fewest = is_width ? width[1] - '0' : 1;
  if (digits.size() < fewest) digits.insert(0, fewest - digits.size(), '0');
  return std::string(pattern.substr(0, percent)) + digits + std::string(pattern.substr(end + 1));
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string distance_text(double metres) {
  constexpr double kMetre = 0.9995, kPlain = 999.5, kMost = 1e6;  // [m] where three digits need another form
  const double size = std::abs(metres);
  if (size < kMetre) return fmt::format("{:.3g} mm", 1000 * metres);
  return size < kPlain || !(size < kMost) ? fmt::format("{:.3g} m", metres) : fmt::format("{:.0f} m", metres);
}

}  // namespace muslin
