#include "muslin/core/maths.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <cstring>
#include <limits>
#include <ostream>
#include <string>

#include "muslin/core/random.h"
#include "muslin/core/types.h"
#include "muslin/model/state.h"

namespace muslin {
namespace {

constexpr int kDraws = 4000;

using Exact = long double (*)(long double, long double);

/// A function of one or two numbers, where it is asked, and what it must be.
struct Function {
  const char* name;
  double (*of)(double x, double y);
  Exact exact;
  bool negative;         ///< whether x may be
  int least, most;       ///< binary exponents of |x|
  int units;             ///< of the last place, that an error stays below
  std::uint64_t golden;  ///< checksum of its values: see Bits

  friend std::ostream& operator<<(std::ostream& out, const Function& f) { return out << f.name; }
};

const Function kFunctions[] = {
    {"sin", [](double x, double) { return maths::sin(x); },
     [](long double x, long double) { return std::sin(x); }, true, -30, 30, 1, 0x2a0c765e60d1353d},
    {"cos", [](double x, double) { return maths::cos(x); },
     [](long double x, long double) { return std::cos(x); }, true, -30, 30, 1, 0x8194997a064d96e1},
    {"acos", [](double x, double) { return maths::acos(x); },
     [](long double x, long double) { return std::acos(x); }, true, -30, 0, 1, 0xd986ce379ffa20eb},
    {"atan2", [](double x, double y) { return maths::atan2(x, y); },
     [](long double x, long double y) { return std::atan2(x, y); }, true, -30, 30, 2, 0xbe9e6b3d7b8c1285},
    {"exp", [](double x, double) { return maths::exp(x); },
     [](long double x, long double) { return std::exp(x); }, true, -30, 9, 1, 0xff1b6792ef1dd94b},
    {"expm1", [](double x, double) { return maths::expm1(x); },
     [](long double x, long double) { return std::expm1(x); }, true, -30, 9, 1, 0x7a404bbe5e2f4be9},
    {"log", [](double x, double) { return maths::log(x); },
     [](long double x, long double) { return std::log(x); }, false, -1000, 1000, 1, 0x352ab6ae3fe19b2},
    {"log2", [](double x, double) { return maths::log2(x); },
     [](long double x, long double) { return std::log2(x); }, false, -1000, 1000, 1, 0x3b9f42a204955113},
    {"log10", [](double x, double) { return maths::log10(x); },
     [](long double x, long double) { return std::log10(x); }, false, -1000, 1000, 1, 0x5ade27f57b41ccca},
    {"pow", [](double x, double y) { return maths::pow(x, y); },
     [](long double x, long double y) { return std::pow(x, y); }, false, -7, 7, 1, 0xa3d32698dc9be0b5},
    {"cbrt", [](double x, double) { return maths::cbrt(x); },
     [](long double x, long double) { return std::cbrt(x); }, true, -1000, 1000, 1, 0x283f6d690e8e20e3},
};

/// One of the arguments of a function: from the generator and exact operations, alike on every system.
double argument(const Function& f, int k, int which) {
  const double exponent = f.least + (f.most - f.least) * random_unit(which, k, 0);
  const double size = std::ldexp(0.5 + random_unit(which, k, 1) / 2, static_cast<int>(std::ceil(exponent)));
  return (f.negative || which == 1) && random_unit(which, k, 2) < 0.5 ? -size : size;
}

class Maths : public testing::TestWithParam<Function> {};
INSTANTIATE_TEST_SUITE_P(All, Maths, testing::ValuesIn(kFunctions),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(Maths, IsExactToTheLastPlace) {
  if (std::numeric_limits<long double>::digits <= std::numeric_limits<double>::digits)
    GTEST_SKIP() << "nothing finer to compare with";
  const Function& f = GetParam();
  for (int k = 0; k < kDraws; ++k) {
    const double x = argument(f, k, 0), y = argument(f, k, 1), found = f.of(x, y);
    const long double exact = f.exact(x, y);
    const double near = static_cast<double>(exact);
    const double unit = std::nextafter(std::abs(near), kInfinity) - std::abs(near);
    ASSERT_LT(std::abs(static_cast<double>(found - exact)), f.units * unit)
        << f.name << "(" << x << ", " << y << ")";
  }
}

// A compiler, a flag or a processor that changes one bit of one value changes the checksum.
TEST_P(Maths, HasTheSameBitsEverywhere) {
  const Function& f = GetParam();
  std::uint64_t sum = 0;
  for (int k = 0; k < kDraws; ++k) {
    const double value = f.of(argument(f, k, 0), argument(f, k, 1));
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    sum = (sum ^ bits) * 0x9E3779B97F4A7C15u;
    sum ^= sum >> 29;
  }
  EXPECT_EQ(sum, f.golden) << f.name << std::hex << " 0x" << sum;
}

TEST(Maths, KnowsWhatIsExact) {
  EXPECT_EQ(maths::sin(0), 0);
  EXPECT_EQ(maths::cos(0), 1);
  EXPECT_EQ(maths::exp(0), 1);
  EXPECT_EQ(maths::log(1.0), 0);
  EXPECT_EQ(maths::log2(8), 3);
  EXPECT_EQ(maths::log10(1000), 3);
  EXPECT_EQ(maths::pow(2, -10), 0x1p-10);
  EXPECT_EQ(maths::cbrt(-27), -3);
  EXPECT_EQ(maths::hypot(3, -4), 5);
  EXPECT_EQ(maths::cube(-2), -8);
  EXPECT_EQ(maths::acos(1), 0);
  EXPECT_DOUBLE_EQ(maths::atan2(0.0, -1), std::acos(-1.0));
  EXPECT_DOUBLE_EQ(maths::atan2(-0.0, -1), -std::acos(-1.0));
  EXPECT_DOUBLE_EQ(maths::sin(1e22), -0.8522008497671888) << "many turns";
}

TEST(Maths, HasLimitsAndNoNumberOutsideItsDomain) {
  EXPECT_EQ(maths::exp(-kInfinity), 0);
  EXPECT_EQ(maths::exp(1000), kInfinity);
  EXPECT_EQ(maths::log(0.0), -kInfinity);
  EXPECT_EQ(maths::pow(0, -1), kInfinity);
  EXPECT_EQ(maths::expm1(-kInfinity), -1);
  for (const double x : {maths::log(-1.0), maths::acos(1.5), maths::sin(kInfinity), maths::cos(kInfinity),
                         maths::pow(-1, 0.5), maths::exp(std::nan(""))})
    EXPECT_TRUE(std::isnan(x));
}

// Eigen adds in as many lanes as the compiler's flags allow: another number of them is another order of long
// sums.
TEST(Bits, SumsHaveTwoLanesAndNothingIsFused) {
  EXPECT_EQ(Eigen::internal::packet_traits<double>::size, 2);
#ifdef EIGEN_VECTORIZE_FMA
  ADD_FAILURE() << "compiled for a processor with fused multiply-add: hashes are those of this build alone";
#endif
  volatile double a = 1 + 0x1p-30, c = -(1 + 0x1p-29);
  EXPECT_EQ(a * a + c, 0) << "a product is rounded before it is added to";
}

TEST(Bits, EveryNaNCountsAsOneInAHash) {
  State state;
  state.positions = Points::Constant(3, 2, std::numeric_limits<double>::quiet_NaN());
  State other = state;
  other.positions *= -1;
  other.positions(0, 0) = std::nan("7");
  EXPECT_EQ(hash(other), hash(state));
  other.positions(0, 0) = 0;
  EXPECT_NE(hash(other), hash(state));
}

}  // namespace
}  // namespace muslin
