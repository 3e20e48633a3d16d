#pragma once
#include <functional>
#include <memory>

namespace muslin {

/// Threads that share the loops of parallel.h. Without one, loops of all callers share the process's
/// (set_threads). Bits never depend on which team it is, nor on how many are in it.
class ThreadTeam {
 public:
  /// 0: as many as there are cores; the caller is one of them. What is built without threads is alone.
  explicit ThreadTeam(int count);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// Threads of the team, the caller among them; ≥ 1.
  int count() const { return count_; }

  /// Calls task(0) … task(tasks-1), in any order, and throws what the first that fails throws. A task that
  /// calls it again, or a caller that finds the team at work for another, may have to do all by itself.
  void run(int tasks, const std::function<void(int)>& task);

 private:
  struct Workers;  // one of parallel_tbb.cpp, parallel_std.cpp, parallel_off.cpp (MUSLIN_THREADS)
  int count_;
  std::unique_ptr<Workers> workers_;
};

/// While it lives, the loops of this thread run on a team; null changes nothing.
class TeamScope {
 public:
  /// `team` must outlive the scope.
  explicit TeamScope(ThreadTeam* team);
  ~TeamScope();
  TeamScope(const TeamScope&) = delete;
  TeamScope& operator=(const TeamScope&) = delete;

 private:
  ThreadTeam* before_;
};

}  // namespace muslin
