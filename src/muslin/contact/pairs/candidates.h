#pragma once
#include <algorithm>
#include <optional>

#include "muslin/contact/pairs/near_filter.h"
#include "muslin/contact/pairs/pair_filters.h"
#include "muslin/geometry/bvh.h"
#include "muslin/geometry/distance.h"

namespace muslin {

/// Two parts of the surfaces that may touch.
struct ContactPair {
  PairKind kind;
  Stencil<4> vertices;   ///< in the order of PairKind
  double radius;         ///< distance [m] below which they repel each other
  double weight;         ///< of the stiffness, in (0, 1]: little for edges that are nearly parallel
  double friction;       ///< Coulomb's coefficient
  double inset = 0;      ///< of a round body: by how much its surface is nearer than its element [m]
  int frame = -1;        ///< Piece::frame of that body
  bool round_a = false;  ///< it is side A

  bool operator==(const ContactPair&) const = default;
};

/// Closest points of a pair with vertices at x. Their distance is that of the surfaces, negative where the
/// element of a round body is below its surface; the points are on the elements.
inline Closest closest_of(const ContactPair& pair, const Quad& x) {
  Closest closest = closest_points(pair.kind, x);
  closest.distance -= pair.inset;
  return closest;
}

/// Never more than that distance, and far cheaper.
inline double least_gap(const ContactPair& pair, const Quad& x) { return box_gap(pair.kind, x) - pair.inset; }

/// Where side B begins among the vertices of a pair.
constexpr int first_of_b(PairKind kind) { return kind == PairKind::edge_edge ? 2 : 1; }

/// The largest entry of each side of a pair, added; entries are ≥ 0.
template <class Entries>
double sum_of_sides(PairKind kind, const Stencil<4>& vertices, const Entries& entry) {
  double side[2] = {0, 0};
  for (int k = 0; k < 4; ++k) {
    double& most = side[k >= first_of_b(kind)];
    most = std::max(most, entry[vertices[k]]);
  }
  return side[0] + side[1];
}

/// The radius of a pair of cloth with cloth [m], as Candidates has it; nothing if the two touch at rest.
std::optional<double> radius_of(const Surfaces& cloth, PairKind kind, const Stencil<4>& vertices);

/// Coulomb's coefficient of a pair: a body's, or the mean of both cloths; but where vertices of cloth have
/// their own, the mean over their side has that.
double friction_of(const Surfaces& surfaces, PairKind kind, const Stencil<4>& vertices);

/// The most by which a displacement of all changes the distance of a pair: what each side moves beside the
/// mean of the four.
double change_of_distance(PairKind kind, const Stencil<4>& vertices, const Points& displacement);

/// The pairs that may come to touch while all go along a displacement, some way between none and all of it,
/// no vertex beside that way by more than a slack, and all besides moved by any common displacement. What
/// moves together is not near for being fast.
///
/// Radius of a pair: the sum of half the thicknesses, of a side with several vertices the largest, but at
/// most half of the distance that the two have at rest, if they are of one piece. Cloth at rest is therefore
/// free of contact, whatever mesh and thickness; where triangles are smaller than the thickness, neighbours
/// touch later than strangers.
///
/// Weight of a pair: the nearest points of parallel edges jump from end to end, and the force with them, so
/// that no minimum is smooth where one grid lies on another. Edges that are nearly parallel when they are
/// detected therefore repel each other but weakly, and leave the load to points and triangles, whose forces
/// are continuous. [Li 2020] lets that weight follow the cloth; here it stays until the next detection,
/// and is never zero, so that the energy of every pair still tends to infinity. Likewise a triangle of cloth
/// that lies on a large ball, and an edge on a thick capsule: where their middle is hardly nearer than their
/// ends, by less than the radius of the pair, the nearest point jumps, and vertices carry the load.
///
/// Every vertex of cloth is a pair with every plane, however far: a plane that turns is near soon.
class Candidates {
 public:
  /// Throws Error(invalid) if a list of `surfaces` has not one entry a vertex or names others.
  explicit Candidates(Surfaces surfaces);

  /// From now on those vertices move, too, that this displacement moves (3×n), whatever the surfaces say.
  void set_moved(const Points& displacement);

