#pragma once
#include <string>

#include "muslin/model/model.h"

namespace muslin {

/// Solver::limits of the position-based family.
std::string position_limits(const PositionSettings& settings, const Model& model, double frame_time);

}  // namespace muslin
