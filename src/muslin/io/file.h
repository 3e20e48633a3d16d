#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace muslin {

/// The whole content of a regular file of at most `limit` bytes. Throws Error(file).
std::string read_file(const std::string& path, std::size_t limit = std::size_t{1} << 30);

/// At most `count` bytes from the beginning of a regular file. Throws Error(file).
std::string read_beginning(const std::string& path, std::size_t count);

/// A file that is complete or absent: it grows as a temporary beside its place, is flushed, then renamed;
/// without `finish` it vanishes. Another program may fill it by the temporary's name.
class GrowingFile {
 public:
  /// Throws Error(file) if the folder cannot be written; also if the file exists and `overwrite` is false.
  GrowingFile(const std::string& path, bool overwrite);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  const std::string& temporary() const { return temporary_; }
  /// Throws Error(file).
  void append(std::string_view content);
  /// Flushes and gives the file its name. Throws Error(file).
  void finish();

 private:
  std::string path_, target_, temporary_;
  int descriptor_ = -1;
  bool finished_ = false;
};

/// Whether a file lies below a folder, also once symbolic links are followed. Links to nowhere do not: what
/// they lead to tomorrow may be outside. `file` is relative to the folder, or absolute: then it does not.
bool lies_below(const std::string& file, const std::string& folder);

/// Waits until the names of the files in a folder are on the disk, too. Throws Error(file).
void flush_folder(const std::string& path);

/// Writes a whole file, complete or absent. Throws as GrowingFile does.
void write_file(const std::string& path, std::string_view content, bool overwrite);

}  // namespace muslin
