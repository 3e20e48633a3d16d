#include "interrupt.h"

#include <signal.h>

#include <atomic>
#include <csignal>

namespace {

std::atomic<muslin::Stop*> stop_of_scope = nullptr;
volatile std::sig_atomic_t interrupted = 0;
void (*handler_of_python)(int) = nullptr;

void on_interrupt(int signal) {
  interrupted = 1;
  if (muslin::Stop* const stop = stop_of_scope) stop->request();
  handler_of_python(signal);
}

}  // namespace

InterruptScope::InterruptScope(muslin::Stop& stop) {
  struct sigaction python = {};
  if (::sigaction(SIGINT, nullptr, &python) != 0 || (python.sa_flags & SA_SIGINFO) != 0 ||
      python.sa_handler == SIG_DFL || python.sa_handler == SIG_IGN || stop_of_scope.load() != nullptr)
    return;
  interrupted = 0;
  handler_of_python = python.sa_handler;
  stop_of_scope = &stop;
  struct sigaction ours = python;
  ours.sa_handler = on_interrupt;
  listens_ = ::sigaction(SIGINT, &ours, nullptr) == 0;
  if (!listens_) stop_of_scope = nullptr;
}

InterruptScope::~InterruptScope() {
  if (!listens_) return;
  struct sigaction python = {};
  ::sigaction(SIGINT, nullptr, &python);
  python.sa_handler = handler_of_python;
  ::sigaction(SIGINT, &python, nullptr);
  stop_of_scope = nullptr;
}

bool InterruptScope::came() const { return listens_ && interrupted != 0; }
