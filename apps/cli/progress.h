#pragma once
#include <chrono>
#include <string>

#include "muslin/io/run_record.h"
#include "muslin/simulation.h"

/// The words of a run on standard error: a header, a line a frame, a summary.
class Progress {
 public:
  Progress(int frames, bool quiet) : frames_(frames), quiet_(quiet) {}

  void begin(const muslin::Simulation& simulation);
  void frame(const muslin::FrameReport& report);
  void end(const muslin::RunRecord& record, const std::string& out) const;

 private:
  using Clock = std::chrono::steady_clock;
  std::string time_left(int frame) const;

  int frames_;
  bool quiet_;
  Clock::time_point start_ = Clock::now();
};
