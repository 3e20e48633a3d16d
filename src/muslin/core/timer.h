#pragma once
#include <chrono>

namespace muslin {

/// Adds the wall time of its own life to a sum [ms].
class Timer {
 public:
  explicit Timer(double& milliseconds) : milliseconds_(milliseconds), start_(Clock::now()) {}
  ~Timer() { milliseconds_ += std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& milliseconds_;
  Clock::time_point start_;
};

}  // namespace muslin
