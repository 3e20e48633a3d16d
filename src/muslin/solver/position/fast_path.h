#pragma once
#include <string>

#include "muslin/model/input.h"
#include "muslin/model/report.h"
#include "muslin/solver/position/contact_response.h"

namespace muslin {

/// A path of xpbd that projects in float, for scenes that allow it, with one projection a step. What all have
/// in common: prediction, contact and velocities, in double as on the general path.
class FastPath {
 public:
  explicit FastPath(const PositionSettings& settings) : settings_(settings), response_(settings.contact) {}
  virtual ~FastPath() = default;

  virtual PositionPath name() const = 0;

  /// How far the cloth, as it starts, is from the origin of its floats, along one axis at most [m].
  virtual double reach(const Model& model) const = 0;

  /// Why these settings, this model and these controls are not for it; "" if they are.
  const std::string& obstacle(const Model& model, const Controls& controls);

  /// Predicts, projects, meets colliders: as the general path does. Inertia begins at `from`, contact at the
  /// state, which may be the same.
  StepReport advance(const State& from, const Model& model, const Input& input, State& state, double h);

  /// The model or the controls are others.
  void forget();

 protected:
  /// Why it cannot run this model, or "". Called before prepare.
  virtual std::string find_obstacle(const Model& model) = 0;
  /// Makes what steps of h seconds with these pins have in common.
  virtual void prepare(const Model& model, const Controls& controls, double h) = 0;
  /// Moves predicted positions [m] to where the conditions are met. The largest move [m] if it is to be
  /// measured, else 0.
  virtual double project(const Points& start, Points& positions, bool measured) = 0;

  const PositionSettings settings_;

 private:
  bool looked_ = false;
  std::string obstacle_;
  double step_ = 0;  // [s] that it is prepared for
  Points next_;      // positions of the step, kept so that none is allocated
  ContactResponse response_;
};

}  // namespace muslin
