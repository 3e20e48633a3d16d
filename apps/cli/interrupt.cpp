#include "interrupt.h"

#include <csignal>
#include <initializer_list>

namespace {
volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}
}  // namespace

void watch_for_interrupts() {
  interrupted = 0;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, on_interrupt);
}

bool is_interrupted() { return interrupted != 0; }
