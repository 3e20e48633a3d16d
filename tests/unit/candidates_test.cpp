#include "muslin/contact/pairs/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "every_pair.h"
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

constexpr double kSlack = 0.008;

/// All go sideways, most of them alike; a few vertices are fast.
Points any_way(int count) {
  Points way = noise(count, 0.003, 9);
  way.row(0).array() += 0.4;
  for (int v = 7; v < count; v += 40) way.col(v) += Vec3(0, 0.1, 0.1);
  return way;
}

double of_sides(PairKind kind, const Stencil<4>& v, const Scalars& s) {
  return kind == PairKind::point_triangle ? s[v[0]] + std::max({s[v[1]], s[v[2]], s[v[3]]})
                                          : std::max(s[v[0]], s[v[1]]) + std::max(s[v[2]], s[v[3]]);
}

/// The distance below which a pair repels: of one piece, at most half of what it is at rest.
double expected_radius(const Surfaces& surfaces, PairKind kind, const Stencil<4>& v) {
  const double thick = of_sides(kind, v, surfaces.half_thickness);
  if (surfaces.piece[v[0]] != surfaces.piece[v[3]]) return thick;
  return std::min(thick, static_cast<double>(reference::distance(kind, corners(surfaces.rest, v))) / 2);
}

TEST_F(ContactCandidates, AreWhatBruteForceFinds) {
  const Surfaces surfaces = sheet_and_body();
  const Points x = crumpled(surfaces), still = Points::Zero(3, surfaces.vertex_count());
  std::vector<std::pair<PairKind, Stencil<4>>> expected;
  for_each_pair(surfaces, [&](PairKind kind, const Stencil<4>& v) {
    if (std::none_of(v.begin(), v.end(), [&](int i) { return surfaces.moves[i]; })) return;
    const double limit = expected_radius(surfaces, kind, v) + 2 * kSlack;
    if (reference::distance(kind, corners(x, v)) < limit) expected.push_back({kind, v});
  });
  ASSERT_GT(expected.size(), 1000u);
  std::vector<ContactPair> first;
  for (const int threads : {1, 3}) {
    set_threads(threads);
    Candidates candidates(surfaces);
    candidates.detect(surfaces.rest, still, 0);  // what it found is forgotten
    candidates.detect(x, still, kSlack);
    std::vector<std::pair<PairKind, Stencil<4>>> found;
    for (const ContactPair& pair : candidates.pairs()) found.push_back({pair.kind, pair.vertices});
    EXPECT_EQ(found, expected);
    if (threads == 1) first = candidates.pairs();
    EXPECT_EQ(first, candidates.pairs());
  }
}

TEST_F(ContactCandidates, OfOnePieceAreListedByHalfOfTheirRestDistance) {
  Surfaces surfaces = sheet_and_body();
  surfaces.half_thickness.array() *= 5;  // more than edges are long
  const Points x = crumpled(surfaces), still = Points::Zero(3, surfaces.vertex_count());
  std::vector<std::pair<PairKind, Stencil<4>>> expected, found;
  int thick = 0;
  for_each_pair(surfaces, [&](PairKind kind, const Stencil<4>& v) {
    if (std::none_of(v.begin(), v.end(), [&](int i) { return surfaces.moves[i]; })) return;
    const auto distance = static_cast<double>(reference::distance(kind, corners(x, v)));
    thick += distance < of_sides(kind, v, surfaces.half_thickness) + 2 * kSlack;
    if (distance < expected_radius(surfaces, kind, v) + 2 * kSlack) expected.push_back({kind, v});
  });
  Candidates candidates(surfaces);
  candidates.detect(x, still, kSlack);
  for (const ContactPair& pair : candidates.pairs()) found.push_back({pair.kind, pair.vertices});
  EXPECT_EQ(found, expected);
  EXPECT_LT(4 * expected.size(), 3u * thick);
}

TEST_F(ContactCandidates, AreTheSameWithoutTheFilter) {
  for (const double offset : {0.0, 1e4, 1e7}) {
    Surfaces surfaces = sheet_and_body();
    if (offset > 0) surfaces.half_thickness.array() *= 5;
    surfaces.add_ball(0.2, 0.01, {.body = true});
    surfaces.add_capsule(0.1, 0.5, 0.01, {.body = true});
    PairFilters::off = true;
    Candidates plain(surfaces);
    PairFilters::off = false;
    Candidates filtered(surfaces);
    Points x = crumpled(surfaces), way = any_way(surfaces.vertex_count());
    x.colwise() += Vec3(offset, offset, offset);
    plain.detect(x, way, kSlack);
    filtered.detect(x, way, kSlack);
    EXPECT_EQ(filtered.pairs(), plain.pairs());
    EXPECT_GT(plain.pairs().size(), 1000u);
  }
}

