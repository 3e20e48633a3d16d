#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>

namespace muslin {

/// Asks work to end before it is done: at once, from any thread or signal handler, or at a time.
class Stop {
 public:
  /// Never set back, so that a change of the system's time ends nothing.
  using Clock = std::chrono::steady_clock;

  /// From now on the stop is due. A signal handler may call it.
  void request() { requested_.store(true, std::memory_order_relaxed); }
  /// Undoes request(), not at(): what comes next may begin.
  void take_back() { requested_.store(false, std::memory_order_relaxed); }
  /// The stop is due also from this time on; a later call replaces the time.
  void at(Clock::time_point time) {
    latest_.store(time.time_since_epoch().count(), std::memory_order_relaxed);
  }

  /// Whether work must end: it was requested, or its time has come.
  bool is_due() const {
    if (requested_.load(std::memory_order_relaxed)) return true;
    const Clock::rep latest = latest_.load(std::memory_order_relaxed);
    return latest != kNever && Clock::now().time_since_epoch().count() >= latest;
  }

 private:
  static constexpr Clock::rep kNever = Clock::time_point::max().time_since_epoch().count();
  std::atomic<bool> requested_ = false;
  std::atomic<Clock::rep> latest_ = kNever;
  static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may call request()");
};

/// What a piece of work may take: a number of iterations, which is the same on every machine, and no longer
/// than until a stop. Its loops ask before every iteration, and end where they are if they may not go on.
class Budget {
 public:
  /// `stop` must outlive it.
  Budget(std::int64_t iterations, const Stop& stop) : most_(iterations), stop_(stop) {}

  /// Whether one more iteration may be made, or one that costs as much as so many; it is counted.
  bool spend(std::int64_t iterations = 1) {
    spent_ += iterations;
    return !is_over();
  }
  /// Whether the work must end. Once it must, it stays so.
  bool is_over() {
    stopped_ = stopped_ || stop_.is_due();
    return stopped_ || is_spent();
  }
  /// Whether all iterations have been made.
  bool is_spent() const { return spent_ >= most_; }
  /// Whether is_over() ever found the stop due.
  bool was_stopped() const { return stopped_; }
  /// Iterations counted so far; may exceed the limit by the last ones.
  std::int64_t spent() const { return spent_; }

 private:
  std::int64_t most_, spent_ = 0;
  const Stop& stop_;
  bool stopped_ = false;
};

}  // namespace muslin
