#include "muslin/contact/vertices/neighbours.h"

#include <gtest/gtest.h>

#include <random>

#include "muslin/contact/vertices/respond.h"
#include "muslin/core/revision.h"
#include "muslin/model/model.h"

namespace muslin {
namespace {

constexpr double kDistance = 0.05;

/// A sheet whose rest distances lie below and above what it keeps from itself.
Model sheet() {
  Scene scene;
  scene.self_collision.enabled = true;
  scene.self_collision.distance = kDistance;
  Cloth cloth;
  cloth.grid.emplace();
  cloth.grid->points = {12, 9};
  cloth.grid->size = {0.4, 0.4};
  scene.cloths = {cloth};
  return build_model(scene);
}

/// What every vertex finds too near by looking at all others.
Points pushed_apart(const Model& model, const Points& x) {
  Points result = x;
  for (int i = 0; i < x.cols(); ++i) {
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (int j = 0; j < x.cols(); ++j) {
      const Vec3 apart = x.col(i) - x.col(j);
      const double wanted = std::min(kDistance, (model.start.col(i) - model.start.col(j)).norm());
      if (j == i || apart.norm() == 0 || apart.norm() >= wanted) continue;
      sum += (wanted - apart.norm()) * apart.normalized();
      ++count;
    }
    if (count > 0) result.col(i) += model.self_collision.relaxation / count * sum;
  }
  return result;
}

// Cloth that crumples, drifts, jumps and rests: lists from earlier steps leave nobody out, and change no bit.
TEST(Neighbours, KeptListsPushAsALookAtAllPairs) {
  const Model model = sheet();
  const Points free = Points::Ones(3, model.vertex_count());
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Neighbours kept;
  Points x = model.start;
  int pushed = 0;
  for (int step = 0; step < 200; ++step) {
    const double stride = step % 50 == 49 ? 0.1 : step % 3 == 0 ? 0 : 1e-3;
    const Vec3 drift(0.02, -0.01 * step, 0.03);
    for (int v = 0; v < x.cols(); ++v)
      for (int axis = 0; axis < 3; ++axis) x(axis, v) += stride * normal(random) + 0.01 * drift[axis];
    x.row(2) *= 0.98;
    Points by_kept = x, by_fresh = x;
    Neighbours fresh;
    pushed += push_apart(model, free, kept, by_kept);
    push_apart(model, free, fresh, by_fresh);
    ASSERT_EQ(by_kept, by_fresh) << "step " << step;
    ASSERT_LT((by_kept - pushed_apart(model, x)).cwiseAbs().maxCoeff(), 1e-12) << "step " << step;
    x = by_kept;
  }
  EXPECT_GT(pushed, 1000);
}

TEST(Neighbours, AreListedAnewForAnotherModel) {
  const Model model = sheet();
  Model other = model;
  other.revision = next_revision();
  other.self_distance = 2 * kDistance;
  Neighbours neighbours;
  neighbours.update(model, model.start);
  const size_t few = neighbours.of(50).size();
  neighbours.update(other, model.start);
  EXPECT_GT(neighbours.of(50).size(), few);
}

}  // namespace
}  // namespace muslin
