#pragma once
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

namespace muslin {

/// The whole content of a regular file of at most `limit` bytes. Throws Error(file).
std::string read_file(const std::string& path, std::size_t limit = std::size_t{1} << 30);

/// A regular file to be read piece by piece. Throws Error(file).
std::ifstream open_file(const std::string& path);

/// At most `count` bytes of a regular file from a place on; "" behind its end. Throws Error(file).
std::string read_part(const std::string& path, std::uint64_t place, std::size_t count);
/// The same from its beginning.
std::string read_beginning(const std::string& path, std::size_t count);

/// What becomes of a symbolic link in a file's place. A folder may come from somebody else: a name that the
/// program makes in it replaces a link. Only the name that its user gave is written through.
enum class Links { replaced, followed };

/// A file that is complete or absent: it grows as a temporary beside its place, is flushed, then renamed;
/// without `finish` it vanishes. Another program may fill it by the temporary's name.
class GrowingFile {
 public:
  /// Throws Error(file) if the folder cannot be written; also if the file exists and `overwrite` is false.
  GrowingFile(const std::string& path, bool overwrite, Links links = Links::replaced);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  const std::string& temporary() const { return temporary_; }
  /// Throws Error(file).
  void append(std::string_view content);
  /// Writes over what stands at a place, within what was appended. Throws Error(file).
  void replace(std::size_t place, std::string_view content);
  /// Bytes appended so far.
  std::size_t size() const { return size_; }
  /// Visits the content from the beginning, a piece of at most 1 MiB after another. Throws Error(file).
  void read_back(const std::function<void(std::string_view)>& visit) const;
  /// Flushes and gives the file its name. Throws Error(file).
  void finish();
  /// Gives the file its name. Until flush_file, a loss of power may leave less than all of it. Throws
  /// Error(file).
  void finish_unflushed();

 private:
  std::string path_, target_, temporary_;
  int descriptor_ = -1;
  std::size_t size_ = 0;
  bool finished_ = false;
};

/// Whether a file lies below a folder, also once symbolic links are followed. Links to nowhere do not: what
/// they lead to tomorrow may be outside. `file` is relative to the folder, or absolute: then it does not.
bool lies_below(const std::string& file, const std::string& folder);

/// Waits until the content of a file is on the disk, if it is there. Throws Error(file).
void flush_file(const std::string& path);

/// Waits until the names of the files in a folder are on the disk, too. Throws Error(file).
void flush_folder(const std::string& path);

/// Writes a whole file, complete or absent. Throws as GrowingFile does.
void write_file(const std::string& path, std::string_view content, bool overwrite,
                Links links = Links::replaced);

}  // namespace muslin
