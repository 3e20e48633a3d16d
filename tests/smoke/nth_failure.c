/* Loaded before the C library: the nth call of a kind fails, counted from when a file of the run is first opened (NTH_FROM: the end
 * of its name). NTH_KIND: write (also flushing, making, cutting and closing files), rename, alloc, read. NTH: which one, from 1;
 * 0: none. NTH_ON: all from then on fail, as on a full disk. NTH_REPORT: a file that gets how many calls there were. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { kWrite, kRename, kAlloc, kRead };
static const char *const kNames[] = {"write", "rename", "alloc", "read"};
static int kind = -1, from_then_on;
static long nth;
static const char *from, *report;
static atomic_long count;
static atomic_int begun;

static void *next_of(const char *name) { return dlsym(RTLD_NEXT, name); }
#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))next_of(#name))

__attribute__((constructor)) static void begin(void) {
  const char *wanted = getenv("NTH_KIND");
  for (int k = 0; wanted && k < 4; ++k)
    if (strcmp(wanted, kNames[k]) == 0) kind = k;
  nth = getenv("NTH") ? atol(getenv("NTH")) : 0;
  from_then_on = getenv("NTH_ON") != NULL;
  from = getenv("NTH_FROM");
  report = getenv("NTH_REPORT");
}

__attribute__((destructor)) static void end(void) {
  if (!report) return;
  const int file = REAL(int, open, const char *, int, ...)(report, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  char text[32];
  const int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&count));
  if (REAL(ssize_t, write, int, const void *, size_t)(file, text, length) != length) _exit(99);
}

static int fails(int of) {
  if (of != kind || !atomic_load(&begun)) return 0;
  const long number = atomic_fetch_add(&count, 1) + 1;
  if (nth == 0 || number < nth || (number > nth && !from_then_on)) return 0;
  errno = of == kAlloc ? ENOMEM : of == kRead ? EIO : ENOSPC;
  return 1;
}

static void look_at(const char *path) {
  const size_t length = strlen(path), end_length = from ? strlen(from) : 0;
  if (length >= end_length && strcmp(path + length - end_length, from ? from : "") == 0) atomic_store(&begun, 1);
}

/* --- files: standard output and standard error are none ----------------------------------------------- */

#define OPEN(name)                                                                                        \
  int name(const char *path, int flags, ...) {                                                            \
    va_list list;                                                                                         \
    va_start(list, flags);                                                                                \
    const mode_t mode = va_arg(list, mode_t);                                                             \
    va_end(list);                                                                                         \
    look_at(path);                                                                                        \
    if ((flags & O_CREAT) && fails(kWrite)) return -1;                                                    \
    return REAL(int, name, const char *, int, ...)(path, flags, mode);                                    \
  }
OPEN(open)
OPEN(open64)

ssize_t write(int file, const void *bytes, size_t size) {
  return file > 2 && fails(kWrite) ? -1 : REAL(ssize_t, write, int, const void *, size_t)(file, bytes, size);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t place) {
  return fails(kWrite) ? -1 : REAL(ssize_t, pwrite, int, const void *, size_t, off_t)(file, bytes, size, place);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t place) {
  return fails(kWrite) ? -1 : REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)(file, bytes, size, place);
}
int fsync(int file) { return fails(kWrite) ? -1 : REAL(int, fsync, int)(file); }
int ftruncate(int file, off_t size) { return fails(kWrite) ? -1 : REAL(int, ftruncate, int, off_t)(file, size); }
int ftruncate64(int file, off64_t size) {
  return fails(kWrite) ? -1 : REAL(int, ftruncate64, int, off64_t)(file, size);
}
int rename(const char *old, const char *new) {
  return fails(kRename) ? -1 : REAL(int, rename, const char *, const char *)(old, new);
}
ssize_t read(int file, void *bytes, size_t size) {
  return fails(kRead) ? -1 : REAL(ssize_t, read, int, void *, size_t)(file, bytes, size);
}
ssize_t pread(int file, void *bytes, size_t size, off_t place) {
  return fails(kRead) ? -1 : REAL(ssize_t, pread, int, void *, size_t, off_t)(file, bytes, size, place);
}
ssize_t pread64(int file, void *bytes, size_t size, off64_t place) {
  return fails(kRead) ? -1 : REAL(ssize_t, pread64, int, void *, size_t, off64_t)(file, bytes, size, place);
}

/* --- memory ------------------------------------------------------------------------------------------- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);

void *malloc(size_t size) { return fails(kAlloc) ? NULL : __libc_malloc(size); }
void *calloc(size_t many, size_t size) { return fails(kAlloc) ? NULL : __libc_calloc(many, size); }
void *realloc(void *old, size_t size) { return fails(kAlloc) ? NULL : __libc_realloc(old, size); }
void *aligned_alloc(size_t step, size_t size) { return fails(kAlloc) ? NULL : __libc_memalign(step, size); }
int posix_memalign(void **place, size_t step, size_t size) {
  if (fails(kAlloc)) return ENOMEM;
  *place = __libc_memalign(step, size);
  return *place ? 0 : ENOMEM;
}
