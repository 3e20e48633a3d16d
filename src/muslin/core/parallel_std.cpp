#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "muslin/core/thread_team.h"

// MUSLIN_THREADS=std: a team is threads of the standard library that wait for a loop.

namespace muslin {

struct ThreadTeam::Workers {
  /// One call of `run`.
  struct Loop {
    int tasks;
    const std::function<void(int)>& task;
    std::atomic<int> next = 0;
    std::exception_ptr failure = nullptr;  // guarded by the mutex
  };

  std::mutex at_work;  // held by the caller whose loop runs
  std::mutex mutex;
  std::condition_variable begins, ends;
  Loop* loop = nullptr;     // guarded by the mutex, like all below
  std::uint64_t loops = 0;  // begun so far
  int busy = 0;             // threads that have not left the loop
  bool is_over = false;
  std::vector<std::thread> threads;

  void take_part(Loop& here) {
    try {
      for (int i = here.next++; i < here.tasks; i = here.next++) here.task(i);
    } catch (...) {
      here.next = here.tasks;
      const std::lock_guard lock(mutex);
      if (!here.failure) here.failure = std::current_exception();
    }
  }

  void wait_for_loops() {
    std::uint64_t done = 0;
    for (;;) {
      std::unique_lock lock(mutex);
      begins.wait(lock, [&] { return is_over || (loop && loops > done); });
      if (is_over) return;
      done = loops;
      Loop& here = *loop;
      ++busy;
      lock.unlock();
      take_part(here);
      lock.lock();
      if (--busy == 0) ends.notify_one();
    }
  }
};

ThreadTeam::ThreadTeam(int count)
    : count_(count > 0 ? count : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
      workers_(std::make_unique<Workers>()) {
  for (int i = 1; i < count_; ++i) workers_->threads.emplace_back([this] { workers_->wait_for_loops(); });
}

ThreadTeam::~ThreadTeam() {
  {
    const std::lock_guard lock(workers_->mutex);
    workers_->is_over = true;
  }
  workers_->begins.notify_all();
  for (std::thread& thread : workers_->threads) thread.join();
}

void ThreadTeam::run(int tasks, const std::function<void(int)>& task) {
  thread_local bool is_in_loop = false;
  const std::function<void(int)> marked = [&](int i) {
    is_in_loop = true;
    struct Restore {
      ~Restore() { is_in_loop = false; }
    } restore;
    task(i);
  };
  std::unique_lock at_work(workers_->at_work, std::defer_lock);
  if (is_in_loop || count_ == 1 || !at_work.try_lock()) {  // alone
    for (int i = 0; i < tasks; ++i) task(i);
    return;
  }
  Workers::Loop loop{tasks, marked};
  {
    const std::lock_guard lock(workers_->mutex);
    workers_->loop = &loop;
    ++workers_->loops;
  }
  workers_->begins.notify_all();
  workers_->take_part(loop);
  {
    std::unique_lock lock(workers_->mutex);
    workers_->loop = nullptr;  // nobody joins it any more
    workers_->ends.wait(lock, [&] { return workers_->busy == 0; });
  }
  if (loop.failure) std::rethrow_exception(loop.failure);
}

}  // namespace muslin
