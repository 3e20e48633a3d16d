#pragma once

/// From now on the first Ctrl-C, SIGTERM or SIGHUP only sets a flag; a second one ends the program at once.
/// Called again, it takes the flag back.
void watch_for_interrupts();

/// Whether the flag is set: what is being done should come to an orderly end.
bool is_interrupted();
