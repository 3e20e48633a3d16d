#pragma once
#include "muslin/contact/surfaces.h"
#include "muslin/geometry/bvh.h"
#include "muslin/geometry/distance.h"

namespace muslin {

/// Two parts of the surfaces that may touch.
struct ContactPair {
  PairKind kind;
  Stencil<4> vertices;  ///< in the order of PairKind
  double radius;        ///< distance [m] below which they repel each other
  double share;         ///< of the stiffness, in (0, 1]: little for edges that are nearly parallel
  double friction;      ///< Coulomb's coefficient

  bool operator==(const ContactPair&) const = default;
};

/// The mean of a displacement over the vertices that move [m]: what all may be moved by without one pair
/// coming nearer to each other.
Vec3 common_motion(const Surfaces& surfaces, const Points& displacement);

/// How far each vertex may move, beside the common motion, before pairs are looked for again [m]: 1.2 times
/// what is wanted of it, but at least a fifth of `most` and at most that.
Scalars motion_bounds(const Surfaces& surfaces, const Points& displacement, double most);

/// The usual `most` [m]: four times the largest thickness, or the mean edge of cloth if that is more.
double longest_bound(const Surfaces& surfaces);

/// The pairs that may come to touch while no vertex is farther than its own bound from where it was when they
/// were looked for, all having moved by any common displacement. Every vertex and every edge has its own
/// bound, so that slow cloth does not pay for fast.
///
/// Radius of a pair: the sum of half the thicknesses, but at most half of the distance that the two have at
/// rest, if they are of one piece. Cloth at rest is therefore free of contact, whatever mesh and thickness;
/// where triangles are smaller than the thickness, neighbours touch later than strangers.
///
/// Share of a pair: the nearest points of parallel edges jump from end to end, and the force with them, so
/// that no minimum is smooth where one grid lies on another. Edges that are nearly parallel when they are
/// detected therefore repel each other but weakly, and leave the load to points and triangles, whose forces
/// are continuous. [Li 2020] lets that weight follow the cloth; here it stays until the next detection,
/// and is never zero, so that the energy of every pair still tends to infinity.
class Candidates {
 public:
  /// Throws Error(invalid) if a list of `surfaces` has not one entry a vertex or names others.
  explicit Candidates(Surfaces surfaces);

  /// Looks for all pairs without a common vertex, of which any vertex moves (and one is a
  /// body's, unless cloth meets cloth), at a distance < sum of half the
  /// thicknesses + bound of one side + bound of the other; of a side with several vertices, the largest
  /// counts. x: 3×n [m]; bound: n, ≥ 0 [m].
  void detect(const Points& x, const Scalars& bound);

  /// Points and triangles first, then edges; each sorted by the place of side A, then B, in the surfaces.
  const std::vector<ContactPair>& pairs() const { return pairs_; }

  /// Whether pairs() holds for x: no vertex is beyond its bound, beside the common motion.
  bool covers(const Points& x) const;

  const Surfaces& surfaces() const { return surfaces_; }
  const Points& detected_at() const { return detected_at_; }  ///< x of the last detection [m]
  const Scalars& bound() const { return bound_; }             ///< [m]

 private:
  bool is_body(int vertex) const;
  bool may_touch(PairKind kind, const Stencil<4>& vertices) const;
  void add_pairs(PairKind kind, const std::vector<Stencil<2>>& found);
  Stencil<4> vertices_of(PairKind kind, const Stencil<2>& elements) const;
  ContactPair describe(PairKind kind, const Stencil<4>& vertices) const;

  Surfaces surfaces_;
  BoxTree points_, edges_, triangles_;
  Points detected_at_{3, 0};
  Scalars bound_;
  std::vector<Stencil<2>> found_;  ///< reused memory
  std::vector<ContactPair> pairs_;
};

}  // namespace muslin
