#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "muslin/io/fingerprint.h"
#include "muslin/model/pieces.h"
#include "muslin/model/report.h"
#include "muslin/model/scene.h"

namespace muslin {

/// What stands in run.json beside the frames of a run.
struct RunRecord {
  Scene scene;
  Fingerprint fingerprint;
  int threads = 1;
  int substeps = 1;
  std::optional<PositionSettings> chosen;  ///< by a quality, where the scene asks for one; of its fields only
                                           ///< path, substeps, iterations and coarse
  std::vector<std::string> formats;        ///< of the frames: "obj"
  int checkpoint = 0;                      ///< frames between two saved states; 0: none are saved
  bool repair = false;                     ///< the start was repaired
  std::string program;                     ///< version of Muslin that began the run
  std::string outcome = "running";         ///< running, finished, interrupted, time_limit, diverged or failed
  std::vector<std::string> warnings;       ///< before the first frame
  std::vector<std::string> doubts;         ///< at the end, about all frames
  std::vector<FrameReport> frames;         ///< frames[0] is the initial state
  std::vector<std::map<std::string, std::string>> files;  ///< written of every frame: name and SHA-256
  std::map<std::string, std::string> series;  ///< written of all frames at the end: name and SHA-256
  std::vector<OpenSeams> open_seams;          ///< of the scene; not in the text, as the scene tells
  std::map<int, int> intersections;  ///< of frames looked at: pairs of triangles of cloth that intersect
};

/// Frames in which the solver stopped before its tolerance.
int count_not_converged(const RunRecord& record);

/// The record as JSON text; lengths in m, energies in J, hashes as 16 hexadecimal digits, null where a number
/// does not exist. docs/run_json.md says what every field means.
std::string encode_run(const RunRecord& record);

/// What encode_run wrote; `name` is the file's. The meshes of the scene are read anew. Throws Error(invalid)
/// for what is no record or a broken one, and as parse_scene does.
RunRecord decode_run(const std::string& text, const std::string& name);

/// The same for programs that read along: a line, each an object with a "type", of what is known before the
/// first frame ("run"), of a frame ("frame"), and of how it came out ("end").
std::string encode_begin(const RunRecord& record);
std::string encode_frame(const FrameReport& frame);
std::string encode_end(const RunRecord& record);

}  // namespace muslin
