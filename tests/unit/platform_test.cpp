#include <gtest/gtest.h>

#include <charconv>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "muslin/platform/files.h"
#include "muslin/platform/locks.h"
#include "muslin/platform/numbers.h"
#include "muslin/platform/processes.h"

namespace muslin::platform {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return (std::ostringstream() << file.rdbuf()).str();
}

// Every number as std::to_chars writes it comes back, to the bit.
TEST(Platform, NumbersAreReadToTheBit) {
  std::mt19937_64 random(7);
  for (int k = 0; k < 20000; ++k) {
    const std::uint64_t bits = random();
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    if (number - number != 0) continue;
    char text[64] = {};
    *std::to_chars(text, text + sizeof text - 1, number).ptr = '\0';
    char* end = nullptr;
    const double read = parse_double(text, &end);
    EXPECT_EQ(std::memcmp(&read, &number, sizeof number), 0) << text;
    EXPECT_EQ(*end, '\0') << text;
  }
}

TEST(Platform, NumbersMayHaveASignAndEndWhereTheyEnd) {
  char* end = nullptr;
  EXPECT_EQ(parse_double("+1.5", &end), 1.5);
  EXPECT_EQ(*end, '\0');
  EXPECT_EQ(parse_double("2,5", &end), 2);
  EXPECT_EQ(*end, ',');
  const char* const none = "+-1";
  parse_double(none, &end);
  EXPECT_EQ(end, none);
}

// A run of another program: its arguments as they were given, its messages behind what is there, its exit
// code.
TEST(Platform, ProgramsGetTheirArguments) {
  const std::string messages = testing::TempDir() + "platform_messages";
  std::ofstream(messages) << "before ";
  const std::string words = R"(a "b" \c\\ %d 'e')";
  EXPECT_EQ(run_program("/bin/sh", {"-c", "printf %s \"$1\" >&2; exit 7", "sh", words}, messages), 7);
  EXPECT_EQ(content(messages), "before " + words);
  EXPECT_EQ(run_program("/bin/sh", {"-c", "kill -9 $$"}, messages), -1);
  remove_file(messages);
}

TEST(Platform, ALockIsOfOneOpening) {
  const std::string path = testing::TempDir() + "platform_lock";
  bool is_new = false;
  const int mine = open_lock(path, is_new);
  ASSERT_GE(mine, 0);
  EXPECT_TRUE(is_new);
  EXPECT_EQ(find_lock(path), Lock::taken);
  EXPECT_EQ(take_lock(mine), Lock::taken);
  EXPECT_EQ(find_lock(path), Lock::held);
  const int other = open_lock(path, is_new);
  EXPECT_FALSE(is_new);
  EXPECT_EQ(take_lock(other), Lock::held);
  close_file(other);
  EXPECT_EQ(find_lock(path), Lock::held);
  remove_lock(mine, path);
  EXPECT_EQ(find_lock(path), Lock::failed);
}

TEST(Platform, FilesAreReplacedAndReadAtAPlace) {
  const std::string from = testing::TempDir() + "platform_from", to = testing::TempDir() + "platform_to";
  std::ofstream(to) << "old";
  const int file = open_new(from);
  ASSERT_GE(file, 0);
  EXPECT_EQ(open_new(from), -1);
  EXPECT_EQ(write_at(file, "world", 5, 6), 5);
  EXPECT_EQ(write_at(file, "hello ", 6, 0), 6);
  char bytes[3] = {};
  EXPECT_EQ(read_at(file, bytes, 3, 4), 3);
  EXPECT_EQ(std::string(bytes, 3), "o w");
  EXPECT_TRUE(flush(file) && close_file(file) && rename_file(from, to));
  EXPECT_EQ(content(to), "hello world");
  FileStatus status;
  EXPECT_TRUE(status_of(to, status));
  EXPECT_EQ(status.size, 11U);
  EXPECT_EQ(folder_length(to), testing::TempDir().size());
  remove_file(to);
  EXPECT_FALSE(status_of(to, status));
}

}  // namespace
}  // namespace muslin::platform
