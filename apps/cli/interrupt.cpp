#include "interrupt.h"

#include <csignal>
#include <initializer_list>

namespace {
volatile std::sig_atomic_t was_interrupted = 0;

void on_interrupt(int signal) {
  was_interrupted = 1;
  std::signal(signal, SIG_DFL);
}
}  // namespace

void watch_for_interrupts() {
  was_interrupted = 0;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, on_interrupt);
}

bool is_interrupted() { return was_interrupted != 0; }
