#pragma once
#include "muslin/contact/pairs/pair_energy.h"
#include "muslin/contact/pairs/pair_filters.h"
#include "muslin/geometry/lane_distances.h"

namespace muslin {

/// A lower bound of the distance of every listed pair, its *room*, kept along the places that an iteration
/// looks at. Few of the pairs of a list repel each other, and few can stop a step: only those whose room is
/// used up are looked at, first four at once in single precision, then exactly. What comes out is to the bit
/// what a look at all pairs finds.
///
/// With m_v = |w_v − c|, where w is the way from the last place to this one and c any common displacement,
/// the distance of a pair has changed by no more than max m over side A + max m over side B. Of a plane
/// without end that holds while it does not turn.
class DistanceBounds {
 public:
  /// Of places whose first columns are vertices of cloth: their mean is the common displacement.
  explicit DistanceBounds(int cloth_count) : cloth_count_(cloth_count) {}

  /// Other pairs are listed, of which nothing is known yet. They are those of the calls that follow.
  void watch(const std::vector<ContactPair>& pairs);

  /// The active pairs at x [m], in the order of `pairs`; for little if x is where the last look was.
  const std::vector<ActivePair>& active_at(const std::vector<ContactPair>& pairs, const Points& x);

  /// The pairs, ascending, that may stop a motion from x: for all others step_before_contact is 1.
  std::vector<int> stopping(const std::vector<ContactPair>& pairs, const Points& x,
                            const Points& displacement);

  /// The least distance of the pairs at x [m]; infinite without any.
  double least_distance(const std::vector<ContactPair>& pairs, const Points& x);

 private:
  struct Watched {
    Stencil<4> vertices;
    float radius;  ///< of the pair, rounded up [m]
    float room;    ///< at place_ [m]
  };
  /// A run of pairs of one kind.
  struct Run {
    PairKind kind;
    int first, last;
  };
  /// Places as the filter of four wants them: x, y, z from an origin near the cloth, and how far that is.
  struct Places {
    const Points& x;
    std::vector<Floats> rounded;
  };

  void find_motion(const Points& way, const Points& x);
  float motion_of(PairKind kind, const Stencil<4>& vertices) const;
  static bool turns(const Stencil<4>& plane, const Points& way);
  Places rounded(const Points& x) const;
  void look(const std::vector<ContactPair>& pairs, const Points& x);
  void look_at_run(const std::vector<ContactPair>& pairs, const Run& run, const Places& places,
                   const Points& way, std::vector<ActivePair>& active);
  void bound_four(const std::vector<ContactPair>& pairs, PairKind kind, const Places& places,
                  const int* four_pairs);

  int cloth_count_;
  bool filters_ = !PairFilters::off;
  std::vector<Watched> watched_;
  std::vector<Run> runs_;
  Points place_{3, 0};              ///< where bounds hold: of the last look; none yet without columns
  std::vector<ActivePair> active_;  ///< there
  std::vector<float> motion_;       ///< m of a way, rounded up, one a vertex [m]
  double rounding_ = 0;             ///< which it includes [m]
};

}  // namespace muslin
