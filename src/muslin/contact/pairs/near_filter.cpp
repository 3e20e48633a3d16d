#include "muslin/contact/pairs/near_filter.h"

#include <algorithm>

namespace muslin {

namespace {

constexpr float kMore = 0x1p-20F;
constexpr double kRounding = FourDistances::kRounding;  // also more than a float's own rounding

template <size_t N>
std::array<FourVectors, N> spread(const std::array<FourVectors, N>& corners, int lane) {
  std::array<FourVectors, N> one;
  for (size_t i = 0; i < N; ++i) one[i] = corners[i].spread(lane);
  return one;
}

template <size_t N, size_t M>
int near(const FourElements<N>& a, int lane, const FourElements<M>& b, int hits) {
  // 1. Nearer than both together are thick
  const FourVectors motion = a.way.spread(lane) - b.way;
  const Floats beside = four(a.reach[lane]) + b.reach + root(dot(motion, motion));
  const Floats thick = four(a.half_thickness[lane]) + b.half_thickness;
  const Floats lower = four_distances(spread(a.corner, lane), b.corner).lower;
  const auto parted = [&](Floats radius) { return bits_of(lower > (radius + beside) * four(1 + kMore)); };
  hits &= ~parted(thick);
  if (hits == 0) return 0;

  // 2. Neighbours: nearer than half of what they are apart at rest
  const Ints is_one_piece = b.piece == a.piece[lane];
  if ((bits_of(is_one_piece) & hits) == 0) return hits;
  const Floats rest = four_distances(spread(a.rest, lane), b.rest).upper;
  return hits & ~parted(is_one_piece ? least(thick, static_cast<float>(kRestFraction) * rest) : thick);
}

}  // namespace

template <size_t N>
void FourElements<N>::set(int k, const Stencil<N>& vertices, const Surfaces& surfaces,
                          const SweptPlaces& swept) {
  const auto& [from, along, slack, origin, rest_origin] = swept;
  Vec3 mean = Vec3::Zero();
  for (const int v : vertices) mean += along.col(v) / N;
  double most_half = 0, most_slack = 0, most_beside = 0, extent = 0, extent_at_rest = 0;
  for (size_t i = 0; i < N; ++i) {
    const int v = vertices[i];
    const Vec3 place = from.col(v) - origin, place_at_rest = surfaces.rest.col(v) - rest_origin;
    corner[i].set(k, place);
    rest[i].set(k, place_at_rest);
    most_half = std::max(most_half, surfaces.half_thickness[v]);
    most_slack = std::max(most_slack, slack[v]);
    most_beside = std::max(most_beside, (along.col(v) - mean).norm());
    extent = std::max(extent, place.norm());
    extent_at_rest = std::max(extent_at_rest, place_at_rest.norm());
  }
  way.set(k, mean);
  half_thickness[k] = rounded_up(most_half);
  piece[k] = surfaces.piece[vertices[0]];
  const double inset = surfaces.pieces[surfaces.piece[vertices[0]]].inset;
  const double rounding = kRounding * (2 * extent + extent_at_rest + mean.norm());
  const bool is_in_range = std::max(extent, extent_at_rest) < FourDistances::kLargest / 2;
  reach[k] = is_in_range ? rounded_up(inset + most_slack + most_beside + rounding)
                         : std::numeric_limits<float>::infinity();
}

template struct FourElements<1>;
template struct FourElements<2>;
template struct FourElements<3>;

int near_lanes(const FourElements<1>& a, int lane, const FourElements<3>& b, int hits) {
  return near(a, lane, b, hits);
}

int near_lanes(const FourElements<2>& a, int lane, const FourElements<2>& b, int hits) {
  return near(a, lane, b, hits);
}

}  // namespace muslin
