#include "muslin/contact/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "muslin/contact/pair_energy.h"
#include "muslin/core/check.h"
#include "unit/contact_sheets.h"

namespace muslin {
namespace {

using namespace contact_test;

class ContactCandidates : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }
};

/// A sheet, thinner towards one side and pinned at two vertices, and a body of another friction.
Surfaces sheet_and_body() {
  Surfaces surfaces;
  surfaces.add(flat_sheet(12), 0.015, {.body = false, .friction = 0.2});
  surfaces.add(flat_sheet(5, -0.1), 0.01, {.body = true, .friction = 0.7});
  for (int v = 0; v < 144; ++v) surfaces.half_thickness[v] -= 0.01 * surfaces.rest(0, v);
  surfaces.moves[0] = surfaces.moves[11] = 0;
  return surfaces;
}

/// Folded five times, down to the body, and shaken.
Points crumpled(const Surfaces& surfaces) {
  Points x = surfaces.rest;
  for (int v = 0; v < 144; ++v) {
    const double u = x(0, v);
    x(0, v) = 0.2 * u + 0.1 * std::sin(15 * u) + 0.3;
    x(1, v) = 0.15 * std::cos(15 * u);
  }
  return x + noise(surfaces.vertex_count(), 0.01, 3);
}

/// Slow everywhere, but for a few vertices that are fast.
Scalars any_bound(int count) {
  Scalars bound(count);
  for (int v = 0; v < count; ++v) bound[v] = v % 40 == 7 ? 0.2 : v % 3 == 0 ? 0 : 0.01 * random_unit(9, v, 0);
  return bound;
}

double of_sides(PairKind kind, const Stencil<4>& v, const Scalars& s) {
  return kind == PairKind::point_triangle ? s[v[0]] + std::max({s[v[1]], s[v[2]], s[v[3]]})
                                          : std::max(s[v[0]], s[v[1]]) + std::max(s[v[2]], s[v[3]]);
}

TEST_F(ContactCandidates, AreWhatBruteForceFinds) {
  const Surfaces surfaces = sheet_and_body();
  const Points x = crumpled(surfaces);
  const Scalars bound = any_bound(surfaces.vertex_count());
  std::vector<std::pair<PairKind, Stencil<4>>> expected;
  for_each_pair(surfaces, [&](PairKind kind, const Stencil<4>& v) {
    if (std::none_of(v.begin(), v.end(), [&](int i) { return surfaces.moves[i]; })) return;
    const double limit = of_sides(kind, v, surfaces.half_thickness) + of_sides(kind, v, bound);
    if (reference::distance(kind, corners(x, v)) < limit) expected.push_back({kind, v});
  });
  ASSERT_GT(expected.size(), 4000u);
  std::vector<ContactPair> first;
  for (const int threads : {1, 3}) {
    set_threads(threads);
    Candidates candidates(surfaces);
    candidates.detect(surfaces.rest, Scalars::Zero(surfaces.vertex_count()));  // what it found is forgotten
    candidates.detect(x, bound);
    std::vector<std::pair<PairKind, Stencil<4>>> found;
    for (const ContactPair& pair : candidates.pairs()) found.push_back({pair.kind, pair.vertices});
    EXPECT_EQ(found, expected);
    if (threads == 1) first = candidates.pairs();
    EXPECT_EQ(first, candidates.pairs());
  }
}

TEST_F(ContactCandidates, NoOtherPairComesToTouchWhileNobodyLeavesTheBound) {
  const Surfaces surfaces = sheet_and_body();
  const Points x = crumpled(surfaces);
  const Scalars bound = any_bound(surfaces.vertex_count());
  Candidates candidates(surfaces);
  candidates.detect(x, bound);
  const auto listed = [&](PairKind kind, const Stencil<4>& v) {
    return std::any_of(candidates.pairs().begin(), candidates.pairs().end(),
                       [&](const ContactPair& p) { return p.kind == kind && p.vertices == v; });
  };
  for (int seed = 0; seed < 3; ++seed) {
    Points y = x;
    for (int v = 0; v < surfaces.vertex_count(); ++v)
      y.col(v) += bound[v] * 0.9999 * Vec3(draw(seed, v, 0), draw(seed, v, 1), draw(seed, v, 2)).normalized();
    EXPECT_TRUE(candidates.covers(y));
    int near = 0;
    for_each_pair(surfaces, [&](PairKind kind, const Stencil<4>& v) {
      if (std::none_of(v.begin(), v.end(), [&](int i) { return surfaces.moves[i]; })) return;
      if (reference::distance(kind, corners(y, v)) >= of_sides(kind, v, surfaces.half_thickness)) return;
      ++near;
      EXPECT_TRUE(listed(kind, v));
    });
    EXPECT_GT(near, 500);
  }
  Points y = x;
  y.col(7) += Vec3(0.2001, 0, 0);
  EXPECT_FALSE(candidates.covers(y));
}

