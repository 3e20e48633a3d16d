#pragma once
#include <string_view>
#include <vector>

#include "muslin/model/settings.h"

namespace muslin {

/// How plots draw a method: any two differ in colour, also for the colour-blind, and in their dashes.
struct Stroke {
  std::string_view on_light;  ///< "#rrggbb" on white paper
  std::string_view on_dark;   ///< the same on black
  std::string_view dash;      ///< lengths of strokes and gaps in turn, in pixels
};

/// A method as people name it: a family, or a family with some of its settings fixed. The other settings
/// stay as the scene has them, but for those that the method cannot run.
struct Method {
  int place;                                 ///< in lists, which begin with the simplest; its own
  std::string_view name;                     ///< "chebyshev"
  std::string_view label;                    ///< for plots, at most 16 characters
  std::string_view summary;                  ///< one sentence without its full stop
  Stroke stroke;                             ///< in plots
  void (*choose)(SolverSettings& settings);  ///< sets the family, and what the method fixes of its settings
};

/// Every named method, the simplest first. Families tell theirs (SolverEntry::methods).
const std::vector<Method>& methods();

/// Throws Error(invalid) with the nearest name if there is none of that name.
const Method& find_method(std::string_view name);

/// The family that a method runs in. Throws as find_method does.
std::string family_of_method(std::string_view name);

}  // namespace muslin
