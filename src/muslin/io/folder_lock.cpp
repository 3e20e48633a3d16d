#include "muslin/io/folder_lock.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>
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

// A lock on the whole file, of this opening of it: the system gives it up with the last descriptor, and tells
// whether there is one without taking it.
struct flock whole_file() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

// Whether the last call failed because the file system has no locks: some of networks, and in user space.
bool has_no_locks() { return errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP; }

// Whether the file still has that name: its last holder removes it.
bool has_name(int file, const std::string& path) {
  struct stat open, named;
  return ::fstat(file, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

// How the names of files begin that a process has not finished (GrowingFile).
std::string half_written(int process) { return fmt::format(".muslin-{}-", process); }

// What a process that has ended left half written; what cannot be removed is in nobody's way. Its number may
// be ours today.
void remove_half_written(const std::string& folder, int process) {
  if (process == ::getpid()) return;
  const std::string begin = half_written(process);
  std::vector<std::filesystem::path> paths;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with(begin)) paths.push_back(entry.path());
  for (const auto& path : paths) std::filesystem::remove(path, ignored);
}

// A second name may lie outside the folder, and what it names is somebody's.
void refuse_other_names(int& file, const std::string& path) {
  struct stat status;
  if (::fstat(file, &status) != 0 || status.st_nlink <= 1) return;
  ::close(std::exchange(file, -1));
  throw Error(ErrorKind::file,
              path + ": must be a file of its own, found one that has other names (hard links)");
}

std::string held_by(const std::string& path) {
  std::string holder = read_file(path, 1000);
  while (holder.ends_with('\n')) holder.pop_back();
  return holder.empty() ? "it has just begun" : holder;
}

}  // namespace

bool FolderLock::is_held(const std::string& folder) {
  const int file = ::open((std::filesystem::path(folder) / kName).c_str(),
                          O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  struct flock lock = whole_file();
  const bool is_held = ::fcntl(file, F_OFD_GETLK, &lock) == 0 ? lock.l_type != F_UNLCK : has_no_locks();
  ::close(file);
  return is_held;
}

std::unique_ptr<FolderLock> FolderLock::take(const std::string& folder) {
  std::unique_ptr<FolderLock> lock(new FolderLock);
  return lock->lock(folder) ? std::move(lock) : nullptr;
}

// The destructor runs for what throws after the other constructor: the file goes.
FolderLock::FolderLock(const std::string& folder) : FolderLock() {
  if (lock(folder)) return;
  const std::string holder = held_by(path_);
  std::string advice;
  if (is_weak_) advice = "; its file system has no locks: if that run was killed, remove " + path_;
  if (int process = 0; is_weak_ && std::sscanf(holder.c_str(), "process %d", &process) == 1)
    advice += fmt::format(" and {}", (std::filesystem::path(folder) / half_written(process)).string() + "*");
  throw Error(ErrorKind::file,
              fmt::format("{}: another run is writing there: {}; wait for it, or use another folder{}",
                          folder, holder, advice));
}

bool FolderLock::lock(const std::string& folder) {
  path_ = (std::filesystem::path(folder) / kName).string();
  for (bool is_mine = false; !is_mine;) {
    constexpr int kFlags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;
    file_ = ::open(path_.c_str(), kFlags | O_EXCL, 0666);
    const bool is_new = file_ >= 0;
    if (!is_new && errno == EEXIST) file_ = ::open(path_.c_str(), kFlags, 0666);
    if (file_ < 0) fail(path_, "cannot be made");
    refuse_other_names(file_, path_);
    struct flock whole = whole_file();
    if (::fcntl(file_, F_OFD_SETLK, &whole) != 0) {
      is_weak_ = has_no_locks();
      if (is_weak_ && is_new) break;  // who made it has it
      const int error = errno;
      ::close(std::exchange(file_, -1));
      if (is_weak_ || error == EAGAIN || error == EACCES) return false;
      errno = error;
      fail(path_, "cannot be locked");
    }
    is_mine = has_name(file_, path_);
    if (!is_mine) ::close(std::exchange(file_, -1));
  }
  // Before it says our number: we may be killed, too.
  if (int process = 0; std::sscanf(read_beginning(path_, 100).c_str(), "process %d", &process) == 1)
    remove_half_written(folder, process);
  const std::string text = words() + "\n";
  if (::ftruncate(file_, 0) != 0 || ::write(file_, text.data(), text.size()) < 0)
    fail(path_, "cannot be written");
  return true;
}

FolderLock::~FolderLock() {
  if (file_ < 0) return;
  ::unlink(path_.c_str());
  ::close(file_);
}

}  // namespace muslin
