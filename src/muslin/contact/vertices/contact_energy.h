#pragma once
#include <optional>
#include <vector>

#include "muslin/contact/vertices/posed_surface.h"
#include "muslin/model/input.h"

namespace muslin {

/// Colliders as an energy of single vertices, for solvers that minimise. A vertex that is `depth` inside has
/// ½ k depth²; friction is the potential μ λ |slip|, quadratic for the smallest slips, with the normal force
/// λ of the latest call of `lag` [Li 2020]. k is kHardness m/h², so weight presses a vertex in by
/// g h²/kHardness: what is left of the depth is pushed out at the end of the step (respond.h).
class ContactEnergy {
 public:
  /// Stiffness of a collider over m/h². Half or double: newton on sphere_drape +13 % work, 6 to 7 mm after 20
  /// frames.
  static constexpr double kHardness = 1000;
  /// Slip below which friction is viscous [m/s]. Half or double: newton on sphere_drape +3 or +18 % work, 2
  /// mm after 20 frames.
  static constexpr double kStick = 1e-3;

  /// `model`, `input` and `start` (positions at the beginning of the step) must outlive it.
  ContactEnergy(const Model& model, const Input& input, const Points& start, double h);

  /// Friction takes normal forces and directions from x until the next call: an iterate at which colliders
  /// have pressed, or the predictor, at which they have not. There, what presses is what will stop a vertex
  /// within the step, m/h² depth; k depth would be a thousand times as much and hold fast whatever slides.
  void lag(const Points& x) { lag(x, kHardness); }
  void lag_at_predictor(const Points& x) { lag(x, 1); }

  /// Value [J], gradient [N] and positive semi-definite Hessian [N/m] of one vertex at x. Along its slip,
  /// what slides meets the same friction everywhere: there the Hessian has no stiffness. A secant μλ/|slip|
  /// would let Newton's method creep into a slide by a part of the last move in every iteration.
  double value(int vertex, const Vec3& x) const;
  Vec3 gradient(int vertex, const Vec3& x) const;
  Mat3 hessian_psd(int vertex, const Vec3& x) const;

  /// Vertices inside a collider at x.
  int contacts(const Points& x) const;
  bool empty() const { return model_.colliders.empty(); }

 private:
  /// What pressed on a vertex when friction was lagged.
  struct Press {
    double friction;  ///< μ λ [N]
    Vec3 normal;
    Vec3 carried;  ///< where the collider's motion takes the vertex from its start [m]
    Vec3 slip(const Vec3& x) const { return (x - carried) - normal.dot(x - carried) * normal; }
  };
  /// What a vertex makes in a collider.
  struct Dent {
    double depth;  ///< [m]
    Vec3 normal;
  };
  void lag(const Points& x, double hardness);
  double offset(int vertex, int collider) const;
  std::optional<Dent> dent(int vertex, int collider, const Vec3& x) const;
  double stiffness(int vertex) const { return kHardness * model_.mass[vertex] / (h_ * h_); }

  const Model& model_;
  const Points& start_;
  double h_;
  std::vector<PosedSurface> surfaces_;       ///< of the colliders at the end of the step
  std::vector<std::vector<Press>> presses_;  ///< one row a vertex; empty if there are no colliders
};

}  // namespace muslin
