#pragma once
#include <cmath>

/// What reaches a State takes these in place of <cmath>'s, whose bits differ between systems, compilers and
/// processors (docs/determinism.md). They are musl's (third_party/musl_maths), with errors below 1 unit in
/// the last place. Of <cmath> remains what is exact everywhere: sqrt, floor, abs and their kind.
namespace muslin::maths {

double sin(double x);
double cos(double x);
double acos(double x);
double atan2(double y, double x);
double exp(double x);
double expm1(double x);
double log(double x);
double log2(double x);
double log10(double x);
double pow(double x, double y);
double cbrt(double x);

/// √(x² + y²), infinite where the square of either is.
inline double hypot(double x, double y) { return std::sqrt(x * x + y * y); }
inline double cube(double x) { return x * x * x; }

}  // namespace muslin::maths
