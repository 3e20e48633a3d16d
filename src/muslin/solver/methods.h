#pragma once
#include <string_view>
#include <vector>

#include "muslin/model/settings.h"

namespace muslin {

/// A method as people name it: a family, or a family with some of its settings fixed. The other settings
/// stay as the scene has them.
struct Method {
  std::string_view name;     ///< "chebyshev"
  std::string_view label;    ///< for plots, at most 16 characters
  std::string_view summary;  ///< one sentence without its full stop
  void (*choose)(SolverSettings& settings);
};

/// Every named method, the simplest first.
const std::vector<Method>& methods();

/// Throws Error(invalid) with the nearest name if there is none of that name.
const Method& find_method(std::string_view name);

/// The family that a method runs in. Throws as find_method does.
std::string family_of_method(std::string_view name);

}  // namespace muslin
