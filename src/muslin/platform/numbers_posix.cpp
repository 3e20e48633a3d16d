#include <locale.h>
#include <stdlib.h>

#include "muslin/platform/numbers.h"

namespace muslin::platform {

double parse_double(const char* text, char** end) {
  static const locale_t c_locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return ::strtod_l(text, end, c_locale);
}

}  // namespace muslin::platform
