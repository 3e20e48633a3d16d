#include "streams.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iostream>
#include <limits>

#include "commands.h"
#include "muslin/core/check.h"
#include "muslin/core/text.h"

using namespace muslin;

namespace {

int log_file = -1;

// False if not all of it could be written.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

}  // namespace

void guard_streams() {
  // Opened the wrong way round, so that reading from it or writing to it fails as before.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

void keep_log(const std::string& path, bool force) {
  log_file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | (force ? O_TRUNC : O_EXCL), 0666);
  if (log_file >= 0) return;
  throw Error(ErrorKind::file, errno == EEXIST
                                   ? path + ": exists already; --force replaces it"
                                   : fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

void log_text(std::string_view text) {
  if (log_file < 0 || write_all(log_file, visible(text))) return;
  const std::string cause = std::strerror(errno);
  ::close(log_file);
  log_file = -1;
  show_text("warning: the log cannot be written any more: " + cause + "; the run goes on without it\n");
}

void show_text(std::string_view text) {
  const size_t returns = text.starts_with('\r') ? 1 : 0;  // of a line that is written over and over
  write_all(STDERR_FILENO, std::string(text.substr(0, returns)) + visible(text.substr(returns)));
}

void show_as_it_is(std::string_view text) {
  write_all(STDERR_FILENO, text);
  if (log_file >= 0) write_all(log_file, text);
}

void print_text(std::string_view text) {
  if (::isatty(STDOUT_FILENO) == 1 ? write_all(STDOUT_FILENO, visible(text)) : write_all(STDOUT_FILENO, text))
    return;
  if (errno == EPIPE) throw Exit{kFile};  // who no longer listens need not be told
  throw Error(ErrorKind::file, fmt::format("standard output: cannot be written: {}", std::strerror(errno)));
}

bool output_arrived() { return std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout.flush().good(); }

int line_width(int stream) {
  constexpr int kLeast = 20, kAny = std::numeric_limits<int>::max();
  if (::isatty(stream) != 1) return kAny;
  const char* const columns = std::getenv("COLUMNS");
  int width = columns ? std::atoi(columns) : 0;
  winsize size{};
  if (width <= 0 && ::ioctl(stream, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width <= 0 ? kAny : std::max(width, kLeast);
}
