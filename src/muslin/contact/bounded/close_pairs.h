#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "muslin/contact/pairs/candidates.h"
#include "muslin/core/parallel.h"
#include "muslin/geometry/bvh.h"

namespace muslin {

/// Two elements of cloth that may touch.
struct ClosePair {
  PairKind kind;
  Stencil<4> vertices;  ///< in the order of PairKind
  double radius;        ///< distance [m] below which they repel each other: radius_of
  double friction;      ///< Coulomb's coefficient
};

/// The most by which a displacement of all [m] changes the distance of a pair: by what the vertices of one
/// side go beside those of the other. (Its nearest points are mixtures of them.)
double change_between(const ClosePair& pair, const Points& displacement);

/// The pairs of cloth with cloth that can matter in a step, looked for only where cloth has moved otherwise
/// than as one: lists of pairs [Verlet 1967], one for every two blocks of neighbouring triangles that are
/// near each other, and one for each block with itself.
///
/// A list has all pairs of its blocks that are nearer than their radius and a margin when it is made. From
/// then on no distance in it changes by more than the largest difference of two displacements in the blocks,
/// which is at most the diagonal of a box about all of them; when these have used up the margin, the list is
/// made again. So cloth that swings as a whole keeps its lists, however fast it is.
class ClosePairs {
 public:
  /// Surfaces of cloth alone, with edges so long in the mean [m]. Every vertex counts as moving.
  ClosePairs(const Surfaces& surfaces, double mean_edge);

  /// A step begins at these places [m], finite.
  void begin(const Points& start);

  /// What counts of a displacement: what vertices go beside each other, or whatever they go.
  enum class Motion { beside, whole };

  /// From now on `near` finds all pairs that are nearer at the start than their radius, `factor` times what
  /// such motion can change their distance by, and a little [m].
  void cover(const Points& displacement, Motion motion, double factor, double little);

  /// A pair of a list.
  struct Listed {
    ClosePair pair;
    double bound;  ///< less what the list has used since: the least that the distance can be [m]
  };
  /// One that was found, good until `cover` or `begin`.
  struct Found {
    Listed* listed;
    double used;  ///< [m]

    const ClosePair& pair() const { return listed->pair; }
    /// What its distance at the start is [m]: who has measured it says so, which spares others the same.
    void set_distance(double distance) const { listed->bound = distance + used; }
  };

  /// The pairs for which keep(pair, the least that its distance can be), in an order that hangs on the
  /// surfaces alone. Keep may hold for no pair that `cover` was not told of; it is called from several
  /// threads.
  template <class Keep>
  std::vector<Found> near(const Keep& keep) {
    return parallel_collect<Found>(
        static_cast<int>(lists_.size()),
        [&](int l, auto& found) {
          List& list = lists_[l];
          if (list.least >= list.needed + list.used) return;
          list.least = kInfinity;
          for (Listed& listed : list.pairs) {
            const double beyond = listed.bound - listed.pair.radius;
            list.least = std::min(list.least, beyond);
            if (beyond < list.needed + list.used && keep(listed.pair, listed.bound - list.used))
              found.push_back({&listed, list.used});
          }
        },
        kListsATask);
  }

 private:
  static constexpr int kListsATask = 64;

  /// A box, or what encloses nothing yet. The fourth axis counts for nothing: two axes fill a register.
  struct WideBox {
    Eigen::Array4d low = Eigen::Array4d::Constant(kInfinity), high = Eigen::Array4d::Constant(-kInfinity);

    void include(const Eigen::Array4d& place) { low = low.min(place), high = high.max(place); }
  };
  template <size_t N>
  struct Elements {
    std::vector<Stencil<N>> vertices;
    std::vector<FourElements<N>> leaves;  ///< four a leaf, the last may have fewer
    std::vector<WideBox> boxes;           ///< of leaves: within half a thickness and the margin
  };
  struct Block {
    std::vector<int> vertices;  ///< of it, as SurfaceBlock says
    Elements<1> points;
    Elements<2> edges;
    Elements<3> triangles;
    double half_thickness = 0;  ///< the largest [m]
    double extent_at_rest = 0;  ///< from the middle of all cloth [m]

    // In this step [m]
    WideBox moved;                   ///< of displacements since the last
    WideBox way;                     ///< of the displacements that `cover` was told
    WideBox box;                     ///< about it at the start, if a list was made
    double margin = 0;               ///< its share of that of lists that are made
    std::optional<double> placed{};  ///< the margin with which its leaves are where the step begins

    // Since it was last known which blocks are near [m]
    double gone = 0;     ///< by vertices beside the common motion, at most
    double allowed = 0;  ///< what it may have gone, and be about to go
  };
  struct List {
    int a, b;                   ///< blocks, a ≤ b
    std::vector<int> disjoint;  ///< of every two leaves, bit 4 i + k: their elements i and k share no vertex
    double margin = -1;         ///< [m]; < 0: it was never made
    double used = 0;            ///< [m]
    double needed = 0;          ///< of what is left, now [m]
    double least = kInfinity;   ///< of its pairs' bounds beyond their radii, at most [m]
    std::vector<Listed> pairs;
  };

  static double diagonal(const WideBox& a, const WideBox& b);
  void find_lists();
  std::vector<int> find_stale() const;
  static std::vector<int> disjoint_elements(const Block& a, const Block& b);
  bool begin_anew(List& list) const;
  void place(Block& block) const;
  template <size_t N>
  void place(const Block& block, float reach, Elements<N>& elements) const;
  void make(List& list) const;
  template <size_t N, size_t M, class Sieve>
  const int* add_near(PairKind kind, const Elements<N>& a, const Elements<M>& b, const int* disjoint,
                      const Sieve& sieve, List& list) const;
  std::optional<Listed> describe(PairKind kind, const Stencil<4>& vertices, double beside) const;

  bool filters_ = !PairFilters::off;
  Surfaces surfaces_;
  double edge_;  ///< the mean one [m]
  std::vector<Block> blocks_;
  BoxTree tree_{{}};                                   ///< of blocks
  std::vector<List> lists_;                            ///< sorted by a, then b
  Points start_{3, 0};                                 ///< [m]
  Vec3 origin_ = Vec3::Zero();                         ///< of the leaves' places, near the cloth [m]
  std::vector<Eigen::Array4d> places_, moved_, ways_;  ///< the start, since the last, and from now on [m]
};

}  // namespace muslin
