#include <unistd.h>

#include <csignal>
#include <initializer_list>

#include "muslin/platform/signals.h"

namespace muslin::platform {

namespace {

void (*on_interrupt_call)() = nullptr;
volatile std::sig_atomic_t end_code = 0;

void on_signal(int signal) {
  std::signal(signal, SIG_DFL);
  on_interrupt_call();
}

void on_alarm(int) { ::_exit(end_code); }

}  // namespace

void on_interrupt(void (*handler)()) {
  on_interrupt_call = handler;
  std::signal(SIGALRM, on_alarm);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, on_signal);
}

void end_after(unsigned seconds, int code) {
  end_code = code;
  ::alarm(seconds);
}

void let_live() { ::alarm(0); }

}  // namespace muslin::platform
