#include "muslin/audit/predicates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

#include "muslin/audit/box_grid.h"
#include "muslin/audit/gap.h"
#include "muslin/audit/triangles.h"
#include "muslin/core/random.h"

namespace muslin {
namespace {

/// Numbers drawn one after another.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  double unit() { return random_unit(seed_, 0, count_++); }
  double between(double low, double high) { return low + (high - low) * unit(); }
  int below(int count) { return static_cast<int>(unit() * count); }
  Vec3 point() {
    const double x = between(-1, 1), y = between(-1, 1);
    return {x, y, between(-1, 1)};
  }

 private:
  std::uint64_t seed_, count_ = 0;
};

// --- predicates beside rational numbers ----------------------------------------------------------------

using Rational = boost::multiprecision::cpp_rational;

int rational_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  std::array<std::array<Rational, 3>, 3> m;
  for (int axis = 0; axis < 3; ++axis) {
    m[0][axis] = Rational(b[axis]) - Rational(a[axis]);
    m[1][axis] = Rational(c[axis]) - Rational(a[axis]);
    m[2][axis] = Rational(d[axis]) - Rational(a[axis]);
  }
  Rational det = 0;
  for (int k = 0; k < 3; ++k)
    det += m[0][k] * (m[1][(k + 1) % 3] * m[2][(k + 2) % 3] - m[1][(k + 2) % 3] * m[2][(k + 1) % 3]);
  return det.sign();
}

int rational_orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const Rational area = (Rational(b[u]) - Rational(a[u])) * (Rational(c[v]) - Rational(a[v])) -
                        (Rational(b[v]) - Rational(a[v])) * (Rational(c[u]) - Rational(a[u]));
  return area.sign();
}

void expect_exact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const int sign = rational_orient3d(a, b, c, d);
  ASSERT_EQ(orient3d(a, b, c, d), sign)
      << a.transpose() << "; " << b.transpose() << "; " << c.transpose() << "; " << d.transpose();
  ASSERT_EQ(orient3d(b, a, c, d), -sign);
  ASSERT_EQ(orient3d(d, c, b, a), sign);
  for (int axis = 0; axis < 3; ++axis) {
    ASSERT_EQ(orient2d(a, b, c, axis), rational_orient2d(a, b, c, axis));
    ASSERT_EQ(orient2d(b, a, c, axis), -rational_orient2d(a, b, c, axis));
  }
}

TEST(ExactPredicates, SidesAreThoseOfTheNormal) {
  const Vec3 o = Vec3::Zero(), x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  EXPECT_EQ(orient3d(o, x, y, z), 1);
  EXPECT_EQ(orient3d(o, x, y, -z), -1);
  EXPECT_EQ(orient3d(o, x, y, x + y), 0);
  EXPECT_EQ(orient2d(o, x, y, 2), 1);
  EXPECT_EQ(orient2d(o, y, z, 0), 1);
  EXPECT_EQ(orient2d(o, z, x, 1), 1);
  EXPECT_EQ(orient2d(o, x, y, 0), 0) << "seen from the edge";
}

TEST(ExactPredicates, RandomPoints) {
  Draws draw(1);
  for (int trial = 0; trial < 3000; ++trial) {
    const double scale = std::ldexp(1.0, draw.below(60) - 30);
    const Vec3 a = scale * draw.point(), b = scale * draw.point(), c = scale * draw.point();
    expect_exact(a, b, c, scale * draw.point());
  }
}

/// Moves one coordinate to the next double, up or down.
Vec3 nudged(const Vec3& p, Draws& draw) {
  Vec3 q = p;
  double& x = q[draw.below(3)];
  x = std::nextafter(x, draw.below(2) == 0 ? -1e9 : 1e9);
  return q;
}

TEST(ExactPredicates, PointsInOnePlaneOrOnOneLineButForAHair) {
  Draws draw(2);
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3 offset = std::array{Vec3(0, 0, 0), Vec3(1000, -700, 300), Vec3(1e8, 0, 1e-8)}[draw.below(3)];
    const Vec3 a = offset + draw.point(), b = offset + draw.point(), c = offset + draw.point();
    const double s = draw.below(4) / 4.0, t = draw.below(2) * draw.unit();
    const Vec3 d = a + s * (b - a) + t * (c - a);  // in the plane but for rounding; t = 0: on the edge
    expect_exact(a, b, c, d);
    expect_exact(a, b, c, nudged(d, draw));
    expect_exact(a, b, d, c);
  }
}

