#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "muslin/platform/locks.h"

namespace muslin::platform {

namespace {

struct flock whole_file() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

Lock failure() {
  if (errno == EAGAIN || errno == EACCES) return Lock::held;
  return errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP ? Lock::no_locks : Lock::failed;
}

}  // namespace

int open_lock(const std::string& path, bool& is_new) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;
  const int file = ::open(path.c_str(), kFlags | O_EXCL, 0666);
  is_new = file >= 0;
  return is_new || errno != EEXIST ? file : ::open(path.c_str(), kFlags, 0666);
}

Lock take_lock(int file) {
  struct flock whole = whole_file();
  return ::fcntl(file, F_OFD_SETLK, &whole) == 0 ? Lock::taken : failure();
}

Lock find_lock(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return Lock::failed;
  struct flock whole = whole_file();
  const Lock found = ::fcntl(file, F_OFD_GETLK, &whole) != 0 ? failure()
                     : whole.l_type == F_UNLCK               ? Lock::taken
                                                             : Lock::held;
  ::close(file);
  return found;
}

bool has_name(int file, const std::string& path) {
  struct stat open, named;
  return ::fstat(file, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

bool has_other_names(int file) {
  struct stat status;
  return ::fstat(file, &status) == 0 && status.st_nlink > 1;
}

void remove_lock(int file, const std::string& path) {
  ::unlink(path.c_str());
  ::close(file);
}

}  // namespace muslin::platform
