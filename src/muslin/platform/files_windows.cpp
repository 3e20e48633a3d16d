#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "muslin/platform/files.h"
#include "muslin/platform/windows.h"

namespace muslin::platform {

namespace {

constexpr int kOurs = _O_BINARY | _O_NOINHERIT;
constexpr std::size_t kMost = std::size_t{1} << 30;  // that one call of the C library takes

FileStatus from(const struct _stat64& status) {
  const auto mode = status.st_mode & _S_IFMT;
  const FileKind kind = mode == _S_IFREG   ? FileKind::regular
                        : mode == _S_IFDIR ? FileKind::folder
                        : mode == _S_IFIFO ? FileKind::pipe
                        : mode == _S_IFCHR ? FileKind::device
                                           : FileKind::other;
  return {kind, static_cast<std::uint64_t>(status.st_size), status.st_mode & 0777};
}

// "con", "nul" and the like are devices in every folder.
bool is_device(const std::string& path) {
  const DWORD length = GetFullPathNameA(path.c_str(), 0, nullptr, nullptr);
  std::string full(length, '\0');
  GetFullPathNameA(path.c_str(), length, full.data(), nullptr);
  return full.starts_with("\\\\.\\");
}

}  // namespace

int open_to_read(const std::string& path) { return ::_open(path.c_str(), _O_RDONLY | kOurs); }
int open_new(const std::string& path) {
  return ::_open(path.c_str(), _O_RDWR | _O_CREAT | _O_EXCL | kOurs, _S_IREAD | _S_IWRITE);
}
int open_emptied(const std::string& path) {
  return ::_open(path.c_str(), _O_WRONLY | _O_CREAT | _O_TRUNC | kOurs, _S_IREAD | _S_IWRITE);
}
bool close_file(int file) { return ::_close(file) == 0; }

bool status_of(int file, FileStatus& status) {
  struct _stat64 found;
  if (::_fstat64(file, &found) != 0) return false;
  status = from(found);
  return true;
}
bool status_of(const std::string& path, FileStatus& status) {
  if (is_device(path)) {
    status = {FileKind::device, 0, 0};
    return true;
  }
  struct _stat64 found;
  if (::_stat64(path.c_str(), &found) != 0) return false;
  status = from(found);
  return true;
}
bool status_of_link(const std::string& path, FileStatus& status) {
  const DWORD attributes = GetFileAttributesA(path.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES || !(attributes & FILE_ATTRIBUTE_REPARSE_POINT))
    return status_of(path, status);
  status = {FileKind::link, 0, 0};
  return true;
}
void set_permissions(int, int) {}

std::ptrdiff_t read_some(int file, void* bytes, std::size_t count) {
  return ::_read(file, bytes, static_cast<unsigned>(std::min(count, kMost)));
}
std::ptrdiff_t write_some(int file, const void* bytes, std::size_t count) {
  return ::_write(file, bytes, static_cast<unsigned>(std::min(count, kMost)));
}
std::ptrdiff_t read_at(int file, void* bytes, std::size_t count, std::uint64_t place) {
  return move_to(file, place) ? read_some(file, bytes, count) : -1;
}
std::ptrdiff_t write_at(int file, const void* bytes, std::size_t count, std::uint64_t place) {
  return move_to(file, place) ? write_some(file, bytes, count) : -1;
}
bool move_to(int file, std::uint64_t place) {
  return ::_lseeki64(file, static_cast<long long>(place), SEEK_SET) >= 0;
}
bool empty_file(int file) { return ::_chsize_s(file, 0) == 0; }

bool flush(int file) { return ::_commit(file) == 0; }

bool flush_file(const std::string& path) {
  const int file = ::_open(path.c_str(), _O_RDWR | kOurs);  // what may only be read cannot be flushed
  if (file < 0) return false;
  const bool flushed = ::_commit(file) == 0;
  const int error = errno;
  ::_close(file);
  errno = error;
  return flushed;
}

bool flush_folder(const std::string&) { return true; }  // names are written with the file

bool remove_file(const std::string& path) { return DeleteFileA(path.c_str()) || fail_as_windows(); }

bool rename_file(const std::string& from, const std::string& to) {
  // Who looks at a file for a moment, such as a virus scanner, keeps it from being replaced.
  for (int tries = 0; tries < 50; ++tries, Sleep(10)) {
    if (MoveFileExA(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING)) return true;
    if (GetLastError() != ERROR_ACCESS_DENIED && GetLastError() != ERROR_SHARING_VIOLATION) break;
  }
  return fail_as_windows();
}

std::size_t folder_length(const std::string& path) { return path.find_last_of("/\\:") + 1; }

}  // namespace muslin::platform
