#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "muslin/core/thread_team.h"

// MUSLIN_THREADS=tbb: a team is an arena of oneTBB.

namespace muslin {

namespace {

/// oneTBB has as many workers as cores at most, unless it is told: then more than the largest team needs.
void allow(int count) {
  static std::mutex mutex;
  static std::unique_ptr<tbb::global_control> limit;
  static int allowed = tbb::info::default_concurrency();
  const std::lock_guard lock(mutex);
  if (count <= allowed) return;
  allowed = count;
  limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, count);
}

thread_local bool is_in_task = false;

}  // namespace

struct ThreadTeam::Workers {
  tbb::task_arena arena;
  bool is_limited = false;  // else every thread that calls has an arena of its own already
};

ThreadTeam::ThreadTeam(int count) : count_(count > 0 ? count : tbb::info::default_concurrency()) {
  allow(count_);
  workers_ = std::make_unique<Workers>();
  workers_->is_limited = count > 0;
  if (count > 0) workers_->arena.initialize(count_);
}

ThreadTeam::~ThreadTeam() = default;

void ThreadTeam::run(int tasks, const std::function<void(int)>& task) {
  const auto run_task = [&](int i) {
    const bool before = std::exchange(is_in_task, true);
    struct Restore {
      bool before;
      ~Restore() { is_in_task = before; }
    } restore{before};
    task(i);
  };
  // Tasks of tasks stay in the arena in which they are.
  if (is_in_task || !workers_->is_limited) return tbb::parallel_for(0, tasks, run_task);
  workers_->arena.execute([&] { tbb::parallel_for(0, tasks, run_task); });
}

}  // namespace muslin
