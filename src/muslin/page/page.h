#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What pages of results share: HTML files that need no other. Style, plots and tables are the files beside
// this.

namespace muslin {

extern const std::string_view kPageStyle;   ///< CSS
extern const std::string_view kPageScript;  ///< JavaScript: words, plots, tables; a page's own comes after it

/// The template with its places, {{name}}, filled in; what is filled in is not looked at again.
std::string filled_page(std::string_view text,
                        const std::vector<std::pair<std::string_view, std::string>>& places);

/// Text as it may stand in HTML, also inside quotes.
std::string html_escaped(std::string_view text);

/// JSON as it may stand in a script element.
std::string script_escaped(std::string_view json);

/// Base64 of bytes. [RFC 4648]
std::string base64(const unsigned char* bytes, size_t count);

/// A number and its unit stay on one line.
std::string with_firm_spaces(const std::string& text);

}  // namespace muslin
