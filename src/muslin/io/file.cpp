#include "muslin/io/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "muslin/core/check.h"

namespace muslin {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::file, path + ": " + what);
}

[[noreturn]] void fail_errno(const std::string& path, const char* what) {
  fail(path, fmt::format("{}: {}", what, std::strerror(errno)));
}

/// An open file, closed when it goes.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }

 private:
  int number_;
};

void check_path(const std::string& path) {
  if (path.empty()) fail("file", "a path must not be empty");
  if (path.find('\0') != std::string::npos) fail(path.c_str(), "a path must not hold a zero byte");
}

void check_regular(const std::string& path, const struct stat& status) {
  if (S_ISREG(status.st_mode)) return;
  const char* const kind = S_ISDIR(status.st_mode)                              ? "a directory"
                           : S_ISFIFO(status.st_mode)                           ? "a named pipe"
                           : S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode) ? "a device"
                           : S_ISSOCK(status.st_mode)                           ? "a socket"
                                                                                : "something else";
  fail(path, fmt::format("must be a regular file, found {}", kind));
}

/// Opens a regular file to read it.
Descriptor open_regular(const std::string& path, struct stat& status) {
  check_path(path);
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) fail_errno(path, "cannot be read");
  check_regular(path, status);
  return file;
}

/// Reads on into `content` from `place`; how many bytes came, 0 at the end.
size_t read_some(const Descriptor& file, const std::string& path, std::string& content, size_t place) {
  while (true) {
    const ssize_t count = ::read(file.get(), content.data() + place, content.size() - place);
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) fail_errno(path, "cannot be read");
  }
}

/// Creates a file of a name that nothing has, in the folder of `target`; returns its descriptor.
int create_beside(const std::string& target, std::string& name, const std::string& path) {
  static std::atomic<unsigned> count = 0;
  const std::string folder = target.substr(0, target.rfind('/') + 1);
  int number = -1;
  do {
    name = fmt::format("{}.muslin-{}-{}.tmp", folder, ::getpid(), count++);
    number = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (number < 0 && (errno == EEXIST || errno == EINTR));
  if (number < 0) fail_errno(path, "cannot be written");
  return number;
}

}  // namespace

std::string read_file(const std::string& path, std::size_t limit) {
  struct stat status;
  const Descriptor file = open_regular(path, status);
  if (static_cast<std::uintmax_t>(status.st_size) > limit)
    fail(path, fmt::format("must have at most {} bytes, found {}", limit, status.st_size));

  // The size may have changed since: read to the end, and one byte beyond the limit to notice that.
  std::string content(static_cast<size_t>(status.st_size) + 1, '\0');
  size_t length = 0;
  while (const size_t count = read_some(file, path, content, length)) {
    length += count;
    if (length > limit) fail(path, fmt::format("must have at most {} bytes, found more", limit));
    if (length == content.size()) content.resize(std::min(2 * length, limit) + 1);
  }
  content.resize(length);
  return content;
}

std::ifstream open_file(const std::string& path) {
  struct stat status;
  open_regular(path, status);
  return std::ifstream(path, std::ios::binary);
}

std::string read_beginning(const std::string& path, std::size_t count) { return read_part(path, 0, count); }

std::string read_part(const std::string& path, std::uint64_t place, std::size_t count) {
  struct stat status;
  const Descriptor file = open_regular(path, status);
  if (place > 0 && ::lseek(file.get(), static_cast<off_t>(place), SEEK_SET) < 0)
    fail_errno(path, "cannot be read");
  std::string content(count, '\0');
  size_t length = 0;
  while (length < count) {
    const size_t more = read_some(file, path, content, length);
    if (more == 0) break;
    length += more;
  }
  content.resize(length);
  return content;
}

GrowingFile::GrowingFile(const std::string& path, bool overwrite, Links links) : path_(path), target_(path) {
  check_path(path);
  struct stat status;
  const bool named = ::lstat(path.c_str(), &status) == 0, is_link = named && S_ISLNK(status.st_mode);
  const bool exists =
      is_link && links == Links::followed ? ::stat(path.c_str(), &status) == 0 : named && !is_link;
  if (exists) check_regular(path, status);
  if ((exists || is_link) && !overwrite) fail(path, "exists already and is not overwritten");
  if (exists && is_link) {
    std::error_code error;
    target_ = std::filesystem::canonical(path, error).string();
    if (error) fail(path, "cannot be written: " + error.message());
  }
  descriptor_ = create_beside(target_, temporary_, path);
  if (exists) ::fchmod(descriptor_, status.st_mode & 0777);
}

GrowingFile::~GrowingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!finished_) ::unlink(temporary_.c_str());
}

// What could be written in part only does not count, and the next content takes its place.
void GrowingFile::append(std::string_view content) {
  replace(size_, content);
  size_ += content.size();
}

void GrowingFile::replace(std::size_t place, std::string_view content) {
  while (!content.empty()) {
    const ssize_t count = ::pwrite(descriptor_, content.data(), content.size(), static_cast<off_t>(place));
    if (count >= 0) {
      content.remove_prefix(static_cast<size_t>(count));
      place += static_cast<size_t>(count);
    } else if (errno != EINTR) {
      fail_errno(path_, "cannot be written");
    }
  }
}

void GrowingFile::read_back(const std::function<void(std::string_view)>& visit) const {
  std::string piece(std::size_t{1} << 20, '\0');
  for (std::size_t place = 0; place < size_;) {
    const ssize_t count = ::pread(descriptor_, piece.data(), piece.size(), static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_errno(path_, "cannot be read");
    if (count == 0) fail(path_, "is shorter than what was written");
    visit(std::string_view(piece).substr(0, static_cast<size_t>(count)));
    place += static_cast<size_t>(count);
  }
}

void GrowingFile::finish() {
  if (::fsync(descriptor_) != 0) fail_errno(path_, "cannot be written");
  finish_unflushed();
}

void GrowingFile::finish_unflushed() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_errno(path_, "cannot be written");
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail_errno(path_, "cannot be written");
  finished_ = true;
}

void flush_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 && errno == ENOENT) return;
  if (file.get() < 0 || ::fsync(file.get()) != 0) fail_errno(path, "cannot be written");
}

void flush_folder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  // Some file systems cannot, and say EINVAL.
  if (folder.get() < 0 || (::fsync(folder.get()) != 0 && errno != EINVAL))
    fail_errno(path, "cannot be written");
}

void write_file(const std::string& path, std::string_view content, bool overwrite, Links links) {
  GrowingFile file(path, overwrite, links);
  file.append(content);
  file.finish();
}

bool lies_below(const std::string& file, const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path relative(file);
  if (relative.is_absolute() || *relative.lexically_normal().begin() == "..") return false;
  std::error_code failed;
  const auto found = [&failed] {
    if (failed == std::errc::not_enough_memory) throw std::bad_alloc();
    return !failed;
  };
  const fs::path root = fs::weakly_canonical(fs::absolute(folder.empty() ? "." : folder, failed), failed);
  if (!found()) return false;
  fs::path step = root;
  for (const fs::path& part : relative) {
    step /= part;
    if (fs::is_symlink(step, failed) && !fs::exists(step, failed)) return false;
  }
  const fs::path target = fs::weakly_canonical(step, failed);
  return found() && std::mismatch(root.begin(), root.end(), target.begin(), target.end()).first == root.end();
}

}  // namespace muslin
