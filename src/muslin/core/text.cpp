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

// How many bytes the character of UTF-8 [RFC 3629] at the beginning of a text has that steers no terminal; 0:
// none.
size_t plain_character(std::string_view text) {
  const auto byte = [&](size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return (first >= 0x20 && first != 0x7f) || first == '\n' || first == '\t' ? 1 : 0;
  const size_t length = first >= 0xf0 && first <= 0xf4 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  unsigned code = first & (0x7f >> length);
  for (size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(k) & 0x3f);
  }
  const bool is_longer_than_needed = code < (length == 4 ? 0x10000u : length == 3 ? 0x800u : 0x80u);
  const bool is_half = code >= 0xd800 && code <= 0xdfff;
  return code < 0xa0 || code > 0x10ffff || is_longer_than_needed || is_half ? 0 : length;
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

std::string visible(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const size_t length = plain_character(text);
    if (length > 0)
      shown += text.substr(0, length);
    else
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return shown;
}

std::string distance_text(double metres) {
  constexpr double kMetre = 0.9995, kPlain = 999.5, kMost = 1e6;  // [m] where three digits need another form
  const double size = std::abs(metres);
  if (size < kMetre) return fmt::format("{:.3g} mm", 1000 * metres);
  return size < kPlain || !(size < kMost) ? fmt::format("{:.3g} m", metres) : fmt::format("{:.0f} m", metres);
}

}  // namespace muslin
