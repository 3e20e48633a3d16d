#pragma once
#include <limits>

#include "muslin/model/model.h"

namespace muslin {

/// One Gauss–Seidel sweep over all springs in the order of the model: a spring whose length over its rest
/// length lies outside [shortest, longest] is brought to the nearer bound [Provot 1995]. Rigid springs: both
/// are 1.
struct LengthBounds {
  double shortest = 1, longest = 1;
};
inline constexpr LengthBounds kRigid{1, 1};

void sweep_lengths(const Model& model, LengthBounds bounds, Split split, Points& positions);

/// How a correction of a spring is shared: the part of C that each end moves, componentwise (held axes get
/// 0).
struct Shares {
  Vec3 first, second;
};
Shares spring_shares(const Model& model, const Stencil<2>& spring, Split split);

}  // namespace muslin
