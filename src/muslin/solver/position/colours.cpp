#include "muslin/solver/position/colours.h"

#include <algorithm>
#include <cmath>

#include "muslin/solver/position/line_layout.h"

namespace muslin {

namespace {

constexpr int kTogether = 1024;  // vertices that a thread takes at once

// Places relative to the origin, in float, as kernels want them.
void load(const Points& from, const Vec3& origin, float* to) {
  const int n = static_cast<int>(from.cols());
  for_all_lines(n, (n + kTogether - 1) / kTogether, [&](int chunk) {
    const double* x = from.data();
    for (int v = chunk * kTogether; v < std::min(n, (chunk + 1) * kTogether); ++v)
      for (int axis = 0; axis < 3; ++axis)
        to[4 * v + axis] = static_cast<float>(x[3 * v + axis] - origin[axis]);
  });
}

// x += what kernels moved it by: held vertices stay to the bit. The largest move, squared, if measured.
double store(const float* from, const Vec3& origin, bool measured, Points& to) {
  const int n = static_cast<int>(to.cols()), chunks = (n + kTogether - 1) / kTogether;
  std::vector<double> farthest(chunks, 0);
  for_all_lines(n, chunks, [&](int chunk) {
    double* x = to.data();
    for (int v = chunk * kTogether; v < std::min(n, (chunk + 1) * kTogether); ++v) {
      double moved[3];
      for (int axis = 0; axis < 3; ++axis) {
        const double before = static_cast<float>(x[3 * v + axis] - origin[axis]);
        moved[axis] = double(from[4 * v + axis]) - before;
        x[3 * v + axis] += moved[axis];
      }
      if (measured)
        farthest[chunk] =
            std::max(farthest[chunk], moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2]);
    }
  });
  return *std::max_element(farthest.begin(), farthest.end());
}

}  // namespace

void ColourPath::prepare(const Model& model, const Controls& controls, double h) {
  if (settings_.coarse) tethers_ = Tethers(model, controls);
  streams_ = colour_streams(model, controls, h);
  damped_ = false;
  for (const ColourStream& stream : streams_) damped_ = damped_ || stream.is_damped();
  place_.assign(4 * (static_cast<size_t>(model.vertex_count()) + kColourLanes), 0);
  start_.assign(damped_ ? place_.size() : 0, 0);
}

double ColourPath::project(const Points& start, Points& positions, bool measured) {
  // Numbers are relative to a vertex, so that the rounding of a place is some 1e-7 of the scene's size.
  const Vec3 origin = positions.col(positions.cols() / 2);
  load(positions, origin, place_.data());
  if (damped_) load(start, origin, start_.data());
  tethers_.pull(place_.data());
  for (const ColourStream& stream : streams_) stream.sweep(place_.data(), start_.data());
  return std::sqrt(store(place_.data(), origin, measured, positions));
}

}  // namespace muslin
