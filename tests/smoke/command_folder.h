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
    const std::string command = fmt::format("cd '{}' && '{}' {} > output.txt 2> messages.txt",
                                            folder_.string(), MUSLIN_CLI, arguments);
    return WEXITSTATUS(std::system(command.c_str()));
  }

  std::string text(const std::string& file) const {
    std::ostringstream content;
    content << std::ifstream(folder_ / file).rdbuf();
    return content.str();
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("muslin_command_{}", getpid());
};
