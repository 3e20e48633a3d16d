#include "muslin/core/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>

#include <atomic>
#include <memory>
#include <thread>

namespace muslin {

namespace {
// The limit that oneTBB applies for as long as the object lives.
std::unique_ptr<tbb::global_control>& thread_limit() {
  static std::unique_ptr<tbb::global_control> limit;
  return limit;
}
}  // namespace

void set_threads(int count) {
  const auto wanted = static_cast<size_t>(count > 0 ? count : tbb::info::default_concurrency());
  thread_limit().reset();
  thread_limit() =
      std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, wanted);
}

int threads() {
  return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

#ifdef __SANITIZE_THREAD__
// The sanitizer does not see how oneTBB, which comes without instrumentation, orders its tasks, and cries
// wolf. Plain threads show it every access of ours.
void detail::run_tasks(int count, const std::function<void(int)>& task) {
  std::atomic<int> next = 0;
  const auto work = [&] {
    for (int i = next++; i < count; i = next++) task(i);
  };
  std::vector<std::thread> others(std::min(threads(), count) - 1);
  for (std::thread& thread : others) thread = std::thread(work);
  work();
  for (std::thread& thread : others) thread.join();
}
#else
void detail::run_tasks(int count, const std::function<void(int)>& task) {
  tbb::parallel_for(0, count, [&](int i) { task(i); });
}
#endif

}  // namespace muslin
