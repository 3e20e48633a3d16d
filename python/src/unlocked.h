#pragma once
#include <pybind11/pybind11.h>

#include <functional>
#include <optional>

/// A scope without the interpreter's lock, so that other threads run. At the end of the program, whoever is
/// in one is asked to stop and waited for, and no thread leaves one or enters another: Python ends threads
/// that want its lock then, whatever C++ stands on their stacks.
class Unlocked {
 public:
  /// `stop` asks the work of the scope to end, from another thread.
  explicit Unlocked(std::function<void()> stop = {});
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

  /// Whether the program ends.
  static bool must_end();

 private:
  std::function<void()> stop_;
  std::optional<pybind11::gil_scoped_release> release_;
};

void bind_unlocked(pybind11::module_& module);
