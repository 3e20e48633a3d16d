#pragma once
#include <string>

#include "muslin/compare/comparison.h"

namespace muslin {

/// The comparison as one HTML file that needs no other: its numbers with six digits, thinned pictures of the
/// cloth, and the program that draws them.
std::string compare_page(const Comparison& comparison);

}  // namespace muslin
