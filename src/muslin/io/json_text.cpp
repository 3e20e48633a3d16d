#include "muslin/io/json_text.h"

namespace muslin {

std::size_t too_deep(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {  // a string, in which what a backslash escapes ends nothing
      while (++at < text.size() && text[at] != '"')
        if (text[at] == '\\') ++at;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxJsonDepth) return at;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return text.npos;
}

void check_depth(std::string_view text, const std::string& name) {
  if (const std::size_t at = too_deep(text); at != text.npos)
    throw Error(ErrorKind::invalid,
                fmt::format("{}: byte {}: nested deeper than {} levels", name, at, kMaxJsonDepth));
}

}  // namespace muslin
