#pragma once
#include <fmt/format.h>

#include "muslin/core/check.h"
#include "muslin/core/types.h"

namespace muslin {

/// Throws Error(invalid) unless there is a position for each of so many vertices; `call` names who was asked.
inline void expect_positions(const char* call, const Points& positions, int vertices) {
  if (positions.cols() != vertices)
    throw Error(ErrorKind::invalid, fmt::format("{}: expected positions of {} vertices, got {}", call,
                                                vertices, positions.cols()));
}

}  // namespace muslin
