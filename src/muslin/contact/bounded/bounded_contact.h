#pragma once
#include <limits>

#include "muslin/contact/bounded/close_pairs.h"
#include "muslin/model/model.h"

namespace muslin {

/// Contact of cloth with cloth at the price of a bound a vertex, in the manner of [Chen 2025]. A step pushes
/// apart what comes too near, and last of all cuts displacements, so that no pair of elements meets: of the
/// distance that a pair has at the start, a step uses up nine tenths at most.
///
/// Promised: where nothing intersects at the start, nothing does on the straight ways to what `cut` leaves.
/// Halfway between the nearest points of a pair is a plane at right angles to the way between them, with a
/// side of the pair on either side of it: no vertex goes more than 0.9 of the way from there to the plane.
/// Where all four go less far than that, whichever way, the plane is not asked; and none is, where no pair's
/// vertices go so far beside each other that it could come so near. All planes may go along with one common
/// motion. Pairs that are further apart than a tenth of their radius do not come nearer than that. All this
/// holds for held vertices, too, which may be left short of their places. Only what depends on the state
/// counts, never by which list of pairs it was found.
///
/// Not promised: that pairs keep their radius, which the pushes alone see to (of six stiff cards on a floor
/// the lowest are three quarters of it apart); speed, as beside the common motion no vertex goes further than
/// 0.45 mean edges a step; momentum of what is cut. What intersects at the start stays so, and what touches
/// stays where it is.
class BoundedContact {
 public:
  explicit BoundedContact(const Model& model);

  /// A step begins at these places [m]. They must be finite, as all others given.
  void begin(const Points& start);

  /// Corrects x, where a step of h seconds would end, by some Jacobi passes over the pairs that would come
  /// nearer than their radius: along the normals of the start, as those of a pair that crossed point the
  /// wrong way, and against the slip by at most friction times that. Keeps momentum. Returns how many pairs
  /// there are.
  int push_apart(const Points& inverse_mass, double h, Points& x);

  /// Shortens the ways from the start to x to what no pair forbids. Returns how many were too long.
  int cut(Points& x);

  /// Of the pairs that were nearer than their radius at the start [m]; infinite without any.
  double least_distance() const { return least_distance_; }

 private:
  /// Displacements of all vertices from the start: a common motion, and what each does beside it, shortened
  /// where that is faster than steps allow.
  struct Way {
    Vec3 common;                     ///< [m]
    Points beside;                   ///< [m]
    Scalars length;                  ///< of that [m]
    std::vector<char> is_shortened;  ///< one a vertex
  };

  /// A pair that may come too near by the end of a step.
  struct Near {
    const ClosePair* pair;
    Closest closest;  ///< at the start
    double wanted;    ///< distance along the normal at the end, at least [m]
  };

  /// What parts a pair that could meet: neither side goes further than `room` along the normal.
  struct Plane {
    const ClosePair* pair;
    Vec3 normal;  ///< unit, from side B to side A
    double room;  ///< [m]
  };

  Way way_to(const Points& x) const;
  double room(const ClosePair& pair, double distance) const;
  bool is_tight(const Way& way);
  Plane plane_of(const ClosePair& pair, const Scalars& length) const;
  Scalars parts_before_planes(const Way& way);
  std::vector<Near> find_near(double h, const Points& x);
  double depth_of(const Near& near, const Points& x) const;
  Vec3 impulse_of(const Near& near, const Points& inverse_mass, const Scalars& load, const Points& x) const;

  ClosePairs pairs_;
  double edge_;            ///< the mean one [m]
  Points start_{3, 0};     ///< [m]
  double separation_ = 0;  ///< [m] a pair that is nearer cannot be told from one that touches
  double least_distance_ = std::numeric_limits<double>::infinity();
};

}  // namespace muslin