TEST_F(ContactCandidates, MayComeAfterBodies) {
  Surfaces surfaces;
  surfaces.add(flat_sheet(5), 0.02, {.body = true, .friction = 0});
  surfaces.add(flat_sheet(7, 0.03), 0.02, {});
  surfaces.add(flat_sheet(4, -0.03), 0.02, {.body = true, .friction = 0});
  const Points x = surfaces.rest + noise(surfaces.vertex_count(), 0.01, 2);
  std::vector<std::pair<PairKind, Stencil<4>>> expected, found;
  for_each_pair(surfaces, [&](PairKind kind, const Stencil<4>& v) {
    if (std::none_of(v.begin(), v.end(), [&](int i) { return surfaces.moves[i]; })) return;
    if (reference::distance(kind, corners(x, v)) < expected_radius(surfaces, kind, v))
      expected.push_back({kind, v});
  });
  Candidates candidates(surfaces);
  candidates.detect(x, Points::Zero(3, x.cols()), 0);
  for (const ContactPair& pair : candidates.pairs()) found.push_back({pair.kind, pair.vertices});
  EXPECT_EQ(found, expected);
  EXPECT_GT(expected.size(), 100u);
}

TEST_F(ContactCandidates, ClothMeetsOnlyBodiesWhereItDoesNotMeetItself) {
  Surfaces surfaces = sheet_and_body();
  Candidates all(surfaces);
  surfaces.cloth_meets_cloth = false;
  Candidates bodies(surfaces);
  const Points x = crumpled(surfaces), way = any_way(surfaces.vertex_count());
  all.detect(x, way, kSlack);
  bodies.detect(x, way, kSlack);
  std::vector<ContactPair> expected;
  for (const ContactPair& pair : all.pairs())
    if (pair.vertices[0] >= 144 || pair.vertices[3] >= 144) expected.push_back(pair);
  EXPECT_EQ(bodies.pairs(), expected);
  EXPECT_GT(expected.size(), 100u);
  EXPECT_LT(expected.size(), all.pairs().size());
}

/// That all pairs that are nearer than their radius at y are listed, and the candidates hold there.
void expect_complete(const Candidates& candidates, const Points& y, int least_near) {
  const Surfaces& surfaces = candidates.surfaces();
  EXPECT_EQ(candidates.holds_along(y, Points::Zero(3, y.cols())), 1);
  std::set<std::pair<PairKind, Stencil<4>>> listed;
  for (const ContactPair& pair : candidates.pairs()) listed.insert({pair.kind, pair.vertices});
  EXPECT_EQ(listed.size(), candidates.pairs().size());  // each once
  int near = 0;
  for_each_pair(surfaces, [&](PairKind kind, const Stencil<4>& v) {
    if (std::none_of(v.begin(), v.end(), [&](int i) { return surfaces.moves[i]; })) return;
    if (reference::distance(kind, corners(y, v)) >= expected_radius(surfaces, kind, v)) return;
    ++near;
    EXPECT_TRUE(listed.contains({kind, v}));
  });
  EXPECT_GT(near, least_near);
}

/// Every vertex goes so far, anywhere.
Points aside(int count, int seed, const Scalars& far) {
  Points way(3, count);
  for (int v = 0; v < count; ++v)
    way.col(v) = far[v] * Vec3(draw(seed, v, 0), draw(seed, v, 1), draw(seed, v, 2)).normalized();
  return way;
}

TEST_F(ContactCandidates, NoOtherPairComesToTouchOnTheWayAndNotFarBesideIt) {
  const Surfaces surfaces = sheet_and_body();
  const int count = surfaces.vertex_count();
  const Points x = crumpled(surfaces), way = any_way(count);
  Candidates candidates(surfaces);
  candidates.detect(x, way, kSlack);
  for (int seed = 0; seed < 4; ++seed) {
    Points y = x + 0.33 * seed * way + aside(count, seed, Scalars::Constant(count, 0.8 * kSlack));
    y.colwise() += Vec3(3, -2, 1);  // all alike
    EXPECT_EQ(candidates.holds_along(x, y - x), 1);
    expect_complete(candidates, y, 300);
  }
  Points y = x + 0.5 * way;
  y.col(3) += Vec3(1.1 * kSlack, 0, 0);
  EXPECT_EQ(candidates.holds_along(y, Points::Zero(3, y.cols())), 0);
}

