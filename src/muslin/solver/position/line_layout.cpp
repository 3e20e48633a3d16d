#include "muslin/solver/position/line_layout.h"

#include <algorithm>

#include "muslin/core/simd_register.h"

namespace muslin {

namespace {

// Four by four floats from rows of one pitch to rows of another, turned.
void turn_four(const float* from, std::ptrdiff_t pitch, float* to, std::ptrdiff_t to_pitch) {
  RegisterOf<4>::Type r[4];
  for (int k = 0; k < 4; ++k) __builtin_memcpy(&r[k], from + k * pitch, sizeof r[k]);
  Fours<4>::transpose(r[0], r[1], r[2], r[3]);
  for (int k = 0; k < 4; ++k) __builtin_memcpy(to + k * to_pitch, &r[k], sizeof r[k]);
}

}  // namespace

float* line_scratch(size_t size) {
  thread_local std::vector<float> memory;
  if (memory.size() < size) memory.resize(size);
  return memory.data();
}

void LineLayout::resize(int rows, int columns) {
  along = rows;
  lanes = columns;
  pitch = (columns + kPadding + kMostLanes + kPadding - 1) / kPadding * kPadding;
  const size_t size = static_cast<size_t>(rows * pitch + kPadding + kMostLanes);
  for (std::vector<float>& plane : place) plane.assign(size, 0);
  inverse_mass.assign(size, 0);
}

void LineLayout::turn(const LineLayout& from, const std::vector<float> (&planes)[3],
                      std::vector<float> (&to)[3]) {
  for_all_lines(along * lanes, (along + kTile - 1) / kTile, [&](int tile) {
    const int begin = tile * kTile, end = std::min(along, begin + kTile);
    for (int axis = 0; axis < 3; ++axis) {
      const float* columns = planes[axis].data();
      float* rows = to[axis].data();
      const auto turn_one = [&](int j, int i) { rows[at(j, i)] = columns[from.at(i, j)]; };
      int i = 0;
      for (; i + 4 <= lanes; i += 4) {
        int j = begin;
        for (; j + 4 <= end; j += 4) turn_four(columns + from.at(i, j), from.pitch, rows + at(j, i), pitch);
        for (; j < end; ++j)
          for (int k = 0; k < 4; ++k) turn_one(j, i + k);
      }
      for (; i < lanes; ++i)
        for (int j = begin; j < end; ++j) turn_one(j, i);
    }
  });
}

}  // namespace muslin
