#pragma once
#include <string>

#include "muslin/model/model.h"

namespace muslin {

/// Puts substeps, iterations, coarse nets and a path in the place of the quality that position aims at
/// (PositionSettings::quality), for this model and frames of so many seconds; without a quality, nothing.
void settle_quality(SolverSettings& settings, const Model& model, double frame_time);

/// "path lines, 6 substeps, coarse": of settings that run.
std::string describe_effort(const PositionSettings& settings);

}  // namespace muslin
