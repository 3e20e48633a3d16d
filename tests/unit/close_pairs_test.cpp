#include "muslin/contact/bounded/close_pairs.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <set>

#include "unit/contact_sheets.h"

// Lists of blocks against a look at every pair.

namespace muslin {
namespace {

using namespace contact_test;

constexpr double kEdge = 0.14;  // the mean one of the sheets, nearly [m]

/// Two sheets so near each other that a block is wider, and a triangle with a vertex that is of none.
Surfaces layers() {
  Surfaces surfaces;
  surfaces.add(flat_sheet(9), 0.015, {.body = false, .friction = 0.2});
  surfaces.add(flat_sheet(7, 0.03), 0.01, {.body = false, .friction = 0.7});
  Mesh triangle;
  triangle.positions.resize(3, 4);
  triangle.positions << 0.3, 0.7, 0.3, 0.6, 0.06, 0.06, 0.07, 0.06, 0.3, 0.3, 0.7, 0.6;
  triangle.triangles = {{0, 1, 2}};
  surfaces.add(triangle, 0.02, {.body = false, .friction = 0.4});
  return surfaces;
}

/// All swing together; the second sheet comes to the first and parts from it; everything trembles.
Points places_at(const Surfaces& surfaces, double pace, int step) {
  Points x = surfaces.rest;
  const double away = pace * std::abs(12 - step);
  for (int v = 0; v < surfaces.vertex_count(); ++v)
    if (surfaces.piece[v] == 1) x.col(v) += Vec3(0.3 * away, away, 0);
  for (int v = 0; v < 81; ++v) x(1, v) += 0.2 * std::sin(7 * x(0, v) + 0.1 * step);
  x += noise(surfaces.vertex_count(), 0.002, step);
  const Mat3 turn = Eigen::AngleAxisd(0.2 * step, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Vec3 gone = step * Vec3(0.5, -0.3, 0);
  for (int v = 0; v < surfaces.vertex_count(); ++v) x.col(v) = turn * x.col(v) + gone;
  return x;
}

/// By what points of a pair's sides can go beside each other.
double change(PairKind kind, const Stencil<4>& vertices, const Points& way) {
  const int of_a = kind == PairKind::edge_edge ? 2 : 1;
  double most = 0;
  for (int i = 0; i < of_a; ++i)
    for (int j = of_a; j < 4; ++j)
      most = std::max(most, (way.col(vertices[i]) - way.col(vertices[j])).norm());
  return most;
}

double expected_radius(const Surfaces& surfaces, PairKind kind, const Stencil<4>& v) {
  const auto& half = surfaces.half_thickness;  // one for every piece
  const double thick = half[v[0]] + half[v[3]];
  if (surfaces.piece[v[0]] != surfaces.piece[v[3]]) return thick;
  return std::min(thick, static_cast<double>(reference::distance(kind, corners(surfaces.rest, v))) / 2);
}

/// The middles of two sides are so far apart that no points of them can be within a limit [m].
bool far_apart(PairKind kind, const Quad& x, double limit) {
  const int of_a = kind == PairKind::edge_edge ? 2 : 1;
  const Vec3 a = x.leftCols(of_a).rowwise().mean(), b = x.rightCols(4 - of_a).rowwise().mean();
  const double wide = (x.leftCols(of_a).colwise() - a).colwise().norm().maxCoeff() +
                      (x.rightCols(4 - of_a).colwise() - b).colwise().norm().maxCoeff();
  return (a - b).norm() > wide + limit;
}

using Pair = std::pair<PairKind, Stencil<4>>;

struct Way {
  Points displacement;
  ClosePairs::Motion motion;
  double factor;
};

std::set<Pair> by_brute_force(const Surfaces& surfaces, const Points& x, const Way& way) {
  std::set<Pair> all;
  for_each_pair(surfaces, [&](PairKind kind, const Stencil<4>& v) {
    const double limit = expected_radius(surfaces, kind, v) + way.factor * change(kind, v, way.displacement);
    const Quad quad = corners(x, v);
    if (!far_apart(kind, quad, limit) && static_cast<double>(reference::distance(kind, quad)) < limit)
      all.insert({kind, v});
  });
  return all;
}

/// Edges have no order for brute force.
Pair sorted(const ClosePair& pair) {
  const auto& [a, b, c, d] = pair.vertices;
  const bool turned = pair.kind == PairKind::edge_edge && Stencil<2>{c, d} < Stencil<2>{a, b};
  return {pair.kind, turned ? Stencil<4>{c, d, a, b} : pair.vertices};
}

std::vector<Pair> found_by(ClosePairs& pairs, const Points& x, const Way& way) {
  pairs.cover(way.displacement, way.motion, way.factor, 1e-9);
  const auto limit = [&](const ClosePair& pair) {
    return pair.radius + way.factor * change_between(pair, way.displacement);
  };
  std::vector<Pair> all;
  for (const ClosePairs::Found& found :
       pairs.near([&](const ClosePair&pair, double least) { return least - 1e-10 < limit(pair); })) {
    const ClosePair& pair = found.pair();
    const double distance = closest_points(pair.kind, corners(x, pair.vertices)).distance;
    EXPECT_LE(found.listed->bound - found.used, distance + 1e-9);
    found.set_distance(distance);
    if (distance < limit(pair)) all.push_back(sorted(pair));
  }
  return all;
}

struct Motions {
  double origin;  ///< [m] how far away it happens
  double pace;    ///< [m] by which the sheets come nearer in a step, and part
  double shaken;  ///< [m] every fifth step
};

class ClosePairsOfLayers : public testing::TestWithParam<Motions> {};

TEST_P(ClosePairsOfLayers, AreWhatBruteForceFindsHoweverOldListsAre) {
  const Surfaces surfaces = layers();
  ClosePairs kept(surfaces, kEdge);
  size_t most = 0, least = 1000;
  for (int step = 0; step < 24; ++step) {
    Points x = places_at(surfaces, GetParam().pace, step);
    x.array() += GetParam().origin;
    Points displacement =
        noise(surfaces.vertex_count(), step % 5 == 4 ? GetParam().shaken : 0.001, 100 + step);
    if (step % 2 == 0) displacement.colwise() += Vec3(0.02, 0, 0.01);
    ClosePairs fresh(surfaces, kEdge);
    kept.begin(x);
    fresh.begin(x);
    for (const auto motion : {ClosePairs::Motion::beside, ClosePairs::Motion::whole}) {
      const Way way{displacement, motion, step % 3 == 0 ? 1 / 0.9 : 1};
      const std::vector<Pair> pairs = found_by(kept, x, way);
      EXPECT_EQ(pairs, found_by(fresh, x, way)) << step;
      const std::set<Pair> expected = by_brute_force(surfaces, x, way);
      EXPECT_EQ(std::set<Pair>(pairs.begin(), pairs.end()), expected) << step;
      EXPECT_EQ(pairs.size(), expected.size()) << step;
    }
    most = std::max(most, found_by(kept, x, {displacement, ClosePairs::Motion::beside, 1}).size());
    least = std::min(least, found_by(kept, x, {displacement, ClosePairs::Motion::beside, 1}).size());
  }
  EXPECT_GT(most, 200);
  EXPECT_LT(least, 100);
}

INSTANTIATE_TEST_SUITE_P(Motions, ClosePairsOfLayers,
                         testing::Values(Motions{0, 0.04, 0.03}, Motions{1000, 0.04, 0.03},
                                         Motions{0, 0.06, 0.001}));

TEST(ClosePairs, OfNothingAreNone) {
  Surfaces surfaces;
  ClosePairs pairs(surfaces, kEdge);
  pairs.begin(Points(3, 0));
  pairs.cover(Points(3, 0), ClosePairs::Motion::beside, 1, 0);
  EXPECT_TRUE(pairs.near([](const ClosePair&, double) { return true; }).empty());
}

}  // namespace
}  // namespace muslin
