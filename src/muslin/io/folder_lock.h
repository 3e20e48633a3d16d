#pragma once
#include <string>

namespace muslin {

/// Keeps a folder for one process: a file in it, locked as long as this object lives and released by the
/// system however the process ends, so that none is ever stale. It says who holds it and since when.
class FolderLock {
 public:
  static constexpr const char* kName = "run.lock";

  /// Throws Error(file) with the words of the holder if there is one, or if the file cannot be made.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  /// The process that held it before and did not give it back, or 0: it has ended.
  int dead_holder() const { return dead_holder_; }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::string path_;
  int file_ = -1, dead_holder_ = 0;
};

}  // namespace muslin
