#include "interrupt.h"

#include <atomic>
#include <csignal>

#include "commands.h"
#include "muslin/platform/signals.h"

using namespace muslin;

namespace {

constexpr unsigned kGrace = 2;  // [s]

volatile std::sig_atomic_t was_interrupted = 0;
std::atomic<Stop*> interruptible = nullptr;

void interrupt() {
  was_interrupted = 1;
  if (Stop* const stop = interruptible) {
    stop->request();
    platform::end_after(kGrace, kInterrupted);
  }
}

}  // namespace

void watch_for_interrupts() {
  was_interrupted = 0;
  platform::on_interrupt(interrupt);
}

bool is_interrupted() { return was_interrupted != 0; }

InterruptibleWork::InterruptibleWork(Stop& stop) {
  interruptible = &stop;
  if (is_interrupted()) stop.request();
}

InterruptibleWork::~InterruptibleWork() {
  interruptible = nullptr;
  platform::let_live();
}
