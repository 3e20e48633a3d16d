#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

// Open files by number. What fails returns -1 or false and leaves errno. Other programs inherit none of them.

namespace muslin::platform {

enum class FileKind { regular, folder, link, pipe, device, socket, other };

struct FileStatus {
  FileKind kind;
  std::uint64_t size;  ///< [bytes]
  int permissions;     ///< POSIX's nine bits; elsewhere they are not kept
};

/// Opens what is there, to be read; never waits for the writer of a pipe.
int open_to_read(const std::string& path);
/// Makes a file, to be written and read; fails with EEXIST where that name is taken.
int open_new(const std::string& path);
/// Makes a file, or empties it, to be written.
int open_emptied(const std::string& path);
bool close_file(int file);

bool status_of(int file, FileStatus& status);
bool status_of(const std::string& path, FileStatus& status);
/// Of a symbolic link itself.
bool status_of_link(const std::string& path, FileStatus& status);
void set_permissions(int file, int permissions);

/// As read and write: how many bytes, which may be fewer than asked for.
std::ptrdiff_t read_some(int file, void* bytes, std::size_t count);
std::ptrdiff_t write_some(int file, const void* bytes, std::size_t count);
/// The same at a place, which may move that of the above.
std::ptrdiff_t read_at(int file, void* bytes, std::size_t count, std::uint64_t place);
std::ptrdiff_t write_at(int file, const void* bytes, std::size_t count, std::uint64_t place);
bool move_to(int file, std::uint64_t place);
bool empty_file(int file);

/// Waits until its content is on the disk.
bool flush(int file);
bool flush_file(const std::string& path);
/// Waits until the names in a folder are on the disk, where a system has that.
bool flush_folder(const std::string& path);

bool remove_file(const std::string& path);
/// Gives a file another name, also where that is taken.
bool rename_file(const std::string& from, const std::string& to);

/// The length of the folder's part of a path, with the separator at its end; 0 for a name alone.
std::size_t folder_length(const std::string& path);

}  // namespace muslin::platform
