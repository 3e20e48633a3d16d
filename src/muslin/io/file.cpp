#include "muslin/io/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "muslin/core/check.h"
#include "muslin/platform/files.h"
#include "muslin/platform/processes.h"

namespace muslin {

namespace {

using platform::FileKind, platform::FileStatus;

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
    if (number_ >= 0) platform::close_file(number_);
  }
  int get() const { return number_; }

 private:
  int number_;
};

void check_path(const std::string& path) {
  if (path.empty()) fail("file", "a path must not be empty");
  if (path.find('\0') != std::string::npos) fail(path.c_str(), "a path must not hold a zero byte");
}

void check_regular(const std::string& path, const FileStatus& status) {
  if (status.kind == FileKind::regular) return;
  const char* const kind = status.kind == FileKind::folder   ? "a directory"
                           : status.kind == FileKind::pipe   ? "a named pipe"
                           : status.kind == FileKind::device ? "a device"
                           : status.kind == FileKind::socket ? "a socket"
                                                             : "something else";
  fail(path, fmt::format("must be a regular file, found {}", kind));
}

/// Opens a regular file to read it.
Descriptor open_regular(const std::string& path, FileStatus& status) {
  check_path(path);
  Descriptor file(platform::open_to_read(path));
  if (file.get() < 0 && platform::status_of(path, status)) check_regular(path, status);
  if (file.get() < 0 || !platform::status_of(file.get(), status)) fail_errno(path, "cannot be read");
  check_regular(path, status);
  return file;
}

/// Reads on into `content` from `place`; how many bytes came, 0 at the end.
size_t read_some(const Descriptor& file, const std::string& path, std::string& content, size_t place) {
  while (true) {
    const std::ptrdiff_t count =
        platform::read_some(file.get(), content.data() + place, content.size() - place);
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) fail_errno(path, "cannot be read");
  }
}

/// Creates a file of a name that nothing has, in the folder of `target`; returns its descriptor.
int create_beside(const std::string& target, std::string& name, const std::string& path) {
  static std::atomic<unsigned> count = 0;
  const std::string folder = target.substr(0, platform::folder_length(target));
  int number = -1;
  do {
    name = fmt::format("{}.muslin-{}-{}.tmp", folder, platform::process_number(), count++);
    number = platform::open_new(name);
  } while (number < 0 && (errno == EEXIST || errno == EINTR));
  if (number < 0) fail_errno(path, "cannot be written");
  return number;
}

}  // namespace

std::string read_file(const std::string& path, std::size_t limit) {
  FileStatus status;
  const Descriptor file = open_regular(path, status);
  if (status.size > limit)
    fail(path, fmt::format("must have at most {} bytes, found {}", limit, status.size));

  // The size may have changed since: read to the end, and one byte beyond the limit to notice that.
  std::string content(static_cast<size_t>(status.size) + 1, '\0');
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
  FileStatus status;
  open_regular(path, status);
  return std::ifstream(path, std::ios::binary);
}

std::string read_beginning(const std::string& path, std::size_t count) { return read_part(path, 0, count); }

std::string read_part(const std::string& path, std::uint64_t place, std::size_t count) {
  FileStatus status;
  const Descriptor file = open_regular(path, status);
  if (place > 0 && !platform::move_to(file.get(), place)) fail_errno(path, "cannot be read");
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
  FileStatus status;
  const bool named = platform::status_of_link(path, status);
  const bool is_link = named && status.kind == FileKind::link;
  const bool exists =
      is_link && links == Links::followed ? platform::status_of(path, status) : named && !is_link;
  if (exists) check_regular(path, status);
  if ((exists || is_link) && !overwrite) fail(path, "exists already and is not overwritten");
  if (exists && is_link) {
    std::error_code error;
    target_ = std::filesystem::canonical(path, error).string();
    if (error) fail(path, "cannot be written: " + error.message());
  }
  descriptor_ = create_beside(target_, temporary_, path);
  if (exists) platform::set_permissions(descriptor_, status.permissions);
}

GrowingFile::~GrowingFile() {
  if (descriptor_ >= 0) platform::close_file(descriptor_);
  if (!finished_) platform::remove_file(temporary_);
}

// What could be written in part only does not count, and the next content takes its place.
void GrowingFile::append(std::string_view content) {
  replace(size_, content);
  size_ += content.size();
}

void GrowingFile::replace(std::size_t place, std::string_view content) {
  while (!content.empty()) {
    const std::ptrdiff_t count = platform::write_at(descriptor_, content.data(), content.size(), place);
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
    const std::ptrdiff_t count = platform::read_at(descriptor_, piece.data(), piece.size(), place);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_errno(path_, "cannot be read");
    if (count == 0) fail(path_, "is shorter than what was written");
    visit(std::string_view(piece).substr(0, static_cast<size_t>(count)));
    place += static_cast<size_t>(count);
  }
}

void GrowingFile::finish() {
  if (!platform::flush(descriptor_)) fail_errno(path_, "cannot be written");
  finish_unflushed();
}

void GrowingFile::finish_unflushed() {
  if (!platform::close_file(std::exchange(descriptor_, -1))) fail_errno(path_, "cannot be written");
  if (!platform::rename_file(temporary_, target_)) fail_errno(path_, "cannot be written");
  finished_ = true;
}

void flush_file(const std::string& path) {
  if (!platform::flush_file(path) && errno != ENOENT) fail_errno(path, "cannot be written");
}

void flush_folder(const std::string& path) {
  if (!platform::flush_folder(path)) fail_errno(path, "cannot be written");
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
