#include "muslin/core/parallel.h"

#include <mutex>

#include "muslin/core/stop_scope.h"
#include "muslin/core/thread_team.h"

namespace muslin {

namespace {

thread_local ThreadTeam* team_of_this_thread = nullptr;
thread_local const Stop* stop_of_this_thread = nullptr;

/// The team of who has none of his own. Callers keep the one that they began with.
struct Common {
  std::mutex mutex;
  std::shared_ptr<ThreadTeam> team;

  std::shared_ptr<ThreadTeam> get() {
    const std::lock_guard lock(mutex);
    if (!team) team = std::make_shared<ThreadTeam>(0);
    return team;
  }
};

Common& common() {
  static Common common;
  return common;
}

}  // namespace

void set_threads(int count) {
  auto team = std::make_shared<ThreadTeam>(count);
  const std::lock_guard lock(common().mutex);
  common().team.swap(team);
}

int threads() { return team_of_this_thread ? team_of_this_thread->count() : common().get()->count(); }

void detail::run_tasks(int count, const std::function<void(int)>& task) {
  end_if_stopped();
  if (team_of_this_thread) return team_of_this_thread->run(count, task);
  common().get()->run(count, task);
}

TeamScope::TeamScope(ThreadTeam* team) : before_(team_of_this_thread) {
  if (team) team_of_this_thread = team;
}

TeamScope::~TeamScope() { team_of_this_thread = before_; }

StopScope::StopScope(const Stop& stop) : before_(stop_of_this_thread) { stop_of_this_thread = &stop; }

StopScope::~StopScope() { stop_of_this_thread = before_; }

void end_if_stopped() {
  if (stop_of_this_thread && stop_of_this_thread->is_due()) throw Stopped();
}

}  // namespace muslin
