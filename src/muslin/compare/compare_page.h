#pragma once
#include <string>
#include <string_view>

#include "muslin/compare/comparison.h"

namespace muslin {

/// The comparison as one HTML file that needs no other: its numbers with six digits, thinned pictures of the
/// cloth, and the program that draws them.
std::string compare_page(const Comparison& comparison);

/// Text as it may stand in HTML, also inside quotes.
std::string html_escaped(std::string_view text);

/// JSON as it may stand in a script element.
std::string script_escaped(std::string_view json);

/// Base64 of bytes. [RFC 4648]
std::string base64(const unsigned char* bytes, size_t count);

}  // namespace muslin
