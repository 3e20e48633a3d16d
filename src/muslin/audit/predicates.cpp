#include "muslin/audit/predicates.h"

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

namespace muslin {

namespace {

/// Wide enough for any: mantissas of 53 bits end between 2^-1126 and 2^1024, which spans 2150 bits; a
/// difference has one more, and six products of three differences have 3 more than thrice that.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
    6464, 6464, boost::multiprecision::signed_magnitude, boost::multiprecision::unchecked, void>>;

// --- the filter: doubles, and a bound of what their rounding can do [Shewchuk 1997, §4] ---------------

constexpr double kUnit = 0x1p-53;  // largest relative error of one operation

// A determinant of differences, the largest in row i being m_i. Every product of the sum passes through at
// most 8 roundings in three dimensions (3 differences, 2 products, 3 sums) and 4 in two (2, 1, 1), and there
// are 6 and 2 products, none above the product of all m_i. So the error is below 8 · 6 and 4 · 2 units of
// that; one unit more pays for the second order and for rounding the bound itself.
constexpr double kBound3 = 49 * kUnit, kBound2 = 9 * kUnit;

// Between these nothing overflows, and what underflow loses, below 2^-822 in all, is far less than the one
// unit that is left over, above 2^-803.
constexpr double kSmallest = 0x1p-250, kLargest = 0x1p250;
bool is_moderate(double m) { return m >= kSmallest && m <= kLargest; }

double largest(double a, double b) { return std::max(std::abs(a), std::abs(b)); }
double largest(double a, double b, double c) { return std::max(largest(a, b), std::abs(c)); }

constexpr int kUnknown = 2;

int sign_beyond(double value, double bound) { return value > bound ? 1 : value < -bound ? -1 : kUnknown; }

int filtered_sign(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double mx = largest(a.x(), b.x(), c.x()), my = largest(a.y(), b.y(), c.y()),
               mz = largest(a.z(), b.z(), c.z());
  if (mx == 0 || my == 0 || mz == 0) return 0;  // a difference is 0 only where it is so exactly
  if (!is_moderate(mx) || !is_moderate(my) || !is_moderate(mz)) return kUnknown;
  const double det = (b.x() * c.y() - b.y() * c.x()) * a.z() + (c.x() * a.y() - c.y() * a.x()) * b.z() +
                     (a.x() * b.y() - a.y() * b.x()) * c.z();
  return sign_beyond(det, kBound3 * (mx * my * mz));
}

// --- exactly: every double is an integer on the grid of the finest one ---------------------------------

/// The exponent of the last bit of a double.
int last_bit(double value) {
  int exponent;
  std::frexp(value, &exponent);
  return exponent - 53;
}

/// value / 2^grid, where grid is at most the value's last bit.
Integer on_grid(double value, int grid) {
  if (value == 0) return 0;
  int exponent;
  const double mantissa = std::frexp(value, &exponent);
  return Integer(static_cast<long long>(std::ldexp(mantissa, 53))) << (exponent - 53 - grid);
}

template <std::size_t N>
std::array<Integer, N> on_common_grid(const std::array<double, N>& values) {
  int grid = 1024;
  for (const double value : values)
    if (value != 0) grid = std::min(grid, last_bit(value));
  std::array<Integer, N> integers;
  for (std::size_t i = 0; i < N; ++i) integers[i] = on_grid(values[i], grid);
  return integers;
}

/// The rows may have grids of their own: that scales the determinant by a power of two.
std::array<Integer, 3> differences(double a, double b, double c, double d) {
  const auto p = on_common_grid<4>({a, b, c, d});
  return {p[0] - p[3], p[1] - p[3], p[2] - p[3]};
}

}  // namespace

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const int sign = filtered_sign(b - d, a - d, c - d);
  if (sign != kUnknown) return sign;
  const auto x = differences(b.x(), a.x(), c.x(), d.x());
  const auto y = differences(b.y(), a.y(), c.y(), d.y());
  const auto z = differences(b.z(), a.z(), c.z(), d.z());
  const Integer det = (x[1] * y[2] - y[1] * x[2]) * z[0] + (x[2] * y[0] - y[2] * x[0]) * z[1] +
                      (x[0] * y[1] - y[0] * x[1]) * z[2];
  return det.sign();
}

int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double au = a[u] - c[u], av = a[v] - c[v], bu = b[u] - c[u], bv = b[v] - c[v];
  const double mu = largest(au, bu), mv = largest(av, bv);
  if (mu == 0 || mv == 0) return 0;
  if (is_moderate(mu) && is_moderate(mv)) {
    const int sign = sign_beyond(au * bv - av * bu, kBound2 * (mu * mv));
    if (sign != kUnknown) return sign;
  }
  const auto p = on_common_grid<3>({a[u], b[u], c[u]}), q = on_common_grid<3>({a[v], b[v], c[v]});
  return Integer((p[0] - p[2]) * (q[1] - q[2]) - (q[0] - q[2]) * (p[1] - p[2])).sign();
}

}  // namespace muslin
