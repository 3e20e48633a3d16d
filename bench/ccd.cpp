// Times the geometry that contact stands on: closest points, continuous collision detection and the tree of
// boxes, by themselves on random pairs and together on a folded sheet that moves for one step.
//
// Published additive CCD in double takes 0.12 to 0.17 µs a query.
#include "muslin/geometry/ccd.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include "muslin/core/random.h"
#include "muslin/geometry/bvh.h"
#include "muslin/geometry/sheet.h"
#include "muslin/geometry/topology.h"

namespace bench {
namespace {

using namespace muslin;
using Pairs = std::vector<Stencil<2>>;

/// Seconds of processor time of the fastest of some runs on one thread: others share the machine.
template <class Work>
double seconds(int repeats, const Work& work) {
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

const char* name(PairKind kind) { return kind == PairKind::point_triangle ? "point-triangle" : "edge-edge"; }

// --- pairs by themselves ---------------------------------------------------------------------------

struct Motion {
  Quad start, end;
};

double time_motions(PairKind kind, const std::vector<Motion>& motions) {
  volatile double sink = 0;  // or the compiler would leave out the work
  const double passed = seconds(50, [&] {
    double sum = 0;
    for (const Motion& motion : motions) sum += time_of_impact(kind, motion.start, motion.end);
    sink = sum;
  });
  return passed / static_cast<double>(motions.size());
}

void print_random_pairs(PairKind kind) {
  std::vector<Motion> meet, pass;
  for (int id = 0; meet.size() < 4096 || pass.size() < 4096; ++id) {
    Motion motion;
    for (int k = 0; k < 12; ++k) {
      motion.start.data()[k] = random_unit(1, id, k);
      motion.end.data()[k] = motion.start.data()[k] + 2 * random_unit(2, id, k) - 1;
    }
    std::vector<Motion>& group = time_of_impact(kind, motion.start, motion.end) < 1 ? meet : pass;
    if (group.size() < 4096) group.push_back(motion);
  }
  volatile double sink = 0;
  const double closest = seconds(50, [&] {
    double sum = 0;
    for (const Motion& motion : pass) sum += closest_points(kind, motion.start).distance;
    sink = sum;
  });
  fmt::print("{:<16} {:>17.1f} {:>17.3f} {:>17.3f}\n", name(kind), closest / 4096 * 1e9,
             time_motions(kind, meet) * 1e6, time_motions(kind, pass) * 1e6);
}

// --- a folded sheet --------------------------------------------------------------------------------

/// A square metre, folded into eight layers that lie 0.6 cells apart, and where its vertices are one step
/// later, up to half a cell away along each axis.
struct FoldedSheet {
  Mesh rest;
  std::vector<Stencil<2>> edges;
  Points start, end;
  double cell;

  explicit FoldedSheet(int points)
      : rest(
            make_sheet({points, points}, Vec3::Zero(), Vec3::UnitX(), Vec3::UnitZ(), Diagonals::alternating)),
        edges(build_topology(rest.vertex_count(), rest.triangles, "bench").edges),
        start(rest.positions),
        cell(1.0 / (points - 1)) {
    constexpr int layers = 8;
    for (int i = 0; i < rest.vertex_count(); ++i) {
      const double along = layers * rest.positions(0, i);
      const int layer = std::min(static_cast<int>(along), layers - 1);
      start(0, i) = (layer % 2 == 0 ? along - layer : layer + 1 - along) / layers;
      start(1, i) = 0.6 * cell * layer;
    }
    end = start;
    for (int i = 0; i < rest.vertex_count(); ++i)
      for (int k = 0; k < 3; ++k) {
        start(k, i) += 0.1 * cell * (random_unit(1, i, k) - 0.5);
        end(k, i) = start(k, i) + 0.5 * cell * (2 * random_unit(2, i, k) - 1);
      }
  }

  /// Boxes of elements on their way from x to y, and 0.15 cells around it.
  template <size_t N>
  std::vector<Box> boxes(const std::vector<std::array<int, N>>& stencils, const Points& x,
                         const Points& y) const {
    std::vector<Box> result;
    for (const auto& stencil : stencils) {
      Box box{x.col(stencil[0]), x.col(stencil[0])};
      for (const int v : stencil) {
        box.low = box.low.cwiseMin(x.col(v)).cwiseMin(y.col(v));
        box.high = box.high.cwiseMax(x.col(v)).cwiseMax(y.col(v));
      }
      box.low.array() -= 0.15 * cell;
      box.high.array() += 0.15 * cell;
      result.push_back(box);
    }
    return result;
  }
};

template <size_t N, size_t M>
bool share_a_vertex(const std::array<int, N>& a, const std::array<int, M>& b) {
  for (const int v : a)
    for (const int w : b)
      if (v == w) return true;
  return false;
}

struct Row {
  double refit, query, pairs, ccd,
      misses;  // seconds a box, seconds and pairs a vertex, seconds a pair, fraction
};

/// Elements A against elements B of a sheet; a self query where both are the same list.
template <size_t N, size_t M>
Row measure(const FoldedSheet& sheet, PairKind kind, const std::vector<std::array<int, N>>& a,
            const std::vector<std::array<int, M>>& b, bool self) {
  const std::vector<Box> boxes_a = sheet.boxes(a, sheet.start, sheet.end),
                         boxes_b = sheet.boxes(b, sheet.start, sheet.end);
  BoxTree tree_a(sheet.boxes(a, sheet.rest.positions, sheet.rest.positions));
  BoxTree tree_b(sheet.boxes(b, sheet.rest.positions, sheet.rest.positions));
  Row row;
  tree_a.refit(boxes_a);
  row.refit = seconds(10, [&] { tree_b.refit(boxes_b); }) / static_cast<double>(b.size());

  Pairs pairs;
  const auto apart = [&](int i, int j) { return !share_a_vertex(a[i], b[j]); };
  const auto vertices = static_cast<double>(sheet.rest.vertex_count());
  row.query = seconds(5,
                      [&] {
                        if (self)
                          tree_a.find_pairs(apart, pairs);
                        else
                          tree_a.find_pairs(tree_b, apart, pairs);
                      }) /
              vertices;
  row.pairs = static_cast<double>(pairs.size()) / vertices;

  int misses = 0;
  row.ccd = seconds(3,
                    [&] {
                      misses = 0;
                      for (const auto& [i, j] : pairs) {
                        Quad start, end;
                        int k = 0;
                        for (const int v : a[i])
                          start.col(k) = sheet.start.col(v), end.col(k++) = sheet.end.col(v);
                        for (const int v : b[j])
                          start.col(k) = sheet.start.col(v), end.col(k++) = sheet.end.col(v);
                        misses += time_of_impact(kind, start, end) == 1;
                      }
                    }) /
            static_cast<double>(pairs.size());
  row.misses = misses / static_cast<double>(pairs.size());
  return row;
}

void print_sheet(int points) {
  const FoldedSheet sheet(points);
  std::vector<Stencil<1>> vertices;
  for (int v = 0; v < sheet.rest.vertex_count(); ++v) vertices.push_back({v});
  const auto print = [&](PairKind kind, const Row& row) {
    fmt::print("{:<16} {:>9} {:>12.1f} {:>17.0f} {:>15.1f} {:>13.3f} {:>9.1f}\n", name(kind), vertices.size(),
               row.refit * 1e9, row.query * 1e9, row.pairs, row.ccd * 1e6, row.misses * 100);
  };
  print(PairKind::point_triangle,
        measure(sheet, PairKind::point_triangle, vertices, sheet.rest.triangles, /*self=*/false));
  print(PairKind::edge_edge, measure(sheet, PairKind::edge_edge, sheet.edges, sheet.edges, /*self=*/true));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  std::vector<int> points{128, 316};
  CLI::App app("Times closest points, collision detection and the tree of boxes.");
  app.add_option("--points", points, "points along a side of the sheet")
      ->delimiter(',')
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  muslin::set_threads(1);

  fmt::print("random pairs: closest points; impact where they meet, and where they do not\n\n");
  fmt::print("{:<16} {:>17} {:>17} {:>17}\n", "pair", "closest ns", "meeting us", "passing us");
  for (const auto kind : {muslin::PairKind::point_triangle, muslin::PairKind::edge_edge})
    bench::print_random_pairs(kind);

  fmt::print(
      "\nfolded sheet: candidates by the tree, impact of each; missed: candidates that do not meet\n\n");
  fmt::print("{:<16} {:>9} {:>12} {:>17} {:>15} {:>13} {:>9}\n", "pair", "vertices", "refit ns/box",
             "query ns/vertex", "pairs/vertex", "impact us", "missed %");
  for (const int side : points) bench::print_sheet(side);
  return 0;
}
