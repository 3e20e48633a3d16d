#include "muslin/geometry/turn.h"

#include <array>
#include <cmath>

namespace muslin {

namespace {

// What rounding can do to the determinant of differences, relative to the sum of its two products
// [Shewchuk 1997, §4.3]: (3 + 16 u) u with u = 2^-53, here rounded up.
constexpr double kTurnRounding = 4 * 0x1p-53;

/// A sum of doubles without rounding: parts that do not overlap, the largest last [Shewchuk 1997, §2].
class ExactSum {
 public:
  void add(double b) {
    for (int k = 0; k < count_; ++k) {
      const double sum = b + parts_[k], of_part = sum - b;
      parts_[k] = (b - (sum - of_part)) + (parts_[k] - of_part);
      b = sum;
    }
    parts_[count_++] = b;
  }
  void add_product(double a, double b) {
    const double product = a * b;
    const auto [a_high, a_low] = halves(a);
    const auto [b_high, b_low] = halves(b);
    add(a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low));
    add(product);
  }
  int sign() const {
    for (int k = count_ - 1; k >= 0; --k)
      if (parts_[k] != 0) return parts_[k] > 0 ? 1 : -1;
    return 0;
  }

 private:
  /// Two numbers of 26 bits each, of which a double is the sum.
  static std::array<double, 2> halves(double a) {
    const double wide = 0x1.0000002p27 * a, high = wide - (wide - a);
    return {high, a - high};
  }
  std::array<double, 12> parts_{};
  int count_ = 0;
};

}  // namespace

int turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  const double left = (a.x() - c.x()) * (b.y() - c.y()), right = (a.y() - c.y()) * (b.x() - c.x());
  const double bound = kTurnRounding * (std::abs(left) + std::abs(right));
  if (left - right > bound) return 1;
  if (right - left > bound) return -1;
  ExactSum sum;
  sum.add_product(a.x(), b.y());
  sum.add_product(-a.x(), c.y());
  sum.add_product(-c.x(), b.y());
  sum.add_product(-a.y(), b.x());
  sum.add_product(a.y(), c.x());
  sum.add_product(c.y(), b.x());
  return sum.sign();
}

}  // namespace muslin
