#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "muslin/sweep/plan.h"

namespace muslin {

/// One run of a manifest.
struct SweepLine {
  int number = 0;                ///< from 0
  std::vector<Override> values;  ///< one an axis
  std::string inputs;            ///< run_inputs of its scene; "" where that cannot be built
};

/// What became of a run. The file of it is whole or absent.
struct RunResult {
  std::string key;                   ///< run_key
  std::string version;               ///< of Muslin that ran it
  std::string outcome;               ///< as in run.json, or "invalid" for a scene that cannot be built
  std::string reason;                ///< why it is not "finished", or ""
  double ms = 0;                     ///< wall time of all frames
  std::vector<std::string> figures;  ///< cells of figure_names(); "" where a number does not exist
};

/// How far a sweep is: numbers of runs.
struct SweepStatus {
  int done = 0, failed = 0, running = 0, left = 0;
};

/// The folder of a sweep: sweep.json and manifest.jsonl, which never change; results/ with a file a run that
/// is done; runs/ with what is being run; claims/ with the locks of those who run.
class SweepFolder {
 public:
  /// Writes plan and manifest into a new folder. `plan.scene` must be a path. Throws Error(file) if it holds
  /// a sweep already.
  static void create(const std::string& folder, const SweepPlan& plan, const std::vector<SweepLine>& lines);

  /// Opens what `create` wrote. Throws Error(file) if there is none, Error(invalid) if it is broken.
  explicit SweepFolder(const std::string& folder);

  const std::filesystem::path& path() const { return path_; }
  const SweepPlan& plan() const { return plan_; }
  const std::vector<SweepLine>& lines() const { return lines_; }

  /// What the scene of a line replaces: of all runs, then of this one.
  std::vector<std::string> assignments(const SweepLine& line) const;
  /// The folder in which a line is run.
  std::filesystem::path run_folder(int line) const { return path_ / "runs" / numbered(line); }
  /// The folder whose lock says that a line is being run.
  std::filesystem::path claim(int line) const { return path_ / "claims" / numbered(line); }

  /// Throws Error(invalid) for a file that is broken.
  std::optional<RunResult> result(int line) const;
  void keep(int line, const RunResult& result) const;

  /// The result of a run.json, read from its text; Error(invalid) if it is none.
  static RunResult result_of_run(const std::string& run_json, const std::string& name);

  /// Results by key, shared by sweeps.
  static std::optional<RunResult> cached(const std::string& cache, const std::string& key);
  static void cache(const std::string& cache, const RunResult& result);

  SweepStatus status() const;

  /// The table as CSV [RFC 4180]: line, axes, outcome, figures, version, key. A line a run that is done or
  /// failed, in the manifest's order. `with_times`: also ms, which no two runs share.
  std::string table(bool with_times) const;

 private:
  static std::string numbered(int line);

  std::filesystem::path path_;
  SweepPlan plan_;
  std::vector<SweepLine> lines_;
};

}  // namespace muslin
