#include "muslin/core/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>

#include <memory>

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

void detail::run_tasks(int count, const std::function<void(int)>& task) {
  tbb::parallel_for(0, count, [&](int i) { task(i); });
}

}  // namespace muslin
