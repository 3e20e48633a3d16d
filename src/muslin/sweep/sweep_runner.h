#pragma once
#include <mutex>
#include <set>
#include <string>

#include "muslin/core/budget.h"
#include "muslin/sweep/sweep_folder.h"

namespace muslin {

/// Runs lines of a sweep in this process, each on the thread that asks, to the same results as `muslin sweep
/// run`. What is cut off begins anew: nothing is saved on the way, and there are no pictures.
class SweepRunner {
 public:
  /// `folder` must outlive it. `cache`: a folder of results by key, or "".
  SweepRunner(const SweepFolder& folder, std::string cache) : folder_(folder), cache_(std::move(cache)) {}

  /// As SweepFolder::make. Any number of threads may call it.
  void run(const SweepLine& line);

  /// Ends the runs that are going on, and all that would begin.
  void stop();

 private:
  std::optional<RunResult> result_of(const SweepLine& line);

  const SweepFolder& folder_;
  std::string cache_;
  std::mutex guard_;
  bool stopped_ = false;     // with guard_
  std::set<Stop*> running_;  // with guard_
};

}  // namespace muslin
