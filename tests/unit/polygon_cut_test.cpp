// Polygons of any shape, as modelling programs write them, against their area by the shoelace formula in
// integers.

#include "muslin/geometry/polygon_cut.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "muslin/core/check.h"
#include "muslin/geometry/mesh.h"
#include "muslin/geometry/turn.h"
#include "muslin/io/bytes.h"
#include "muslin/io/gltf_reader.h"
#include "muslin/io/obj_reader.h"
#include "muslin/io/ply_reader.h"
#include "muslin/io/usd_reader.h"
#include "muslin/model/model.h"

namespace muslin {
namespace {

using Corner = std::array<int, 2>;
using Outline = std::vector<Corner>;

/// Twice the signed area of the triangle.
int doubled_area(const Corner& a, const Corner& b, const Corner& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Twice the signed area.
int shoelace(const Outline& outline) {
  int sum = 0;
  for (size_t k = 0; k < outline.size(); ++k) {
    const Corner &a = outline[k], &b = outline[(k + 1) % outline.size()];
    sum += a[0] * b[1] - a[1] * b[0];
  }
  return sum;
}

bool has_between(const Corner& a, const Corner& b, const Corner& x) {
  return doubled_area(a, b, x) == 0 && std::min(a[0], b[0]) <= x[0] && x[0] <= std::max(a[0], b[0]) &&
         std::min(a[1], b[1]) <= x[1] && x[1] <= std::max(a[1], b[1]);
}

bool have_common_point(const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
  const auto sign = [](int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; };
  return (sign(doubled_area(a, b, c)) * sign(doubled_area(a, b, d)) < 0 &&
          sign(doubled_area(c, d, a)) * sign(doubled_area(c, d, b)) < 0) ||
         has_between(a, b, c) || has_between(a, b, d) || has_between(c, d, a) || has_between(c, d, b);
}

/// Two sides with a common point that they should not have, or {-1, -1}.
Stencil<2> crossing_sides(const Outline& outline) {
  const int n = static_cast<int>(outline.size());
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      const Corner &a = outline[i], &b = outline[(i + 1) % n], &c = outline[j], &d = outline[(j + 1) % n];
      const bool meets = j == i + 1         ? has_between(a, b, d) || has_between(c, d, a)
                         : (j + 1) % n == i ? has_between(a, b, c) || has_between(c, d, b)
                                            : have_common_point(a, b, c, d);
      if (meets) return {i, j};
    }
  return {-1, -1};
}

/// A simple polygon that turns counter-clockwise, some of whose corners lie between their neighbours: random
/// places whose order is turned about between sides that cross, until none do.
Outline random_outline(std::mt19937& random) {
  const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  while (true) {
    const int total = 4 + pick(37), extra = pick(total / 3 + 1);
    std::set<Corner> places;
    while (static_cast<int>(places.size()) < std::max(3, total - extra))
      places.insert({2 * pick(500), 2 * pick(500)});
    Outline outline(places.begin(), places.end());
    std::shuffle(outline.begin(), outline.end(), random);
    int turned = 0;
    for (; turned < 10000; ++turned) {
      const auto [i, j] = crossing_sides(outline);
      if (i < 0) break;
      std::reverse(outline.begin() + i + 1, outline.begin() + j + 1);
    }
    if (turned == 10000 || shoelace(outline) == 0) continue;
    if (shoelace(outline) < 0) std::reverse(outline.begin(), outline.end());
    while (static_cast<int>(outline.size()) < total) {
      const int k = pick(static_cast<int>(outline.size()));
      const Corner &a = outline[k], &b = outline[(k + 1) % outline.size()];
      const Corner sum{a[0] + b[0], a[1] + b[1]};
      if (sum[0] % 2 != 0 || sum[1] % 2 != 0) break;
      outline.insert(outline.begin() + k + 1, {sum[0] / 2, sum[1] / 2});
    }
    if (outline.size() > 3 && crossing_sides(outline)[0] < 0) return outline;
  }
}

std::vector<Outline> random_outlines(int count) {
  std::mt19937 random(2026);
  std::vector<Outline> outlines;
  while (static_cast<int>(outlines.size()) < count) outlines.push_back(random_outline(random));
  return outlines;
}

Outline from(Outline outline, size_t first) {
  std::rotate(outline.begin(), outline.begin() + static_cast<std::ptrdiff_t>(first), outline.end());
  return outline;
}

constexpr double kUnit = 0x1p-10;  // [m] of the integers

/// On the ground, its front above.
std::vector<Vec3> on_ground(const Outline& outline) {
  std::vector<Vec3> places;
  for (const auto& [x, y] : outline) places.emplace_back(kUnit * x, 0.25, -kUnit * y);
  return places;
}

double area_of(const std::vector<Vec3>& places, const std::vector<Stencil<3>>& triangles) {
  double sum = 0;
  for (const auto& [a, b, c] : triangles) sum += triangle_area(places[a], places[b], places[c]);
  return sum;
}

TEST(Turn, IsExactWhereDoublesRound) {
  const Vec2 a(0.5, 0.5), b(12, 12), c(24, 24);
  for (int i = -4; i <= 4; ++i)
    for (int j = -4; j <= 4; ++j) {  // neighbours of a on the grid of doubles [Kettner 2008]
      const Vec2 near = a + Vec2(i * 0x1p-53, j * 0x1p-53);
      EXPECT_EQ(turn(near, b, c), (i < j) - (i > j)) << i << " " << j;
    }
  EXPECT_EQ(turn({1e-30, 0}, {1e30, 1e-30}, {0, 1}), 1);
}

// Triangles that all turn as a simple polygon does, and have its area together, lie over one another nowhere.
TEST(PolygonCut, SimplePolygonsKeepTheirAreaFromEveryCorner) {
  for (const Outline& outline : random_outlines(200))
    for (size_t first = 0; first < outline.size(); ++first) {
      const Outline turned = from(outline, first);
      std::vector<Stencil<3>> triangles;
      ASSERT_EQ(cut_polygon(on_ground(turned), triangles).kind, PolygonFault::none);
      ASSERT_EQ(triangles.size(), outline.size() - 2);
      int sum = 0;
      for (const auto& [a, b, c] : triangles) {
        const int area = doubled_area(turned[a], turned[b], turned[c]);
        ASSERT_GT(area, 0) << "a triangle without area, or turned over";
        sum += area;
      }
      ASSERT_EQ(sum, shoelace(outline));
    }
}

TEST(PolygonCut, SlopesAndWarpsChangeNothing) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> height(-1, 1);
  const Mat3 slope = Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (const Outline& outline : random_outlines(100)) {
    std::vector<Vec3> places = on_ground(outline);
    const double area = 0.5 * kUnit * kUnit * static_cast<double>(shoelace(outline));
    for (Vec3& place : places) place = slope * place + Vec3(1, -2, 3);
    std::vector<Stencil<3>> triangles;
    ASSERT_EQ(cut_polygon(places, triangles).kind, PolygonFault::none);
    EXPECT_NEAR(area_of(places, triangles), area, 1e-9 * area);
    triangles.clear();
    for (Vec3& place : places) place += 1e-5 * height(random) * slope.col(1);
    ASSERT_EQ(cut_polygon(places, triangles).kind, PolygonFault::none);
    EXPECT_EQ(triangles.size(), outline.size() - 2);
    EXPECT_NEAR(area_of(places, triangles), area, 1e-3 * area) << "a hundredth of a millimetre";
  }
}

TEST(PolygonCut, WhatCrossesOrTouchesItselfIsTold) {
  std::mt19937 random(3);
  int crossed = 0;
  for (Outline outline : random_outlines(200)) {
    std::swap(outline[random() % outline.size()], outline[random() % outline.size()]);
    const bool is_simple = crossing_sides(outline)[0] < 0;
    std::vector<Stencil<3>> triangles;
    const PolygonFault fault = cut_polygon(on_ground(outline), triangles);
    EXPECT_EQ(fault.kind == PolygonFault::none, is_simple);
    EXPECT_EQ(triangles.empty(), !is_simple);
    crossed += !is_simple;
    if (fault.kind != PolygonFault::crosses) continue;
    const auto end = [&](int corner) { return outline[static_cast<size_t>(corner + 1) % outline.size()]; };
    EXPECT_TRUE(
        have_common_point(outline[fault.first], end(fault.first), outline[fault.second], end(fault.second)));
  }
  EXPECT_GT(crossed, 100);
}

TEST(PolygonCut, FansStayWhereTheyAreACut) {
  const auto cut = [](const Outline& outline) {
    std::vector<Stencil<3>> triangles;
    EXPECT_EQ(cut_polygon(on_ground(outline), triangles).kind, PolygonFault::none);
    return triangles;
  };
  using Triangles = std::vector<Stencil<3>>;
  const Outline quad{{0, 0}, {9, 1}, {8, 7}, {-1, 5}};
  for (size_t first = 0; first < 4; ++first)
    EXPECT_EQ(cut(from(quad, first)), (Triangles{{0, 1, 2}, {0, 2, 3}}));
  const Outline dart{{0, 0}, {20, 0}, {7, 7}, {0, 20}};
  EXPECT_EQ(cut(dart), (Triangles{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(cut(from(dart, 1)), (Triangles{{0, 1, 3}, {1, 2, 3}}));
  std::vector<Stencil<3>> warped;
  cut_polygon({{0, 0, 0}, {1, 0.2, 0}, {1, 0, -1}, {0, 0.2, -1}}, warped);
  EXPECT_EQ(warped, (Triangles{{0, 1, 2}, {0, 2, 3}}));
}

TEST(PolygonCut, HolesThatAWayLeadsTo) {
  const Outline keyhole{{0, 0},   {40, 0},  {40, 40}, {0, 40},  {0, 0},
                        {10, 10}, {10, 30}, {30, 30}, {30, 10}, {10, 10}};
  const Outline nested{{0, 0}, {40, 0}, {40, 40}, {0, 40}, {0, 0}, {20, 10}, {10, 20}};
  for (size_t first = 0; first < keyhole.size(); ++first) {
    std::vector<Stencil<3>> triangles;
    const std::vector<Vec3> places = on_ground(from(keyhole, first));
    ASSERT_EQ(cut_polygon(places, triangles).kind, PolygonFault::none);
    EXPECT_DOUBLE_EQ(area_of(places, triangles), kUnit * kUnit * 1200);
  }
  std::vector<Stencil<3>> triangles;
  EXPECT_EQ(cut_polygon(on_ground(nested), triangles).kind, PolygonFault::meets)
      << "goes twice round its inside";
}

TEST(PolygonCut, WhatHasNoPlaneIsTold) {
  std::vector<Stencil<3>> triangles;
  std::vector<Vec3> zigzag;
  for (int k = 0; k < 8; ++k)
    zigzag.push_back(Eigen::AngleAxisd(k * 0.785, Vec3::UnitY()) * Vec3(1, k % 2 == 0 ? 0.5 : -0.5, 0));
  EXPECT_EQ(cut_polygon(zigzag, triangles).kind, PolygonFault::bent);
  EXPECT_EQ(cut_polygon({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}, triangles).kind, PolygonFault::crosses)
      << "whose areas cancel";
  Outline large;
  for (int k = 0; k <= kMostCorners; ++k) large.push_back({k, k * (k % 2)});
  EXPECT_EQ(cut_polygon(on_ground(large), triangles).kind, PolygonFault::large);
  EXPECT_TRUE(triangles.empty());
  EXPECT_EQ(cut_polygon({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, triangles).kind, PolygonFault::none);
  EXPECT_EQ(triangles.size(), 2u) << "a line stays a fan, for others to tell";
}

// --- files -----------------------------------------------------------------------------------------

std::string obj_of(const Outline& outline) {
  std::string text, face = "f";
  for (size_t k = 0; k < outline.size(); ++k) {
    text += fmt::format("v {} 0.25 {}\n", kUnit * outline[k][0], -kUnit * outline[k][1]);
    face += fmt::format(" {}", k + 1);
  }
  return text + face + "\n";
}

std::string ply_of(const Outline& outline) {
  std::string text = fmt::format(
      "ply\nformat ascii 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n",
      outline.size());
  for (const auto& [x, y] : outline) text += fmt::format("{} 0.25 {}\n", kUnit * x, -kUnit * y);
  text += fmt::format("{}", outline.size());
  for (size_t k = 0; k < outline.size(); ++k) text += fmt::format(" {}", k);
  return text + "\n";
}

std::string usd_of(const Outline& outline) {
  std::string points, corners;
  for (size_t k = 0; k < outline.size(); ++k) {
    points +=
        fmt::format("{}({}, 0.25, {})", k == 0 ? "" : ", ", kUnit * outline[k][0], -kUnit * outline[k][1]);
    corners += fmt::format("{}{}", k == 0 ? "" : ", ", k);
  }
  return fmt::format(
      "#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\ndef Mesh \"one\"\n{{\n    int[] "
      "faceVertexCounts = [{}]\n"
      "    int[] faceVertexIndices = [{}]\n    point3f[] points = [{}]\n}}\n",
      outline.size(), corners, points);
}

/// glTF knows triangles alone: those that the polygon of an OBJ file is cut into.
Mesh gltf_of(const Outline& outline) {
  std::string bytes;
  for (const auto& [x, y] : outline)
    for (const double number : {kUnit * x, 0.25, -kUnit * y})
      append_little(bytes, static_cast<float>(number));
  const size_t places = bytes.size();
  const Mesh cut = parse_obj(obj_of(outline), "a.obj");
  for (const Stencil<3>& triangle : cut.triangles)
    for (const int v : triangle) append_little(bytes, static_cast<std::uint16_t>(v));
  const std::string json = fmt::format(
      R"({{"asset": {{"version": "2.0"}}, "buffers": [{{"byteLength": {0}, "uri": "a.bin"}}], "bufferViews": [)"
      R"({{"buffer": 0, "byteOffset": 0, "byteLength": {1}}}, {{"buffer": 0, "byteOffset": {1}, "byteLength": {2}}}], )"
      R"("accessors": [{{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": {3}}}, )"
      R"({{"bufferView": 1, "componentType": 5123, "type": "SCALAR", "count": {4}}}], "meshes": [{{"primitives": )"
      R"([{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}], "nodes": [{{"mesh": 0}}]}})",
      bytes.size(), places, bytes.size() - places, outline.size(), 3 * cut.triangles.size());
  return parse_gltf(json, "a.gltf", [&](const std::string&) { return bytes; });
}

double mass_of(const Mesh& mesh, double density) {
  Scene scene;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.mesh.emplace();
  cloth.mesh->mesh = std::make_shared<const Mesh>(mesh);
  cloth.fabric.density = density;
  return build_model(scene).mass.sum();
}

TEST(PolygonCut, ClothOfEveryFormatWeighsWhatItsPolygonDoes) {
  size_t number = 0;
  for (const Outline& each : random_outlines(200)) {
    const Outline outline = from(each, number++ % each.size());
    const double mass = 0.5 * kUnit * kUnit * static_cast<double>(shoelace(outline)) * 0.3;
    const Mesh meshes[] = {parse_obj(obj_of(outline), "a.obj"), parse_ply(ply_of(outline), "a.ply"),
                           parse_usd(usd_of(outline), "a.usda"), gltf_of(outline)};
    for (const Mesh& mesh : meshes) EXPECT_NEAR(mass_of(mesh, 0.3), mass, 1e-9 * mass);
    EXPECT_EQ(meshes[0].triangles, meshes[1].triangles);
    EXPECT_EQ(meshes[0].triangles, meshes[2].triangles);
    EXPECT_EQ(meshes[0].diagonals.size(), outline.size() - 3);
  }
}

template <class Read>
std::string refusal(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid);
    return error.what();
  }
  return "no error";
}

