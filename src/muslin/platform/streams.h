#pragma once

namespace muslin::platform {

/// Before anything is opened: a file must not take the number of a stream that came closed. From now on a
/// closed or broken output fails to be written, instead of ending the program by a signal; text goes out as
/// the bytes it is, in UTF-8.
void guard_streams();

bool is_terminal(int stream);

/// Characters a line of a terminal; 0 if that is not known.
int terminal_width(int stream);

}  // namespace muslin::platform
