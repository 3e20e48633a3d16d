// The judge of frames against CGAL's exact predicates and its self-intersections of a mesh.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "muslin/audit/bodies.h"
#include "muslin/audit/predicates.h"
#include "muslin/audit/surface.h"
#include "muslin/audit/triangles.h"
#include "muslin/core/random.h"
#include "muslin/geometry/sheet.h"
#include "muslin/simulation.h"
#include "torture/scenes.h"

namespace muslin {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using SurfaceMesh = CGAL::Surface_mesh<Kernel::Point_3>;

Kernel::Point_3 cgal_point(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

std::vector<std::pair<int, int>> cgal_pairs(const Points& positions,
                                            const std::vector<Stencil<3>>& triangles) {
  SurfaceMesh mesh;
  for (int v = 0; v < positions.cols(); ++v) mesh.add_vertex(cgal_point(positions.col(v)));
  const auto corner = [](int v) { return SurfaceMesh::Vertex_index(static_cast<unsigned>(v)); };
  for (const auto& [a, b, c] : triangles)
    if (mesh.add_face(corner(a), corner(b), corner(c)) == SurfaceMesh::null_face())
      mesh.add_face(corner(a), corner(c), corner(b));  // it passes the shared side in the same sense
  EXPECT_EQ(mesh.number_of_faces(), triangles.size());
  std::vector<std::pair<SurfaceMesh::Face_index, SurfaceMesh::Face_index>> faces;
  CGAL::Polygon_mesh_processing::self_intersections(mesh, std::back_inserter(faces));
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [f, g] : faces) {
    const auto [low, high] = std::minmax({static_cast<int>(f.idx()), static_cast<int>(g.idx())});
    pairs.emplace_back(low, high);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Numbers drawn one after another.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  double unit() { return random_unit(seed_, 0, count_++); }
  int below(int count) { return static_cast<int>(unit() * count); }

 private:
  std::uint64_t seed_, count_ = 0;
};

/// Six points of which some lie on one place, line or plane, most exactly, some by a hair.
Points entangled_points(Draws& draw) {
  Points p(3, 6);
  const int kind = draw.below(4);
  const double offset = draw.below(3) == 0 ? 1000 : 0;
  for (int v = 0; v < 6; ++v)
    for (int axis = 0; axis < 3; ++axis)
      p(axis, v) = offset + (kind == 0 ? draw.unit() : draw.below(kind == 1 ? 3 : 6) / 7.0);
  if (kind == 2)  // all in one plane through rounded sums
    p.row(2) = 0.3 * p.row(0) + 0.7 * p.row(1);
  if (kind == 3)  // exactly in one plane
    p.row(2).setConstant(p(2, 0));
  if (draw.below(3) == 0) {
    double& one = p(draw.below(3), draw.below(6));
    one = std::nextafter(one, draw.below(2) == 0 ? -1e9 : 1e9);
  }
  return p;
}

TEST(AuditBesideCgal, PairsOfTrianglesMeetAlike) {
  Draws draw(7);
  int meeting = 0, compared = 0;
  for (int trial = 0; trial < 150'000; ++trial) {
    const Points p = entangled_points(draw);
    const int shared = draw.below(3);
    const Stencil<3> a{0, 1, 2}, b = shared == 0   ? Stencil<3>{3, 4, 5}
                                     : shared == 1 ? Stencil<3>{4, 2, 3}
                                                   : Stencil<3>{2, 3, 1};
    if (has_no_area(p.col(a[0]), p.col(a[1]), p.col(a[2])) ||
        has_no_area(p.col(b[0]), p.col(b[1]), p.col(b[2])))
      continue;  // CGAL wants them to have one
    const bool expected = !cgal_pairs(p, {a, b}).empty();
    ASSERT_EQ(triangles_meet(p, a, b), expected) << "trial " << trial << ", sharing " << shared << "\n" << p;
    ASSERT_EQ(triangles_meet(p, b, a), expected) << "trial " << trial;
    meeting += expected;
    ++compared;
  }
  EXPECT_GT(compared, 100'000);
  EXPECT_GT(meeting, compared / 10);
  EXPECT_LT(meeting, compared * 9 / 10);
}

TEST(AuditBesideCgal, AreaIsNoneWhereCgalSaysCollinear) {
  Draws draw(8);
  for (int trial = 0; trial < 50'000; ++trial) {
    const Points p = entangled_points(draw);
    ASSERT_EQ(has_no_area(p.col(0), p.col(1), p.col(2)),
              CGAL::collinear(cgal_point(p.col(0)), cgal_point(p.col(1)), cgal_point(p.col(2))));
  }
}

/// A sheet crumpled to a ball by waves, with its vertices on a coarse grid of places or anywhere.
Points crumpled(const Mesh& sheet, std::uint64_t seed, double grain) {
  Points p = sheet.positions;
  for (int v = 0; v < p.cols(); ++v) {
    Vec3 x = p.col(v);
    for (int wave = 0; wave < 4; ++wave) {
      const double k = 5 + 4 * wave, phase = 6 * random_unit(seed, 0, wave);
      x += 0.12 * Vec3(std::sin(k * x.z() + phase), std::sin(k * x.x() - phase), std::cos(k * x.y() + phase));
    }
    p.col(v) = grain > 0 ? Vec3((x / grain).array().round() * grain) : x;
  }
  return p;
}

/// Without pairs of which one triangle has no area: CGAL wants all to have one.
std::vector<std::pair<int, int>> proper(const std::vector<std::pair<int, int>>& pairs, const Points& x,
                                        const std::vector<Stencil<3>>& triangles) {
  const auto thin = [&](int t) {
    const auto& [a, b, c] = triangles[t];
    return has_no_area(x.col(a), x.col(b), x.col(c));
  };
  std::vector<std::pair<int, int>> kept;
  for (const auto& pair : pairs)
    if (!thin(pair.first) && !thin(pair.second)) kept.push_back(pair);
  return kept;
}

TEST(AuditBesideCgal, ACrumpledSheetHasTheSamePairs) {
  const Mesh sheet =
      make_sheet({70, 70}, Vec3(-0.5, 0, -0.5), Vec3::UnitX(), Vec3::UnitZ(), Diagonals::alternating);
  const Surface surface = make_surface(sheet.vertex_count(), sheet.triangles);
  for (const double grain : {0.0, 0x1p-9})
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Points x = crumpled(sheet, seed, grain);
      const auto pairs = proper(intersecting_pairs(surface, x), x, sheet.triangles);
      EXPECT_GT(pairs.size(), 3000u) << "a test of little use";
      EXPECT_EQ(pairs, proper(cgal_pairs(x, sheet.triangles), x, sheet.triangles))
          << "seed " << seed << ", grain " << grain;
    }
}

/// Every vertex moved by up to `most` [m] along each axis.
Points shaken(const Points& positions, double most) {
  Points p = positions;
  for (int v = 0; v < p.cols(); ++v)
    for (int axis = 0; axis < 3; ++axis) p(axis, v) += most * (2 * random_unit(5, v, axis) - 1);
  return p;
}

/// Those of which cloth is a part: bodies are judged against cloth alone.
std::vector<std::pair<int, int>> with_cloth(std::vector<std::pair<int, int>> pairs, const Surface& surface) {
  const auto is_body = [&](int t) { return surface.triangles[t][0] >= surface.cloth_vertices; };
  std::erase_if(pairs, [&](const auto& pair) { return is_body(pair.first) && is_body(pair.second); });
  return pairs;
}

TEST(AuditBesideCgal, FramesInContactHaveNoPairsAndShakenOnesTheSame) {
  Simulation simulation(torture::make("funnel", {12, 1}));
  const Surface surface = surface_with_bodies(simulation.model());
  size_t met = 0;
  for (int frame = 1; frame <= 60; ++frame) {
    simulation.step();
    if (frame % 6 != 0) continue;
    const State& state = simulation.state();
    const Points x = places_with_bodies(simulation.model(), state.positions, state.time);
    EXPECT_EQ(intersecting_pairs(surface, x).size(), 0u) << "frame " << frame;
    EXPECT_EQ(cgal_pairs(x, surface.triangles).size(), 0u) << "frame " << frame;
    const Points other = shaken(x, 0.03);
    const auto pairs = intersecting_pairs(surface, other);
    EXPECT_EQ(pairs, with_cloth(cgal_pairs(other, surface.triangles), surface)) << "frame " << frame;
    met += pairs.size();
  }
  EXPECT_GT(met, 100u) << "a test of little use";
}

}  // namespace
}  // namespace muslin
