#pragma once
#include <memory>
#include <string>

namespace muslin {

/// Keeps a folder for one process: a file in it, locked as long as this object lives and released by the
/// system however the process ends, so that none is ever stale. It says who holds it and since when. On a
/// file system without locks the file alone keeps others out, and stays if its process is killed.
class FolderLock {
 public:
  static constexpr const char* kName = "run.lock";

  /// Removes what its last holder left half written if that was killed (GrowingFile).
  /// Throws Error(file) with the words of the holder if there is one, or if the file cannot be made.
  explicit FolderLock(const std::string& folder);
  /// The same, but nullptr if another has it.
  static std::unique_ptr<FolderLock> take(const std::string& folder);
  /// Whether anybody has it. Takes nothing, so that nobody who wants it meanwhile is turned away.
  static bool is_held(const std::string& folder);
  ~FolderLock();
  /// Whether the file system has no locks.
  bool is_weak() const { return is_weak_; }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  FolderLock() = default;
  bool lock(const std::string& folder);

  std::string path_;
  int file_ = -1;
  bool is_weak_ = false;
};

}  // namespace muslin
