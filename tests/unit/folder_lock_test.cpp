#include "muslin/io/folder_lock.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "muslin/core/check.h"

using namespace muslin;
namespace fs = std::filesystem;

namespace {

class FolderLockTest : public testing::Test {
 protected:
  FolderLockTest() { fs::create_directories(folder_); }
  ~FolderLockTest() override { fs::remove_all(folder_); }
  std::string folder_ = (fs::temp_directory_path() / fmt::format("muslin_lock_{}", ::getpid())).string();
};

TEST_F(FolderLockTest, IsHeldAsLongAsItLives) {
  EXPECT_FALSE(FolderLock::is_held(folder_));
  {
    const FolderLock lock(folder_);
    EXPECT_TRUE(FolderLock::is_held(folder_));
    EXPECT_EQ(FolderLock::take(folder_), nullptr);
    EXPECT_THROW(FolderLock{folder_}, Error);
  }
  EXPECT_FALSE(FolderLock::is_held(folder_));
  EXPECT_NE(FolderLock::take(folder_), nullptr);
}

// Whoever only looks turns nobody away, and whoever is turned away leaves what is held as it is.
TEST_F(FolderLockTest, LookingTakesNothing) {
  std::atomic<bool> done = false;
  std::thread looks([&] {
    while (!done) FolderLock::is_held(folder_);
  });
  int refused = 0;
  for (int k = 0; k < 2000; ++k) refused += FolderLock::take(folder_) == nullptr;
  done = true;
  looks.join();
  EXPECT_EQ(refused, 0);
}

TEST_F(FolderLockTest, WhatCannotBeLockedIsNotHeldButAnError) {
  fs::create_directory(fs::path(folder_) / FolderLock::kName);  // even root makes no file there
  EXPECT_FALSE(FolderLock::is_held(folder_));
  EXPECT_THROW(FolderLock::take(folder_), Error);
}

TEST_F(FolderLockTest, NorIsOneThatIsNotThere) {
  EXPECT_FALSE(FolderLock::is_held(folder_ + "/nowhere"));
  EXPECT_THROW(FolderLock::take(folder_ + "/nowhere"), Error);
}

}  // namespace
