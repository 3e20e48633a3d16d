#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "muslin/platform/processes.h"

namespace muslin::platform {

int process_number() { return ::getpid(); }

std::string own_program() {
#ifdef __APPLE__
  char path[4096];
  uint32_t size = sizeof path;
  return ::_NSGetExecutablePath(path, &size) == 0 ? path : "";
#else
  std::error_code failed;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", failed);
#ifdef __linux__
  if (failed)  // nobody mounted it: as it was called
    path = std::filesystem::canonical(reinterpret_cast<const char*>(::getauxval(AT_EXECFN)), failed);
#endif
  return failed ? "" : path.string();
#endif
}

std::string name() {
#if defined(__linux__)
  const std::string system = "linux";
#elif defined(__APPLE__)
  const std::string system = "macos";
#elif defined(__EMSCRIPTEN__)
  const std::string system = "browser";
#else
  const std::string system = "posix";
#endif
#if defined(__x86_64__)
  return system + " x86-64";
#elif defined(__aarch64__)
  return system + " arm64";
#else
  return system;
#endif
}

int run_program(const std::string& program, std::vector<std::string> arguments, const std::string& messages) {
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  [[maybe_unused]] const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category());
  if (child == 0) {  // only calls that are safe after fork
#ifdef __linux__
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);       // with the thread that waits for it
    if (::getppid() != parent) ::_exit(127);  // which was killed before the line above
#endif
    const int file = ::open(messages.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0644);
    if (file >= 0) ::dup2(file, STDERR_FILENO);
    ::execv(program.c_str(), words.data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace muslin::platform
