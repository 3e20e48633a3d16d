#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <cerrno>

#include "muslin/platform/locks.h"
#include "muslin/platform/windows.h"

namespace muslin::platform {

namespace {

// What is locked cannot be read by others: the byte that is lies far behind the words of the holder.
OVERLAPPED far_behind() {
  OVERLAPPED place = {};
  place.OffsetHigh = 0x40000000;
  return place;
}

HANDLE handle_of(int file) { return reinterpret_cast<HANDLE>(::_get_osfhandle(file)); }

Lock try_lock(int file) {
  OVERLAPPED place = far_behind();
  if (LockFileEx(handle_of(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place))
    return Lock::taken;
  switch (GetLastError()) {
    case ERROR_LOCK_VIOLATION:
    case ERROR_IO_PENDING:
      return Lock::held;
    case ERROR_NOT_SUPPORTED:
    case ERROR_INVALID_FUNCTION:
      return Lock::no_locks;
    default:
      fail_as_windows();
      return Lock::failed;
  }
}

}  // namespace

int open_lock(const std::string& path, bool& is_new) {
  constexpr int kFlags = _O_RDWR | _O_CREAT | _O_BINARY | _O_NOINHERIT;
  const int file = ::_open(path.c_str(), kFlags | _O_EXCL, _S_IREAD | _S_IWRITE);
  is_new = file >= 0;
  return is_new || errno != EEXIST ? file : ::_open(path.c_str(), kFlags, _S_IREAD | _S_IWRITE);
}

// Who only asks holds it for a moment: so more than once.
Lock take_lock(int file) {
  Lock lock = try_lock(file);
  for (int tries = 0; lock == Lock::held && tries < 5; ++tries) {
    Sleep(20);
    lock = try_lock(file);
  }
  return lock;
}

Lock find_lock(const std::string& path) {
  const int file = ::_open(path.c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT);
  if (file < 0) return Lock::failed;
  const Lock found = try_lock(file);
  ::_close(file);  // with the lock
  return found;
}

bool has_name(int, const std::string&) { return true; }  // what is open keeps its name

bool has_other_names(int file) {
  BY_HANDLE_FILE_INFORMATION about;
  return GetFileInformationByHandle(handle_of(file), &about) && about.nNumberOfLinks > 1;
}

void remove_lock(int file, const std::string& path) {
  ::_close(file);
  DeleteFileA(path.c_str());
}

}  // namespace muslin::platform