TEST(ExactPredicates, PointsOfASmallLattice) {
  Draws draw(3);
  int zeros = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    std::array<Vec3, 4> p;
    for (Vec3& point : p)
      for (double& x : point) x = 1000.1 + 0.125 * draw.below(4);  // many planes, lines and coincidences
    expect_exact(p[0], p[1], p[2], p[3]);
    zeros += orient3d(p[0], p[1], p[2], p[3]) == 0;
  }
  EXPECT_GT(zeros, 1000);
}

TEST(ExactPredicates, EveryMagnitudeThatDoublesHave) {
  Draws draw(4);
  const double largest = std::numeric_limits<double>::max(),
               smallest = std::numeric_limits<double>::denorm_min();
  for (int trial = 0; trial < 60; ++trial) {
    std::array<Vec3, 4> p;
    for (Vec3& point : p)
      for (double& x : point) {
        const int kind = draw.below(8);
        const double sign = draw.below(2) == 0 ? 1 : -1;
        x = sign * (kind == 0   ? largest
                    : kind == 1 ? smallest
                    : kind == 2 ? 0
                                : std::ldexp(draw.unit(), draw.below(2000) - 1050));
      }
    expect_exact(p[0], p[1], p[2], p[3]);
  }
  for (int trial = 0; trial < 300; ++trial) {  // products that lose most of their bits to underflow
    std::array<Vec3, 4> p;
    for (Vec3& point : p) point = draw.point().cwiseProduct(Vec3(0x1p-535, 0x1p-535, 1));
    expect_exact(p[0], p[1], p[2], p[3]);
  }
  // Alone in the plane of the first three but for the smallest number there is.
  const Vec3 a(-largest, 0, 0), b(largest, -largest, 0), c(0, largest, 0);
  expect_exact(a, b, c, Vec3(0, 0, smallest));
  EXPECT_EQ(orient3d(a, b, c, Vec3(0, 0, smallest)), 1);
}

// --- triangles -----------------------------------------------------------------------------------------

/// Two triangles of nine numbers each meet; either first, and with their corners in any order.
bool meet(const std::array<Vec3, 3>& p, const std::array<Vec3, 3>& q) {
  Points x(3, 6);
  for (int k = 0; k < 3; ++k) {
    x.col(k) = p[k];
    x.col(3 + k) = q[k];
  }
  const bool first = triangles_meet(x, {0, 1, 2}, {3, 4, 5});
  EXPECT_EQ(first, triangles_meet(x, {3, 4, 5}, {0, 1, 2}));
  EXPECT_EQ(first, triangles_meet(x, {2, 1, 0}, {4, 5, 3}));
  return first;
}

