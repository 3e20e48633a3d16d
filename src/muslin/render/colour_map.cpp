#include "muslin/render/colour_map.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

/// OKLab to sRGB [Ottosson 2020].
Eigen::Vector3f srgb_of(const Eigen::Vector3d& lab) {
  const double l = lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2];
  const double m = lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2];
  const double s = lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2];
  const double l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
  const double linear[] = {4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
                           -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
                           -0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3};
  Eigen::Vector3f colour;
  for (int c = 0; c < 3; ++c) {
    const double x = std::clamp(linear[c], 0.0, 1.0);
    colour[c] = static_cast<float>(x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055);
  }
  return colour;
}

}  // namespace

Eigen::Vector3f heat_colour(double fraction) {
  constexpr double kDegree = M_PI / 180;
  const double t = std::clamp(fraction, 0.0, 1.0);
  // A path through OKLab: even in lightness and hue; the chroma is what sRGB can show along it.
  const double lightness = 0.29 + 0.64 * t;
  const double hue = (310 - 204 * t) * kDegree;
  const double chroma = 0.135 + 0.035 * t - 0.052 * std::sin(M_PI * t);
  return srgb_of({lightness, chroma * std::cos(hue), chroma * std::sin(hue)});
}

}  // namespace muslin
