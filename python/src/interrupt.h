#pragma once
#include "muslin/core/budget.h"

/// While it lives, Ctrl-C ends what asks a Stop, and Python hears of it as ever. Does nothing where Python
/// does not listen for Ctrl-C itself. For Python's main thread, which runs what signals call.
class InterruptScope {
 public:
  explicit InterruptScope(muslin::Stop& stop);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  /// Whether Ctrl-C came since it began to live.
  bool came() const;

 private:
  bool listens_ = false;
};