TEST(TrianglesMeet, TouchingCountsAndAHairBesideDoesNot) {
  const std::array<Vec3, 3> flat{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  const double hair = std::numeric_limits<double>::denorm_min();
  const auto standing = [](const Vec3& foot) {
    return std::array{foot, Vec3(foot + Vec3(0, 0.1, 1)), Vec3(foot + Vec3(0, -0.1, 1))};
  };
  EXPECT_TRUE(meet(flat, standing({0.2, 0.2, -0.5}))) << "through the middle";
  EXPECT_TRUE(meet(flat, standing({0.2, 0.2, 0}))) << "a corner on the inside";
  EXPECT_TRUE(meet(flat, standing({0.5, 0, 0}))) << "a corner on a side";
  EXPECT_TRUE(meet(flat, standing({0, 0, 0}))) << "a corner on a corner";
  EXPECT_FALSE(meet(flat, standing({0.2, 0.2, hair})));
  EXPECT_FALSE(meet(flat, standing({-hair, 0.2, 0})));
  EXPECT_TRUE(meet(flat, {Vec3(0.5, 0.5, 0), Vec3(1, 1, 0), Vec3(1, 0.9, 0)})) << "in one plane, touching";
  EXPECT_TRUE(meet(flat, {Vec3(0.1, 0.1, 0), Vec3(0.2, 0.1, 0), Vec3(0.1, 0.2, 0)}))
      << "one within the other";
  EXPECT_FALSE(meet(flat, {Vec3(0.6, 0.5, 0), Vec3(1, 1, 0), Vec3(1, 0.9, 0)})) << "in one plane, apart";
}

TEST(TrianglesMeet, ThoseWithoutAreaMeetByTheirSides) {
  const std::array<Vec3, 3> flat{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  EXPECT_TRUE(meet(flat, {Vec3(0.2, 0.2, -1), Vec3(0.2, 0.2, 0.5), Vec3(0.2, 0.2, 1)}));
  EXPECT_TRUE(meet(flat, {Vec3(-1, 0.2, 0), Vec3(0.1, 0.2, 0), Vec3(3, 0.2, 0)})) << "in its plane";
  EXPECT_FALSE(meet(flat, {Vec3(0.8, 0.8, -1), Vec3(0.8, 0.8, 0.5), Vec3(0.8, 0.8, 1)}));
  EXPECT_TRUE(meet(flat, {Vec3(0.2, 0.2, 0), Vec3(0.2, 0.2, 0), Vec3(0.2, 0.2, 0)})) << "a point on it";
}

TEST(TrianglesMeet, NeighboursOnlyBeyondWhatTheyShare) {
  Points x(3, 6);
  x << 0, 1, 0, 1, -0.25, 0.25,  //
      0, 0, 1, 1, 0.25, 0.25,    //
      0, 0, 0, 0, 0, 0;
  EXPECT_FALSE(triangles_meet(x, {0, 1, 2}, {1, 3, 2})) << "side by side";
  EXPECT_TRUE(triangles_meet(x, {0, 1, 2}, {5, 1, 2})) << "folded flat";
  EXPECT_FALSE(triangles_meet(x, {0, 1, 2}, {0, 2, 4})) << "side by side";
  EXPECT_TRUE(triangles_meet(x, {0, 1, 2}, {2, 0, 1})) << "twice the same";
  x.col(3) = Vec3(-1, -0.5, 0);
  EXPECT_FALSE(triangles_meet(x, {0, 1, 2}, {0, 4, 3})) << "about one corner";
  EXPECT_TRUE(triangles_meet(x, {0, 1, 2}, {0, 5, 3})) << "about one corner, one over the other";
  x.col(3) = Vec3(0.3, 0.3, 1);
  x.col(4) = Vec3(0.3, 0.3, -1);
  EXPECT_TRUE(triangles_meet(x, {0, 1, 2}, {3, 0, 4})) << "about one corner, pierced";
  x.col(5) = Vec3(0.25, 0.25, std::numeric_limits<double>::denorm_min());
  EXPECT_FALSE(triangles_meet(x, {0, 1, 2}, {5, 1, 2})) << "folded, but for a hair";
}

// What a plane parts is not looked at exactly. Places of a length of 2⁻³⁰⁰ m have no such planes, and meet as
// those of a metre do.
TEST(TrianglesMeet, NeighboursPartedByAPlaneAreThosePartedExactly) {
  Draws draw(8);
  int meet = 0;
  const int trials = 20'000;
  for (int trial = 0; trial < trials; ++trial) {
    Points x(3, 5);
    for (int v = 0; v < 5; ++v) x.col(v) = draw.point();
    if (trial % 3 == 1) x.row(2) *= 1e-14;                // all but flat
    if (trial % 3 == 2) x = (4 * x).array().round() / 4;  // many just touch
    for (const Stencil<3>& other : {Stencil<3>{0, 3, 4}, Stencil<3>{4, 1, 0}}) {
      const bool as_they_are = triangles_meet(x, {0, 1, 2}, other);
      ASSERT_EQ(as_they_are, triangles_meet(Points(0x1p-300 * x), {0, 1, 2}, other)) << trial << "\n" << x;
      meet += as_they_are;
    }
  }
  EXPECT_GT(meet, trials / 10);
  EXPECT_LT(meet, trials);
}

// --- searches beside all pairs -------------------------------------------------------------------------

TEST(BoxGrid, FindsWhatAllPairsFind) {
  Draws draw(5);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Extent> boxes;
    for (int i = 0; i < 300; ++i) {
      const double largest = i % 50 == 0 ? 3 : i % 7 == 0 ? 0 : 0.1;  // some huge ones, some points
      const Vec3 low = draw.point();
      boxes.push_back({low, low + largest * draw.unit() * Vec3(1, 0.5, 0.1)});
      if (trial % 2 == 1)  // on a lattice, so that many only touch
        for (Vec3* corner : {&boxes.back().low, &boxes.back().high})
          *corner = (10 * *corner).array().round() / 10;
    }
    const auto all = [](int, int) { return true; };
    std::vector<std::pair<int, int>> expected, expected_once;
    for (int i = 0; i < 300; ++i)
      for (int j = 0; j < 300; ++j)
        if (boxes[i].overlaps(boxes[j])) {
          expected.emplace_back(i, j);
          if (i < j) expected_once.emplace_back(i, j);
        }
    EXPECT_EQ(find_pairs(BoxGrid(boxes), all), expected_once);
    EXPECT_EQ(find_pairs(boxes, BoxGrid(boxes), all), expected);
  }
}

TEST(BoxGrid, BearsAnyCoordinates) {
  const double far = 1e308;
  const std::vector<Extent> boxes{{Vec3::Constant(-far), Vec3::Constant(-far)},
                                  {Vec3::Constant(-far), Vec3::Constant(far)},
                                  {Vec3::Zero(), Vec3::Zero()}};
  std::vector<int> found;
  BoxGrid(boxes).find({Vec3::Zero(), Vec3::Ones()}, 0, found);
  EXPECT_EQ(found, (std::vector{1, 2}));
  BoxGrid(boxes).find({Vec3::Zero(), Vec3::Ones()}, 2, found);
  EXPECT_EQ(found, (std::vector{2}));
  BoxGrid({}).find(boxes[0], 0, found);
  EXPECT_TRUE(found.empty());
}

/// The least of |p + Σ w_i e_i| over weights that `project` keeps admissible: projected gradients, many small
/// steps.
template <class Project>
double least_norm(const Vec3& p, const Eigen::Matrix<double, 3, 2>& e, const Project& project) {
  Vec2 w(0.3, 0.3);
  const double step = 1 / (e.squaredNorm() + 1e-300);
  for (int k = 0; k < 20000; ++k) w = project(w - step * e.transpose() * (p + e * w));
  return (p + e * w).norm();
}

TEST(Gap, IsTheLeastDistanceOfPoints) {
  Draws draw(6);
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3 p = draw.point(), a = draw.point(), b = draw.point(), c = draw.point();
    Eigen::Matrix<double, 3, 2> sides;
    sides << b - a, c - a;
    const double of_triangle = least_norm(a - p, sides, [](Vec2 w) {
      w = w.cwiseMax(0);
      if (w.sum() > 1) {  // onto the slanted side
        w.array() -= (w.sum() - 1) / 2;
        w = w.cwiseMax(0);
        w /= w.sum();
      }
      return w;
    });
    EXPECT_NEAR(vertex_triangle_gap(p, a, b, c).distance, of_triangle, 1e-6);

    Eigen::Matrix<double, 3, 2> edges;
    edges << a - p, b - c;
    const double of_edges =
        least_norm(p - b, edges, [](const Vec2& w) { return Vec2(w.cwiseMax(0).cwiseMin(1)); });
    EXPECT_NEAR(edge_edge_gap(p, a, b, c).distance, of_edges, 1e-6);
  }
}