// Again and again, on ways that some vertices leave: as places wander off, what was found first stays in
// part.
TEST_F(ContactCandidates, AreCompleteWhereOnlyWhatIsLostIsLookedForAgain) {
  const Surfaces surfaces = sheet_and_body();
  const int count = surfaces.vertex_count();
  Points x = crumpled(surfaces);
  Candidates candidates(surfaces);
  candidates.detect(x, any_way(count), kSlack);
  for (int look = 1; look <= 6; ++look) {
    // 1. Most of the cloth goes where it is expected to, or hardly anywhere; a fifth of it does not
    Scalars far = Scalars::Constant(count, 0.05 * kSlack);
    far.segment(24 * (look % 5), 30).setConstant(2 * kSlack);
    const double part = look == 1 ? 0.4 : 0.1;
    const Points way = part * any_way(count) + aside(count, 100 + look, far);
    candidates.detect_again(x, way, kSlack);

    // 2. On its way, and beside it as far as the slack of each allows
    const Scalars left = candidates.slack_left(x);
    EXPECT_GE(left.minCoeff(), 0.49 * kSlack);
    EXPECT_GT((left.array() < 0.99 * kSlack).count(), look == 1 ? 0 : 50) << look;  // kept what they had
    for (const double a : {0.0, 0.6, 1.0}) {
      Points y = x + a * way + aside(count, 200 + look, 0.7 * left);
      y.colwise() += Vec3(-1, 2, 3);
      expect_complete(candidates, y, 250);
    }
    x += way;
  }
}

TEST_F(ContactCandidates, AreThoseOfAFirstLookWhereAlmostAllIsLost) {
  const Surfaces surfaces = sheet_and_body();
  const int count = surfaces.vertex_count();
  const Points x = crumpled(surfaces), way = noise(count, 0.1, 5);
  Candidates first(surfaces), again(surfaces);
  again.detect(surfaces.rest, Points::Zero(3, count), kSlack);
  again.detect_again(x, way, kSlack);
  first.detect(x, way, kSlack);
  EXPECT_EQ(again.pairs(), first.pairs());
  EXPECT_EQ(again.slack_left(x), first.slack_left(x));
}

TEST_F(ContactCandidates, WhatFallsTogetherIsNotNearForBeingFast) {
  const Surfaces surfaces = sheet_and_body();
  Candidates candidates(surfaces);
  Points way = Points::Zero(3, surfaces.vertex_count());
  candidates.detect(surfaces.rest, way, kSlack);
  const size_t at_rest = candidates.pairs().size();
  way.leftCols(144).row(0).setConstant(2);  // past the body, which stays
  candidates.detect(surfaces.rest, way, kSlack);
  EXPECT_EQ(candidates.pairs().size(), at_rest);
}

TEST_F(ContactCandidates, ClothAtRestIsFreeOfContactHoweverThick) {
  Surfaces surfaces;
  Mesh mesh = flat_sheet(8);
  mesh.positions.row(2) *= 0.02;  // slivers, thinner than the cloth is thick
  surfaces.add(mesh, 0.05, {});
  Candidates candidates(surfaces);
  candidates.detect(mesh.positions, Points::Zero(3, 64), 0.01);
  EXPECT_GT(candidates.pairs().size(), 1000u);
  EXPECT_TRUE(active_pairs(candidates.pairs(), mesh.positions).empty());
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
  candidates.detect(surfaces.rest, Points::Zero(3, 16), 1);
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

TEST_F(ContactCandidates, EdgesThatAreNearlyParallelGetASmallWeight) {
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
    candidates.detect(both.rest, Points::Zero(3, 8), 0);
    for (const ContactPair& pair : candidates.pairs()) {
      if (pair.kind == PairKind::point_triangle) {
        EXPECT_EQ(pair.weight, 1);
      }
      if (pair.vertices != Stencil<4>{0, 1, 4, 5}) continue;
      const double sine = std::sin(angle);
      EXPECT_NEAR(pair.weight, angle == 0 ? 1e-3 : angle < 0.1 ? sine * sine / 0.01 : 1, 1e-12);
    }
    EXPECT_EQ(std::count_if(candidates.pairs().begin(), candidates.pairs().end(),
                            [](const ContactPair& p) {
                              return p.vertices == Stencil<4>{0, 1, 4, 5};
                            }),
              1);
  }
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
  bad = good;
  bad.piece[5] = 1;  // its neighbours are not
  EXPECT_THROW(Candidates{bad}, Error);
}

}  // namespace
}  // namespace muslin
