#include "muslin/core/maths.h"

extern "C" {
double muslin_musl_sin(double x);
double muslin_musl_cos(double x);
double muslin_musl_acos(double x);
double muslin_musl_atan2(double y, double x);
double muslin_musl_exp(double x);
double muslin_musl_expm1(double x);
double muslin_musl_log(double x);
double muslin_musl_log2(double x);
double muslin_musl_log10(double x);
double muslin_musl_pow(double x, double y);
double muslin_musl_cbrt(double x);
}

namespace muslin::maths {

double sin(double x) { return muslin_musl_sin(x); }
double cos(double x) { return muslin_musl_cos(x); }
double acos(double x) { return muslin_musl_acos(x); }
double atan2(double y, double x) { return muslin_musl_atan2(y, x); }
double exp(double x) { return muslin_musl_exp(x); }
double expm1(double x) { return muslin_musl_expm1(x); }
double log(double x) { return muslin_musl_log(x); }
double log2(double x) { return muslin_musl_log2(x); }
double log10(double x) { return muslin_musl_log10(x); }
double pow(double x, double y) { return muslin_musl_pow(x, y); }
double cbrt(double x) { return muslin_musl_cbrt(x); }

}  // namespace muslin::maths
