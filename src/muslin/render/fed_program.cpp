#include "muslin/render/fed_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

extern char** environ;

namespace muslin {
namespace {

constexpr size_t kMostWords = 1000;  // characters of its messages that are kept

void close_end(int& descriptor) {
  if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

/// What the child does before it becomes the program: its three streams, a process group of its own.
class Preparation {
 public:
  Preparation(int input, int words) {
    posix_spawn_file_actions_init(&streams_);
    posix_spawn_file_actions_adddup2(&streams_, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&streams_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&streams_, words, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
  }
  ~Preparation() {
    posix_spawn_file_actions_destroy(&streams_);
    posix_spawnattr_destroy(&attributes_);
  }
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;

  /// 0 or an errno.
  int start(pid_t& pid, const std::string& program, std::vector<char*> arguments) const {
    return ::posix_spawnp(&pid, program.c_str(), &streams_, &attributes_, arguments.data(), environ);
  }

 private:
  posix_spawn_file_actions_t streams_;
  posix_spawnattr_t attributes_;
};

}  // namespace

FedProgram::FedProgram(const std::string& program, const std::vector<std::string>& arguments) {
  // A socket, not a pipe: a write to a pipe that nobody reads would raise SIGPIPE in our whole process.
  int feed[2], words[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, feed) != 0)
    throw std::system_error(errno, std::generic_category());
  if (::pipe2(words, O_CLOEXEC) != 0) {
    const int error = errno;
    close_end(feed[0]);
    close_end(feed[1]);
    throw std::system_error(error, std::generic_category());
  }
  input_ = feed[0];
  words_ = words[0];

  std::vector<char*> list{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) list.push_back(const_cast<char*>(argument.c_str()));
  list.push_back(nullptr);
  const int error = Preparation(feed[1], words[1]).start(pid_, program, list);
  close_end(feed[1]);
  close_end(words[1]);
  if (error == 0) return;
  close_end(input_);
  close_end(words_);
  throw std::system_error(error, std::generic_category());
}

FedProgram::~FedProgram() {
  close_end(input_);
  close_end(words_);
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);  // with its own children
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool FedProgram::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    // Its messages are read meanwhile: a program that waits for room to complain would never read on.
    pollfd ends[] = {{input_, POLLOUT, 0}, {words_, POLLIN, 0}};
    if (::poll(ends, 2, -1) < 0 && errno != EINTR) return false;
    if (ends[1].revents != 0) listen();
    if (ends[0].revents == 0) continue;
    const ssize_t count = ::send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0)
      bytes.remove_prefix(static_cast<size_t>(count));
    else if (errno != EAGAIN && errno != EINTR)
      return false;
  }
  return true;
}

std::string FedProgram::finish() {
  close_end(input_);
  while (words_ >= 0) listen();
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {}", WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : fmt::format("exit code {}", WEXITSTATUS(status));
}

void FedProgram::listen() {
  char piece[1024];
  const ssize_t count = ::read(words_, piece, sizeof piece);
  if (count > 0)
    heard_.append(piece, static_cast<size_t>(count));
  else if (count == 0 || errno != EINTR)
    close_end(words_);
  if (heard_.size() > kMostWords) heard_.erase(0, heard_.size() - kMostWords);
}

std::string FedProgram::last_words() const {
  const size_t end = heard_.find_last_not_of(" \r\n");
  return end == std::string::npos ? "" : heard_.substr(0, end + 1);
}

}  // namespace muslin
