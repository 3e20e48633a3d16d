#include "muslin/core/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

namespace muslin {
namespace {

TEST(Random, DependsOnItsKeyAlone) {
  std::set<double> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (std::uint64_t id = 0; id < 20; ++id)
      for (std::uint64_t draw = 0; draw < 20; ++draw) {
        const double value = random_unit(seed, id, draw);
        EXPECT_EQ(random_unit(seed, id, draw), value);
        EXPECT_GE(value, 0);
        EXPECT_LT(value, 1);
        seen.insert(value);
      }
  EXPECT_EQ(seen.size(), 8000u) << "two keys gave the same number";
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_LT(random_unit(most, most, most), 1);
}

/// Draws along each of the three keys in turn.
const std::array<std::function<double(std::uint64_t)>, 3> kSequences{
    [](std::uint64_t k) { return random_unit(k, 5, 1); },
    [](std::uint64_t k) { return random_unit(1, k, 0); },
    [](std::uint64_t k) { return random_unit(7, 3, k); },
};

TEST(Random, IsEvenAlongEveryKey) {
  constexpr int kCount = 100'000, kBins = 20;
  for (const auto& draw : kSequences) {
    std::array<int, kBins> bins{};
    double last = draw(0) - 0.5, correlation = 0;
    for (int k = 0; k < kCount; ++k) {
      const double value = draw(k);
      ++bins[static_cast<int>(kBins * value)];
      correlation += 12.0 / kCount * last * (value - 0.5);
      last = value - 0.5;
    }
    double chi_squared = 0;
    for (const int count : bins) chi_squared += std::pow(count - kCount / kBins, 2) / (kCount / kBins);
    EXPECT_LT(chi_squared, 43.8) << "19 degrees of freedom, one in a thousand";
    EXPECT_GT(chi_squared, 5.4) << "too even to be random";
    EXPECT_LT(std::abs(correlation), 4 / std::sqrt(kCount)) << "neighbouring keys";
  }
}

}  // namespace
}  // namespace muslin
