#pragma once
#include <string>

#include "muslin/compare/comparison.h"

namespace muslin {

/// The whole comparison as JSON text: columns of numbers, null where one does not exist. All but threads
/// and what is named ms or step_ms is the same on every machine. `digits`: significant ones, or 0 for all
/// there are.
std::string compare_json(const Comparison& comparison, int digits = 0);

}  // namespace muslin
