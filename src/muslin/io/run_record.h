#pragma once
#include <string>
#include <vector>

#include "muslin/model/report.h"
#include "muslin/model/scene.h"

namespace muslin {

/// What stands in run.json beside the frames of a run.
struct RunRecord {
  Scene scene;
  int threads = 1;
  int substeps = 1;
  std::string outcome = "running";  ///< running, finished, interrupted, diverged or failed
  std::vector<std::string> warnings;
  std::vector<FrameReport> frames;  ///< frames[0] is the initial state
};

/// The record as JSON text; lengths in m, energies in J, hashes as 16 hexadecimal digits, null where a number
/// does not exist.
std::string encode_run(const RunRecord& record);

}  // namespace muslin
