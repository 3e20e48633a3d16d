#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace muslin {

/// The name closest to `word` by edit distance, or "" if none is near (distance ≤ 1 + length / 3).
std::string nearest_name(std::string_view word, const std::vector<std::string_view>& names);

}  // namespace muslin