TEST(Gap, KnowsWhoFacesWhom) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  const ElementGap above = vertex_triangle_gap({0.2, 0.3, 0.5}, a, b, c);
  EXPECT_TRUE(above.facing);
  EXPECT_EQ(above.distance, 0.5);
  EXPECT_TRUE(above.place.isApprox(Vec3(0.2, 0.3, 0.25)));
  EXPECT_FALSE(vertex_triangle_gap({-0.1, 0.3, 0.5}, a, b, c).facing);
  EXPECT_FALSE(vertex_triangle_gap({2, 0, 0}, a, b, c).facing);
  EXPECT_EQ(vertex_triangle_gap({3, 0, 0}, a, b, b).distance, 2) << "no area";
  EXPECT_TRUE(edge_edge_gap({0.5, -1, 1}, {0.5, 1, 1}, a, b).facing);
  EXPECT_FALSE(edge_edge_gap({0, 0, 1}, {1, 0, 1}, a, b).facing) << "parallel";
  EXPECT_EQ(edge_edge_gap({0, 0, 1}, {1, 0, 1}, a, b).distance, 1);
  EXPECT_EQ(edge_edge_gap({4, 0, 0}, {3, 0, 0}, a, b).distance, 2) << "on one line";
}

}  // namespace
}  // namespace muslin
