#pragma once
#include <string>

/// Whether a file is a sewing pattern, and no scene.
bool is_pattern_file(const std::string& path);

/// Prints what a sewing pattern has: panels, seams with both lengths and the ease, what looks twisted; writes
/// a drawing as SVG if a path is given. Throws muslin::Error for what cannot be sewn, after the drawing is
/// written.
void check_pattern(const std::string& path, const std::string& svg, bool force, bool json);
