#include "muslin/model/collider_shape.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "muslin/audit/solids.h"
#include "muslin/core/random.h"
#include "muslin/model/motion.h"

// Every shape of the list keeps what its record promises, and contact and audit, which share no mathematics,
// see the same solid: a new one is tested without a line here.

namespace muslin {
namespace {

constexpr int kSamples = 2000;

class ColliderShapes : public testing::TestWithParam<Shape> {
 protected:
  ColliderShapes() {
    collider_.shape = GetParam();
    collider_.radius = 0.7;
    collider_.length = 0.9;
    collider_.size = {0.8, 1.1, 1.6};
  }

  /// Evenly from a cube that holds the solid and its surroundings.
  static Vec3 sample(int k) {
    const auto number = [&](int axis) { return 4 * random_unit(3, k, axis) - 2; };
    return {number(0), number(1), number(2)};
  }

  Collider collider_;
  const ColliderShape& shape_ = shape_of(GetParam());
};

TEST_P(ColliderShapes, AuditAndContactSeeTheSameSolid) {
  int inside = 0;
  for (int k = 0; k < kSamples; ++k) {
    const Vec3 p = sample(k);
    const double distance = shape_.surface(collider_, p).distance, depth = depth_inside(collider_, {}, p);
    if (distance < 0) {
      EXPECT_NEAR(depth, -distance, 1e-12) << p.transpose();
      ++inside;
    } else {
      EXPECT_LE(depth, 1e-12) << p.transpose();
    }
  }
  EXPECT_GT(inside, kSamples / 100);
}

TEST_P(ColliderShapes, NormalsAreTheGradientOfTheDistance) {
  constexpr double kStep = 1e-6;
  int off = 0;  // on either side of a place that is as near to two faces
  for (int k = 0; k < kSamples; ++k) {
    const Vec3 p = sample(k);
    const auto [distance, normal] = shape_.surface(collider_, p);
    EXPECT_NEAR(normal.norm(), 1, 1e-12);
    Vec3 gradient;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 aside = kStep * Vec3::Unit(axis);
      gradient[axis] =
          (shape_.surface(collider_, p + aside).distance - shape_.surface(collider_, p - aside).distance) /
          (2 * kStep);
    }
    off += (gradient - normal).norm() > 1e-4;
  }
  EXPECT_LE(off, 2);
}

TEST_P(ColliderShapes, MeshesEncloseAndAreClosed) {
  for (const double edge : {0.3, 0.05}) {
    const Mesh mesh = shape_.mesh(collider_, edge, 0);
    const auto distance = [&](const Vec3& p) { return shape_.surface(collider_, p).distance; };
    for (const auto& [a, b, c] : mesh.triangles)
      for (int i = 0; i <= 6; ++i)
        for (int j = 0; i + j <= 6; ++j)
          EXPECT_GE(distance((i * mesh.positions.col(a) + j * mesh.positions.col(b) +
                              (6 - i - j) * mesh.positions.col(c)) /
                             6.0),
                    -1e-12);
    if (GetParam() == Shape::plane) continue;
    for (const Hinge& hinge : build_topology(mesh.vertex_count(), mesh.triangles, "shape").hinges)
      EXPECT_GE(hinge.triangle1, 0);
    const auto& [a, b, c] = mesh.triangles[0];
    const Vec3 normal =
        (mesh.positions.col(b) - mesh.positions.col(a)).cross(mesh.positions.col(c) - mesh.positions.col(a));
    EXPECT_GT(normal.dot(mesh.positions.col(a)), 0) << "faces look outwards";
  }
}

TEST_P(ColliderShapes, MeshesStandOutNoMoreThanAsked) {
  if (!shape_.stands_out()) return;
  for (const double at_most : {1e-2, 1e-3, 1e-4}) {
    const int corners = static_cast<int>(std::ceil(shape_.corners(collider_, at_most)));
    const Mesh mesh = shape_.mesh(collider_, 0.3, corners);
    double most = 0;
    for (const auto& corner : mesh.positions.colwise())
      most = std::max(most, shape_.surface(collider_, corner).distance);
    EXPECT_LE(most, at_most * (1 + 1e-9));
  }
}

TEST_P(ColliderShapes, AreNarrowestAsTheySay) {
  const double width = shape_.width(collider_);
  double deepest = 0;
  for (int k = 0; k < kSamples; ++k)
    deepest = std::max(deepest, -shape_.surface(collider_, sample(k) * 0.5).distance);
  if (std::isinf(width)) return;
  EXPECT_LE(deepest, width / 2 + 1e-12);
  EXPECT_GE(deepest, 0.7 * width / 2);
}

std::vector<Shape> shapes_with_a_surface() {
  std::vector<Shape> shapes;
  for (size_t s = 0; s < EnumNames<Shape>::names.size(); ++s)
    if (shape_of(static_cast<Shape>(s)).surface) shapes.push_back(static_cast<Shape>(s));
  return shapes;
}
INSTANTIATE_TEST_SUITE_P(All, ColliderShapes, testing::ValuesIn(shapes_with_a_surface()),
                         [](const auto& shape) { return std::string(name_of(shape.param)); });

Mat3 rotation_to(const Vec3& axis) {
  Collider collider;
  collider.axis = axis;
  return pose_at(collider, 0).rotation;
}

TEST(ColliderAxis, HasTheBitsOfEigensTurnBetweenTwoVectors) {
  std::vector<Vec3> axes{Vec3::UnitY(),  -Vec3::UnitY(), Vec3::UnitX(),
                         -Vec3::UnitZ(), {0, -3, 0},     {1e-9, 1, 0}};
  for (int k = 0; k < kSamples; ++k)
    axes.emplace_back(random_unit(5, k, 0) - 0.5, random_unit(5, k, 1) - 0.5, random_unit(5, k, 2) - 0.5);
  std::erase_if(axes, [](const Vec3& axis) { return axis.x() != 0 && axis.y() < -0.98 * axis.norm(); });
  for (const Vec3& axis : axes)
    EXPECT_EQ(rotation_to(axis), Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), axis).toRotationMatrix())
        << axis.transpose();
}

TEST(ColliderAxis, MayPointNearlyDown) {
  constexpr double kRounding = 2e-14;  // two digits go in 1 + cosine before the sine takes over
  for (const double aside : {0.15, 0.1, 1e-3, 1e-5, 1e-6, 1e-7, 1e-9, 1e-12, 1e-200}) {
    const Vec3 axis(0.6 * aside, -1, 0.8 * aside);
    const Mat3 rotation = rotation_to(axis);
    EXPECT_LE((rotation.col(1) - axis.normalized()).norm(), kRounding) << aside;
    EXPECT_TRUE((rotation * rotation.transpose()).isIdentity(kRounding)) << aside;
    EXPECT_NEAR(rotation.col(0).cross(rotation.col(1)).dot(rotation.col(2)), 1, kRounding) << aside;
  }
}

}  // namespace
}  // namespace muslin
