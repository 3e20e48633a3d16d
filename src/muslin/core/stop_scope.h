#pragma once
#include "muslin/core/budget.h"

namespace muslin {

/// Thrown by loops of a thread that was asked to stop. What they were to write is then half done: whoever
/// catches it throws that away.
struct Stopped {};

/// While it lives, every loop of parallel.h that this thread hands to others first looks whether the stop is
/// due, and throws Stopped if so. Iterations ask their budget and end in order; this is for what takes long
/// within one: detection of contact, setting up of matrices.
class StopScope {
 public:
  explicit StopScope(const Stop& stop);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const Stop* before_;
};

/// The same look, for long work without such loops.
void end_if_stopped();

}  // namespace muslin
