#pragma once
#include <utility>

#include "muslin/contact/pairs/distance_bounds.h"
#include "muslin/contact/pairs/friction.h"
#include "muslin/contact/pairs/safe_step.h"
#include "muslin/contact/pairs/scene_surfaces.h"

namespace muslin {

/// Contact of cloth with bodies and with cloth during one step, as an energy of pairs that tends to infinity
/// before anything touches. Places are those of all vertices: cloth, then bodies (SceneSurfaces). Nothing
/// passes through anything while all go along straight lines no longer than `safe_step` allows.
class PairContact {
 public:
  PairContact(const Model& model, const Controls& controls);

  const SceneSurfaces& scene() const { return scene_; }
  int pair_count() const { return static_cast<int>(candidates_.pairs().size()); }
  double thickness() const { return thickness_; }  ///< the largest distance [m] at which anything repels

  /// A step of h seconds begins at x, and all want to be displaced [m]: pairs are looked for, also of what
  /// else does not move, and friction is that of the contacts at x, with the slips that the step before has
  /// left (State::slips). `struck` is StepHistory::struck. Of long ways, pairs are those of their beginning.
  void begin(const Points& x, const Points& displacement, double h, const std::vector<ElasticSlip>& slips,
             double struck = 0);

  /// The slips that the step leaves which began at `start` and ends at x.
  std::vector<ElasticSlip> slips_left(const Points& start, const Points& x) const {
    return friction_.left_by(start, x);
  }

  /// Looks for pairs again in the step, for a displacement from x [m]: of vertices that the pairs no longer
  /// hold for (Candidates::detect_again). Values before and after must not be compared.
  void detect(const Points& x, const Points& displacement);

  /// How often pairs have been looked for since the last call.
  int take_detections() { return std::exchange(detections_, 0); }

  /// Whether the pairs hold for as much as half of a displacement from x.
  bool covers_half(const Points& x, const Points& displacement) const {
    return candidates_.holds_along(x, displacement) >= 0.5;
  }

  /// As far as all may go along a displacement from x, in [0, 1].
  double safe_step(const Points& x, const Points& displacement) const;

  /// The same of each of so many pieces by itself, with those that it is near: in (0, 1], or 0 where nothing
  /// can go on. Only along a way that all go do the pairs hold. `piece`: of every vertex, −1 of bodies.
  std::vector<double> safe_steps(const Points& x, const Points& displacement, const std::vector<int>& piece,
                                 int pieces) const;

  /// Whether nothing comes near anything on the straight way from x by a displacement, and friction has
  /// nothing to hold on to. False, too, of ways that are longer than pairs are looked for.
  bool is_clear(const Points& x, const Points& displacement);

  /// The largest motion of the sides of a pair relative to each other on the straight way from x by a
  /// displacement [m], in radii of the pair: of pairs that come near enough on it to repel each other.
  double relative_motion(const Points& x, const Points& displacement) const;

  /// Whether contacts at x, the end of the step, press so much harder than those at its beginning, by whose
  /// forces friction acts, that most of an impact is yet to be felt by friction.
  bool is_struck(const Points& x) const;

  /// Energy of contact and friction [J]; infinite where something touches.
  double value(const Points& x) const;

  /// Gradient and Hessian at x. `active` is how many pairs repel each other; `moved` is as of
  /// LaggedFriction::append_rows.
  ContactRows rows(const Points& x, const Points* moved, int& active) const;

  /// Rows for a step that would run into something along a displacement from x: append_rows_ahead.
  ContactRows rows_ahead(const Points& x, const Points& displacement, bool turns) const;

  /// The pairs at x that are nearer than a fraction of their radius and that a displacement brings nearer, by
  /// more than a part of their distance.
  std::vector<Stencil<4>> approaching(const Points& x, const Points& displacement, double fraction,
                                      double part) const;

  /// Sets `touched` to 1 for every vertex of cloth in a pair that repels at x.
  void mark_touched(const Points& x, std::vector<char>& touched) const;

  /// The least distance of pairs at x over their radius, at most 1.
  double least_ratio(const Points& x) const;

  /// By which part of its distance a displacement changes that of a pair nearer than a fraction of its
  /// radius, at most; 0 if there are none.
  double largest_change(const Points& x, const Points& displacement, double fraction) const;

  /// The least distance of the pairs at x [m]; infinite without any.
  double least_distance(const Points& x) const { return bounds_.least_distance(candidates_.pairs(), x); }

 private:
  const std::vector<ActivePair>& active_at(const Points& x) const {
    return bounds_.active_at(candidates_.pairs(), x);
  }
  Points looked_along(const Points& displacement) const;
  void watch_listed();
  double step_before_contact(const Points& x, const Points& displacement) const;
  std::optional<double> change(const ActivePair& active, const Points& displacement, double fraction) const;

  SceneSurfaces scene_;
  Candidates candidates_;
  mutable DistanceBounds bounds_;  // of the candidates; what it remembers changes no result
  LaggedFriction friction_;
  double stiffness_, thickness_, slack_, longest_way_;
  int detections_ = 0;
};

}  // namespace muslin
