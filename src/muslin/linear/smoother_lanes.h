#pragma once
#include "muslin/core/simd_register.h"
#include "muslin/linear/smoother_kernels.h"

// Included by one file for each instruction set, which instantiates it for its width. No plain inline
// functions: the linker would keep one copy for all processors.

namespace muslin {

/// Three components of W rows.
template <int W>
struct RowLanes {
  using Register = typename RegisterOf<W>::Type;
  using Four = typename RegisterOf<4>::Type;
  Register x, y, z;

  static RowLanes zero() { return {Register{}, Register{}, Register{}}; }
  /// Rows that begin at from[at[0]], from[at[1]], …
  static RowLanes gather(const float* from, const int* at) {
    return transposed([&](int k) { return four(from + at[k]); });
  }
  /// W rows in a row of memory.
  static RowLanes load(const float* from) {
    return transposed([&](int k) { return four(from + 4 * k); });
  }
  void store(float* to) const {
    Register a = x, b = y, c = z, d = Register{};
    Fours<W>::transpose(a, b, c, d);
    const Register rows[4] = {a, b, c, d};
    for (int k = 0; k < 4; ++k)
      for (int half = 0; half < W / 4; ++half)
        __builtin_memcpy(to + 16 * half + 4 * k, reinterpret_cast<const char*>(&rows[k]) + 16 * half, 16);
  }

 private:
  static Four four(const float* from) {
    Four r;
    __builtin_memcpy(&r, from, sizeof r);
    return r;
  }
  /// Rows k and k + 4 side by side
  static Register joined(const Four& low, const Four& high) {
    if constexpr (W == 4)
      return low;
    else
      return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
  }
  template <class Row>
  static RowLanes transposed(const Row& row) {
    constexpr int kHigh = W - 4;
    Register a = joined(row(0), row(kHigh)), b = joined(row(1), row(kHigh + 1)),
             c = joined(row(2), row(kHigh + 2)), d = joined(row(3), row(kHigh + 3));
    Fours<W>::transpose(a, b, c, d);
    return {a, b, c};
  }
};

/// W blocks of a slot, one a row.
template <int W>
struct BlockLanes {
  using Register = typename RegisterOf<W>::Type;
  const float* block;

  Register entry(int row, int column) const {
    Register r;
    __builtin_memcpy(&r, block + kGroupRows * (3 * column + row), sizeof r);
    return r;
  }
  /// B v
  RowLanes<W> times(const RowLanes<W>& v) const {
    return {entry(0, 0) * v.x + entry(0, 1) * v.y + entry(0, 2) * v.z,
            entry(1, 0) * v.x + entry(1, 1) * v.y + entry(1, 2) * v.z,
            entry(2, 0) * v.x + entry(2, 1) * v.y + entry(2, 2) * v.z};
  }
  /// sum −= B v, column after column
  void subtract(const RowLanes<W>& v, RowLanes<W>& sum) const {
    sum.x -= entry(0, 0) * v.x, sum.y -= entry(1, 0) * v.x, sum.z -= entry(2, 0) * v.x;
    sum.x -= entry(0, 1) * v.y, sum.y -= entry(1, 1) * v.y, sum.z -= entry(2, 1) * v.y;
    sum.x -= entry(0, 2) * v.z, sum.y -= entry(1, 2) * v.z, sum.z -= entry(2, 2) * v.z;
  }
};

/// W of a group's rows.
template <int W>
struct GroupRows {
  using Rows = RowLanes<W>;
  const SweepJob& sweep;
  int index, lane;  // of the group; the first of the rows in it

  const RowGroup& group() const { return sweep.groups[index]; }
  int row() const { return kGroupRows * index + lane; }
  Rows load(const float* from) const { return Rows::load(from + 4 * row()); }
  void store(const Rows& rows, float* to) const { rows.store(to + 4 * row()); }
  BlockLanes<W> at(const float* blocks, int k) const { return {blocks + kGroupBlock * k + lane}; }
  BlockLanes<W> inverse() const { return at(sweep.inverse, index); }

