#pragma once
#include <map>
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
  std::string outcome = "running";  ///< running, finished, interrupted, time_limit, diverged or failed
  std::vector<std::string> warnings;
  std::vector<FrameReport> frames;                        ///< frames[0] is the initial state
  std::vector<std::map<std::string, std::string>> files;  ///< written of every frame: name and SHA-256
};

/// Frames in which the solver stopped before its tolerance.
int count_not_converged(const RunRecord& record);

/// The record as JSON text; lengths in m, energies in J, hashes as 16 hexadecimal digits, null where a number
/// does not exist. docs/run_json.md says what every field means.
std::string encode_run(const RunRecord& record);

/// The same for programs that read along: a line, each an object with a "type", of what is known before the
/// first frame ("run"), of a frame ("frame"), and of how it came out ("end").
std::string encode_begin(const RunRecord& record);
std::string encode_frame(const FrameReport& frame);
std::string encode_end(const RunRecord& record);

}  // namespace muslin
