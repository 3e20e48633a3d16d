#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "muslin/io/run_record.h"
#include "muslin/simulation.h"

/// The words of a run on standard error: a header, a line a frame, a summary.
class Progress {
 public:
  /// Of a run that goes on after frame `first`.
  Progress(int first, int frames, bool quiet) : first_(first), frames_(frames), quiet_(quiet) {}

  void begin(const muslin::Simulation& simulation, const std::vector<std::string>& warnings);
  void frame(const muslin::FrameReport& report);
  void end(const muslin::RunRecord& record, const std::string& out) const;

 private:
  using Clock = std::chrono::steady_clock;
  std::string time_left(int frame) const;

  int first_, frames_;
  bool quiet_;
  Clock::time_point start_ = Clock::now();
};

/// How far some pieces of work have come, on standard error: one line that is rewritten on a terminal, else a
/// line every tenth of the work.
class Countdown {
 public:
  /// `what`: "picture", before "12/150, 0:05 left".
  Countdown(std::string what, int total, bool quiet);
  void done(int count);
  /// Ends the line of the terminal.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  int total_;
  bool quiet_, terminal_;
  int told_ = 0;  ///< tenths
  bool open_ = false;
  Clock::time_point start_ = Clock::now();
};

/// What a run leaves to be doubted, a sentence each: divergence, tolerances missed, cloth stretched too far.
std::vector<std::string> doubts_about(const muslin::RunRecord& record);
