#pragma once
#include "muslin/contact/pairs/pair_energy.h"
#include "muslin/model/state.h"

namespace muslin {

/// What meets at the nearest points of a pair: points of cloth, and of a body a point on its surface that
/// moves with it. For what is round that is not the element's nearest point: a ball that turns drags cloth
/// along.
struct Meeting {
  Stencil<4> vertices;
  Eigen::Vector4d weight;
  int frame;  ///< -1: none
  Eigen::Vector4d frame_weight;

  /// From side B to side A, of places or displacements of all.
  Vec3 between(const Points& x) const;
};

/// Of a pair with vertices and frames at x [m].
Meeting meeting_of(const ContactPair& pair, const Closest& closest, const Points& x);

/// Friction of a step: the forces, directions and weights of the contacts at its beginning, taken as constant
/// (lagged), make Coulomb's law the gradient of the energy Σ μ λ f₀(|u|), where u is the slip along the
/// surfaces [Li 2020]. f₀ is smooth: below a slip of eps the force grows from zero. There slip is elastic:
/// u begins with what earlier steps have left of it, so that cloth that sticks holds without a motion. Beyond
/// eps it is plastic: of u, a step leaves eps.
class LaggedFriction {
 public:
  /// The usual eps of a step of h seconds is kSpeed · h [m/s]. Half or double: spin +7 or +9 % work.
  static constexpr double kSpeed = 0.01;

  LaggedFriction() = default;

  /// `active` are those of `pairs` at x_start [m], the positions at the beginning of the step. eps > 0 [m].
  /// `left` is what the step before has left, in order.
  LaggedFriction(const std::vector<ContactPair>& pairs, const std::vector<ActivePair>& active,
                 const Points& x_start, double stiffness, double eps,
                 const std::vector<ElasticSlip>& left = {});

  /// What a step from x_start to x_end [m] leaves, in order. It turns with the pairs, and what only turns
  /// does not slip.
  std::vector<ElasticSlip> left_by(const Points& x_start, const Points& x_end) const;

  /// Σ E [J]
  double value(const Points& x) const;

  /// Appends two rows a contact, along and across the slip: the gradient, and a curvature that is exact
  /// across. Along, the exact one is none where cloth slides, so that directions jump over the place where it
  /// comes to stick, and back; the secant's, ∂f₀/|u|, makes the least quadratic bound of the energy at any
  /// slip [Hunter & Lange 2004], which tells where that is, but comes to a steady slip by small steps. It is
  /// the secant's in the part to which `moved`, by which an iteration has brought all to x [m], has changed
  /// the slip; all of it without an iteration before.
  void append_rows(const Points& x, const Points* moved, std::vector<ContactRow>& rows) const;

  bool empty() const { return contacts_.empty(); }

  /// Σ μ λ: the most that friction can do [N], of all contacts together.
  double most() const;

 private:
  struct Contact {
    PairKind kind;
    Meeting meeting;
    Vec3 normal;
    Vec3 start;    ///< meeting.between without slip [m]
    double force;  ///< μ λ, the most that friction can do [N]

    Vec3 slip(const Points& x) const;
    Vec3 along_surface(const Vec3& way) const { return way - normal.dot(way) * normal; }
  };

  std::vector<Contact> contacts_;
  double eps_ = 1;
};

}  // namespace muslin
