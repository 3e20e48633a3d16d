#pragma once
#include "muslin/solver/position/element_kernels.h"
#include "muslin/solver/position/step_kernels.h"

// As lane_vector.h: one file for every instruction set. Four vertices are three registers of four doubles,
// which compilers cut in two where registers hold two.

namespace muslin {

inline constexpr int kFour = 12;  // numbers of four vertices
typedef double FourDoubles __attribute__((vector_size(32)));

template <int W>
void predict_all(const double* x, const double* v, double step, const double* fall, int vertices, double* y) {
  double falls[kFour];
  for (int c = 0; c < kFour; ++c) falls[c] = fall[c % 3];
  int k = 0;
  for (; k + kFour <= 3 * vertices; k += kFour)
    for (int c = 0; c < kFour; ++c) y[k + c] = (x[k + c] + step * v[k + c]) + falls[c];
  for (int c = 0; k + c < 3 * vertices; ++c) y[k + c] = (x[k + c] + step * v[k + c]) + falls[c];
}

template <int W>
double carry_all(const double* x, const double* y, double inverse_h, int vertices, double* v) {
  FourDoubles doubts[3] = {};  // of finite numbers, 0
  int k = 0;
  for (; k + kFour <= 3 * vertices; k += kFour)
    for (int r = 0; r < 3; ++r) {
      FourDoubles from, to;
      __builtin_memcpy(&from, x + k + 4 * r, sizeof from);
      __builtin_memcpy(&to, y + k + 4 * r, sizeof to);
      const FourDoubles velocity = inverse_h * (to - from);
      __builtin_memcpy(v + k + 4 * r, &velocity, sizeof velocity);
      doubts[r] += 0.0 * velocity;
    }
  const FourDoubles all = (doubts[0] + doubts[1]) + doubts[2];
  double doubt = (all[0] + all[1]) + (all[2] + all[3]);
  for (; k < 3 * vertices; ++k) {
    v[k] = inverse_h * (y[k] - x[k]);
    doubt += 0.0 * v[k];
  }
  return doubt;
}

/// Four vertices' xyzxyz… as x y z 0 each.
template <int W>
void spread(const float* from, float* to) {
  using Quarter = RegisterOf<4>::Type;
  Quarter a, b, c;
  const Quarter none{};
  __builtin_memcpy(&a, from, sizeof a);
  __builtin_memcpy(&b, from + 4, sizeof b);
  __builtin_memcpy(&c, from + 8, sizeof c);
  const Quarter second = __builtin_shufflevector(a, b, 3, 4, 5, 0),
                third = __builtin_shufflevector(b, c, 2, 3, 4, 0);
  const Quarter rows[4] = {
      __builtin_shufflevector(a, none, 0, 1, 2, 4), __builtin_shufflevector(second, none, 0, 1, 2, 4),
      __builtin_shufflevector(third, none, 0, 1, 2, 4), __builtin_shufflevector(c, none, 1, 2, 3, 4)};
  __builtin_memcpy(to, rows, sizeof rows);
}

/// The opposite.
template <int W>
void gather_four(const float* from, float* to) {
  using Quarter = RegisterOf<4>::Type;
  Quarter row[4];
  __builtin_memcpy(row, from, sizeof row);
  const Quarter packed[3] = {__builtin_shufflevector(row[0], row[1], 0, 1, 2, 4),
                             __builtin_shufflevector(row[1], row[2], 1, 2, 4, 5),
                             __builtin_shufflevector(row[2], row[3], 2, 4, 5, 6)};
  __builtin_memcpy(to, packed, sizeof packed);
}

template <int W>
void load_all(const double* x, const double* origin, int vertices, float* place) {
  double origins[kFour];
  for (int c = 0; c < kFour; ++c) origins[c] = origin[c % 3];
  int v = 0;
  for (; v + 4 <= vertices; v += 4) {
    float four[kFour];
    for (int c = 0; c < kFour; ++c) four[c] = static_cast<float>(x[3 * v + c] - origins[c]);
    spread<W>(four, place + 4 * v);
  }
  for (; v < vertices; ++v)
    for (int c = 0; c < 3; ++c) place[4 * v + c] = static_cast<float>(x[3 * v + c] - origin[c]);
}

template <int W>
void store_all(const float* place, const double* origin, int vertices, double* x) {
  using Quarter = RegisterOf<4>::Type;
  double origins[kFour];
  for (int c = 0; c < kFour; ++c) origins[c] = origin[c % 3];
  FourDoubles from[3];
  __builtin_memcpy(from, origins, sizeof from);
  int v = 0;
  for (; v + 4 <= vertices; v += 4) {
    float four[kFour];
    gather_four<W>(place + 4 * v, four);
    for (int r = 0; r < 3; ++r) {
      Quarter now;
      FourDoubles old;
      __builtin_memcpy(&now, four + 4 * r, sizeof now);
      __builtin_memcpy(&old, x + 3 * v + 4 * r, sizeof old);
      old += __builtin_convertvector(now - __builtin_convertvector(old - from[r], Quarter), FourDoubles);
      __builtin_memcpy(x + 3 * v + 4 * r, &old, sizeof old);
    }
  }
  for (; v < vertices; ++v)
    for (int c = 0; c < 3; ++c)
      x[3 * v + c] += double(place[4 * v + c] - static_cast<float>(x[3 * v + c] - origin[c]));
}

template <int W>
void pull_all(const TetherJob& job) {
  using F = Lanes<W, 1>;
  for (int g = job.first; g < job.first + job.groups; ++g)
    for (int l = 0; l < kTetherLanes; l += W) {
      std::int32_t own[W];
      for (int k = 0; k < W; ++k) own[k] = 4 * (kTetherLanes * g + l + k);
      Vector<F> x = Quads<W>::load(job.place, own).planes();
      for (int k = 0; k < 2; ++k) {
        const int at = (2 * g + k) * kTetherLanes + l;
        const F length = F::load(job.lengths + at);
        const Vector<F> d = x - Quads<W>::load(job.anchors, job.pins + at).planes();
        const F squared = dot(d, d);
        x = x - where_positive(squared - length * length, F::all(1) - length / root(squared)) * d;
      }
      Quads<W>::of(x).store(job.place, own);
    }
}

template <int W>
constexpr StepKernels make_step_kernels() {
  return {predict_all<W>, carry_all<W>, load_all<W>, store_all<W>, pull_all<W>};
}

}  // namespace muslin
