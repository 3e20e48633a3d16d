#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stb/stb_image.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/// The program in a folder of its own that goes with the test, without any display.
class RenderCommand : public testing::Test {
 protected:
  using Bytes = std::vector<unsigned char>;

  RenderCommand() { std::filesystem::create_directories(folder_); }
  ~RenderCommand() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& file, const std::string& text) const {
    std::ofstream(folder_ / file, std::ios::binary) << text;
  }
  std::string read(const std::string& file) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / file, std::ios::binary).rdbuf();
    return text.str();
  }
  bool exists(const std::string& file) const { return std::filesystem::exists(folder_ / file); }

  /// Files and folders in the folder, also hidden ones, but for what shell() writes.
  std::vector<std::string> listing(const std::string& below = ".") const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / below))
      if (entry.path().filename() != "messages.txt" && entry.path().filename() != "output.txt")
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Exit code of a shell command in the folder; what it says is in output() and messages().
  int shell(const std::string& command) const {
    const std::string line =
        fmt::format("cd '{}' && unset DISPLAY WAYLAND_DISPLAY && {} > output.txt 2> messages.txt",
                    folder_.string(), command);
    return WEXITSTATUS(std::system(line.c_str()));
  }
  /// Exit code of `muslin …`; `environment` stands before it: "PATH=/nowhere".
  int muslin(const std::string& arguments, const std::string& environment = "") const {
    return shell(fmt::format("{} '{}' {}", environment, MUSLIN_CLI, arguments));
  }
  std::string messages() const { return read("messages.txt"); }
  std::string output() const { return read("output.txt"); }
  bool says(const std::string& words) const { return messages().find(words) != std::string::npos; }

  Bytes pixels(const std::string& file, int width, int height) const {
    int w = 0, h = 0, channels = 0;
    unsigned char* data = stbi_load((folder_ / file).c_str(), &w, &h, &channels, 3);
    if (!data) return {};
    Bytes copy(data, data + 3 * w * h);
    stbi_image_free(data);
    EXPECT_EQ(w, width) << file;
    EXPECT_EQ(h, height) << file;
    return copy;
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("muslin_render_{}", getpid());
};
