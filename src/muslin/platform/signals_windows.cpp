#include <atomic>
#include <cstdlib>

#include "muslin/platform/signals.h"
#include "muslin/platform/windows.h"

namespace muslin::platform {

namespace {

void (*on_interrupt_call)() = nullptr;
std::atomic<bool> was_called = false, ends = false;

// In a thread of its own. For all but Ctrl-C and Ctrl-Break, Windows ends the program when this returns, or
// after some seconds: what is going on has as long as it waits.
BOOL WINAPI on_event(DWORD event) {
  if (was_called.exchange(true)) return FALSE;
  on_interrupt_call();
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) Sleep(INFINITE);
  return TRUE;
}

DWORD WINAPI wait_and_end(void* seconds_and_code) {
  const auto both = reinterpret_cast<std::uintptr_t>(seconds_and_code);
  Sleep(static_cast<DWORD>(both >> 16) * 1000);
  if (ends) std::_Exit(static_cast<int>(both & 0xffff));
  return 0;
}

}  // namespace

void on_interrupt(void (*handler)()) {
  on_interrupt_call = handler;
  was_called = false;
  SetConsoleCtrlHandler(on_event, FALSE);
  SetConsoleCtrlHandler(on_event, TRUE);
}

void end_after(unsigned seconds, int code) {
  ends = true;
  const auto both = static_cast<std::uintptr_t>(seconds) << 16 | static_cast<std::uintptr_t>(code);
  CloseHandle(CreateThread(nullptr, 0, wait_and_end, reinterpret_cast<void*>(both), 0, nullptr));
}

void let_live() { ends = false; }

}  // namespace muslin::platform
