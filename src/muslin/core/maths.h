#pragma once
#include <cmath>

/// What reaches a State takes these in place of the standard library's, whose bits differ between systems,
/// compilers and processors (docs/determinism.md). They are musl's (third_party/musl_maths), with errors
/// below 1 unit in the last place, atan2 below 2. The standard's sqrt, floor and abs are exact everywhere.
namespace muslin::maths {

double sin(double x);              ///< of radians
double cos(double x);              ///< of radians
double acos(double x);             ///< [rad], 0 to π
double atan2(double y, double x);  ///< [rad], of the direction (x, y), −π to π
double exp(double x);              ///< eˣ
double expm1(double x);            ///< eˣ − 1, exact near 0, too
double log(double x);              ///< the natural logarithm
double log2(double x);             ///< to base 2
double log10(double x);            ///< to base 10
double pow(double x, double y);    ///< xʸ
double cbrt(double x);             ///< ∛x

inline float atan2(float y, float x) { return static_cast<float>(atan2(double{y}, double{x})); }  ///< [rad]
inline float log(float x) { return static_cast<float>(log(double{x})); }  ///< the natural logarithm

/// √(x² + y²), infinite where the square of either is, and 0 where both squares are.
inline double hypot(double x, double y) { return std::sqrt(x * x + y * y); }
inline double cube(double x) { return x * x * x; }  ///< x³

}  // namespace muslin::maths
