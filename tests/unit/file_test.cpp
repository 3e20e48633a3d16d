#include "muslin/io/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "muslin/core/check.h"

namespace muslin {
namespace {

namespace fs = std::filesystem;

class File : public testing::Test {
 protected:
  File() {
    std::string pattern = testing::TempDir() + "muslin-file-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~File() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::ptrdiff_t file_count() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
};

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::file);
    return error.what();
  }
  return "no error";
}

std::string reading(const std::string& path, size_t limit = 1000) {
  return message_of([&] { read_file(path, limit); });
}
std::string writing(const std::string& path, bool overwrite = true) {
  return message_of([&] { write_file(path, "new", overwrite); });
}

TEST_F(File, GrowsBesideItsPlaceUntilItIsFinished) {
  {
    GrowingFile dropped(path("a"), false);
    dropped.append("half");
    EXPECT_EQ(fs::path(dropped.temporary()).parent_path(), folder_);
    EXPECT_FALSE(fs::exists(path("a")));
    EXPECT_EQ(file_count(), 1);
  }
  EXPECT_EQ(file_count(), 0) << "without finish nothing remains";

  GrowingFile file(path("a"), false);
  file.append("one ");
  std::ofstream(file.temporary(), std::ios::app) << "two";  // by another program
  file.finish();
  EXPECT_EQ(read_file(path("a")), "one two");
  EXPECT_EQ(file_count(), 1);
}

TEST_F(File, ReadsBackEveryByte) {
  std::string content(100'000, '\0');
  for (size_t k = 0; k < content.size(); ++k) content[k] = static_cast<char>(k * k / 7);
  write_file(path("a"), content, false);
  EXPECT_EQ(read_file(path("a")), content);
  std::ifstream stream(path("a"), std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), content);
  write_file(path("empty"), "", false);
  EXPECT_EQ(read_file(path("empty")), "");
}

TEST_F(File, LeavesNothingButTheFile) {
  write_file(path("a"), "1", false);
  write_file(path("a"), "2", true);
  EXPECT_EQ(read_file(path("a")), "2");
  EXPECT_EQ(file_count(), 1);
}

TEST_F(File, IsNotOverwrittenUnlessAsked) {
  write_file(path("a"), "old", false);
  EXPECT_EQ(writing(path("a"), false), path("a") + ": exists already and is not overwritten");
  EXPECT_EQ(read_file(path("a")), "old");
  EXPECT_EQ(file_count(), 1);
}

TEST_F(File, KeepsItsPermissionsAndLinksThatAreFollowed) {
  write_file(path("a"), "old", false);
  fs::permissions(path("a"), fs::perms(0640));
  fs::create_symlink("a", path("link"));
  write_file(path("link"), "new", true, Links::followed);
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("a")), "new");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0640));
}

TEST_F(File, TakesThePlaceOfALink) {
  fs::create_directory(path("folder"));
  write_file(path("a"), "old", false);
  for (const char* target : {"a", "nowhere", "folder", "link"}) {
    fs::create_symlink(target, path("link"));
    EXPECT_EQ(writing(path("link"), false), path("link") + ": exists already and is not overwritten")
        << target;
    write_file(path("link"), "new", true);
    EXPECT_FALSE(fs::is_symlink(path("link"))) << target;
    EXPECT_EQ(read_file(path("link")), "new");
    fs::remove(path("link"));
  }
  EXPECT_EQ(read_file(path("a")), "old");
  EXPECT_FALSE(fs::exists(path("nowhere")));
}

TEST_F(File, MayBeInTheCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  write_file("plain", "1", false);
  fs::current_path(before);
  EXPECT_EQ(read_file(path("plain")), "1");
}

TEST_F(File, MayHaveTheLongestName) {
  const std::string name(255, 'n');
  write_file(path(name), "1", false);
  EXPECT_EQ(read_file(path(name)), "1");
}

TEST_F(File, ThatIsMissingIsRefused) {
  EXPECT_EQ(reading(path("a")), path("a") + ": cannot be read: No such file or directory");
  EXPECT_EQ(writing(path("no/a")), path("no/a") + ": cannot be written: No such file or directory");
}

TEST_F(File, MustBeARegularFile) {
  EXPECT_EQ(reading(folder_.string()), folder_.string() + ": must be a regular file, found a directory");
  EXPECT_EQ(writing(folder_.string()), folder_.string() + ": must be a regular file, found a directory");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(reading(path("pipe")), path("pipe") + ": must be a regular file, found a named pipe");
  EXPECT_EQ(writing(path("pipe")), path("pipe") + ": must be a regular file, found a named pipe");
  EXPECT_EQ(reading("/dev/zero"), "/dev/zero: must be a regular file, found a device");
  EXPECT_EQ(writing("/dev/null"), "/dev/null: must be a regular file, found a device");
}

TEST_F(File, MayHaveAsManyBytesAsTheLimit) {
  write_file(path("a"), "12345", false);
  EXPECT_EQ(read_file(path("a"), 5), "12345");
  EXPECT_EQ(reading(path("a"), 4), path("a") + ": must have at most 4 bytes, found 5");
}

TEST_F(File, WithoutAKnownSizeIsReadToItsEnd) {
  if (!fs::exists("/proc/self/maps")) GTEST_SKIP() << "no /proc";
  EXPECT_GT(read_file("/proc/self/maps").size(), 100);  // its size is said to be 0
  EXPECT_EQ(reading("/proc/self/maps", 10), "/proc/self/maps: must have at most 10 bytes, found more");
}

TEST_F(File, IsAbsentIfItCannotBeComplete) {
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit tight{2, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &tight);
  const std::string message = writing(path("a"));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, path("a") + ": cannot be written: File too large");
  EXPECT_EQ(file_count(), 0);
}

TEST_F(File, MustHaveAPath) {
  EXPECT_EQ(reading(""), "file: a path must not be empty");
  EXPECT_EQ(writing(path("a") + std::string(1, '\0') + "b"),
            path("a") + ": a path must not hold a zero byte");
}

}  // namespace
}  // namespace muslin
