#pragma once
#include "muslin/solver/position/grid_kernels.h"
#include "muslin/solver/position/vertex_loops.h"

// As lane_vector.h: one file for every instruction set.

namespace muslin {

typedef RegisterOf<4>::Type FourFloats;

/// The origin as four vertices' xyzxyz… have it.
template <int W>
struct Origins {
  FourDoubles part[3];

  explicit Origins(const double* origin) {
    for (int c = 0; c < kFour; ++c) part[c / 4][c % 4] = origin[c % 3];
  }
};

/// x, y and z of four vertices.
template <int W>
struct FourVertices {
  FourFloats axis[3];

  static FourVertices of_packed(const FourFloats (&packed)[3]) {
    const FourFloats &a = packed[0], &b = packed[1], &c = packed[2];
    return {{__builtin_shufflevector(__builtin_shufflevector(a, b, 0, 3, 6, 6), c, 0, 1, 2, 5),
             __builtin_shufflevector(__builtin_shufflevector(a, b, 1, 4, 7, 7), c, 0, 1, 2, 6),
             __builtin_shufflevector(__builtin_shufflevector(a, b, 2, 5, 5, 5), c, 0, 1, 4, 7)}};
  }
  void pack(FourFloats (&packed)[3]) const {
    const FourFloats &x = axis[0], &y = axis[1], &z = axis[2];
    packed[0] = __builtin_shufflevector(__builtin_shufflevector(x, y, 0, 4, 1, 5), z, 0, 1, 4, 2);
    packed[1] = __builtin_shufflevector(__builtin_shufflevector(y, z, 1, 5, 2, 6),
                                        __builtin_shufflevector(x, y, 2, 6, 2, 6), 0, 1, 4, 5);
    packed[2] = __builtin_shufflevector(__builtin_shufflevector(x, y, 3, 7, 3, 7), z, 6, 0, 1, 7);
  }

  /// x − origin in float.
  static FourVertices load(const double* x, const Origins<W>& origins) {
    FourFloats packed[3];
    for (int k = 0; k < 3; ++k) {
      FourDoubles four;
      __builtin_memcpy(&four, x + 4 * k, sizeof four);
      packed[k] = __builtin_convertvector(four - origins.part[k], FourFloats);
    }
    return of_packed(packed);
  }
  /// x += this − (x − origin in float).
  void store(double* x, const Origins<W>& origins) const {
    FourFloats packed[3];
    pack(packed);
    for (int k = 0; k < 3; ++k) {
      FourDoubles four;
      __builtin_memcpy(&four, x + 4 * k, sizeof four);
      const FourFloats before = __builtin_convertvector(four - origins.part[k], FourFloats);
      four += __builtin_convertvector(packed[k], FourDoubles) - __builtin_convertvector(before, FourDoubles);
      __builtin_memcpy(x + 4 * k, &four, sizeof four);
    }
  }
};

/// Four rows of four numbers into the rows of the transpose.
template <int W>
void turn(const FourFloats& a, const FourFloats& b, const FourFloats& c, const FourFloats& d, float* to,
          std::ptrdiff_t pitch) {
  const FourFloats ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                   cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
                   ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7),
                   cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const FourFloats turned[4] = {__builtin_shufflevector(ab, cd, 0, 1, 4, 5),
                                __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
                                __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
                                __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)};
  for (int k = 0; k < 4; ++k) __builtin_memcpy(to + k * pitch, &turned[k], sizeof turned[k]);
}

