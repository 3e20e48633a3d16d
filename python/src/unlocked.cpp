#include "unlocked.h"

#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

namespace py = pybind11;

namespace {

/// Who is in which scope. It outlives all threads.
struct Guests {
  std::mutex guard;
  std::condition_variable left;
  std::set<const std::function<void()>*> stops;  // one a scope
  std::optional<std::thread::id> ending;         // the thread that ends the program
};

Guests& guests() {
  static auto* const all = new Guests;
  return *all;
}

/// For a thread that has nothing more to do; without the interpreter's lock.
[[noreturn]] void rest() {
  PyEval_SaveThread();
  for (;;) ::pause();
}

bool is_over(const Guests& all) { return all.ending && *all.ending != std::this_thread::get_id(); }

void end() {
  const py::gil_scoped_release release;
  Guests& all = guests();
  std::unique_lock lock(all.guard);
  all.ending = std::this_thread::get_id();
  for (const std::function<void()>* stop : all.stops)
    if (*stop) (*stop)();
  all.left.wait(lock, [&] { return all.stops.empty(); });
}

}  // namespace

Unlocked::Unlocked(std::function<void()> stop) : stop_(std::move(stop)) {
  bool over = false;
  {
    const std::lock_guard lock(guests().guard);
    over = is_over(guests());
    if (!over) guests().stops.insert(&stop_);
  }
  if (over) rest();
  release_.emplace();
}

Unlocked::~Unlocked() {
  release_.reset();
  bool over = false;
  {
    const std::lock_guard lock(guests().guard);
    guests().stops.erase(&stop_);
    over = is_over(guests());
  }
  guests().left.notify_all();
  if (over) rest();
}

bool Unlocked::must_end() {
  const std::lock_guard lock(guests().guard);
  return is_over(guests());
}

void bind_unlocked(py::module_&) { py::module_::import("atexit").attr("register")(py::cpp_function(&end)); }
