#include "streams.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>

#include "commands.h"
#include "muslin/core/check.h"
#include "muslin/core/text.h"
#include "muslin/platform/files.h"
#include "muslin/platform/streams.h"

using namespace muslin;

namespace {

constexpr int kOutput = 1, kMessages = 2;  // standard output, standard error

int log_file = -1;

// False if not all of it could be written.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const std::ptrdiff_t count = platform::write_some(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

}  // namespace

void keep_log(const std::string& path, bool force) {
  log_file = force ? platform::open_emptied(path) : platform::open_new(path);
  if (log_file >= 0) return;
  throw Error(ErrorKind::file, errno == EEXIST
                                   ? path + ": exists already; --force replaces it"
                                   : fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

void log_text(std::string_view text) {
  if (log_file < 0 || write_all(log_file, visible(text))) return;
  const std::string cause = std::strerror(errno);
  platform::close_file(log_file);
  log_file = -1;
  show_text("warning: the log cannot be written any more: " + cause + "; the run goes on without it\n");
}

void show_text(std::string_view text) {
  const size_t returns = text.starts_with('\r') ? 1 : 0;  // of a line that is written over and over
  write_all(kMessages, std::string(text.substr(0, returns)) + visible(text.substr(returns)));
}

void show_as_it_is(std::string_view text) {
  write_all(kMessages, text);
  if (log_file >= 0) write_all(log_file, text);
}

void print_text(std::string_view text) {
  if (platform::is_terminal(kOutput) ? write_all(kOutput, visible(text)) : write_all(kOutput, text)) return;
  if (errno == EPIPE) throw Exit{kFile};  // who no longer listens need not be told
  throw Error(ErrorKind::file, fmt::format("standard output: cannot be written: {}", std::strerror(errno)));
}

bool output_arrived() { return std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout.flush().good(); }

int line_width(int stream) {
  constexpr int kLeast = 20, kAny = std::numeric_limits<int>::max();
  if (!platform::is_terminal(stream)) return kAny;
  const char* const columns = std::getenv("COLUMNS");
  int width = columns ? std::atoi(columns) : 0;
  if (width <= 0) width = platform::terminal_width(stream);
  return width <= 0 ? kAny : std::max(width, kLeast);
}
