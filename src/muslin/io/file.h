#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace muslin {

/// The whole content of a regular file of at most `limit` bytes. Throws Error(file).
std::string read_file(const std::string& path, std::size_t limit = std::size_t{1} << 30);

/// Writes a file that is complete or absent: a temporary beside it, flushed, then renamed. Throws
/// Error(file); also if the file exists and `overwrite` is false.
void write_file(const std::string& path, std::string_view content, bool overwrite);

}  // namespace muslin
