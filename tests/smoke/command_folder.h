#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

/// The program in a folder of its own that goes with the test and holds a scene.json.
class CommandFolder : public testing::Test {
 protected:
  explicit CommandFolder(const std::string& scene) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "scene.json") << scene;
  }
  ~CommandFolder() override { std::filesystem::remove_all(folder_); }

  /// Exit code of `muslin …` in the folder.
  int muslin(const std::string& arguments) const {
    return shell(fmt::format("'{}' {} > output.txt 2> messages.txt", MUSLIN_CLI, arguments));
  }

  /// Exit code of a command of the shell in the folder; 128 + n after signal n.
  int shell(const std::string& command) const {
    const int status = std::system(fmt::format("cd '{}' && {}", folder_.string(), command).c_str());
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

  std::string text(const std::string& file) const {
    std::ostringstream content;
    content << std::ifstream(folder_ / file).rdbuf();
    return content.str();
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("muslin_command_{}", getpid());
};
