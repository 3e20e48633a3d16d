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

/// Says on standard error what a command does that takes long: first after half a second, then every two.
class Patience {
 public:
  void say(const std::string& words);
  /// The same for words that are only made when they are said.
  template <class Make>
  void say_by(const Make& words) {
    if (is_due()) say(words());
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool is_due() const { return Clock::now() >= due_; }

  Clock::time_point due_ = Clock::now() + std::chrono::milliseconds(500);
};
