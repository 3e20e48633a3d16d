/* Loaded before the C library: a file system without locks, as NFS may be (ENOLCK) or one in user space (ENOSYS). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>

static int fcntl_by(const char *name, int file, int command, void *argument) {
  if (command == F_OFD_SETLK || command == F_OFD_GETLK) {
    errno = getenv("NO_LOCKS_ENOSYS") ? ENOSYS : ENOLCK;
    return -1;
  }
  int (*real)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, name);
  return real(file, command, argument);
}

int fcntl(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  return fcntl_by("fcntl", file, command, argument);
}

int fcntl64(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  return fcntl_by("fcntl64", file, command, argument);
}
