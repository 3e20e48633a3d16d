/* The part of musl's src/internal/libm.h that the files of this folder use: doubles alone, without what only raises the
 * flags of floating-point exceptions, which nobody reads here. */
#ifndef MUSLIN_MUSL_LIBM_H
#define MUSLIN_MUSL_LIBM_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#define WANT_ROUNDING 1
#define issignaling_inline(x) 0
#define TOINT_INTRINSICS 0

#define predict_true(x) __builtin_expect(!!(x), 1)
#define predict_false(x) __builtin_expect(x, 0)

static inline double eval_as_double(double x) { return x; }
static inline double fp_barrier(double x) { return x; }
static inline void fp_force_eval(double x) { (void)x; }
#define FORCE_EVAL(x) ((void)(x))

#define asuint64(f) ((union{double _f; uint64_t _i;}){f})._i
#define asdouble(i) ((union{uint64_t _i; double _f;}){i})._f

#define EXTRACT_WORDS(hi,lo,d)                    \
do {                                              \
  uint64_t __u = asuint64(d);                     \
  (hi) = __u >> 32;                               \
  (lo) = (uint32_t)__u;                           \
} while (0)

#define GET_HIGH_WORD(hi,d)                       \
do {                                              \
  (hi) = asuint64(d) >> 32;                       \
} while (0)

#define GET_LOW_WORD(lo,d)                        \
do {                                              \
  (lo) = (uint32_t)asuint64(d);                   \
} while (0)

#define INSERT_WORDS(d,hi,lo)                     \
do {                                              \
  (d) = asdouble(((uint64_t)(hi)<<32) | (uint32_t)(lo)); \
} while (0)

#define SET_HIGH_WORD(d,hi)                       \
  INSERT_WORDS(d, hi, (uint32_t)asuint64(d))

#define SET_LOW_WORD(d,lo)                        \
  INSERT_WORDS(d, asuint64(d)>>32, lo)

int    __rem_pio2_large(double*,double*,int,int,int);
int    __rem_pio2(double,double*);
double __sin(double,double,int);
double __cos(double,double);

double __math_xflow(uint32_t, double);
double __math_uflow(uint32_t);
double __math_oflow(uint32_t);
double __math_divzero(uint32_t);
double __math_invalid(double);

#endif
