#pragma once
#include <string>

#include "muslin/compare/comparison.h"

// A comparison as tidy CSV tables: a header with units, one observation a line, empty where a number does
// not exist, quotes as RFC 4180 has them.

namespace muslin {

/// One line a solver and frame, the reference first; a solver that never began has a line with frame 0.
std::string frames_csv(const Comparison& comparison);

/// One line a trace frame, solver and iteration.
std::string iterations_csv(const Comparison& comparison);

/// One line a swept value, solver and trace frame.
std::string sweeps_csv(const Comparison& comparison);

}  // namespace muslin
