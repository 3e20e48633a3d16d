#pragma once
#include <optional>
#include <vector>

#include "muslin/audit/solids.h"
#include "muslin/audit/surface.h"

// Frames tell where cloth is at two times, not which way it went. That it passed through something on the
// straight way is a guess; here is what two frames prove, or three.

namespace muslin {

/// Where a surface is at the two ends of a frame, 3×n [m].
struct Interval {
  const Points& before;      ///< at the beginning [m]
  const Points& after;       ///< at the end [m]
  Points earlier;            ///< as long before `before` as that is before `after`; empty: nobody knows
  Vec3 fall = Vec3::Zero();  ///< in this time of what falls freely, by the square of time [m]

  /// How far a vertex ends from where it would be had it met nothing [m]: it goes on as it went, and falls
  /// by all, a part or nothing of `fall`. Infinite if nobody knows.
  double deflection(int vertex) const;
};

/// How often points pass through pieces of a surface. Exact but for the way of the border: a surface whose
/// border stays clear of a point changes the solid angle under which the point sees it by 4π when it passes
/// [Jacobson 2013], however else it moves.
class Passages {
 public:
  /// Of a surface, whose pieces and borders it keeps.
  explicit Passages(const Surface& surface);

  /// The number of times, in one sense less in the other, that a point that goes from p to q passed through
  /// a piece (Surface::piece) meanwhile; but for the triangles about the vertex `own`, if there is one.
  /// Nothing if the border may have gone round the point on the other side: on a way of twice the straight
  /// one's length.
  std::optional<int> count(const Interval& interval, int piece, const Vec3& p, const Vec3& q,
                           int own = -1) const;

 private:
  struct Side {
    int from, to, times;
  };
  struct Piece {
    std::vector<Stencil<3>> triangles;
    std::vector<Side> border;  ///< sides that neighbours do not take away, in the sense of their triangles
  };
  std::vector<Piece> pieces_;  ///< by number, that of its lowest vertex
};

/// Whether elements that changed sides passed through each other for certain: they went on as what meets
/// nothing does, or an end of one passed through the other's piece.
bool is_proved(const Surface& surface, const Passages& passages, const Interval& interval,
               const Crossing& crossing);

/// Whether a vertex whose straight way leads through a collider went through it for certain. center: of the
/// collider at the two times [m].
bool is_proved(const Surface& surface, const Passages& passages, const Interval& interval,
               const ThroughVertex& through, const Vec3& center_before, const Vec3& center_after);

}  // namespace muslin
