#include "muslin/contact/pairs/near_filter.h"

#include <algorithm>
#include <limits>

#include "muslin/core/simd.h"
#include "muslin/geometry/rounded.h"

namespace muslin {

namespace {

constexpr double kRounding = LaneRounding::kAbsolute;  // also more than a float's own rounding

// A number that no other element has which shares no vertex with this one: what is sewn is near nothing at
// rest.
template <size_t N>
int piece_of_sewn(const Stencil<N>& vertices, const Surfaces& surfaces) {
  int least = std::numeric_limits<int>::max();
  for (const int v : vertices)
    if (surfaces.sewn[v]) least = std::min(least, v);
  return -1 - least;
}

}  // namespace

const NearKernels& near_kernels() {
  return widest_of(KernelsBySimd<NearKernels>{plain_near_kernels(), avx2_near_kernels(), nullptr});
}

float reach_of(double beside, double extent, double extent_at_rest) {
  if (!(std::max(extent, extent_at_rest) < LaneRounding::kLargest / 2))
    return std::numeric_limits<float>::infinity();
  return rounded_up(beside + kRounding * (2 * extent + extent_at_rest));
}

template <size_t N>
void set_lane(FourElements<N>& elements, int k, const Stencil<N>& vertices, const Surfaces& surfaces,
              const SweptPlaces& swept) {
  const auto& [from, along, slack, origin, rest_origin] = swept;
  Vec3 mean = Vec3::Zero();
  for (const int v : vertices) mean += along.col(v) / N;
  double most_half = 0, most_slack = 0, most_beside = 0, extent = 0, extent_at_rest = 0;
  for (size_t i = 0; i < N; ++i) {
    const int v = vertices[i];
    const Vec3 place = from.col(v) - origin, place_at_rest = surfaces.rest.col(v) - rest_origin;
    elements.corner[i].set(k, place);
    elements.rest[i].set(k, place_at_rest);
    most_half = std::max(most_half, surfaces.half_thickness[v]);
    most_slack = std::max(most_slack, slack[v]);
    most_beside = std::max(most_beside, (along.col(v) - mean).norm());
    extent = std::max(extent, place.norm());
    extent_at_rest = std::max(extent_at_rest, place_at_rest.norm());
  }
  elements.way.set(k, mean);
  elements.half_thickness[k] = rounded_up(most_half);
  elements.piece[k] =
      surfaces.is_sewn(vertices) ? piece_of_sewn(vertices, surfaces) : surfaces.piece[vertices[0]];
  const double inset = surfaces.pieces[surfaces.piece[vertices[0]]].inset;
  elements.reach[k] =
      reach_of(inset + most_slack + most_beside + kRounding * mean.norm(), extent, extent_at_rest);
}

template void set_lane<1>(FourElements<1>&, int, const Stencil<1>&, const Surfaces&, const SweptPlaces&);
template void set_lane<2>(FourElements<2>&, int, const Stencil<2>&, const Surfaces&, const SweptPlaces&);
template void set_lane<3>(FourElements<3>&, int, const Stencil<3>&, const Surfaces&, const SweptPlaces&);

}  // namespace muslin
