#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "muslin/io/fingerprint.h"

namespace muslin {

/// What became of a run. The file of it is whole or absent.
struct RunResult {
  std::string inputs;   ///< run_inputs of what ran; "" where nothing could be built
  std::string version;  ///< of Muslin that ran it
  std::string outcome;  ///< as in run.json, or "invalid" for a scene that cannot be built
  std::string reason;   ///< why it is not "finished", or ""
  double ms = 0;        ///< wall time of all frames
  std::map<std::string, std::string> figures;  ///< by name, as JSON text (sweep/figures.h)

  /// run_key of what ran; "" where nothing could be built.
  std::string key() const;
};

/// What decides a run: SHA-256 of the scene's fingerprint (io/fingerprint.h) and its number of frames.
std::string run_inputs(const Fingerprint& fingerprint, int frames);

/// The identity of a run: SHA-256 of its inputs, the seed among them, and the version that runs it.
std::string run_key(const std::string& inputs, std::string_view version);

/// The result that a run.json tells, but for the reason; `name` is the file's. Throws Error(invalid) if it is
/// no record of a run with a frame.
RunResult result_of_run(const std::string& run_json, const std::string& name);

/// A file that write_result wrote; nothing if there is none. Throws Error(invalid) for one that is broken.
std::optional<RunResult> read_result(const std::filesystem::path& path);
void write_result(const std::filesystem::path& path, const RunResult& result);

}  // namespace muslin
