#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

// What the program says: messages for people, and results. No work fails for want of somebody who listens,
// but nobody is told that results were given which got lost.

/// From now on messages go to this file, too. Throws muslin::Error(file) if it cannot be made, or exists and
/// `force` is false.
void keep_log(const std::string& path, bool force);

/// On standard error, in the log, as `visible` (core/text.h) has it. What cannot be written is left unsaid.
void show_text(std::string_view text);
void log_text(std::string_view text);
/// The same where there may be no memory left to form a message.
void show_as_it_is(std::string_view text);

/// A message: on both.
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = fmt::format(format, std::forward<Values>(values)...);
  show_text(text);
  log_text(text);
}

/// A message that only the log has if people want quiet.
template <class... Values>
void say_unless(bool quiet, fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = fmt::format(format, std::forward<Values>(values)...);
  if (!quiet) show_text(text);
  log_text(text);
}

/// Results, on standard output; as `visible` has them if that is a terminal. Throws muslin::Error(file) if
/// they got lost.
void print_text(std::string_view text);
template <class... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  print_text(fmt::format(format, std::forward<Values>(values)...));
}

/// Whether all that went to standard output, by whatever way, arrived there.
bool output_arrived();

/// How many characters go in a line of standard output or standard error (1 or 2): of the terminal that it
/// is, COLUMNS if that is set; without a terminal as many as one likes.
int line_width(int stream);