TEST(PolygonCut, TheFaceIsNamedInEveryFormat) {
  const Outline crossed{{0, 0}, {9, 9}, {9, 0}, {0, 9}};
  const std::string what = "face 0 (counted from 0) must not cross itself, but sides ";
  EXPECT_EQ(refusal([&] { parse_obj(obj_of(crossed), "a.obj"); }),
            "a.obj:5: " + what + "1-2 and 3-4 do; cut it into triangles where it was made");
  EXPECT_EQ(refusal([&] { parse_ply(ply_of(crossed), "a.ply"); }),
            "a.ply:14: " + what + "0-1 and 2-3 do; cut it into triangles where it was made");
  EXPECT_EQ(refusal([&] { parse_usd(usd_of(crossed), "a.usda"); }),
            "a.usda:6: " + what + "0-1 and 2-3 do; cut it into triangles where it was made");
  const std::string touching = obj_of({{0, 0}, {40, 0}, {40, 40}, {20, 0}, {0, 40}});
  EXPECT_EQ(refusal([&] {
              parse_obj(touching, "a.obj");
            }).find("a.obj:6: face 0 (counted from 0) must not touch itself, but vertex 4 lies on side 1-2"),
            0u);
}

TEST(PolygonCut, TextureCoordinatesGoWithTheirCorners) {
  const Mesh mesh = parse_obj(
      "v 0 0 0\nv 2 0 0\nv 0.7 0.7 0\nv 0 2 0\nvt 1 1\nvt 2 2\nvt 3 3\nvt 4 4\nvt 5 5\nf 2/2 3/3 4/4 1/1\nf "
      "1/5 4/4 2/2\n",
      "a.obj");
  for (size_t t = 0; t < 2; ++t)
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(mesh.uv_of(static_cast<int>(t))[k].x(), mesh.triangles[t][k] + 1) << "of the dart";
  EXPECT_EQ(mesh.uv_of(2)[0].x(), 5);
}

}  // namespace
}  // namespace muslin
