#include "muslin/io/folder_lock.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <vector>

#include "muslin/core/check.h"
#include "muslin/io/file.h"

namespace muslin {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(ErrorKind::file, fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

// "process 4711 since 2026-11-23 20:31:05"
std::string words() {
  return fmt::format("process {} since {:%Y-%m-%d %H:%M:%S}", ::getpid(), fmt::localtime(std::time(nullptr)));
}

// Whether the file still has that name: its last holder removes it.
bool has_name(int file, const std::string& path) {
  struct stat open, named;
  return ::fstat(file, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

// What a process that has ended left half written; what cannot be removed is in nobody's way. Its number may
// be ours today.
void remove_half_written(const std::string& folder, int process) {
  if (process == ::getpid()) return;
  const std::string begin = fmt::format(".muslin-{}-", process);
  std::vector<std::filesystem::path> paths;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with(begin)) paths.push_back(entry.path());
  for (const auto& path : paths) std::filesystem::remove(path, ignored);
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) : path_((std::filesystem::path(folder) / kName).string()) {
  for (bool is_mine = false; !is_mine;) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW, 0666);
    if (file_ < 0) fail(path_, "cannot be made");
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(file_);
      std::string holder = read_file(path_, 1000);
      while (holder.ends_with('\n')) holder.pop_back();
      throw Error(ErrorKind::file,
                  fmt::format("{}: another run is writing there: {}; wait for it, or use another folder",
                              folder, holder.empty() ? "it has just begun" : holder));
    }
    is_mine = has_name(file_, path_);
    if (!is_mine) ::close(file_);
  }
  // Before it says our number: we may be killed, too.
  if (int process = 0; std::sscanf(read_beginning(path_, 100).c_str(), "process %d", &process) == 1)
    remove_half_written(folder, process);
  const std::string text = words() + "\n";
  if (::ftruncate(file_, 0) != 0 || ::write(file_, text.data(), text.size()) < 0) {
    const int error = errno;
    ::close(file_);
    errno = error;
    fail(path_, "cannot be written");
  }
}

FolderLock::~FolderLock() {
  ::unlink(path_.c_str());
  ::close(file_);
}

}  // namespace muslin
