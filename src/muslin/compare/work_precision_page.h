#pragma once
#include <string>

#include "muslin/compare/work_precision.h"

namespace muslin {

/// A work–precision diagram as one HTML file that needs no other.
std::string work_precision_page(const WorkPrecision& result);

}  // namespace muslin
