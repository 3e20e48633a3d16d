#include <array>
#include <functional>
#include <memory>

#include "muslin/core/random.h"
#include "muslin/geometry/shapes.h"
#include "validation/laboratory.h"

// A strip that bends under its own weight, against the elastica θ″ = −Γ(1−s) cos θ, Γ = ρgL³/D: whether the
// plate has the rigidity D that the fabric names, for all sizes of the angle and on any triangulation.

namespace muslin {
namespace {

constexpr double kRigidity = 1e-3;  // D [N m] of every strip, L = 1 m

/// The tip of a strip of length 1, clamped horizontally.
struct Tip {
  double reach, drop;
  double slope() const { return drop / reach; }
};

// --- the elastica ----------------------------------------------------------------------------------

struct Elastica {
  double angle, curvature;
  Tip tip;
};

/// Integrates the elastica from the clamp with the curvature there, by Runge–Kutta.
Elastica shoot(double gamma, double curvature) {
  using Point = std::array<double, 4>;  // angle, curvature, reach, drop
  constexpr int kSteps = 2000;
  const auto slope = [&](double s, const Point& p) {
    return Point{p[1], -gamma * (1 - s) * std::cos(p[0]), std::cos(p[0]), std::sin(p[0])};
  };
  const auto along = [](const Point& p, double h, const Point& d) {
    Point q;
    for (size_t k = 0; k < 4; ++k) q[k] = p[k] + h * d[k];
    return q;
  };
  Point p{0, curvature, 0, 0};
  const double h = 1.0 / kSteps;
  for (int step = 0; step < kSteps; ++step) {
    const double s = step * h;
    const Point a = slope(s, p), b = slope(s + h / 2, along(p, h / 2, a)),
                c = slope(s + h / 2, along(p, h / 2, b)), d = slope(s + h, along(p, h, c));
    for (size_t k = 0; k < 4; ++k) p[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
  }
  return {p[0], p[1], {p[2], p[3]}};
}

/// The tip of the elastica whose free end has no curvature. A strip that starts too curved passes the
/// vertical and curls up.
Tip elastica(double gamma) {
  double low = 0, high = gamma / 2 + 1;
  for (int k = 0; k < 100; ++k) {
    const double middle = (low + high) / 2;
    const Elastica end = shoot(gamma, middle);
    (end.curvature > 0 || end.angle > 2 ? high : low) = middle;
  }
  return shoot(gamma, low).tip;
}

TEST(Elastica, HasTheKnownSlopesAndLimits) {
  const std::vector<std::pair<double, double>> known{
      {0.1, 0.012500}, {1, 0.124562}, {10, 1.066802}, {100, 5.888105}};
  for (const auto& [gamma, slope] : known) EXPECT_NEAR(elastica(gamma).slope() / slope, 1, 1e-4) << gamma;
  EXPECT_NEAR(elastica(1e-3).slope() / (1e-3 / 8), 1, 1e-5);
}

/// A step [s] in which a free fall is as deep as the tip of the strip sinks.
double gentle_step(const Tip& theory) { return std::sqrt(theory.drop / kG); }

// --- cantilever on a grid --------------------------------------------------------------------------

/// What makes a strip with Γ. The membrane is stretched by 1e-4 at most by the whole weight, and yet too soft
/// to keep facets from bending where the mesh has no fold to offer.
Fabric strip_fabric(double gamma) {
  Fabric fabric;
  fabric.thickness = 0;
  fabric.density = gamma * kRigidity / kG;
  fabric.bend = kRigidity;
  fabric.warp = fabric.weft = 1e4 * std::max(1.0, gamma) * kRigidity;
  fabric.shear = *fabric.warp / 3;
  return fabric;
}

/// Tip of a clamped strip of `cells` cells. The first cell is held. Every line across is a hinge, and a hinge
/// stands for the curvature between the middles of the facets beside it; so the held facet has the clamp's
/// angle in its middle, from where the free length of 1 m runs.
Tip cantilever(double gamma, Bending bending, int cells, bool along_warp = true) {
  const double cell = 1 / (cells - 0.5);
  Cloth strip = along_warp ? rectangle({cells + 1, 3}, {cells * cell, 2 * cell}, {1, 0, 0}, {0, 0, 1})
                           : rectangle({3, cells + 1}, {2 * cell, cells * cell}, {0, 0, 1}, {1, 0, 0});
  strip.grid->diagonals = Diagonals::forward;
  strip.fabric = strip_fabric(gamma);
  if (!along_warp) {
    strip.fabric.bend_weft = kRigidity;
    strip.fabric.bend = 5 * kRigidity;
  }
  strip.membrane = Membrane::baraff_witkin;
  strip.bending = bending;
  Pin clamp;
  for (const int i : {0, 1})
    for (const int j : {0, 1, 2})
      clamp.grid.push_back(along_warp ? std::array<int, 2>{i, j} : std::array<int, 2>{j, i});
  strip.pins = {clamp};
  const Scene scene = scene_of(strip, tight_newton(LinearSolver::cholesky, 1e-8));
  const Points rest = at_rest(scene, gentle_step(elastica(gamma)));
  Tip tip{-cell / 2, 0};
  for (int j = 0; j < 3; ++j) {
    const int vertex = along_warp ? j * (cells + 1) + cells : cells * 3 + j;
    tip.reach += rest(0, vertex) / 3;
    tip.drop -= rest(1, vertex) / 3;
  }
  return tip;
}

TEST(HeavyCantilever, DropsAsTheElasticaDoes) {
  for (const Bending bending : {Bending::quadratic, Bending::dihedral})
    for (const double gamma : {0.1, 1.0, 10.0, 100.0}) {
      const Tip measured = cantilever(gamma, bending, 100), theory = elastica(gamma);
      const std::string name = std::string(name_of(bending)) + ", gamma " + std::to_string(gamma);
      tell(name, measured.slope(), theory.slope());
      EXPECT_NEAR(measured.slope() / theory.slope(), 1, 0.01) << name;
      EXPECT_NEAR(std::hypot(measured.drop - theory.drop, measured.reach - theory.reach), 0, 0.01) << name;
    }
}

TEST(HeavyCantilever, HasARigidityOfItsOwnAlongTheWeft) {
  for (const Bending bending : {Bending::quadratic, Bending::dihedral}) {
    const double measured = cantilever(10, bending, 50, false).slope(), theory = elastica(10).slope();
    tell(std::string(name_of(bending)) + " along the weft", measured, theory);
    EXPECT_NEAR(measured / theory, 1, 0.01) << name_of(bending);
  }
}

TEST(HeavyCantilever, ConvergesWithTheSquareOfTheCell) {
  for (const Bending bending : {Bending::quadratic, Bending::dihedral}) {
    const double theory = elastica(1).slope();
    const double coarse = std::abs(cantilever(1, bending, 8).slope() / theory - 1);
    const double fine = std::abs(cantilever(1, bending, 16).slope() / theory - 1);
    std::cout << "  " << name_of(bending) << ": off by " << coarse << " with 8 cells, " << fine
              << " with 16\n";
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3) << name_of(bending);
  }
}

// --- mesh patterns ---------------------------------------------------------------------------------

// Strips of two arms, x from −1 to 1 m, mirrored at x = 0 where they are held along a line and balance: by
// symmetry both arms are clamped there exactly, whatever the mesh.

struct Strip {
  Mesh mesh;
  void add(double x, double z) { points.push_back({x, z}); }
  void finish() {
    mesh.positions.resize(3, static_cast<int>(points.size()));
    for (size_t v = 0; v < points.size(); ++v)
      mesh.positions.col(static_cast<int>(v)) << points[v].x(), 0, points[v].y();
    mesh.uv = points;
  }
  std::vector<Vec2> points;
};

double doubled_area(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
}

/// Turns triangles that look the other way.
void face_up(Strip& strip) {
  for (auto& [a, b, c] : strip.mesh.triangles)
    if (doubled_area(strip.points[a], strip.points[b], strip.points[c]) < 0) std::swap(b, c);
}

/// Square cells, `arm` along each arm and `across`; rule(k, j) says how cell k of an arm is cut in row j.
Strip squares(int arm, int across, const std::function<bool(int k, int j)>& rule) {
  Strip strip;
  const int columns = 2 * arm + 1;
  for (int j = 0; j <= across; ++j)
    for (int i = 0; i < columns; ++i) strip.add((i - arm) / double(arm), j / double(arm));
  for (int j = 0; j < across; ++j)
    for (int i = 0; i < 2 * arm; ++i) {
      const int a = j * columns + i, b = a + 1, c = a + columns, d = c + 1;
      const bool forward = i >= arm ? rule(i - arm, j) : !rule(arm - 1 - i, j);
      auto& triangles = strip.mesh.triangles;
      if (forward)
        triangles.insert(triangles.end(), {{a, b, d}, {a, d, c}});
      else
        triangles.insert(triangles.end(), {{b, c, a}, {d, c, b}});
    }
  strip.finish();
  return strip;
}

/// Square cells with a vertex in the middle of each.
Strip crossed(int arm, int across) {
  Strip strip = squares(arm, across, [](int, int) { return true; });
  strip.mesh.triangles.clear();
  const int columns = 2 * arm + 1;
  for (int j = 0; j < across; ++j)
    for (int i = 0; i < 2 * arm; ++i) {
      const int a = j * columns + i, b = a + 1, c = a + columns, d = c + 1;
      const int middle = static_cast<int>(strip.points.size());
      strip.add((i + 0.5 - arm) / arm, (j + 0.5) / arm);
      for (const auto& [p, q] : {std::pair{a, b}, {b, d}, {d, c}, {c, a}})
        strip.mesh.triangles.push_back({p, q, middle});
    }
  strip.finish();
  return strip;
}

/// Equilateral triangles in lines along the strip or across it; lines of odd number are shifted by half an
/// edge and end in half triangles.
Strip equilateral(int lines, int edges, bool along, double edge) {
  Strip strip;
  const double spacing = edge * std::sqrt(0.75);
  std::vector<std::vector<int>> rows(lines + 1);
  std::vector<double> place;  // along the line
  const auto add = [&](int line, double s) {
    rows[line].push_back(static_cast<int>(strip.points.size()));
    place.push_back(s);
    if (along)
      strip.add((s - edges / 2.0) * edge, line * spacing);
    else
      strip.add((line - lines / 2.0) * spacing, s * edge);
  };
  const auto odd = [&](int line) { return (along ? line : std::abs(line - lines / 2)) % 2 == 1; };
  for (int line = 0; line <= lines; ++line) {
    add(line, 0);
    for (int k = odd(line) ? 0 : 1; k < edges; ++k) add(line, odd(line) ? k + 0.5 : k);
    add(line, edges);
  }
  for (int line = 0; line < lines; ++line) {  // advance on the line that is behind
    const auto &even_row = rows[odd(line) ? line + 1 : line], &odd_row = rows[odd(line) ? line : line + 1];
    for (size_t e = 0, o = 0; e + 1 < even_row.size() || o + 1 < odd_row.size();) {
      const bool advance_even = e + 1 < even_row.size() &&
                                (o + 1 == odd_row.size() || place[even_row[e + 1]] <= place[odd_row[o + 1]]);
      const int next = advance_even ? even_row[e + 1] : odd_row[o + 1];
      strip.mesh.triangles.push_back({even_row[e], odd_row[o], next});
      ++(advance_even ? e : o);
    }
  }
  face_up(strip);
  strip.finish();
  return strip;
}

/// Square cells shaken by up to `amount` of a cell, the border only along itself, both arms alike; Delaunay.
Strip shaken(int arm, int across, double amount) {
  Strip strip = squares(arm, across, [](int k, int j) { return (k + j) % 2 == 0; });
  const auto draw = [&](int v, int axis) { return amount / arm * (2 * random_unit(7, v, axis) - 1); };
  for (int j = 0; j <= across; ++j)
    for (int k = 0; k <= arm; ++k) {
      const double x = draw(j * (arm + 1) + k, 0), z = draw(j * (arm + 1) + k, 1);
      Vec2 &right = strip.points[j * (2 * arm + 1) + arm + k],
           &left = strip.points[j * (2 * arm + 1) + arm - k];
      if (k > 0 && k < arm) right.x() += x;
      if (j > 0 && j < across) right.y() += z;
      left = Vec2(-right.x(), right.y());
    }
  strip.finish();
  flip_to_delaunay(strip.mesh);
  return strip;
}

struct Pattern {
  std::string name;
  Strip strip;
};
std::vector<Pattern> patterns(int arm, int across) {
  const double edge = 1.0 / arm;
  return {{"one diagonal", squares(arm, across, [](int, int) { return true; })},
          {"alternating along", squares(arm, across, [](int k, int) { return k % 2 == 0; })},
          {"union jack", squares(arm, across, [](int k, int j) { return (k + j) % 2 == 0; })},
          {"equilateral, edges along", equilateral(across, 2 * arm, true, edge)},
          {"equilateral, edges across", equilateral(2 * arm, across, false, edge / std::sqrt(0.75))},
          {"Delaunay", shaken(arm, across, 0.2)}};
}

/// Rest of a strip from x, and the mean tip of its arms.
Tip balance(const Strip& strip, double gamma, Bending bending, Points& x) {
  Cloth cloth;
  cloth.mesh = MeshFile();
  cloth.mesh->mesh = std::make_shared<const Mesh>(strip.mesh);
  cloth.fabric = strip_fabric(gamma);
  cloth.membrane = Membrane::baraff_witkin;
  cloth.bending = bending;
  Pin line;
  std::vector<int> tips;
  for (int v = 0; v < strip.mesh.vertex_count(); ++v) {
    if (std::abs(strip.points[v].x()) < 1e-9) line.vertices.push_back(v);
    if (std::abs(strip.points[v].x()) > 1 - 1e-9) tips.push_back(v);
  }
  cloth.pins = {line};
  x = at_rest(scene_of(cloth, tight_newton(LinearSolver::cholesky, 1e-8)), x,
              0.5 * gentle_step(elastica(gamma)));
  Tip tip{0, 0};
  for (const int v : tips) {
    tip.reach += std::abs(x(0, v)) / static_cast<double>(tips.size());
    tip.drop -= x(1, v) / static_cast<double>(tips.size());
  }
  return tip;
}

/// Slope of a strip's tips over that of the elastica, less 1, with Γ of 1 and 10 and both forms of bending.
std::vector<double> errors_of(const Pattern& pattern) {
  std::vector<double> errors;
  Points x = pattern.strip.mesh.positions;  // every rest is the start for the next
  for (const double gamma : {1.0, 10.0})
    for (const Bending bending : {Bending::quadratic, Bending::dihedral}) {
      const double measured = balance(pattern.strip, gamma, bending, x).slope();
      const double theory = elastica(gamma).slope();
      tell(pattern.name + ", " + std::string(name_of(bending)) + ", gamma " + std::to_string(gamma), measured,
           theory);
      errors.push_back(measured / theory - 1);
    }
  return errors;
}

class MeshPatterns : public testing::TestWithParam<int> {};

TEST_P(MeshPatterns, BendAlike) {
  for (const double error : errors_of(patterns(60, 4)[GetParam()])) EXPECT_NEAR(error, 0, 0.03);
}

INSTANTIATE_TEST_SUITE_P(Plate, MeshPatterns, testing::Range(0, 6));

/// What remains: where the heights of triangles do not meet edges in their middles, angles miss part of the
/// curvature. Cells of four triangles are a third too stiff.
TEST(CrossedCells, AreTooStiff) {
  for (const double error : errors_of({"crossed", crossed(40, 3)})) {
    EXPECT_LT(error, 0);
    EXPECT_GT(error, -0.3);
  }
}

}  // namespace
}  // namespace muslin
