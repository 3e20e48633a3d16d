#pragma once

namespace muslin::platform {

/// As strtod with a dot, whatever the locale, and correctly rounded.
double parse_double(const char* text, char** end);

}  // namespace muslin::platform
