#pragma once
#include <limits>

#include "muslin/model/model.h"

namespace muslin {

/// Lengths over the rest length that a spring may have; rigid springs have one.
struct LengthBounds {
  double shortest = 1, longest = 1;
};
inline constexpr LengthBounds kRigid{1, 1};

/// Brings a spring that is too short or too long to the nearer bound [Provot 1995].
void project_length(const Model& model, const Controls& controls, int spring, LengthBounds bounds,
                    Split split, Points& positions);

/// One Gauss–Seidel sweep of project_length over all springs in the order of the model.
void sweep_lengths(const Model& model, const Controls& controls, LengthBounds bounds, Split split,
                   Points& positions);

/// How a correction of a spring is divided: the fraction of C that each end moves, componentwise (held axes
/// get 0).
struct SpringWeights {
  Vec3 first, second;
};
SpringWeights spring_weights(const Controls& controls, const Stencil<2>& spring, Split split);

}  // namespace muslin
