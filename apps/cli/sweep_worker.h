#pragma once
#include <string>

#include "muslin/sweep/sweep_folder.h"

/// Runs lines of a sweep's manifest, each by `muslin run` in a process of its own.
class SweepWorker {
 public:
  /// `cache`: a folder of results by key, or "".
  SweepWorker(const muslin::SweepFolder& folder, std::string cache)
      : folder_(folder), cache_(std::move(cache)) {}

  /// Makes the result of a line, unless it is there, another process makes it, or the run is cut off; then it
  /// goes on from its last saved state when it is called again. Any number of threads and processes may call
  /// this side by side. Throws Error(file) if the folder cannot be written.
  void run(const muslin::SweepLine& line) const;

 private:
  bool restart(const muslin::SweepLine& line, const std::string& key) const;

  const muslin::SweepFolder& folder_;
  std::string cache_;
};

/// This program's file.
std::string own_program();
