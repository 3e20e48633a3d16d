#include "muslin/geometry/bvh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "muslin/core/random.h"
#include "muslin/geometry/spatial_hash.h"

namespace muslin {
namespace {

using Pairs = std::vector<Stencil<2>>;

class BoxTrees : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }
};

const auto kAll = [](int, int) { return true; };

/// Boxes in the unit cube; some are points, some coincide, a few are large.
std::vector<Box> any_boxes(int count, int seed) {
  std::vector<Box> boxes(count);
  for (int i = 0; i < count; ++i) {
    const auto draw = [&](int k) { return random_unit(seed, i, k); };
    const double size = draw(0) < 0.1 ? 0 : draw(0) < 0.95 ? 0.1 * draw(1) : 0.6;
    boxes[i].low = {draw(2), draw(3), draw(4)};
    boxes[i].high = boxes[i].low + size * Vec3(draw(5), draw(6), draw(7));
    if (draw(8) < 0.1 && i > 0) boxes[i] = boxes[i / 2];
  }
  return boxes;
}

/// By the definition, number by number.
bool meet(const Box& a, const Box& b) {
  for (int k = 0; k < 3; ++k)
    if (a.low[k] > b.high[k] || b.low[k] > a.high[k]) return false;
  return true;
}
Pairs brute_force(const std::vector<Box>& boxes) {
  Pairs pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j)
      if (meet(boxes[i], boxes[j])) pairs.push_back({i, j});
  return pairs;
}
Pairs brute_force(const std::vector<Box>& boxes, const std::vector<Box>& others) {
  Pairs pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    for (int j = 0; j < static_cast<int>(others.size()); ++j)
      if (meet(boxes[i], others[j])) pairs.push_back({i, j});
  return pairs;
}

double between(const Box& box, const Vec3& place) {
  double squared = 0;
  for (int k = 0; k < 3; ++k)
    squared += std::pow(std::max({box.low[k] - place[k], place[k] - box.high[k], 0.0}), 2);
  return std::sqrt(squared);
}

TEST_F(BoxTrees, FindPairsOfWhatIsMarkedAlone) {
  const std::vector<Box> boxes = any_boxes(300, 4), others = any_boxes(150, 5);
  std::vector<char> marked(boxes.size(), 0), others_marked(others.size(), 0);
  for (size_t k = 0; k < boxes.size(); k += 7) marked[k] = 1;
  for (size_t k = 3; k < others.size(); k += 11) others_marked[k] = 1;
  BoxTree tree(boxes), other(others);
  tree.mark(marked);
  other.mark(others_marked);
  const auto with_mark = [](Pairs pairs, const std::vector<char>& a, const std::vector<char>& b) {
    std::erase_if(pairs, [&](const Stencil<2>& pair) { return !a[pair[0]] && !b[pair[1]]; });
    return pairs;
  };
  Pairs found, between;
  tree.find_pairs(kAll, found);
  tree.find_pairs(other, kAll, between);
  EXPECT_EQ(found, with_mark(brute_force(boxes), marked, marked));
  EXPECT_EQ(between, with_mark(brute_force(boxes, others), marked, others_marked));
  EXPECT_GT(found.size(), 20u);
  tree.mark({});
  tree.find_pairs(kAll, found);
  EXPECT_EQ(found, brute_force(boxes));
}

TEST_F(BoxTrees, FindWhatIsNearest) {
  for (const int count : {1, 3, 4, 17, 700}) {
    const std::vector<Box> boxes = any_boxes(count, count);
    const BoxTree tree(boxes);
    for (int k = 0; k < 50; ++k) {
      const Vec3 place =
          3 * Vec3(random_unit(1, k, 0), random_unit(1, k, 1), random_unit(1, k, 2)) - Vec3::Ones();
      const auto to_box = [&](int i) { return between(boxes[i], place); };
      const auto distance = [&](int i) { return to_box(i) + 0.1 * random_unit(2, i, k); };
      double least = std::numeric_limits<double>::infinity(), least_to_box = least, found = least;
      std::set<int> within, visited;
      for (int i = 0; i < count; ++i) {
        least = std::min(least, distance(i));
        least_to_box = std::min(least_to_box, to_box(i));
      }
      const auto each_of = [&](int leaf, const auto& look) {
        for (int i = 4 * leaf; i < std::min(count, 4 * leaf + 4); ++i) look(tree.order()[i]);
      };
      for (int l = 0; 4 * l < count; ++l) {
        Box box = Box::nothing();
        each_of(l, [&](int i) { box.include(boxes[i].low), box.include(boxes[i].high); });
        if (between(box, place) < 1) within.insert(l);
      }
      tree.visit_leaves_within(kInfinity, place, [&](int l) {
        each_of(l, [&](int i) { found = std::min(found, distance(i)); });
        return found;
      });
      EXPECT_EQ(found, least);
      tree.visit_leaves_within(1, place, [&](int l) {
        EXPECT_TRUE(visited.insert(l).second);
        return 1;
      });
      EXPECT_EQ(visited, within);
      EXPECT_LE(tree.distance_to(place), least_to_box + 1e-15);
    }
  }
  BoxTree({}).visit_leaves_within(kInfinity, Vec3::Zero(), [](int) {
    ADD_FAILURE();
    return kInfinity;
  });
}

