#pragma once
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <limits>

namespace muslin {

// Where Eigen puts numbers follows from the compiler's flags unless it is told. What the library allocates
// and a caller frees, or the other way round, must be laid out alike in both, whatever vectors either may
// use.
static_assert(
    EIGEN_DEFAULT_ALIGN_BYTES == 64 && EIGEN_MAX_STATIC_ALIGN_BYTES == 16,
    "Muslin and its callers must lay out Eigen's matrices alike: compile every file with "
    "-DEIGEN_MAX_ALIGN_BYTES=64 -DEIGEN_MAX_STATIC_ALIGN_BYTES=16, as the CMake target muslin::muslin "
    "has it done, and define neither otherwise before Eigen is included");

using Vec2 = Eigen::Vector2d;  ///< texture and weave coordinates (u, v)
using Vec3 = Eigen::Vector3d;  ///< a place [m] or vector in space, y up
using Mat3 = Eigen::Matrix3d;  ///< a rotation, or a block of a Hessian

/// One column a vertex: positions [m], velocities [m/s], forces [N] …
using Points = Eigen::Matrix<double, 3, Eigen::Dynamic>;
/// One entry a vertex, spring, …
using Scalars = Eigen::VectorXd;
static_assert(!Points::IsRowMajor && sizeof(Eigen::Index) == sizeof(std::ptrdiff_t),
              "Muslin's matrices are column by column, with Eigen's own type of index: leave "
              "EIGEN_DEFAULT_TO_ROW_MAJOR and EIGEN_DEFAULT_DENSE_INDEX_TYPE undefined");

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();  ///< no limit

/// The vertices that one energy element couples.
template <int N>
using Stencil = std::array<int, N>;

}  // namespace muslin
