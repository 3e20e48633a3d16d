#include "interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <initializer_list>

#include "commands.h"

namespace {

constexpr unsigned kGrace = 2;  // [s]

volatile std::sig_atomic_t was_interrupted = 0;
std::atomic<muslin::Stop*> interruptible = nullptr;

void on_interrupt(int signal) {
  was_interrupted = 1;
  std::signal(signal, SIG_DFL);
  if (muslin::Stop* const stop = interruptible) {
    stop->request();
    ::alarm(kGrace);
  }
}

void on_end_of_grace(int) { ::_exit(kInterrupted); }

}  // namespace

void watch_for_interrupts() {
  was_interrupted = 0;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, on_interrupt);
}

bool is_interrupted() { return was_interrupted != 0; }

InterruptibleWork::InterruptibleWork(muslin::Stop& stop) {
  std::signal(SIGALRM, on_end_of_grace);
  interruptible = &stop;
  if (is_interrupted()) stop.request();
}

InterruptibleWork::~InterruptibleWork() {
  interruptible = nullptr;
  ::alarm(0);
}
