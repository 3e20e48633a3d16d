#pragma once
#include "muslin/core/simd_register.h"

// atan2 of several numbers at once, with the bits of core/maths.h: the reductions, coefficients and order of
// musl's atan (third_party/musl_maths), where a choice between branches is one between lanes. Included by one
// file for every instruction set; nothing here may be a plain inline function.
//
// ====================================================
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
// Developed at SunPro, a Sun Microsystems, Inc. business.
// Permission to use, copy, modify, and distribute this
// software is freely granted, provided that this notice
// is preserved.
// ====================================================

namespace muslin {

/// Of W doubles side by side.
template <int W>
struct LaneAtan2 {
  using Lanes = typename DoublesOf<W>::Type;
  using Bits = typename DoublesOf<W>::Integers;

  /// `exactly` is asked where a number is 0 or none, or one is 2⁶⁰ times the other.
  static Lanes of(const Lanes& y, const Lanes& x, double (*exactly)(double y, double x)) {
    constexpr long long kSign = 1LL << 63;
    constexpr double kPi = 3.1415926535897931160E+00, kPiLow = 1.2246467991473531772E-16;
    constexpr double kLargest = 0x1p1000;
    const Lanes y_size = reinterpret_cast<Lanes>(reinterpret_cast<Bits>(y) & ~kSign);
    const Lanes x_size = reinterpret_cast<Lanes>(reinterpret_cast<Bits>(x) & ~kSign);
    const Lanes z = of_positive(y_size / x_size), low = z - kPiLow;
    const Bits is_below = reinterpret_cast<Bits>(y) < 0, is_behind = reinterpret_cast<Bits>(x) < 0;
    const Lanes above = is_behind ? kPi - low : z, below = is_behind ? low - kPi : -z;
    Lanes angle = is_below ? below : above;
    const Bits is_usual = (x_size > 0) & (x_size < kLargest) & (y_size < 0x1p60 * x_size);
    for (int k = 0; k < W; ++k)
      if (!is_usual[k]) angle[k] = exactly(y[k], x[k]);
    return angle;
  }

 private:
  /// atan t, t ≥ 0
  static Lanes of_positive(const Lanes& t) {
    const Lanes zero = {}, one = zero + 1;
    const Bits small = t < 0.4375, half = t < 0.6875, about_one = t < 1.1875, moderate = t < 2.4375;
    const auto choose = [&](const Lanes& a, const Lanes& b, const Lanes& c, const Lanes& d, const Lanes& e) {
      return small ? a : half ? b : about_one ? c : moderate ? d : e;
    };
    const auto number = [&](double x) { return zero + x; };
    const Lanes high = choose(zero, number(4.63647609000806093515e-01), number(7.85398163397448278999e-01),
                              number(9.82793723247329054082e-01), number(1.57079632679489655800e+00));
    const Lanes low = choose(zero, number(2.26987774529616870924e-17), number(3.06161699786838301793e-17),
                             number(1.39033110312309984516e-17), number(6.12323399573676603587e-17));
    const Lanes r = choose(t, 2 * t - 1, t - 1, t - 1.5, -one) / choose(one, 2 + t, t + 1, 1 + 1.5 * t, t);
    const Lanes z = r * r, w = z * z;
    const Lanes odd =
        z * (3.33333333333329318027e-01 +
             w * (1.42857142725034663711e-01 +
                  w * (9.09088713343650656196e-02 +
                       w * (6.66107313738753120669e-02 +
                            w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))));
    const Lanes even = w * (-1.99999999998764832476e-01 +
                            w * (-1.11111104054623557880e-01 +
                                 w * (-7.69187620504482999495e-02 +
                                      w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))));
    return high - (r * (odd + even) - low - r);
  }
};

}  // namespace muslin
