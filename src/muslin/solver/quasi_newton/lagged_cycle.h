#pragma once
#include <algorithm>

#include "muslin/energy/assembly.h"
#include "muslin/linear/pcg.h"

namespace muslin {

/// Decides whether a linear solve may reuse the multigrid cycle of an earlier iterate. It may while the
/// additional iterations of conjugate gradients since the last set-up cost less than a set-up. The matrix and
/// the rows of contact are always those of the iterate.
class LaggedCycle {
 public:
  /// True if a solve with this Hessian, to this relative error, may use the cycle as it is.
  bool serves(Hessian which, double forcing) const {
    return which == which_ && forcing == forcing_ && excess_ < kOfSetup;
  }

  /// Records a solve. `is_new`: the cycle was set up for it. Negative curvature invalidates the cycle.
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
  static constexpr int kOfSetup = 4;  // cost of a set-up, in iterations of conjugate gradients

  Hessian which_ = Hessian::exact;
  double forcing_ = 0;  // 0: no cycle yet
  int when_new_ = 0, excess_ = 0;
};

}  // namespace muslin
