#include "muslin/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <memory>

namespace muslin {
namespace {

class Parallel : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }
};

TEST_F(Parallel, VisitsEveryIndexOnce) {
  for (const int threads : {1, 2, 3, 7}) {
    set_threads(threads);
    for (const int count : {0, 1, kGrain - 1, kGrain, kGrain + 1, 5 * kGrain + 3})
      for (const int grain : {1, 7, kGrain}) {
        std::vector<std::atomic<int>> visits(count);
        parallel_for(
            count, [&](int i) { ++visits[i]; }, grain);
        for (int i = 0; i < count; ++i) ASSERT_EQ(visits[i], 1) << i << " of " << count;
      }
  }
}

TEST_F(Parallel, SumsInTheOrderOfChunks) {
  // Terms of very different sizes, so that another order gives other bits.
  const auto term = [](int i) { return std::sin(i) * std::pow(10.0, i % 17 - 8); };
  for (const int count : {0, 1, kGrain, 3 * kGrain + 100}) {
    double expected = 0;
    for (int begin = 0; begin < count; begin += kGrain) {
      double chunk = 0;
      for (int i = begin; i < std::min(count, begin + kGrain); ++i) chunk += term(i);
      expected += chunk;
    }
    for (const int threads : {1, 2, 3, 7}) {
      set_threads(threads);
      for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(parallel_sum(count, 0.0, term), expected);
    }
  }
}

TEST_F(Parallel, ThreadCountIsWhatWasAsked) {
  set_threads(3);
  EXPECT_EQ(threads(), 3);
  set_threads(1);
  EXPECT_EQ(threads(), 1);
  set_threads(0);
  EXPECT_GE(threads(), 1);
}

}  // namespace
}  // namespace muslin
