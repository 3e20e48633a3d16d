#include "muslin/io/folder_lock.h"

#include <fmt/chrono.h>

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
#include "muslin/platform/files.h"
#include "muslin/platform/locks.h"
#include "muslin/platform/processes.h"

namespace muslin {

using platform::Lock;

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(ErrorKind::file, fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

// "process 4711 since 2026-11-23 20:31:05"
std::string words() {
  return fmt::format("process {} since {:%Y-%m-%d %H:%M:%S}", platform::process_number(),
                     fmt::localtime(std::time(nullptr)));
}

// How the names of files begin that a process has not finished (GrowingFile).
std::string half_written(int process) { return fmt::format(".muslin-{}-", process); }

// What a process that has ended left half written; what cannot be removed is in nobody's way. Its number may
// be ours today.
void remove_half_written(const std::string& folder, int process) {
  if (process == platform::process_number()) return;
  const std::string begin = half_written(process);
  std::vector<std::filesystem::path> paths;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with(begin)) paths.push_back(entry.path());
  for (const auto& path : paths) std::filesystem::remove(path, ignored);
}

std::string held_by(const std::string& path) {
  std::string holder = read_file(path, 1000);
  while (holder.ends_with('\n')) holder.pop_back();
  return holder.empty() ? "it has just begun" : holder;
}

}  // namespace

bool FolderLock::is_held(const std::string& folder) {
  const Lock lock = platform::find_lock((std::filesystem::path(folder) / kName).string());
  return lock == Lock::held || lock == Lock::no_locks;
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
    advice += " and " + (std::filesystem::path(folder) / half_written(process)).string() + "*";
  throw Error(ErrorKind::file,
              fmt::format("{}: another run is writing there: {}; wait for it, or use another folder{}",
                          folder, holder, advice));
}

bool FolderLock::lock(const std::string& folder) {
  path_ = (std::filesystem::path(folder) / kName).string();
  for (bool is_mine = false; !is_mine;) {
    bool is_new = false;
    file_ = platform::open_lock(path_, is_new);
    if (file_ < 0) fail(path_, "cannot be made");
    if (platform::has_other_names(file_)) {  // nor does it go
      platform::close_file(std::exchange(file_, -1));
      throw Error(ErrorKind::file,
                  path_ + ": must be a file of its own, found one that has other names (hard links)");
    }
    const Lock lock = platform::take_lock(file_);
    if (lock != Lock::taken) {
      is_weak_ = lock == Lock::no_locks;
      if (is_weak_ && is_new) break;  // who made it has it
      const int error = errno;
      platform::close_file(std::exchange(file_, -1));
      if (lock != Lock::failed) return false;
      errno = error;
      fail(path_, "cannot be locked");
    }
    is_mine = platform::has_name(file_, path_);
    if (!is_mine) platform::close_file(std::exchange(file_, -1));
  }
  // Before it says our number: we may be killed, too.
  if (int process = 0; std::sscanf(read_beginning(path_, 100).c_str(), "process %d", &process) == 1)
    remove_half_written(folder, process);
  const std::string text = words() + "\n";
  if (!platform::empty_file(file_) || platform::write_some(file_, text.data(), text.size()) < 0)
    fail(path_, "cannot be written");
  return true;
}

FolderLock::~FolderLock() {
  if (file_ >= 0) platform::remove_lock(file_, path_);
}

}  // namespace muslin
