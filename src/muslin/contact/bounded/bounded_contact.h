#pragma once
#include <limits>

#include "muslin/contact/pairs/candidates.h"
#include "muslin/model/model.h"

namespace muslin {

/// Contact of cloth with cloth at the price of a bound a vertex, in the manner of [Chen 2025]. A step pushes
/// apart what comes too near, and last of all cuts displacements, so that no pair of elements meets: of the
/// distance that a pair has at the start, neither side uses up more than 0.45.
///
/// Promised: where nothing intersects at the start, nothing does on the straight ways to what `cut` leaves.
/// Halfway between the nearest points of a pair is a plane at right angles to the way between them, with a
/// side of the pair on either side of it: no vertex goes more than 0.9 of the way from there to the plane.
/// Where all four go less far than that, whichever way, the plane is not asked. All planes may go along with
/// one common motion. Pairs that are further apart than a tenth of their radius do not come nearer than that.
/// All this holds for held vertices, too, which may be left short of their places. Only what depends on the
/// state counts, never by which list of pairs it was found.
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
  /// Displacements of all vertices from the start: a common motion, and what each does beside it.
  struct Way {
    Vec3 common;     ///< [m]
    Points beside;   ///< [m]
    Scalars part;    ///< of it that a vertex may go, not to be faster than steps allow
    Scalars length;  ///< of that part [m]
  };

  /// A pair that may come too near by the end of a step.
  struct Near {
    int pair;
    Closest closest;  ///< at the start
    double wanted;    ///< distance along the normal at the end, at least [m]
  };

  /// What parts a pair that could meet: neither side goes further than `room` along the normal.
  struct Plane {
    int pair;
    Vec3 normal;  ///< unit, from side B to side A
    double room;  ///< [m]
  };

  const std::vector<ContactPair>& pairs() const { return candidates_.pairs(); }
  Way way_to(const Points& x) const;
  void cover(const Way& way);
  double distance_bound(int pair) const;
  double room(const ContactPair& pair, double distance) const;
  Plane plane_of(int pair, const Scalars& length) const;
  void find_near(double h, const Points& x);
  double depth_of(const Near& near, const Points& x) const;
  Vec3 impulse_of(const Near& near, const Points& inverse_mass, const Scalars& load, const Points& x) const;

  Candidates candidates_;
  double edge_;            ///< the mean one [m]
  Points start_{3, 0};     ///< [m]
  double separation_ = 0;  ///< [m] a pair that is nearer cannot be told from one that touches
  double least_distance_ = std::numeric_limits<double>::infinity();
  std::vector<Near> near_;

  // Scratch memory of several steps: what is known of the pairs that were found once.
  std::vector<double> listed_;  ///< their distances then [m]
  Points listed_at_{3, 0};      ///< positions then [m]
  Points moved_{3, 0};          ///< since then, to the start [m]
  Scalars slack_;               ///< what is left of the list's, one a vertex [m]
};

}  // namespace muslin
