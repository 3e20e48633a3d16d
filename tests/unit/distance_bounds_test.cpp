#include "muslin/contact/pairs/distance_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "every_pair.h"
#include "unit/contact_sheets.h"

// What is found by bounds that are kept along a walk, against a look at every pair, to the bit.

namespace muslin {
namespace {

using namespace contact_test;

class Bounds : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }
};

constexpr int kPoints = 14, kCloth = kPoints * kPoints;

/// A sheet that is crumpled between a mesh, a ball, a capsule and a plane.
struct Room {
  Surfaces surfaces;
  Points x;

  explicit Room(double offset) {
    surfaces.add(flat_sheet(kPoints), 0.02, {});
    surfaces.add(flat_sheet(5, -0.1), 0.01, {.body = true});
    surfaces.add_ball(0.2, 0.01, {.body = true});
    surfaces.add_capsule(0.1, 0.5, 0.01, {.body = true});
    surfaces.add_plane(0.01, {.body = true});
    surfaces.moves.assign(surfaces.vertex_count(), 1);
    x = surfaces.rest;
    for (int v = 0; v < kCloth; ++v) {
      const double u = x(0, v);
      x(0, v) = 0.2 * u + 0.1 * std::sin(15 * u) + 0.3;
      x(1, v) = 0.15 * std::cos(15 * u) + 0.3;
    }
    x += noise(surfaces.vertex_count(), 0.01, 3);
    x.colwise() += Vec3(offset, -offset, offset);
  }
};

/// A step of a walk: small for most vertices, large for some; all move together besides, and bodies may turn.
Points any_way(int count, std::uint64_t seed) {
  const double size = seed % 4 == 0 ? 1e-5 : seed % 4 == 1 ? 2e-3 : seed % 4 == 2 ? 0.01 : 0.05;
  Points way = noise(count, size, seed);
  for (int v = static_cast<int>(seed % 7); v < count; v += 30) way.col(v) *= 20;
  if (seed % 3 == 0) way.rightCols(count - kCloth).colwise() = Vec3(0.01, 0.002, 0);
  if (seed % 3 == 1) way.rightCols(count - kCloth).setZero();
  way.colwise() += Vec3(0.1, 0.3, -0.2);
  return way;
}

bool same(const std::vector<ActivePair>& a, const std::vector<ActivePair>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ActivePair& p, const ActivePair& q) {
    return p.pair == q.pair && p.closest.distance == q.closest.distance &&
           p.closest.normal == q.closest.normal && p.closest.weight == q.closest.weight;
  });
}

TEST_F(Bounds, FindWhatALookAtEveryPairFinds) {
  for (const double offset : {0.0, 1e3, 1e7})
    for (const int threads : {1, 3}) {
      set_threads(threads);
      Room room(offset);
      Points& x = room.x;
      const int count = static_cast<int>(x.cols());
      Candidates candidates(room.surfaces);
      candidates.detect(x, Points::Zero(3, count), 0.05);
      const std::vector<ContactPair>& pairs = candidates.pairs();
      DistanceBounds bounds(kCloth);
      bounds.watch(pairs);
      size_t most = 0, stopping = 0, steps = 0, looks = 0;
      for (std::uint64_t seed = 1; seed < 40; ++seed) {
        const Points way = any_way(count, seed);
        const std::vector<int> may_stop = bounds.stopping(pairs, x, way);
        stopping += may_stop.size();
        for (int p = 0, k = 0; p < static_cast<int>(pairs.size()); ++p) {
          const bool is_named = k < static_cast<int>(may_stop.size()) && may_stop[k] == p;
          k += is_named;
          const double step = step_before_contact(pairs[p], x, way);
          steps += step < 1;
          if (!is_named) {
            EXPECT_EQ(step, 1);
          }
        }
        if (seed % 5 == 0) {  // a trial that is not kept
          EXPECT_TRUE(same(bounds.active_at(pairs, x + way), active_pairs(pairs, x + way)));
        } else {
          x += way;
        }
        const std::vector<ActivePair> active = active_pairs(pairs, x);
        EXPECT_TRUE(same(bounds.active_at(pairs, x), active));
        EXPECT_TRUE(same(bounds.active_at(pairs, x), active)) << "the second time";
        EXPECT_EQ(bounds.least_distance(pairs, x), least_distance(pairs, x));
        most = std::max(most, active.size());
        looks += pairs.size();
      }
      EXPECT_GT(most, 500u);
      EXPECT_GT(steps, 500u);
      EXPECT_LT(stopping, looks * 3 / 4) << "else nothing is spared";
    }
}

TEST_F(Bounds, KnowNothingOfAPlaceThatIsNotFinite) {
  Room room(0);
  Points& x = room.x;
  Candidates candidates(room.surfaces);
  candidates.detect(x, Points::Zero(3, x.cols()), 0.05);
  DistanceBounds bounds(kCloth);
  bounds.watch(candidates.pairs());
  const std::vector<ActivePair> active = bounds.active_at(candidates.pairs(), x);
  for (const double bad : {kInfinity, std::nan("")}) {
    Points broken = x;
    broken(1, 17) = bad;
    bounds.active_at(candidates.pairs(), broken);
    EXPECT_TRUE(same(bounds.active_at(candidates.pairs(), x), active));
  }
  EXPECT_FALSE(active.empty());
}

}  // namespace
}  // namespace muslin
