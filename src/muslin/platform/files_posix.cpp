#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "muslin/platform/files.h"

namespace muslin::platform {

namespace {

FileStatus from(const struct stat& status) {
  const mode_t mode = status.st_mode;
  const FileKind kind = S_ISREG(mode)                    ? FileKind::regular
                        : S_ISDIR(mode)                  ? FileKind::folder
                        : S_ISLNK(mode)                  ? FileKind::link
                        : S_ISFIFO(mode)                 ? FileKind::pipe
                        : S_ISCHR(mode) || S_ISBLK(mode) ? FileKind::device
                        : S_ISSOCK(mode)                 ? FileKind::socket
                                                         : FileKind::other;
  return {kind, static_cast<std::uint64_t>(status.st_size), static_cast<int>(mode & 0777)};
}

}  // namespace

int open_to_read(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}
int open_new(const std::string& path) {
  return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}
int open_emptied(const std::string& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
}
bool close_file(int file) { return ::close(file) == 0; }

bool status_of(int file, FileStatus& status) {
  struct stat found;
  if (::fstat(file, &found) != 0) return false;
  status = from(found);
  return true;
}
bool status_of(const std::string& path, FileStatus& status) {
  struct stat found;
  if (::stat(path.c_str(), &found) != 0) return false;
  status = from(found);
  return true;
}
bool status_of_link(const std::string& path, FileStatus& status) {
  struct stat found;
  if (::lstat(path.c_str(), &found) != 0) return false;
  status = from(found);
  return true;
}
void set_permissions(int file, int permissions) { ::fchmod(file, static_cast<mode_t>(permissions)); }

std::ptrdiff_t read_some(int file, void* bytes, std::size_t count) { return ::read(file, bytes, count); }
std::ptrdiff_t write_some(int file, const void* bytes, std::size_t count) {
  return ::write(file, bytes, count);
}
std::ptrdiff_t read_at(int file, void* bytes, std::size_t count, std::uint64_t place) {
  return ::pread(file, bytes, count, static_cast<off_t>(place));
}
std::ptrdiff_t write_at(int file, const void* bytes, std::size_t count, std::uint64_t place) {
  return ::pwrite(file, bytes, count, static_cast<off_t>(place));
}
bool move_to(int file, std::uint64_t place) {
  return ::lseek(file, static_cast<off_t>(place), SEEK_SET) >= 0;
}
bool empty_file(int file) { return ::ftruncate(file, 0) == 0; }

bool flush(int file) { return ::fsync(file) == 0; }

bool flush_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool flushed = ::fsync(file) == 0;
  const int error = errno;
  ::close(file);
  errno = error;
  return flushed;
}

bool flush_folder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
  if (folder < 0) return false;
  const bool flushed = ::fsync(folder) == 0 || errno == EINVAL;  // some file systems cannot, and say so
  const int error = errno;
  ::close(folder);
  errno = error;
  return flushed;
}

bool remove_file(const std::string& path) { return ::unlink(path.c_str()) == 0; }
bool rename_file(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0;
}

std::size_t folder_length(const std::string& path) { return path.rfind('/') + 1; }

}  // namespace muslin::platform