  /// sum + bound v
  Rows plus_bound(Rows sum, const float* v) const {
    if (!group().has_bound) return sum;
    const Rows more = at(sweep.bound, index).times(load(v));
    return {sum.x + more.x, sum.y + more.y, sum.z + more.z};
  }
  /// sum less the blocks of these slots times v
  Rows minus(Rows sum, int begin, int end, const float* v) const {
    for (int k = begin; k < end; ++k)
      at(sweep.blocks, k).subtract(Rows::gather(v, sweep.column + kGroupRows * k + lane), sum);
    return sum;
  }
  /// Subtracts the added blocks of one part (0: lower, 1: upper, 2: outer) times v. Comes first, since the
  /// rows wait longest for the blocks of the same colour.
  Rows minus_added(const Rows& sum, int part, const float* v) const {
    if (!sweep.added || sweep.added->begin[3 * row()] == sweep.added->begin[3 * (row() + W)]) return sum;
    float rows[4 * W];
    sum.store(rows);
    for (int k = 0; k < W; ++k) {
      const int* begin = sweep.added->begin + 3 * (row() + k) + part;
      for (int e = begin[0]; e < begin[1]; ++e) {
        const float *block = sweep.added->blocks + 12 * e, *from = v + sweep.added->column[e];
        for (int column = 0; column < 3; ++column)
          for (int entry = 0; entry < 4; ++entry)
            rows[4 * k + entry] -= block[4 * column + entry] * from[column];
      }
    }
    return Rows::load(rows);
  }
};

template <int W>
void smooth_forwards(const SweepJob& sweep, int first, int last) {
  for (int g = first; g < last; ++g)
    for (int lane = 0; lane < kGroupRows; lane += W) {
      const GroupRows<W> rows{sweep, g, lane};
      RowLanes<W> rest = rows.minus_added(rows.load(sweep.b), 0, sweep.x);
      rest = rows.minus(rest, rows.group().lower, rows.group().upper, sweep.x);
      rows.store(rows.inverse().times(rest), sweep.x);
    }
  for (int g = first; g < last; ++g)
    for (int lane = 0; lane < kGroupRows; lane += W) {
      const GroupRows<W> rows{sweep, g, lane};
      RowLanes<W> rest = rows.minus_added(RowLanes<W>::zero(), 1, sweep.x);
      rest = rows.plus_bound(rest, sweep.x);
      rows.store(rows.minus(rest, rows.group().upper, rows.group().outer, sweep.x), sweep.r);
    }
}

template <int W>
void subtract_outer(const SweepJob& sweep, int first, int last) {
  for (int g = first; g < last; ++g) {
    if (!sweep.added && sweep.groups[g].outer == sweep.groups[g].end) continue;
    for (int lane = 0; lane < kGroupRows; lane += W) {
      const GroupRows<W> rows{sweep, g, lane};
      const RowLanes<W> rest = rows.minus_added(rows.load(sweep.r), 2, sweep.x);
      rows.store(rows.minus(rest, rows.group().outer, rows.group().end, sweep.x), sweep.r);
    }
  }
}

template <int W>
void smooth_backwards(const SweepJob& sweep, int first, int last) {
  for (int g = last - 1; g >= first; --g)
    for (int lane = 0; lane < kGroupRows; lane += W) {
      const GroupRows<W> rows{sweep, g, lane};
      const RowGroup& group = rows.group();
      RowLanes<W> rest = rows.minus_added(rows.load(sweep.b), 2, sweep.r);
      rest = rows.minus_added(rest, 0, sweep.r);
      rest = rows.minus_added(rest, 1, sweep.x);
      rest = rows.plus_bound(rest, sweep.r);
      rest = rows.minus(rest, group.outer, group.end, sweep.r);
      rest = rows.minus(rest, group.lower, group.upper, sweep.r);
      rest = rows.minus(rest, group.upper, group.outer, sweep.x);
      rows.store(rows.inverse().times(rest), sweep.x);
    }
}

template <int W>
void interleave(const float* blocks, const int* at, int slots, float* to) {
  for (int k = 0; k < slots; ++k, at += kGroupRows, to += kGroupBlock)
    for (int lane = 0; lane < kGroupRows; lane += W)
      for (int column = 0; column < 3; ++column) {
        const RowLanes<W> entries = RowLanes<W>::gather(blocks + 4 * column, at + lane);
        __builtin_memcpy(to + kGroupRows * (3 * column) + lane, &entries.x, sizeof entries.x);
        __builtin_memcpy(to + kGroupRows * (3 * column + 1) + lane, &entries.y, sizeof entries.y);
        __builtin_memcpy(to + kGroupRows * (3 * column + 2) + lane, &entries.z, sizeof entries.z);
      }
}

template <int W>
constexpr SmootherKernels make_smoother_kernels() {
  return {smooth_forwards<W>, subtract_outer<W>, smooth_backwards<W>, interleave<W>};
}

}  // namespace muslin
