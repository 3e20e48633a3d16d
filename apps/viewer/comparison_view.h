#pragma once
#include <vector>

#include "stage_view.h"

// Lanes side by side.

/// Which lanes of a snapshot get a picture: those that run something, the reference while there is room for
/// it.
std::vector<int> shown_lanes(const Snapshot& snapshot);

/// The area cut into as many parts of equal size, at most two in a row.
std::vector<Area> lay_out(const Area& whole, int count);

/// The common upper end of the colours of all differences [mm]: round; it follows them, and shortens only
/// where a fifth would do.
double common_scale(const Snapshot& snapshot, double before);

/// What is written on a lane, the most important first: method, time, iterations, distance to the reference,
/// residual, lost gravity.
std::vector<std::string> caption(const LaneSnapshot& lane, const LaneSnapshot* reference);
