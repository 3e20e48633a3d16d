#include "muslin/contact/pairs/near_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "muslin/contact/pairs/candidates.h"
#include "muslin/core/simd.h"
#include "property/draw.h"
#include "property/long_double_distance.h"

// The filter in single precision against distances in double and in long double, pair by pair: of what the
// exact test keeps it must leave out nothing, whatever the shapes.

namespace muslin {
namespace {

using reference::Real;

/// Pairs a family; scripts/nightly asks for more.
int samples_a_family() {
  const char* wanted = std::getenv("MUSLIN_FILTER_SAMPLES");
  return wanted ? std::atoi(wanted) : 100'000;
}

/// How vertices lie.
struct Family {
  const char* name;
  double least_size, size;  // [m] of features: drawn between, evenly by order of magnitude
  double thinness;          // of triangles and of angles between edges, at least
  double offset;            // [m] from the origin of floats
  bool degenerate;          // some vertices in one place
};

constexpr Family kFamilies[] = {
    {"Usual", 0.01, 1, 1, 1, false},           {"Thin", 0.01, 1, 1e-9, 1, false},
    {"Parallel", 0.01, 1, 0, 1, false},        {"Degenerate", 0.01, 1, 1e-9, 1, true},
    {"Small", 1e-18, 1e-4, 1e-3, 0, false},    {"SmallFarAway", 1e-9, 1e-3, 1e-3, 100, false},
    {"Huge", 1, 1e5, 1e-6, 1e5, false},        {"FarAway", 0.01, 1, 1e-6, 1e4, false},
    {"BeyondFloats", 1e30, 1e39, 1, 0, false}, {"BeyondRange", 1, 1e3, 1, 1e7, false},
};

constexpr PairKind kKinds[] = {PairKind::point_triangle, PairKind::edge_edge};

/// The vertices of a pair: of a size, at any distance.
Quad any_pair(const Family& family, PairKind kind, Draw& draw) {
  const double size = draw.scale(family.least_size, family.size);
  const double thinness = family.thinness > 0 ? draw.scale(family.thinness, 1) : 0;
  Quad x;
  for (int k = 0; k < 4; ++k) x.col(k) = size * draw.vector();
  if (kind == PairKind::point_triangle)
    x.col(3) = x.col(1) + draw.between(-1, 2) * (x.col(2) - x.col(1)) + thinness * (x.col(3) - x.col(1));
  else
    x.col(3) = x.col(2) + draw.between(-1, 2) * (x.col(1) - x.col(0)) + thinness * (x.col(3) - x.col(2));
  if (family.degenerate)
    x.col(static_cast<int>(draw.between(0, 4))) = x.col(static_cast<int>(draw.between(0, 4)));
  const int of_a = first_of_b(kind);
  const Vec3 apart = size * draw.scale(1e-6, 3) * draw.vector();
  for (int k = 0; k < of_a; ++k) x.col(k) += apart;
  const Vec3 place = family.offset * draw.vector();
  x.colwise() += place;
  return x;
}

template <size_t N>
double extent_of(const FourVectors (&corners)[N], int lane) {
  double most = 0;
  for (const FourVectors& c : corners) most = std::max(most, Vec3(c.x[lane], c.y[lane], c.z[lane]).norm());
  return most;
}

class NearFilter : public testing::TestWithParam<Family> {};

/// What is said of four pairs in the lanes of a and b.
template <size_t N, size_t M>
void check_bounds(PairKind kind, const std::array<Quad, 4>& pairs, int& wrong, double& tightness) {
  FourVectors a[N], b[M];
  for (int lane = 0; lane < 4; ++lane) {
    for (size_t k = 0; k < N; ++k) a[k].set(lane, pairs[lane].col(k));
    for (size_t k = 0; k < M; ++k) b[k].set(lane, pairs[lane].col(N + k));
  }
  const LaneDistances<Floats> bounds = lane_distances(a, b);
  for (int lane = 0; lane < 4; ++lane) {
    const Real extent = Real(extent_of(a, lane)) + extent_of(b, lane);
    if (!(extent < LaneRounding::kLargest)) continue;
    const Real d = reference::distance(kind, pairs[lane]), rounding = LaneRounding::kAbsolute * extent;
    const Real lower = bounds.lower[lane], upper = bounds.upper[lane];
    wrong += !(lower * (1 - Real(LaneRounding::kRelative)) - rounding <= d);
    wrong += !(d <= upper * (1 + Real(LaneRounding::kRelative)) + rounding);
    tightness += double(lower >= Real(0.99) * d - rounding && upper <= Real(1.01) * d + rounding);
  }
}

TEST_P(NearFilter, BoundsHoldAndAreMostlyTight) {
  const Family& family = GetParam();
  int wrong = 0;
  double tight = 0;
  const int groups = samples_a_family() / 8;
  for (int g = 0; g < groups; ++g)
    for (const PairKind kind : kKinds) {
      Draw draw{1, static_cast<std::uint64_t>(g)};
      std::array<Quad, 4> pairs;
      for (Quad& pair : pairs) pair = any_pair(family, kind, draw);
      if (kind == PairKind::edge_edge)
        check_bounds<2, 2>(kind, pairs, wrong, tight);
      else
        check_bounds<1, 3>(kind, pairs, wrong, tight);
    }
  EXPECT_EQ(wrong, 0);
  RecordProperty("tight", std::to_string(tight / (8.0 * groups)));
  if (family.least_size == 0.01 && family.thinness == 1) {
    EXPECT_GT(tight, 0.999 * 8 * groups);
  }
}

// --- whole elements ------------------------------------------------------------------------------------

/// Sixteen vertices: four elements of side A, four of side B, of two pieces, with all that detection asks of
/// them.
struct Crowd {
  Surfaces surfaces;
  Points from{3, 16}, along{3, 16};
  Scalars slack{16};

