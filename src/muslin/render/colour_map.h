#pragma once
#include <Eigen/Core>

namespace muslin {

/// The colour of a fraction of the heat map's range, in sRGB from 0 to 1: from dark violet (0) over
/// blue-green to pale yellow (1), lightness growing evenly, so that equal steps of the measure look equal,
/// also to the colour-blind and in grey. Fractions beyond the ends have the colour of the end.
Eigen::Vector3f heat_colour(double fraction);

}  // namespace muslin
