#pragma once
#include <string>

#include "muslin/sweep/sweep_folder.h"

/// Runs lines of a sweep's manifest, each by `muslin run` in a process of its own.
class SweepWorker {
 public:
  /// `cache`: a folder of results by key, or "".
  SweepWorker(const muslin::SweepFolder& folder, std::string cache)
      : folder_(folder), cache_(std::move(cache)) {}

  /// As SweepFolder::make. A run that was cut off goes on from its last saved state when it is called again.
  void run(const muslin::SweepLine& line) const;

 private:
  bool restart(const muslin::SweepLine& line, const std::string& key) const;
  std::optional<muslin::RunResult> result_of(const muslin::SweepLine& line) const;

  const muslin::SweepFolder& folder_;
  std::string cache_;
};