  Crowd(const Family& family, PairKind kind, Draw& draw) {
    const bool edges = kind == PairKind::edge_edge;
    const auto places = [&](Points& points) {
      for (int lane = 0; lane < 4; ++lane) {
        const Quad pair = any_pair(family, kind, draw);
        for (int k = 0; k < 4; ++k) points.col(vertices_of(edges, lane, lane)[k]) = pair.col(k);
      }
    };
    surfaces.rest.resize(3, 16);
    places(from);
    places(surfaces.rest);
    const double size = draw.scale(family.least_size, family.size);
    surfaces.half_thickness.resize(16);
    const double way = size * draw.scale(1e-6, 10);
    const Vec3 common = 10 * way * draw.vector();
    for (int v = 0; v < 16; ++v) {
      surfaces.half_thickness[v] = size * draw.scale(1e-3, 1);
      slack[v] = size * draw.scale(1e-4, 0.3);
      along.col(v) = common + way * draw.vector();
    }
    surfaces.pieces = {{}, {.inset = draw.unit() < 0.5 ? 0 : size}};
    const int first_of_second = draw.unit() < 0.5 ? 16 : edges ? 8 : 4;
    for (int v = 0; v < 16; ++v) surfaces.piece.push_back(v < first_of_second ? 0 : 1);
  }

  static Stencil<4> vertices_of(bool edges, int i, int j) {
    if (edges) return {2 * i, 2 * i + 1, 8 + 2 * j, 9 + 2 * j};
    return {i, 4 + 3 * j, 5 + 3 * j, 6 + 3 * j};
  }

  /// The test of Candidates, in double.
  bool is_near(PairKind kind, const Stencil<4>& v) const {
    const auto corners = [&](const Points& points) {
      Quad x;
      for (int k = 0; k < 4; ++k) x.col(k) = points.col(v[k]);
      return x;
    };
    double radius = sum_of_sides(kind, v, surfaces.half_thickness);
    if (surfaces.piece[v[0]] == surfaces.piece[v[3]])
      radius = std::min(radius, closest_points(kind, corners(surfaces.rest)).distance / 2);
    const double inset =
        surfaces.pieces[surfaces.piece[v[0]]].inset + surfaces.pieces[surfaces.piece[v[3]]].inset;
    return closest_points(kind, corners(from)).distance <
           radius + sum_of_sides(kind, v, slack) + change_of_distance(kind, v, along) + inset;
  }
};

std::vector<const NearKernels*> kernels_of_this_processor() {
  std::vector<const NearKernels*> kernels;
  for (const Simd simd : {Simd::plain, Simd::avx2, Simd::avx512}) {
    limit_simd(simd);
    kernels.push_back(&near_kernels());
  }
  return kernels;
}

TEST_P(NearFilter, LeavesOutNothingThatTheExactTestKeeps) {
  const Family& family = GetParam();
  int kept = 0, passed = 0, lost = 0, pairs = 0;
  for (int g = 0; g < samples_a_family() / 32; ++g)
    for (const PairKind kind : kKinds) {
      Draw draw{2, static_cast<std::uint64_t>(g)};
      const Crowd crowd(family, kind, draw);
      const bool edges = kind == PairKind::edge_edge;
      const SweptPlaces swept{crowd.from, crowd.along, crowd.slack, Vec3::Zero(), Vec3::Zero()};
      FourElements<1> points;
      FourElements<2> edges_a, edges_b;
      FourElements<3> triangles;
      for (int k = 0; k < 4; ++k) {
        set_lane(points, k, {k}, crowd.surfaces, swept);
        set_lane(triangles, k, {4 + 3 * k, 5 + 3 * k, 6 + 3 * k}, crowd.surfaces, swept);
        set_lane(edges_a, k, {2 * k, 2 * k + 1}, crowd.surfaces, swept);
        set_lane(edges_b, k, {8 + 2 * k, 9 + 2 * k}, crowd.surfaces, swept);
      }
      const int asked = static_cast<int>(draw.between(0, 1 << 16));
      const auto hits_of = [&](const NearKernels* kernels, int of) {
        return edges ? kernels->edges(edges_a, edges_b, of)
                     : kernels->points_and_triangles(points, triangles, of);
      };
      const int hits = hits_of(plain_near_kernels(), 0xFFFF);
      for (const NearKernels* kernels : kernels_of_this_processor()) {
        ASSERT_EQ(hits_of(kernels, 0xFFFF), hits);
        ASSERT_EQ(hits_of(kernels, asked), hits & asked);
      }
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          const bool is_near = crowd.is_near(kind, Crowd::vertices_of(edges, i, j)),
                     passes = hits >> (4 * i + j) & 1;
          ++pairs;
          kept += is_near;
          passed += passes;
          lost += is_near && !passes;
        }
      }
    }
  EXPECT_EQ(lost, 0) << "of " << kept << " that are near";
  RecordProperty("passed", std::to_string(double(passed) / pairs));
  RecordProperty("near", std::to_string(double(kept) / pairs));
  EXPECT_LE(kept, passed);
  if (family.least_size == 0.01 && family.thinness == 1) {
    EXPECT_GT(kept, pairs / 20);
    EXPECT_LT(passed - kept, pairs / 4) << "else it were no filter";
  }
}

INSTANTIATE_TEST_SUITE_P(Families, NearFilter, testing::ValuesIn(kFamilies),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace muslin
