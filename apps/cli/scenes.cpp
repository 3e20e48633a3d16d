#include <filesystem>

#include "commands.h"

namespace fs = std::filesystem;

std::string shipped_scenes() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = (program.parent_path() / MUSLIN_INSTALLED_SCENES).lexically_normal();
  return fs::is_directory(installed, ignored) ? installed.string() : MUSLIN_SOURCE_SCENES;
}

std::string find_scene(const std::string& path_or_name) {
  std::error_code ignored;
  const fs::path shipped = fs::path(shipped_scenes()) / (path_or_name + ".json");
  const bool is_name = path_or_name.find_first_of("/.") == std::string::npos;
  return is_name && !fs::exists(path_or_name, ignored) && fs::exists(shipped, ignored) ? shipped.string()
                                                                                       : path_or_name;
}

std::vector<muslin::Override> parse_overrides(const std::vector<std::string>& assignments) {
  std::vector<muslin::Override> overrides;
  for (const std::string& assignment : assignments) {
    const size_t equals = assignment.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw CLI::ValidationError("--set", "expects path=value, got " + assignment);
    overrides.push_back({assignment.substr(0, equals), assignment.substr(equals + 1)});
  }
  return overrides;
}
