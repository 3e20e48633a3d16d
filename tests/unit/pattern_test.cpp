#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>

#include "muslin/core/check.h"
#include "muslin/io/garmentcode.h"
#include "muslin/pattern/pattern_mesh.h"
#include "muslin/pattern/triangulate.h"

namespace muslin {
namespace {

constexpr int kMost = 1'000'000;

// A panel of corners in centimetres; curvature[k] is the JSON of edge k, or "".
std::string panel_json(const std::vector<Vec2>& corners, const std::vector<std::string>& curvature = {},
                       const std::string& translation = "[0, 0, 0]") {
  std::string vertices, edges;
  for (size_t k = 0; k < corners.size(); ++k) {
    vertices += fmt::format("{}[{}, {}]", k == 0 ? "" : ", ", corners[k].x(), corners[k].y());
    const std::string curve =
        k < curvature.size() && !curvature[k].empty() ? fmt::format(", \"curvature\": {}", curvature[k]) : "";
    edges += fmt::format("{}{{\"endpoints\": [{}, {}]{}}}", k == 0 ? "" : ", ", k, (k + 1) % corners.size(),
                         curve);
  }
  return fmt::format("{{\"vertices\": [{}], \"edges\": [{}], \"translation\": {}, \"rotation\": [0, 0, 0]}}",
                     vertices, edges, translation);
}
std::string pattern_json(const std::string& panels, const std::string& stitches = "") {
  return fmt::format(
      "{{\"pattern\": {{\"panels\": {{{}}}, \"stitches\": [{}]}}, \"properties\": {{\"units_in_meter\": "
      "100, \"curvature_coords\": \"relative\"}}}}",
      panels, stitches);
}
const std::vector<Vec2> kSquare{{0, 0}, {20, 0}, {20, 20}, {0, 20}};
std::string stitch_json(const std::string& a, int edge_a, const std::string& b, int edge_b) {
  return fmt::format("[{{\"panel\": \"{}\", \"edge\": {}}}, {{\"panel\": \"{}\", \"edge\": {}}}]", a, edge_a,
                     b, edge_b);
}
std::string two_squares(const std::string& stitches) {
  return pattern_json("\"a\": " + panel_json(kSquare) + ", \"b\": " + panel_json(kSquare, {}, "[25, 0, 0]"),
                      stitches);
}

PatternMesh made(const std::string& text, double resolution = 0.02) {
  return make_mesh(parse_pattern(text, "p.json"), resolution, kMost);
}
double length_of_edge(const std::string& text, int edge) {
  const SewingPattern pattern = parse_pattern(text, "p.json");
  return length_of(pattern.panels[0], pattern.panels[0].edges[edge]);
}
double area_of(const PatternMesh& mesh) {
  double area = 0;
  for (const auto& [a, b, c] : mesh.mesh.triangles)
    area += triangle_area(mesh.rest.col(a), mesh.rest.col(b), mesh.rest.col(c));
  return area;
}

// Every edge of every panel is a chain of borders, there is no other border, and triangles turn as the loop
// does.
void expect_conforming(const PatternMesh& mesh) {
  std::map<Stencil<2>, int> sides;
  for (const Stencil<3>& t : mesh.mesh.triangles)
    for (int k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
  size_t borders = 0, chained = 0;
  for (const auto& [side, count] : sides) {
    ASSERT_EQ(count, 1);
    borders += !sides.contains({side[1], side[0]});
  }
  for (const auto& panel : mesh.edges)
    for (const std::vector<int>& chain : panel)
      for (size_t k = 0; k + 1 < chain.size(); ++k, ++chained) {
        const bool forward = sides.contains({chain[k], chain[k + 1]}),
                   backward = sides.contains({chain[k + 1], chain[k]});
        EXPECT_TRUE(forward && !backward) << chain[k] << " " << chain[k + 1];
      }
  EXPECT_EQ(borders, chained);
  for (const PatternSeam& seam : mesh.seams) EXPECT_FALSE(seam.stitches.empty()) << seam.name;
}
double least_angle(const PatternMesh& mesh) {
  double least = 180;
  for (const Stencil<3>& t : mesh.mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const Vec3 u = mesh.rest.col(t[(k + 1) % 3]) - mesh.rest.col(t[k]),
                 v = mesh.rest.col(t[(k + 2) % 3]) - mesh.rest.col(t[k]);
      least = std::min(least, std::atan2(u.cross(v).norm(), u.dot(v)) * 180 / std::numbers::pi);
    }
  return least;
}
std::string error_of(const std::string& text) {
  try {
    made(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Pattern, ArcsHaveTheLengthOfTheirAngle) {
  // A chord of 20 cm on a circle of 10 cm is half of it, whichever way; on one of 20 cm a sixth, or five.
  const auto with = [](const char* params) {
    return pattern_json(
        "\"a\": " + panel_json(kSquare, {fmt::format("{{\"type\": \"circle\", \"params\": {}}}", params)}));
  };
  EXPECT_NEAR(length_of_edge(with("[10, 0, 1]"), 0), 0.1 * std::numbers::pi, 1e-12);
  EXPECT_NEAR(length_of_edge(with("[20, 0, 0]"), 0), 0.2 * std::numbers::pi / 3, 1e-12);
  EXPECT_NEAR(length_of_edge(with("[20, 1, 0]"), 0), 0.2 * std::numbers::pi * 5 / 3, 1e-12);
}

TEST(Pattern, AHalfDiscHasItsArea) {
  const std::string text = pattern_json(
      "\"a\": " + panel_json({{-10, 0}, {10, 0}, {0, 10}}, {"", R"({"type": "circle", "params": [10, 0, 1]})",
                                                            R"({"type": "circle", "params": [10, 0, 1]})"}));
  for (const double resolution : {0.02, 0.01, 0.005}) {
    const PatternMesh mesh = made(text, resolution);
    expect_conforming(mesh);
    // A polygon on a circle of radius R with sides s is short of R² s²/12 an angle of one, to leading order.
    const double exact = 0.005 * std::numbers::pi;
    EXPECT_LT(area_of(mesh), exact);
    EXPECT_NEAR(area_of(mesh), exact, std::numbers::pi * resolution * resolution / 12);
  }
}

TEST(Pattern, BezierCurvesHaveTheirLength) {
  // y = x² from 0 to 1, as a quadratic curve: (2√5 + asinh 2)/4. Its control point is (½, 0).
  const Vec2 chord(1, 1), point(0.5, 0);
  const double along = point.dot(chord) / 2, across = point.dot(Vec2(-1, 1)) / 2;
  const std::string quadratic =
      fmt::format("{{\"type\": \"quadratic\", \"params\": [[{:.17g}, {:.17g}]]}}", along, across);
  const std::string text = pattern_json("\"a\": " + panel_json({{0, 0}, {100, 100}, {0, 150}}, {quadratic}));
  EXPECT_NEAR(length_of_edge(text, 0), (2 * std::sqrt(5.0) + std::asinh(2.0)) / 4, 1e-9);

  // A cubic one against a fine polyline of de Casteljau's points.
  const std::string cubic = R"({"type": "cubic", "params": [[0.2, 0.6], [0.7, -0.4]]})";
  const Vec2 a(0, 0), b(0.3, 0.1), d = b - a, n(-d.y(), d.x());
  const Vec2 p = a + 0.2 * d + 0.6 * n, q = a + 0.7 * d - 0.4 * n;
  double sum = 0;
  Vec2 last = a;
  for (int k = 1; k <= 200'000; ++k) {
    const double t = k / 200'000.0;
    const Vec2 ab = a + t * (p - a), bc = p + t * (q - p), cd = q + t * (b - q);
    const Vec2 abc = ab + t * (bc - ab), bcd = bc + t * (cd - bc), next = abc + t * (bcd - abc);
    sum += (next - last).norm();
    last = next;
  }
  const std::string other = pattern_json("\"a\": " + panel_json({{0, 0}, {30, 10}, {0, 60}}, {cubic}));
  EXPECT_NEAR(length_of_edge(other, 0), sum, 1e-9);
  const SewingPattern pattern = parse_pattern(other, "p.json");
  const std::vector<Vec2> points = divided(pattern.panels[0], pattern.panels[0].edges[0], 7);
  for (int k = 0; k < 7; ++k)  // chords of equal arcs differ by their curvature alone
    EXPECT_NEAR((points[k + 1] - points[k]).norm(), sum / 7, 0.05 * sum / 7);
}

TEST(Pattern, AnOutlineIsFilledExactly) {
  // An arrow with a notch: its mesh has its area, whichever way round it goes.
  const std::vector<Vec2> arrow{{0, 0}, {30, 40}, {0, 100}, {-30, 40}, {0, 55}};
  std::vector<Vec2> turned(arrow.rbegin(), arrow.rend());
  double twice = 0;
  for (size_t k = 0; k < arrow.size(); ++k) {
    const Vec2 &a = arrow[k], &b = arrow[(k + 1) % arrow.size()];
    twice += a.x() * b.y() - a.y() * b.x();
  }
  for (const auto& corners : {arrow, turned}) {
    const PatternMesh mesh = made(pattern_json("\"a\": " + panel_json(corners)), 0.03);
    expect_conforming(mesh);
    EXPECT_NEAR(area_of(mesh), std::abs(twice) / 2 * 1e-4, 1e-12);
    EXPECT_GT(least_angle(mesh), 12);  // the outline's own sharpest is 26 degrees, cut by no lattice
  }
}

TEST(Pattern, BothSidesOfASeamHaveAsManyVertices) {
  // 20 cm are sewn to 30 cm.
  const std::string text =
      pattern_json("\"a\": " + panel_json(kSquare) +
                       ", \"b\": " + panel_json({{0, 0}, {30, 0}, {30, 20}, {0, 20}}, {}, "[0, -25, 0]"),
                   stitch_json("a", 0, "b", 2));
  const PatternMesh mesh = made(text);
  expect_conforming(mesh);
  ASSERT_EQ(mesh.seams.size(), 1u);
  EXPECT_EQ(mesh.seams[0].stitches.size(), 16u);
  EXPECT_NEAR(mesh.seams[0].length_a, 0.2, 1e-12);
  EXPECT_NEAR(mesh.seams[0].length_b, 0.3, 1e-12);
  EXPECT_FALSE(mesh.seams[0].is_twisted());
  // The left end of a's bottom meets that of b's top.
  const auto [first, last] = std::pair(mesh.seams[0].stitches.front(), mesh.seams[0].stitches.back());
  EXPECT_EQ(Vec3(mesh.mesh.positions.col(first[0])), Vec3(0, 0, 0));
  EXPECT_LT((Vec3(mesh.mesh.positions.col(first[1])) - Vec3(0, -0.05, 0)).norm(), 1e-12);
  EXPECT_LT((Vec3(mesh.mesh.positions.col(last[1])) - Vec3(0.3, -0.05, 0)).norm(), 1e-12);
}

TEST(Pattern, ATwistedSeamIsSaid) {
  const std::string text =
      pattern_json("\"a\": " + panel_json(kSquare) + ", \"b\": " + panel_json(kSquare, {}, "[0, -25, 0]"),
                   "[{\"panel\": \"a\", \"edge\": 0}, {\"panel\": \"b\", \"edge\": 2}, \"right_wrong\"]");
  const PatternMesh mesh = made(text);
  EXPECT_TRUE(mesh.seams[0].is_twisted());
  ASSERT_EQ(mesh.words.size(), 1u);
  EXPECT_NE(mesh.words[0].find("looks twisted"), std::string::npos) << mesh.words[0];
}

TEST(Pattern, SaysWhatIsWrong) {
  const auto expect = [](const std::string& text, const std::string& words) {
    const std::string error = error_of(text);
    EXPECT_NE(error.find(words), std::string::npos) << "got: " << error << "\nwanted: " << words;
  };
  expect(two_squares(stitch_json("a", 1, "b", 4)), "p.json:1:");
  expect(two_squares(stitch_json("a", 1, "b", 4)), "expected an edge of panel \"b\", from 0 to 3, got 4");
  expect(two_squares(stitch_json("a", 1, "sleeve", 1)),
         "expected the name of a panel, got the string \"sleeve\"");
  expect(two_squares(stitch_json("a", 1, "a", 1)), "sews panel \"a\", edge 1 to itself");
  expect(two_squares(stitch_json("a", 1, "b", 3) + ", " + stitch_json("b", 3, "a", 2)),
         "panel \"b\", edge 3 is sewn by stitch 0 already");
  expect(pattern_json("\"a\": " + panel_json({{0, 0}, {20, 20}, {20, 0}, {0, 20}})),
         "its outline crosses itself, at edges 0 and 2");
  expect(pattern_json("\"a\": " + panel_json({{0, 0}, {20, 0}, {20, 0}, {0, 20}})), "edge 1: has no length");
  expect(pattern_json("\"a\": {\"vertices\": [[0, 0], [1, 0], [0, 9]], \"edges\": [{\"endpoints\": [0, 1]}, "
                      "{\"endpoints\": [2, 0]}, {\"endpoints\": [0, 1]}]}"),
         "an edge is missing between them");
  expect(pattern_json("\"a\": " + panel_json({{0, 0}, {2000, 0}, {2000, 2000}})), "units_in_meter is wrong");
  expect(pattern_json("\"a\": " + panel_json({{0, 0}, {0.2, 0}, {0.2, 0.2}})), "units_in_meter is wrong");
  expect("{\"pattern\": {\"stitches\": []}}", "expected an object with the panels");
  expect("{\"cloths\": []}", "expected a pattern of GarmentCode");
  std::string stitches;
  for (int k = 0; k < 100'000; ++k) stitches += (k == 0 ? "" : ", ") + stitch_json("a", 1, "b", 3);
  expect(two_squares(stitches), "panel \"a\", edge 1 is sewn by stitch 0 already");
}

TEST(Pattern, RefusesAResolutionBeyondAllMeasure) {
  try {
    make_mesh(parse_pattern(two_squares(""), "p.json"), 1e-6, kMost);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("more than 1000000 vertices"), std::string::npos)
        << error.what();
  }
}

TEST(Pattern, IsDrawn) {
  const std::string svg = draw_pattern(parse_pattern(two_squares(stitch_json("a", 1, "b", 3)), "p.json"));
  EXPECT_EQ(svg.rfind("<svg", 0), 0u);
  EXPECT_NE(svg.find("1 = s0 (200)"), std::string::npos);
  EXPECT_NE(svg.find(">b</text>"), std::string::npos);
}

// Of a stranger, where they are there [Korosteleva 2023].
TEST(Pattern, ReadsPatternsOfOthers) {
  const std::filesystem::path folder = std::filesystem::path(MUSLIN_TESTS) / "../../shared/data/patterns";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no patterns of others here";
  const struct {
    const char* file;
    size_t panels, seams;
  } all[] = {{"shirt_mean_specification.json", 8, 18}, {"dress_pencil_specification.json", 6, 23}};
  for (const auto& [file, panels, seams] : all)
    for (const double resolution : {0.02, 0.01}) {
      const SewingPattern pattern = read_pattern((folder / file).string());
      EXPECT_EQ(pattern.panels.size(), panels);
      const PatternMesh mesh = make_mesh(pattern, resolution, kMost);
      EXPECT_EQ(mesh.seams.size(), seams);
      EXPECT_TRUE(mesh.words.empty()) << mesh.words[0];
      expect_conforming(mesh);
      EXPECT_GT(least_angle(mesh), 15);
    }
}

}  // namespace
}  // namespace muslin