template <int W>
void load_grid(const GridRows& rows, const double* x) {
  const Origins<W> origins(rows.origin);
  float* const planes[3] = {rows.place.x, rows.place.y, rows.place.z};
  const auto load_one = [&](int j, std::ptrdiff_t i) {
    const double* vertex = x + 3 * (j * rows.nu + i);
    for (int axis = 0; axis < 3; ++axis)
      planes[axis][i * rows.pitch + j] = static_cast<float>(vertex[axis] - rows.origin[axis]);
  };
  int j = rows.begin;
  for (; j + 4 <= rows.end; j += 4) {
    std::ptrdiff_t i = 0;
    for (; i + 4 <= rows.nu; i += 4) {
      FourVertices<W> row[4];
      for (int r = 0; r < 4; ++r) row[r] = FourVertices<W>::load(x + 3 * ((j + r) * rows.nu + i), origins);
      for (int axis = 0; axis < 3; ++axis)
        turn<W>(row[0].axis[axis], row[1].axis[axis], row[2].axis[axis], row[3].axis[axis],
                planes[axis] + i * rows.pitch + j, rows.pitch);
    }
    for (; i < rows.nu; ++i)
      for (int r = 0; r < 4; ++r) load_one(j + r, i);
  }
  for (; j < rows.end; ++j)
    for (std::ptrdiff_t i = 0; i < rows.nu; ++i) load_one(j, i);
}

template <int W>
void store_grid(const GridRows& rows, double* x) {
  const Origins<W> origins(rows.origin);
  const float* const planes[3] = {rows.place.x, rows.place.y, rows.place.z};
  for (int j = rows.begin; j < rows.end; ++j) {
    std::ptrdiff_t i = 0;
    for (; i + 4 <= rows.nu; i += 4) {
      FourVertices<W> four;
      for (int axis = 0; axis < 3; ++axis)
        __builtin_memcpy(&four.axis[axis], planes[axis] + j * rows.pitch + i, sizeof four.axis[axis]);
      four.store(x + 3 * (j * rows.nu + i), origins);
    }
    for (; i < rows.nu; ++i)
      for (int axis = 0; axis < 3; ++axis) {
        double& place = x[3 * (j * rows.nu + i) + axis];
        place +=
            double(planes[axis][j * rows.pitch + i]) - double(static_cast<float>(place - rows.origin[axis]));
      }
  }
}

template <int W>
void pull_blocks(const Planes& place, const Planes& anchors, const TetherBlock* blocks, int count) {
  using F = Lanes<W, 1>;
  for (int b = 0; b < count; ++b) {
    const TetherBlock& block = blocks[b];
    const Vector<F> pin{F::all(anchors.x[block.anchor]), F::all(anchors.y[block.anchor]),
                        F::all(anchors.z[block.anchor])};
    for (int l = 0; l < kTetherBlock; l += W) {
      const F longest = F::load(block.longest + l);
      const Vector<F> x = Vector<F>::load(place, block.first + l), d = x - pin;
      const F squared = dot(d, d);
      (x - where_positive(squared - longest * longest, F::all(1) - longest / root(squared)) * d)
          .store(place, block.first + l);
    }
  }
}

template <int W>
void gather_rows(const NetRows& rows, const float* weights, const float* numbers, float* sums) {
  for (int r = rows.begin; r < rows.end; ++r) {
    const float *w = weights + r * rows.pitch, *x = numbers + r * rows.pitch;
    float* __restrict begin = sums + rows.cell[r] * static_cast<std::ptrdiff_t>(rows.lanes);
    float* __restrict end = begin + rows.lanes;
    const float p = rows.fraction[r];
    for (int l = 0; l < rows.lanes; ++l) {
      const float weighted = w[l] * x[l];
      begin[l] += (1 - p) * weighted;
      end[l] += p * weighted;
    }
  }
}

template <int W>
void spread_rows(const NetRows& rows, const float* free, const float* net, float* numbers) {
  for (int r = rows.begin; r < rows.end; ++r) {
    const float *begin = net + rows.cell[r] * static_cast<std::ptrdiff_t>(rows.lanes),
                *end = begin + rows.lanes, *is_free = free + r * rows.pitch;
    float* __restrict x = numbers + r * rows.pitch;
    const float p = rows.fraction[r];
    for (int l = 0; l < rows.lanes; ++l) x[l] += is_free[l] * (begin[l] + p * (end[l] - begin[l]));
  }
}

template <int W>
constexpr GridKernels make_grid_kernels() {
  return {load_grid<W>, store_grid<W>, pull_blocks<W>, gather_rows<W>, spread_rows<W>};
}

}  // namespace muslin
