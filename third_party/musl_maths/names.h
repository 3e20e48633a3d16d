/* Read before every file of this folder: gives each name a prefix of its own, so that none meets the C library's, and so
 * that no compiler takes one for a function that it may replace. What the files ask of the C library is exact everywhere:
 * fabs, sqrt, floor, scalbn. */
#include <float.h>
#include <math.h>
#include <stdint.h>

/* One set of bits: also where the target has fused operations, which musl would use. */
#undef __FP_FAST_FMA

#define hidden
#define acos muslin_musl_acos
#define atan muslin_musl_atan
#define atan2 muslin_musl_atan2
#define cbrt muslin_musl_cbrt
#define cos muslin_musl_cos
#define exp muslin_musl_exp
#define expm1 muslin_musl_expm1
#define log muslin_musl_log
#define log10 muslin_musl_log10
#define log2 muslin_musl_log2
#define pow muslin_musl_pow
#define sin muslin_musl_sin
#define __cos muslin_musl_kernel_cos
#define __exp_data muslin_musl_exp_data
#define __log2_data muslin_musl_log2_data
#define __log_data muslin_musl_log_data
#define __math_divzero muslin_musl_divzero
#define __math_invalid muslin_musl_invalid
#define __math_oflow muslin_musl_oflow
#define __math_uflow muslin_musl_uflow
#define __math_xflow muslin_musl_xflow
#define __pow_log_data muslin_musl_pow_log_data
#define __rem_pio2 muslin_musl_rem_pio2
#define __rem_pio2_large muslin_musl_rem_pio2_large
#define __sin muslin_musl_kernel_sin

double acos(double), atan(double), atan2(double, double), cbrt(double), cos(double), exp(double), expm1(double), log(double),
    log10(double), log2(double), pow(double, double), sin(double);
