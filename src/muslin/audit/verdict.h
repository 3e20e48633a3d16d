#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "muslin/audit/bodies.h"
#include "muslin/audit/proof.h"
#include "muslin/audit/solids.h"
#include "muslin/audit/surface.h"
#include "muslin/model/model.h"

namespace muslin {

/// What is wrong with one frame of a run.
struct Verdict {
  std::vector<std::pair<int, int>> meeting;  ///< triangles that intersect (audit/triangles.h)
  Vec3 meeting_place = Vec3::Zero();         ///< of the first of them [m]
  std::optional<ElementPair> gap;            ///< the least, if nothing intersects and it is within the search
  std::vector<InsideVertex> inside;          ///< vertices inside colliders
  std::vector<CutTriangle> cut;              ///< triangles that cut colliders between their vertices
  std::vector<Crossing> crossings;  ///< elements that passed through each other since the frame before
  /// Such that did on the straight way alone (proof.h), or that are no passages, as the whole run tells
  /// (doubt_crossings).
  std::vector<Crossing> doubted;
  std::vector<ThroughVertex> through;   ///< vertices that passed through colliders since then
  std::vector<ThroughVertex> possible;  ///< such that did on the straight way alone

  /// Whether nothing intersects, is inside, cuts or passed through: gaps and what is doubted may be there.
  bool clean() const {
    return meeting.empty() && inside.empty() && cut.empty() && crossings.empty() && through.empty();
  }
};

/// Takes from the frames of a whole run the crossings that are no passages, given the places in the last one
/// [m]. The order of layers is right at the end where the pair faces each other on the sides that it had
/// before its first crossing; where it no longer faces each other, if it is of one piece, which unfolded, or
/// crossed an even number of times. Nor is a crossing a passage if cloth there turned by more than a right
/// angle, for then it does not go straight. A fold that snaps over leaves such crossings.
void doubt_crossings(const Surface& surface, const Points& end, std::vector<Verdict>& run);

/// Where the judged surface is at a time.
struct Moment {
  double time;                  ///< [s]
  Points places;                ///< 3×n [m]; none: there is no such moment
  bool bodies_in_place = true;  ///< moving colliders are where the scene has them; else nobody knows where
};

/// Judges the frames of a model. Independent of everything that made them.
class Judge {
 public:
  /// Looks for gaps up to `within` [m]. The model must outlive the judge.
  Judge(const Model& model, double within)
      : model_(model), surface_(surface_with_bodies(model)), passages_(surface_), within_(within) {}

  /// A frame, and what happened since the one before, of which `earlier`, as long before that, proves more.
  /// Leaves out moving colliders that are not in place: those of the frame from all, those of the one before
  /// from what happened since.
  Verdict judge(const Moment& frame, const Moment& before = {}, const Moment& earlier = {}) const;

  /// Cloth and the colliders that are meshes (bodies.h).
  const Surface& surface() const { return surface_; }
  /// Up to which distance gaps are looked for [m].
  double within() const { return within_; }
  /// Whether a vertex of the surface belongs to a collider with a motion of its own.
  bool is_of_moving_body(int vertex) const;

 private:
  void judge_way(const Moment& frame, const Moment& before, const Moment& earlier, Verdict& verdict) const;

  /// As long before `before` as `time` [s]; none if nobody knows.
  Points earlier_places(const Moment& before, const Moment& earlier, double time) const;

  const Model& model_;
  Surface surface_;
  Passages passages_;
  double within_;  // [m]
};

}  // namespace muslin
