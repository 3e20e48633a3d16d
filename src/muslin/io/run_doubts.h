#pragma once
#include <string>
#include <vector>

#include "muslin/io/run_record.h"

namespace muslin {

/// What a run leaves to be doubted, a sentence each: divergence, steps that were not solved, cloth stretched
/// too far, with what would help. Empty for a run that can be trusted.
std::vector<std::string> doubts_about(const RunRecord& record);

/// Which of the known errors of a run is the largest, and what lowers it; "" where the solver tells none. The
/// error of the mesh is not known.
std::string largest_error(const RunRecord& record);

/// What may help a run that diverged or was given up in its last frame: by its cause, its solver and that
/// one's settings.
std::string advice(const RunRecord& record);

}  // namespace muslin