  /// Looks for all pairs without a common vertex, of which any vertex moves (and one is a body's, unless
  /// cloth meets cloth), that come nearer than their radius. Cloth that touches cloth at rest is no pair. x
  /// and displacement: 3×n [m]; slack ≥ 0 [m].
  void detect(const Points& x, const Points& displacement, double slack) {
    detect(x, displacement, Scalars::Constant(x.cols(), slack));
  }

  /// The same with a slack for every vertex.
  void detect(const Points& x, const Points& displacement, const Scalars& slack);

  /// Looks again, for a displacement from x along the way of the last look or beside it. Of vertices that
  /// keep most of their slack there, what was found stays, and a part of the slack is all they have from now
  /// on; only the pairs of others are looked for. Weights of pairs that stay are those of the look that found
  /// them.
  void detect_again(const Points& x, const Points& displacement, double slack);

  /// Points and triangles first, then edges, then planes; each sorted by the place of side A, then B, in the
  /// surfaces.
  const std::vector<ContactPair>& pairs() const { return listed_.pairs; }

  /// The largest fraction in [0, 1] of a displacement [m], from x [m], along which pairs() holds. 0 says that
  /// a vertex has used up the slack: it is time to look again.
  double holds_along(const Points& x, const Points& displacement) const;

  /// The largest fraction in (0, 1] of a displacement [m] in which no vertex goes farther than `longest` [m]
  /// beside the common motion of cloth.
  double fraction_within(const Points& displacement, double longest) const;

  /// The slack [m] that each vertex has left at x, beside the way and a common displacement; < 0 if it went
  /// too far. While all are ≥ 0, pairs() has, besides all that may touch, those that are nearer by what both
  /// sides have left.
  Scalars slack_left(const Points& x) const;

  const Surfaces& surfaces() const { return surfaces_; }

 private:
  bool is_body(int vertex) const;
  bool can_meet() const;
  Vec3 mean_of_cloth(const Points& vectors) const;
  double fraction_of_way(const Points& x) const;
  bool may_be_pair(PairKind kind, const Stencil<4>& vertices) const;
  Scalars slack_left_along(const Points& x, const Points& displacement) const;
  void set_way(const Points& x, const Points& displacement, const Scalars& slack);
  void mark(const std::vector<char>& vertices);
  void look(const std::vector<char>& lost);
  void meet_planes(const std::vector<char>& lost);
  Stencil<4> vertices_of(PairKind kind, const Stencil<2>& elements) const;
  std::optional<ContactPair> describe(PairKind kind, const Stencil<4>& vertices) const;

  template <size_t N>
  struct Elements {
    std::vector<int> index;            ///< in the surfaces, ascending
    std::vector<Stencil<N>> vertices;  ///< of each
    BoxTree tree{{}};
    std::vector<FourElements<N>> leaves;  ///< of the tree
  };
  /// All cloths, or all bodies. Bodies do not meet each other, nor does cloth always meet cloth.
  struct Parts {
    Elements<1> points;
    Elements<2> edges;
    Elements<3> triangles;
  };
  /// Pairs, and the places of their sides in the surfaces.
  struct Listed {
    std::vector<ContactPair> pairs;
    std::vector<Stencil<2>> places;
  };
  template <class Stays>
  void add_found(PairKind kind, const Listed& old, const Stays& stays);

  template <size_t N>
  void choose(bool bodies, const std::vector<Stencil<N>>& all, Elements<N>& chosen) const;
  template <size_t N>
  void refit(const SweptPlaces& swept, Elements<N>& elements) const;
  template <class A, class B>
  auto sieve_of(const A& elements, const B& others) const;
  void find_among(const Elements<2>& edges);
  template <size_t N, size_t M>
  void find_between(PairKind kind, const Elements<N>& a, const Elements<M>& b);
  template <class Find>
  void find(PairKind kind, const std::vector<int>& a, const std::vector<int>& b, const Find& find_pairs);

  bool filters_ = !PairFilters::off;
  Surfaces surfaces_;
  std::vector<char> moves_;  // Surfaces::moves, and what set_moved added
  Parts cloth_, bodies_;
  Points from_{3, 0}, along_{3, 0};  ///< of the last detection [m]
  Scalars slack_;                    ///< one a vertex [m]
  std::vector<Stencil<2>> found_;    ///< of one kind, sorted
  Listed listed_;
};

}  // namespace muslin
