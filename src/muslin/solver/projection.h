#pragma once
#include <limits>

#include "muslin/model/model.h"

namespace muslin {

/// Allowed lengths of a spring over its rest length; equal for rigid springs.
struct LengthBounds {
  double shortest = 1, longest = 1;
};
inline constexpr LengthBounds kRigid{1, 1};

/// Projects the length of a spring to its bounds [Provot 1995].
void project_length(const Model& model, const Controls& controls, int spring, LengthBounds bounds,
                    Split split, Points& positions);

/// One Gauss–Seidel sweep of project_length over all springs in the order of the model.
void sweep_lengths(const Model& model, const Controls& controls, LengthBounds bounds, Split split,
                   Points& positions);

/// Fraction of a correction by which each end of a spring moves, for each axis; 0 on held axes.
struct SpringWeights {
  Vec3 first, second;
};
SpringWeights spring_weights(const Controls& controls, const Stencil<2>& spring, Split split);

}  // namespace muslin
