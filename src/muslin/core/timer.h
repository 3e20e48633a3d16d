#pragma once
#include <chrono>
#include <ctime>

namespace muslin {

/// Seconds of a clock that only goes on, since some moment.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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

/// Milliseconds that the calling thread has spent on a processor: other work on the machine does not count.
inline double thread_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

}  // namespace muslin
