#include "muslin/core/thread_team.h"

// MUSLIN_THREADS=off: every caller is alone.

namespace muslin {

struct ThreadTeam::Workers {};

ThreadTeam::ThreadTeam(int) : count_(1) {}
ThreadTeam::~ThreadTeam() = default;

void ThreadTeam::run(int tasks, const std::function<void(int)>& task) {
  for (int i = 0; i < tasks; ++i) task(i);
}

}  // namespace muslin
