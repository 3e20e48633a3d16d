#include <charconv>
#include <cstdlib>
#include <cstring>

#include "muslin/platform/numbers.h"

namespace muslin::platform {

// That of Windows' C library is not correctly rounded in all of its versions.
double parse_double(const char* text, char** end) {
  const char* const begin = *text == '+' && text[1] != '-' ? text + 1 : text;
  double value = 0;
  const auto [last, error] = std::from_chars(begin, begin + std::strlen(begin), value);
  if (error == std::errc::result_out_of_range) return std::strtod(text, end);  // 0 or infinity
  *end = const_cast<char*>(error == std::errc() ? last : text);
  return value;
}

}  // namespace muslin::platform
