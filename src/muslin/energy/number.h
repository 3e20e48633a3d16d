#pragma once
#include <concepts>

#include "muslin/core/types.h"

// What the mathematics of elements asks of a number type T beside arithmetic, comparison, numbers made of
// doubles, and sqrt and what core/maths.h has: a choice that every number of a pack makes by itself. A
// comparison of doubles is a bool; one of packs is a mask, for which the pack's own namespace has any, all,
// both and select.

namespace muslin {

/// Whether a condition holds for any number of a pack.
inline bool any(bool holds) { return holds; }
/// Whether it holds for all of them.
inline bool all(bool holds) { return holds; }
/// Where two conditions hold at once.
inline bool both(bool one, bool other) { return one && other; }

/// `yes` where the condition holds, else `no`.
template <class T>
inline T select(bool holds, const T& yes, const T& no) {
  return holds ? yes : no;
}
/// The same for every entry of matrices of packs.
template <class Mask, class T, int Rows, int Columns>
requires(!std::same_as<Mask, bool>) Eigen::Matrix<T, Rows, Columns> select(
    const Mask& holds, const Eigen::Matrix<T, Rows, Columns>& yes,
    const Eigen::Matrix<T, Rows, Columns>& no) {
  Eigen::Matrix<T, Rows, Columns> chosen;
  for (int i = 0; i < Rows * Columns; ++i) chosen.data()[i] = select(holds, yes.data()[i], no.data()[i]);
  return chosen;
}

/// A vector or matrix where the condition holds, else zero; for doubles the expression is not evaluated else.
template <class Mask, class Expression>
inline typename Expression::PlainObject or_zero(const Mask& holds,
                                                const Eigen::MatrixBase<Expression>& value) {
  using Plain = typename Expression::PlainObject;
  if (!any(holds)) return Plain::Zero();
  if constexpr (std::same_as<Mask, bool>)
    return value;
  else
    return select(holds, Plain(value), Plain(Plain::Zero()));
}

/// The larger; of equal numbers the first, as std::max.
template <class T>
inline T larger(const T& a, const T& b) {
  return select(a < b, b, a);
}
/// The smaller; of equal numbers the first, as std::min.
template <class T>
inline T smaller(const T& a, const T& b) {
  return select(b < a, b, a);
}

/// x, and zero in place of what is negative or no number.
template <class T>
inline T positive(const T& x) {
  return larger(T(0), x);
}

}  // namespace muslin
