#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "muslin/sweep/plan.h"
#include "muslin/sweep/run_result.h"

namespace muslin {

/// One run of a manifest.
struct SweepLine {
  int number = 0;                ///< from 0
  std::vector<Override> values;  ///< one an axis
  std::string inputs;            ///< run_inputs of its scene; "" where that cannot be built
};

/// How far a sweep is: numbers of runs.
struct SweepStatus {
  int done = 0, failed = 0, running = 0, left = 0;
};

/// The folder of a sweep: sweep.json and manifest.jsonl, which never change; results/ with a file a run that
/// is done, pictures/ with what it looked like; runs/ with what is being run; claims/ with the locks of those
/// who run.
class SweepFolder {
 public:
  /// Writes plan and manifest into a new folder; returns what is wrong with scenes that cannot be built, one
  /// sentence each. `plan.scene` must be a path. Throws Error(file) if it holds a sweep already, or if a
  /// scene names a file that cannot be read.
  /// `progress` is told the line that comes next, and how many there are.
  static std::vector<std::string> create(const std::string& folder, const SweepPlan& plan,
                                         const std::function<void(std::size_t, std::size_t)>& progress = {});

  /// Whether a folder holds a sweep, of whatever plan.
  static bool exists(const std::string& folder);

  /// Opens what `create` wrote. Throws Error(file) if there is none, Error(invalid) if it is broken.
  explicit SweepFolder(const std::string& folder);

  const std::filesystem::path& path() const { return path_; }
  const SweepPlan& plan() const { return plan_; }
  const std::vector<SweepLine>& lines() const { return lines_; }

  /// Whether it is the sweep of that plan, whose `scene` is a path.
  bool is_of(const SweepPlan& plan) const;

  /// The folder in which a line is run.
  std::filesystem::path run_folder(int line) const { return path_ / "runs" / numbered(line); }
  /// The picture of a line's last frame; it need not be there.
  std::filesystem::path picture(int line) const { return path_ / "pictures" / (numbered(line) + ".png"); }
  /// What the run of a line said.
  std::filesystem::path log_file(int line) const { return path_ / "logs" / (numbered(line) + ".txt"); }

  /// Throws Error(invalid) for a file that is broken.
  std::optional<RunResult> result(int line) const;

  /// Makes the result of a line, unless it is there, or another makes it: takes that of its key from the
  /// folder `cache` ("": there is none), or else asks `run`, and keeps what it gives in both; nothing from a
  /// run that was cut off leaves the line as it is. Any number of threads and processes may call this side by
  /// side. Throws Error(file) if the folder cannot be written, Error(invalid) if the scene is no longer what
  /// it was when the manifest was written.
  void make(const SweepLine& line, const std::string& cache,
            const std::function<std::optional<RunResult>()>& run) const;

  SweepStatus status() const;

  /// The runs that did not finish, by their lines.
  std::map<int, RunResult> failures() const;

 private:
  static std::string numbered(int line);
  std::filesystem::path claim(int line) const { return path_ / "claims" / numbered(line); }
  std::filesystem::path result_file(int line) const { return path_ / "results" / (numbered(line) + ".json"); }

  std::filesystem::path path_;
  SweepPlan plan_;
  std::vector<SweepLine> lines_;
};

}  // namespace muslin
