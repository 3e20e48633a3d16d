#pragma once
#include "muslin/contact/pairs/near_kernels.h"
#include "muslin/contact/pairs/surfaces.h"

// What detection asks of a pair before anything in double precision sees it: whether it may be near enough to
// be listed (Candidates), for four elements and four others at once. It leaves out no pair that the exact
// test keeps:
//
//   exact    d < r + slack_A + slack_B + inset_A + inset_B + change
//   here     d < (r + reach_A + reach_B + |way_A − way_B|)(1 + kMore),    way: the mean of a side's corners
//
// 1. The change of distance is the most that a corner of A goes beside the mean m of the four, and the same
//    of B. By the triangle inequality that is at most what corners go beside the mean of their own side,
//    which is in their reach, and |way_A − m| + |way_B − m|, which is |way_A − way_B|, as m is between the
//    two.
// 2. d is bounded from below (lane_distances.h), but for kAbsolute R_A + kAbsolute R_B, which is twice in
//    their reach: so the other half covers what distances in double precision err by, which is less than
//    2⁻⁴⁰ R whatever the shape, and more than that for places in an origin near the cloth, exact to 2⁻⁵³ R.
// 3. r, where both are of one piece, is at most kRestFraction of their distance at rest, bounded from above:
//    its kAbsolute R is in the reach of each, and so are 2⁻²⁰ of the ways, which are rounded to floats.
// 4. What is left are roundings relative to positive sums, less than 14 · 2⁻²⁴ of them: kMore is 16 · 2⁻²⁴.

namespace muslin {

/// Where elements are and go while pairs are looked for [m].
struct SweptPlaces {
  const Points &from, &along;
  const Scalars& slack;
  Vec3 origin, rest_origin;  ///< of the coordinates of floats, near the cloth
};

/// FourElements::reach of an element that may be so far beside its corners [m], which are no farther from
/// the origins than the extents [m]; infinite where floats would not do.
float reach_of(double beside, double extent, double extent_at_rest);

/// Makes lane k of `elements` the element with these vertices.
template <size_t N>
void set_lane(FourElements<N>& elements, int k, const Stencil<N>& vertices, const Surfaces& surfaces,
              const SweptPlaces& swept);

}  // namespace muslin
