#include "muslin/model/field.h"

#include <fmt/format.h>

#include "muslin/core/types.h"

namespace muslin {

std::string describe(const Range& range, std::string_view unit) {
  std::string text = "must be finite";
  if (range.max < kInfinity) {
    text = range.above_min ? fmt::format("must be > {:.15g} and at most {:.15g}", range.min, range.max)
                           : fmt::format("must be between {:.15g} and {:.15g}", range.min, range.max);
  } else if (range.min > -kInfinity) {
    text = fmt::format("must be {} {:.15g}", range.above_min ? ">" : ">=", range.min);
  }
  return unit.empty() ? text : fmt::format("{} [{}]", text, unit);
}

}  // namespace muslin
