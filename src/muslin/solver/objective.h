#pragma once
#include "muslin/model/model.h"

namespace muslin {

/// What implicit Euler minimises: F(x) = Σ mᵢ|xᵢ − yᵢ|² / 2h² + E(x), the incremental potential [Martin
/// 2011]. y = x_n + h v + h² a_ext is where the cloth would be without elasticity; its held components are
/// ignored.
class Objective {
 public:
  /// `model` must outlive the objective.
  Objective(const Model& model, const Points& inertial_target, double h)
      : model_(model), target_(inertial_target), inverse_h2_(1 / (h * h)) {}

  /// F [J]
  double value(const Points& x) const;

  /// ∂F/∂x [N], zero on held components. `scratch` is reused memory.
  void gradient(const Points& x, Scratch& scratch, Points& gradient) const;

  /// m/h² [N/m]
  double inertia(int vertex) const { return model_.mass[vertex] * inverse_h2_; }

 private:
  const Model& model_;
  const Points& target_;
  double inverse_h2_;
};

}  // namespace muslin
