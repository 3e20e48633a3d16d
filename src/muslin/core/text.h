#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muslin {

/// The name closest to `word` by edit distance, or "" if none is near (distance ≤ 1 + length / 3).
std::string nearest_name(std::string_view word, const std::vector<std::string_view>& names);

/// The end of a file's name, from its last dot, in small letters: ".obj"; "" if there is no dot.
std::string extension_of(const std::string& file);

/// "body_0007.obj" for "body_%04d.obj" and 7. Nothing unless the pattern has exactly one %, as %d or %04d (1
/// to 9 digits).
std::optional<std::string> numbered(std::string_view pattern, int number);

/// Up to the first end of a line.
std::string first_line(const std::string& text);

/// The text as a terminal may show it: characters that steer one, but for ends of lines and tabs, and bytes
/// that are no UTF-8 stand as \x1b. Names of files and what files say may hold any.
std::string visible(std::string_view text);

/// A length as messages have it: "3.2 mm", "12.8 m" from one metre on; three digits, no exponents below 10⁶
/// m.
std::string distance_text(double metres);

}  // namespace muslin
