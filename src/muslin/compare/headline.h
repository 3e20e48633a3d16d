#pragma once
#include <string>

#include "muslin/compare/comparison.h"

namespace muslin {

/// What a comparison found, in one or two plain sentences.
struct Headline {
  std::string title;  ///< "After one frame, Plain descent has lost 41 % of gravity; Newton 0.0 %"
  std::string below;  ///< what became of that by the last frame, or ""
};
Headline headline(const Comparison& comparison);

/// A length with three digits at most and its unit: "12 cm", "0.4 mm", "3 nm".
std::string length_text(double metres);

}  // namespace muslin
