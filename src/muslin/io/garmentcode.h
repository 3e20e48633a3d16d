#pragma once
#include <string>

#include "muslin/pattern/pattern.h"

namespace muslin {

/// Reads a sewing pattern in GarmentCode's format [Korosteleva 2023]: panels with straight, Bézier and
/// circular edges, where they are placed, and stitches. Throws Error(file) if it cannot be read,
/// Error(invalid) with `name:line:column` for what is no such pattern.
SewingPattern read_pattern(const std::string& path);

/// The same of a text; `name` stands for the file in messages.
SewingPattern parse_pattern(const std::string& text, const std::string& name);

/// A drawing of the panels as they are cut, as SVG: seams in colours and by their numbers, the grain, lengths
/// [mm], and what problems there are.
std::string draw_pattern(const SewingPattern& pattern);

}  // namespace muslin
