#pragma once
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/core/check.h"

/// A folder for files from arbitrary bytes; gone with the program.
class ForeignFolder {
 public:
  ForeignFolder() { std::filesystem::create_directories(path_); }
  ~ForeignFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ForeignFolder(const ForeignFolder&) = delete;
  ForeignFolder& operator=(const ForeignFolder&) = delete;

  std::string path(const std::string& name = "") const { return (path_ / name).string(); }

  /// The bytes, cut at every '\x1e', as the files of these names; what there are no bytes for is not there.
  void fill(std::string_view bytes, const std::vector<std::string>& names) const {
    bool left = true;
    for (const std::string& name : names) {
      std::filesystem::remove(path_ / name);
      if (!left) continue;
      const std::size_t end = bytes.find('\x1e');
      left = end != bytes.npos;
      const std::string_view content = bytes.substr(0, end);
      std::filesystem::create_directories((path_ / name).parent_path());
      std::ofstream(path_ / name, std::ios::binary) << content;
      if (left) bytes.remove_prefix(end + 1);
    }
  }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("muslin_fuzz_" + std::to_string(::getpid()));
};

/// Whether a call ends without an Error; any other exception, and none of these kinds, ends the program.
template <class Call>
bool works(const Call& call) {
  try {
    call();
    return true;
  } catch (const muslin::Error&) {
    return false;
  }
}

inline std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}
