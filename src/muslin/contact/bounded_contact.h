#pragma once
#include <limits>

#include "muslin/contact/candidates.h"
#include "muslin/model/model.h"

namespace muslin {

/// Contact of cloth with cloth at the price of a bound a vertex, in the manner of [Chen 2025]. A step pushes
/// apart what comes too near, and last of all cuts displacements, so that no pair of elements meets: of the
/// distance that a pair has at the start, neither side uses up more than 0.45.
///
/// Promised: where nothing intersects at the start, nothing does on the straight ways to what `cut` leaves. A
/// pair is parted by the plane halfway between its nearest points, and no vertex of either side goes nearer
/// to that plane than a tenth of where it was; or, where that is less trouble, no vertex goes in any
/// direction as far as the plane is. Planes may all move by one common motion. A pair that is further apart
/// than a tenth of its radius does not come nearer than this tenth. All this holds for held vertices, too,
/// which may be left short of their places. Only what depends on the state counts, never by which list of
/// pairs it was found.
///
/// Not promised: that pairs keep their radius, which the pushes alone see to; speed, as beside the common
/// motion no vertex goes further than 0.45 mean edges a step; momentum of what is cut. What intersects at the
/// start stays so, and what touches stays where it is.
class BoundedContact {
 public:
  explicit BoundedContact(const Model& model);

  /// A step begins at these places [m]. They must be finite, as all others given.
  void begin(const Points& start);

  /// Corrects x, where a step of h seconds would end, by one Jacobi pass over the pairs that would come
  /// nearer than their radius: along the normals of the start, as those of a pair that crossed point the
  /// wrong way, and against the slip by at most friction times that. Keeps momentum. Returns how many pairs
  /// were pushed.
  int push_apart(const Model& model, double h, Points& x);

  /// Shortens the ways from the start to x to what no pair forbids. Returns how many were too long.
  int cut(Points& x);

  /// Of the pairs that were nearer than their radius at the start [m]; infinite without any.
  double least_distance() const { return least_distance_; }

 private:
  /// Displacements of all vertices: a common motion, and how far each goes beside it.
  struct Way {
    Vec3 common = Vec3::Zero();  ///< [m]
    Scalars beside;              ///< one a vertex [m]
    double longest = 0;          ///< of them [m]
  };
  /// A pair that would be too near at the end of a step.
  struct Push {
    int pair;
    Closest closest;  ///< at the start
    double depth;     ///< [m] along the normal, at the end
  };

  /// What parts a pair that could meet: neither side goes further than `room` along the normal.
  struct Plane {
    int pair;
    Vec3 normal;  ///< unit, from side B to side A
    double room;  ///< [m]
  };

  static Way way_between(const Points& from, const Points& to);

  void cover(double reach);
  double reach_of(const Way& way) const;
  double distance_bound(int pair) const;
  double room(const ContactPair& pair, double distance) const;
  Plane plane_of(int pair, const Scalars& length) const;
  void find_pushes(double h, const Points& x);
  Vec3 impulse_of(const Push& push, const Model& model, const Scalars& load, const Points& x) const;

  Candidates candidates_;
  double edge_;            ///< the mean one [m]
  Points start_{3, 0};     ///< [m]
  double separation_ = 0;  ///< [m] a pair that is nearer cannot be told from one that touches
  double least_distance_ = std::numeric_limits<double>::infinity();
  std::vector<Push> pushes_;

  // Scratch memory of several steps: the list of pairs, and what is known of them.
  Points listed_at_{3, 0};      ///< positions when pairs were looked for [m]
  double covered_ = -1;         ///< [m] every pair that was nearer there, beyond its radius, is listed
  Way travel_;                  ///< from there to the start
  std::vector<double> listed_;  ///< distances there [m]
};

}  // namespace muslin