TEST_F(BoxTrees, FindWhatBruteForceFinds) {
  for (const int threads : {1, 2, 5}) {
    set_threads(threads);
    for (const int count : {0, 1, 2, 4, 5, 16, 17, 33, 700}) {
      const std::vector<Box> boxes = any_boxes(count, count);
      BoxTree tree(boxes);
      Pairs pairs{{7, 7}};  // what was there before is gone
      tree.find_pairs(kAll, pairs);
      EXPECT_EQ(pairs, brute_force(boxes)) << count;

      const std::vector<Box> moved = any_boxes(count, count + 1);  // nothing is where the tree was made for
      tree.refit(moved);
      tree.find_pairs(kAll, pairs);
      EXPECT_EQ(pairs, brute_force(moved)) << count;

      for (const int other_count : {0, 1, 50}) {
        const std::vector<Box> others = any_boxes(other_count, 3);
        tree.find_pairs(BoxTree(others), kAll, pairs);
        EXPECT_EQ(pairs, brute_force(moved, others)) << count << " and " << other_count;
      }
    }
  }
}

TEST_F(BoxTrees, LeaveOutWhatTheCallerDoesNotWant) {
  const std::vector<Box> boxes = any_boxes(300, 1), others = any_boxes(200, 2);
  const auto odd = [](int i, int j) { return (i + j) % 2 == 1; };
  const auto filtered = [&](Pairs pairs) {
    pairs.erase(std::remove_if(pairs.begin(), pairs.end(), [&](const auto& p) { return !odd(p[0], p[1]); }),
                pairs.end());
    return pairs;
  };
  Pairs pairs;
  BoxTree(boxes).find_pairs(odd, pairs);
  EXPECT_EQ(pairs, filtered(brute_force(boxes)));
  EXPECT_FALSE(pairs.empty());
  BoxTree(boxes).find_pairs(BoxTree(others), odd, pairs);
  EXPECT_EQ(pairs, filtered(brute_force(boxes, others)));
}

TEST_F(BoxTrees, BoxesThatTouchOverlap) {
  const Box unit{Vec3::Zero(), Vec3::Ones()};
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 step = Vec3::Unit(axis);
    const Box next{unit.low + step, unit.high + step};
    const Box beyond{next.low + 1e-15 * step, next.high};
    const std::vector<Box> boxes{unit, next, beyond};
    Pairs pairs;
    BoxTree(boxes).find_pairs(kAll, pairs);
    EXPECT_EQ(pairs, (Pairs{{0, 1}, {1, 2}}));
  }
}

TEST_F(BoxTrees, AgreeWithTheSpatialHashOnVerticesWithinARadius) {
  constexpr int kCount = 1500;
  constexpr double kRadius = 0.07;
  Points x(3, kCount);
  for (int i = 0; i < kCount; ++i)
    x.col(i) = Vec3(random_unit(5, i, 0), random_unit(5, i, 1), 0.2 * random_unit(5, i, 2));
  const auto near = [&](int i, int j) { return (x.col(i) - x.col(j)).norm() < kRadius; };

  Pairs by_hand, by_hash, by_tree;
  for (int i = 0; i < kCount; ++i)
    for (int j = i + 1; j < kCount; ++j)
      if (near(i, j)) by_hand.push_back({i, j});

  const SpatialHash hash(x, kRadius);
  for (int i = 0; i < kCount; ++i)
    hash.for_each_within(x.col(i), kRadius, [&](int j, const Vec3&) {
      if (i < j) by_hash.push_back({i, j});
    });
  std::sort(by_hash.begin(), by_hash.end());

  std::vector<Box> boxes(kCount);
  for (int i = 0; i < kCount; ++i)
    boxes[i] = {x.col(i).array() - 0.5001 * kRadius, x.col(i).array() + 0.5001 * kRadius};
  BoxTree(boxes).find_pairs(near, by_tree);

  EXPECT_GT(by_hand.size(), 1000u);
  EXPECT_EQ(by_hash, by_hand);
  EXPECT_EQ(by_tree, by_hand);
}

}  // namespace
}  // namespace muslin
