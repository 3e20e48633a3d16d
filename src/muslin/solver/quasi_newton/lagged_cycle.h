#pragma once
#include <algorithm>

#include "muslin/energy/assembly.h"
#include "muslin/linear/pcg.h"

namespace muslin {

/// When the multigrid cycle of a step's linear solves may stay that of an earlier iterate: while the
/// iterations of conjugate gradients that it has cost since, beyond those that it took when it was new, are
/// fewer than a set-up is worth. The matrix itself is always that of the iterate, and so is what contact adds
/// to the cycle.
class LaggedCycle {
 public:
  /// Whether a solve with this Hessian, to this relative error, may use the cycle as it is.
  bool serves(Hessian which, double forcing) const {
    return which == which_ && forcing == forcing_ && excess_ < kOfSetup;
  }

  /// Takes note of a solve, for which the cycle was made if it `is_new`. One that met negative curvature
  /// leaves no cycle to be used.
  void took(const PcgReport& pcg, Hessian which, double forcing, bool is_new) {
    if (pcg.negative_curvature) {
      *this = {};
    } else if (is_new) {
      which_ = which;
      forcing_ = forcing;
      when_new_ = pcg.iterations;
      excess_ = 0;
    } else {
      excess_ += std::max(0, pcg.iterations - when_new_);
    }
  }

 private:
  // What a set-up costs, in iterations of conjugate gradients: some six by the profile of a skirt that turns,
  // where 3 takes as much time and 10 a tenth more.
  static constexpr int kOfSetup = 4;

  Hessian which_ = Hessian::exact;
  double forcing_ = 0;  // 0: there is no cycle yet
  int when_new_ = 0, excess_ = 0;
};

}  // namespace muslin
