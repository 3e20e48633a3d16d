#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "muslin/io/fingerprint.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/run_tally.h"
#include "muslin/model/pieces.h"
#include "muslin/model/reactions.h"
#include "muslin/model/report.h"
#include "muslin/model/scene.h"

namespace muslin {

/// What stands in run.json beside the frames of a run.
struct RunRecord {
  Scene scene;
  Fingerprint fingerprint;
  int threads = 1;
  int substeps = 1;
  /// By a quality, where the scene asks for one; of its fields only path, substeps, iterations and coarse.
  std::optional<PositionSettings> chosen;
  std::vector<std::string> formats;   ///< of the frames: "obj"
  int checkpoint = 0;                 ///< frames between two saved states; 0: none are saved
  bool repair = false;                ///< the start was repaired
  std::optional<double> until_rest;   ///< the run ends when nothing is faster [m/s] (RestWatch)
  std::string program;                ///< version of Muslin that began the run
  std::string outcome = "running";    ///< running, finished, interrupted, time_limit, diverged or failed
  std::vector<std::string> warnings;  ///< before the first frame
  std::vector<std::string> doubts;    ///< at the end, about all frames
  RunTally tally;                     ///< what the frames come to
  std::map<std::string, std::string> series;  ///< written of all frames at the end: name and SHA-256
  std::optional<double> slow_since;           ///< of the newest frame (RecordedFrame)
  std::vector<OpenSeams> open_seams;          ///< of the scene; not in the text, as the scene tells
  std::map<int, int> intersections;  ///< of frames looked at: pairs of triangles of cloth that intersect
};

/// A frame as run.json has it.
struct RecordedFrame {
  FrameReport report;
  std::map<std::string, std::string> files;  ///< written of it: name and SHA-256
  std::optional<Reactions> reactions{};      ///< but for those of vertices; absent in older records
  std::optional<double> slow_since{};        ///< [s] (RestWatch::since), where the run ends at rest
  BlockedBodies blocked{};                   ///< where colliders are in it that cloth blocks
};

/// run.json: JSON text; lengths in m, energies in J, hashes as 16 hexadecimal digits, null where a number
/// does not exist. docs/run_json.md says what every field means. It is the head, a row for every frame, one
/// behind another, and the end, so that nobody needs to keep all rows in memory.
std::string encode_head(const RunRecord& record);
/// The row of frame `frame.report.frame`, with the pairs that intersect if they were counted.
std::string encode_row(const RecordedFrame& frame, const std::optional<int>& intersections);
std::string encode_tail(bool has_rows);

/// A record and the frames that it tells of.
struct WholeRecord {
  RunRecord record;
  std::vector<RecordedFrame> frames;  ///< frames[0] is the initial state
};

/// The whole text of run.json.
std::string encode_run(const WholeRecord& run);

/// What was written so; `name` is the file's. The meshes of the scene are read anew. Throws Error(invalid)
/// for what is no record or a broken one, and as parse_scene does.
WholeRecord decode_run(const std::string& text, const std::string& name);

/// The same for programs that read along: a line, each an object with a "type", of what is known before the
/// first frame ("run"), of a frame ("frame"), and of how it came out ("end").
std::string encode_begin(const RunRecord& record);
std::string encode_frame(const FrameReport& frame);
std::string encode_end(const RunRecord& record);

}  // namespace muslin
