#include "muslin/core/text.h"

#include <algorithm>
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

}  // namespace muslin
