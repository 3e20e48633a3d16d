#pragma once

namespace muslin::platform {

/// From now on Ctrl-C and whatever else asks the program to end calls `handler`, once: a second time ends the
/// program.
void on_interrupt(void (*handler)());

/// Ends the program with an exit code, as if it had been killed, after some seconds unless `let_live` is
/// called before. May be called by such a handler.
void end_after(unsigned seconds, int code);
void let_live();

}  // namespace muslin::platform