TEST_F(ContactCandidates, ClothAtRestIsFreeOfContactHoweverThick) {
  Surfaces surfaces;
  Mesh mesh = flat_sheet(8);
  mesh.positions.row(2) *= 0.02;  // slivers, thinner than the cloth is thick
  surfaces.add(mesh, 0.05, {});
  Candidates candidates(surfaces);
  candidates.detect(mesh.positions, Scalars::Constant(64, 0.01));
  EXPECT_GT(candidates.pairs().size(), 1000u);
  EXPECT_EQ(contact_value(candidates.pairs(), mesh.positions, 1000), 0);
  for (const ContactPair& pair : candidates.pairs()) {
    EXPECT_GT(pair.radius, 0);
    EXPECT_LE(pair.radius, 0.1);
  }
}

TEST_F(ContactCandidates, RadiusAndFrictionAreThoseOfThePieces) {
  Surfaces surfaces;
  surfaces.add(flat_sheet(2, 0), 0.01, {.body = false, .friction = 0.2});
  surfaces.add(flat_sheet(2, 0.1), 0.03, {.body = false, .friction = 0.4});
  surfaces.add(flat_sheet(2, 0.2), 0.05, {.body = true, .friction = 0.9});
  surfaces.add(flat_sheet(2, 0.3), 0.05, {.body = true, .friction = 0.1});
  Candidates candidates(surfaces);
  candidates.detect(surfaces.rest, Scalars::Ones(16));
  int seen[4][4] = {};
  for (const ContactPair& pair : candidates.pairs()) {
    const int a = surfaces.piece[pair.vertices[0]], b = surfaces.piece[pair.vertices[3]];
    const auto [low, high] = std::minmax(a, b);
    ++seen[low][high];
    if (low == high) continue;
    const double half[] = {0.01, 0.03, 0.05, 0.05};
    EXPECT_DOUBLE_EQ(pair.radius, half[low] + half[high]);
    const double friction = high == 3 ? 0.1 : high == 2 ? 0.9 : 0.3;
    EXPECT_DOUBLE_EQ(pair.friction, friction);
  }
  EXPECT_GT(std::min({seen[0][1], seen[0][2], seen[0][3], seen[1][2], seen[1][3]}), 0);
  EXPECT_EQ(seen[2][3], 0);  // what no force moves
  EXPECT_EQ(seen[2][2], 0);
}

TEST_F(ContactCandidates, EdgesThatAreNearlyParallelGetASmallShare) {
  Surfaces surfaces;
  Mesh strip = flat_sheet(2);
  strip.triangles.pop_back();
  surfaces.add(strip, 0.1, {});
  for (const double angle : {0.0, 0.05, 0.5}) {
    Mesh turned = strip;
    turned.positions.row(1).array() += 0.1;
    turned.positions.col(1) = turned.positions.col(0) + Vec3(std::cos(angle), 0, std::sin(angle));
    Surfaces both = surfaces;
    both.add(turned, 0.1, {});
    Candidates candidates(both);
    candidates.detect(both.rest, Scalars::Zero(8));
    for (const ContactPair& pair : candidates.pairs()) {
      if (pair.kind == PairKind::point_triangle) {
        EXPECT_EQ(pair.share, 1);
      }
      if (pair.vertices != Stencil<4>{0, 1, 4, 5}) continue;
      const double sine = std::sin(angle);
      EXPECT_NEAR(pair.share, angle == 0 ? 1e-3 : angle < 0.1 ? sine * sine / 0.01 : 1, 1e-12);
    }
    EXPECT_EQ(std::count_if(candidates.pairs().begin(), candidates.pairs().end(),
                            [](const ContactPair& p) {
                              return p.vertices == Stencil<4>{0, 1, 4, 5};
                            }),
              1);
  }
}

TEST_F(ContactCandidates, BoundsOfMotion) {
  Surfaces surfaces;
  surfaces.add(flat_sheet(2), 0.005, {});
  Points displacement = Points::Zero(3, 4);
  displacement.col(1) << 0, 0.003, 0.004;
  displacement.col(2) << 0.02, 0, 0;
  displacement.col(3) << 1, 1, 1;
  const Scalars bound = motion_bounds(surfaces, displacement, longest_bound(surfaces));
  EXPECT_DOUBLE_EQ(bound[0], 0.0075);
  EXPECT_DOUBLE_EQ(bound[1], 0.0075);
  EXPECT_DOUBLE_EQ(bound[2], 0.024);
  EXPECT_DOUBLE_EQ(bound[3], 0.04);
}

TEST_F(ContactCandidates, RefuseListsThatDoNotFit) {
  const Surfaces good = sheet_and_body();
  EXPECT_NO_THROW(Candidates{good});
  Surfaces bad = good;
  bad.triangles[3][1] = 1000;
  EXPECT_THROW(Candidates{bad}, Error);
  bad = good;
  bad.moves.pop_back();
  EXPECT_THROW(Candidates{bad}, Error);
  bad = good;
  bad.piece[5] = 2;
  EXPECT_THROW(Candidates{bad}, Error);
}

}  // namespace
}  // namespace muslin
