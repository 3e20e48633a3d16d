#pragma once
#include <Eigen/Core>
#include <array>
#include <limits>

namespace muslin {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// One column a vertex: positions [m], velocities [m/s], forces [N] …
using Points = Eigen::Matrix<double, 3, Eigen::Dynamic>;
/// One entry a vertex, spring, …
using Scalars = Eigen::VectorXd;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The vertices that one energy element couples.
template <int N>
using Stencil = std::array<int, N>;

}  // namespace muslin
