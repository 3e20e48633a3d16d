#pragma once
#include <string>
#include <vector>

#include "muslin/render/look.h"

// The words of a look: `phong`, `strain`, `wireframe`, `heat_high=5`. They follow from Look::fields().

namespace muslin {

/// A look from its words, over the defaults. Throws Error(invalid) with the nearest word for one that is
/// unknown, and for two that contradict each other.
Look parse_look(const std::vector<std::string>& words);

/// A field of a look, as `muslin list looks` tells it.
struct LookWords {
  std::string field, words, doc;
};
std::vector<LookWords> look_words();

}  // namespace muslin
