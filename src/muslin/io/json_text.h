#pragma once
#include <fmt/format.h>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "muslin/core/check.h"

// What text from anywhere must pass before nlohmann's JSON takes it: that copies, compares and writes values
// by recursion, and casts numbers unseen.

namespace muslin {

inline constexpr std::size_t kMaxJsonDepth = 64;  ///< of every JSON text that is read

/// The byte of the bracket that opens deeper than kMaxJsonDepth; npos if none does. For text that is no JSON,
/// any.
std::size_t too_deep(std::string_view text);

/// Throws Error(invalid) if brackets nest deeper than kMaxJsonDepth; `name` is the text's.
void check_depth(std::string_view text, const std::string& name);

/// A value as a whole number that fits into `Int`; nothing for any other.
template <class Int, class AnyJson>
std::optional<Int> whole_number(const AnyJson& json) {
  using Limits = std::numeric_limits<Int>;
  if (json.is_number_unsigned()) {
    const auto number = json.template get<std::uint64_t>();
    if (number <= static_cast<std::uint64_t>(Limits::max())) return static_cast<Int>(number);
  } else if (json.is_number_integer()) {  // below 0
    const auto number = json.template get<std::int64_t>();
    if (Limits::is_signed && number >= static_cast<std::int64_t>(Limits::min()))
      return static_cast<Int>(number);
  }
  return {};
}

/// The same; throws Error(invalid) for any other value.
template <class Int, class AnyJson>
Int need_whole(const AnyJson& json, const char* what) {
  if (const auto number = whole_number<Int>(json)) return *number;
  throw Error(ErrorKind::invalid,
              fmt::format("{} must be a whole number of {} to {}", what, std::numeric_limits<Int>::min(),
                          std::numeric_limits<Int>::max()));
}

}  // namespace muslin
