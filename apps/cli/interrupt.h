#pragma once
#include "muslin/core/budget.h"

/// From now on the first Ctrl-C, SIGTERM or SIGHUP only sets a flag; a second one ends the program at once.
/// Called again, it takes the flag back.
void watch_for_interrupts();

/// Whether the flag is set: what is being done should come to an orderly end.
bool is_interrupted();

/// While it lives, these signals also ask work to end at once. Where that is in something that does not
/// listen the program ends two seconds later, as if it had been killed.
class InterruptibleWork {
 public:
  /// One at a time; `stop` must outlive it.
  explicit InterruptibleWork(muslin::Stop& stop);
  ~InterruptibleWork();
  InterruptibleWork(const InterruptibleWork&) = delete;
  InterruptibleWork& operator=(const InterruptibleWork&) = delete;
};
