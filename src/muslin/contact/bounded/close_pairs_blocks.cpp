#include <algorithm>

#include "muslin/contact/bounded/close_pairs.h"
#include "muslin/contact/bounded/surface_blocks.h"
#include "muslin/contact/pairs/near_filter.h"

// What ClosePairs makes once: its blocks, and which of their elements share a vertex.

namespace muslin {

namespace {
// A block. Half and double: docs/performance/constants.md. It orders sums, and so changes bits.
constexpr int kTriangles = 16;
}  // namespace

ClosePairs::ClosePairs(const Surfaces& surfaces, double mean_edge) : surfaces_(surfaces), edge_(mean_edge) {
  const int count = surfaces.vertex_count();
  for (auto* all : {&places_, &moved_, &ways_}) all->resize(count, Eigen::Array4d::Zero());

  const Vec3 middle = count > 0 ? Vec3(surfaces.rest.rowwise().mean()) : Vec3::Zero();
  const Points no_way = Points::Zero(3, count);
  const Scalars no_slack = Scalars::Zero(count);
  const SweptPlaces at_rest{surfaces.rest, no_way, no_slack, middle, middle};
  std::vector<Box> blocks_at_rest;
  for (SurfaceBlock& elements : surface_blocks(surfaces, kTriangles)) {
    Block& block = blocks_.emplace_back();
    block.vertices = std::move(elements.vertices);
    blocks_at_rest.push_back(Box::nothing());
    for (const int v : block.vertices) {
      block.half_thickness = std::max(block.half_thickness, surfaces.half_thickness[v]);
      block.extent_at_rest = std::max(block.extent_at_rest, (surfaces.rest.col(v) - middle).norm());
      blocks_at_rest.back().include(surfaces.rest.col(v));
    }
    const auto take = [&](auto& vertices, auto& own) {
      own.vertices = std::move(vertices);
      own.leaves.resize((own.vertices.size() + 3) / 4);
      own.boxes.resize(own.leaves.size());
      for (int k = 0; k < static_cast<int>(own.vertices.size()); ++k)
        set_lane(own.leaves[k / 4], k % 4, own.vertices[k], surfaces, at_rest);
    };
    take(elements.points, block.points);
    take(elements.edges, block.edges);
    take(elements.triangles, block.triangles);
  }
  tree_ = BoxTree(blocks_at_rest);
}

// In the order in which `make` asks.
std::vector<int> ClosePairs::disjoint_elements(const Block& a, const Block& b) {
  std::vector<int> disjoint;
  const auto add = [&](const auto& as, const auto& bs, bool once) {
    const auto are_disjoint = [&](size_t i, size_t j) {
      if (i >= as.size() || j >= bs.size() || (once && i >= j)) return false;
      return std::none_of(as[i].begin(), as[i].end(),
                          [&](int v) { return std::find(bs[j].begin(), bs[j].end(), v) != bs[j].end(); });
    };
    for (size_t i = 0; i < as.size(); i += 4)
      for (size_t j = 0; j < bs.size(); j += 4) {
        disjoint.push_back(0);
        for (int bit = 0; bit < 16; ++bit)
          if (are_disjoint(i + bit / 4, j + bit % 4)) disjoint.back() |= 1 << bit;
      }
  };
  const bool is_one = &a == &b;
  add(a.points.vertices, b.triangles.vertices, false);
  if (!is_one) add(b.points.vertices, a.triangles.vertices, false);
  add(a.edges.vertices, b.edges.vertices, is_one);
  return disjoint;
}

}  // namespace muslin
