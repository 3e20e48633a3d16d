#pragma once
#include <string_view>
#include <vector>

#include "muslin/model/settings.h"

namespace muslin {

/// Line style of a method in plots. Any two differ in dashes and in colour, also for the colour-blind.
struct Stroke {
  std::string_view on_light;  ///< "#rrggbb" on white paper
  std::string_view on_dark;   ///< the same on black
  std::string_view dash;      ///< lengths of strokes and gaps in turn, in pixels
};

/// A named method: a family, possibly with some settings fixed. All other settings stay as the scene has
/// them, except those that the method cannot run.
struct Method {
  int place;                                 ///< position in lists, which begin with the simplest; unique
  std::string_view name;                     ///< "chebyshev"
  std::string_view label;                    ///< for plots, at most 16 characters
  std::string_view summary;                  ///< one sentence without its full stop
  Stroke stroke;                             ///< in plots
  void (*choose)(SolverSettings& settings);  ///< sets the family, and what the method fixes of its settings
};

/// All named methods, the simplest first. Each family declares its own (SolverEntry::methods).
const std::vector<Method>& methods();

/// Throws Error(invalid) with the nearest name if the name is unknown.
const Method& find_method(std::string_view name);

/// The family that a method runs in. Throws as find_method does.
std::string family_of_method(std::string_view name);

}  // namespace muslin
