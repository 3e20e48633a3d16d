#include "muslin/contact/bounded/close_pairs.h"

#include <cmath>
#include <utility>

#include "muslin/contact/bounded/surface_blocks.h"
#include "muslin/contact/pairs/near_filter.h"
#include "muslin/energy/energy.h"

namespace muslin {

namespace {

// Half and double: docs/performance/constants.md. None of them changes a bit.
// What lists have beside what is needed when they are made: a fraction of that, and of the mean edge. The
// more, the longer they last and the more pairs are in them.
constexpr double kAhead = 0.2, kReserve = 0.2;
// The same of the ways that blocks may go until it is asked again which of them are near.
constexpr double kBlocksAhead = 4, kBlocksReserve = 0.3;

/// How far two boxes are apart along the axis along which they are farthest apart; < 0: they overlap.
template <class B>
double gap_between(const B& a, const B& b) {
  return (a.low - b.high).max(b.low - a.high).template head<3>().maxCoeff();
}

/// From a place to the farthest corner [m].
template <class B>
double farthest(const B& box, const Eigen::Array4d& place) {
  return (box.high - place).max(place - box.low).matrix().norm();
}

Eigen::Array4d wide(const Vec3& place) { return {place[0], place[1], place[2], 0}; }

}  // namespace

double change_between(const ClosePair& pair, const Points& displacement) {
  const Quad way = gather(displacement, pair.vertices);
  double most = 0;
  for (int i = 0; i < first_of_b(pair.kind); ++i)
    for (int j = first_of_b(pair.kind); j < 4; ++j)
      most = std::max(most, (way.col(i) - way.col(j)).squaredNorm());
  return std::sqrt(most);
}

// --- blocks ------------------------------------------------------------------------------------------

// At most the largest difference of two displacements, if the boxes are about displacements.
double ClosePairs::diagonal(const WideBox& a, const WideBox& b) {
  return (a.high.max(b.high) - a.low.min(b.low)).matrix().norm();
}

void ClosePairs::begin(const Points& start) {
  const int count = static_cast<int>(start.cols());
  const bool is_first = start_.cols() == 0;
  start_ = start;
  parallel_for(count, [&](int v) {
    const Eigen::Array4d place = wide(start.col(v));
    moved_[v] = place - places_[v];
    places_[v] = place;
  });
  if (count == 0) return;
  const auto sum_of = [&](const std::vector<Eigen::Array4d>& all) {
    return parallel_sum(count, Eigen::Array4d(Eigen::Array4d::Zero()), [&](int v) { return all[v]; });
  };
  origin_ = (sum_of(places_) / count).matrix().head<3>();
  if (is_first) return;

  const Eigen::Array4d common = sum_of(moved_) / count;
  parallel_for(
      static_cast<int>(blocks_.size()),
      [&](int b) {
        Block& block = blocks_[b];
        block.moved = {};
        for (const int v : block.vertices) block.moved.include(moved_[v]);
        block.gone += farthest(block.moved, common);
        block.placed.reset();
      },
      64);
  parallel_for(static_cast<int>(lists_.size()), [&](int l) {
    List& list = lists_[l];
    list.used += diagonal(blocks_[list.a].moved, blocks_[list.b].moved);
  });
}

// --- lists -------------------------------------------------------------------------------------------

void ClosePairs::cover(const Points& displacement, Motion motion, double factor, double little) {
  // 1. Which blocks are near each other
  parallel_for(static_cast<int>(displacement.cols()), [&](int v) { ways_[v] = wide(displacement.col(v)); });
  const auto reach_of_block = [&](const Block& block) {
    return factor * farthest(block.way, Eigen::Array4d::Zero()) + little;
  };
  parallel_for(
      static_cast<int>(blocks_.size()),
      [&](int b) {
        Block& block = blocks_[b];
        block.way = {};
        for (const int v : block.vertices) block.way.include(ways_[v]);
      },
      64);
  const bool are_known =
      filters_ && !lists_.empty() && std::all_of(blocks_.begin(), blocks_.end(), [&](const Block& block) {
        return block.gone + reach_of_block(block) <= block.allowed;
      });
  if (!are_known) {
    for (Block& block : blocks_) {
      block.gone = 0;
      block.allowed = (1 + kBlocksAhead) * reach_of_block(block) + kBlocksReserve * edge_;
    }
    find_lists();
  }

  // 2. Which of their lists are used up, and what all that are made then need
  parallel_for(static_cast<int>(lists_.size()), [&](int l) {
    List& list = lists_[l];
    const Block &a = blocks_[list.a], &b = blocks_[list.b];
    list.needed = motion == Motion::whole ? reach_of_block(a) + reach_of_block(b)
                                          : factor * diagonal(a.way, b.way) + little;
  });
  const std::vector<int> stale = find_stale();
  std::vector<char> is_asked(blocks_.size());
  for (Block& block : blocks_) block.margin = 0;
  for (const int l : stale)
    for (const int b : {lists_[l].a, lists_[l].b}) {
      const double margin = ((1 + kAhead) * lists_[l].needed + kReserve * edge_) / 2;
      blocks_[b].margin = std::max(blocks_[b].margin, margin);
      is_asked[b] = 1;
    }
  const auto for_those_asked = [&](const auto& visit) {
    parallel_for(
        static_cast<int>(blocks_.size()),
        [&](int b) {
          if (is_asked[b]) visit(blocks_[b]);
        },
        16);
  };
  for_those_asked([&](Block& block) {
    block.box = {};
    for (const int v : block.vertices) block.box.include(places_[v]);
  });

  // 3. These, unless their blocks are too far apart for any pair
  const std::vector<int> full = parallel_collect<int>(
      static_cast<int>(stale.size()),
      [&](int k, auto& found) {
        if (begin_anew(lists_[stale[k]])) found.push_back(stale[k]);
      },
      kListsATask);
  std::fill(is_asked.begin(), is_asked.end(), 0);
  for (const int l : full) is_asked[lists_[l].a] = is_asked[lists_[l].b] = 1;
  for_those_asked([&](Block& block) { place(block); });
  parallel_for(
      static_cast<int>(full.size()), [&](int k) { make(lists_[full[k]]); }, 16);
}

// One for all blocks that could come near each other. Those that there were stay as they are.
void ClosePairs::find_lists() {
  std::vector<Box> boxes(blocks_.size());
  parallel_for(
      static_cast<int>(blocks_.size()),
      [&](int b) {
        const Block& block = blocks_[b];
        boxes[b] = Box::nothing();
        for (const int v : block.vertices) boxes[b].include(start_.col(v));
        const Vec3 reach = Vec3::Constant(block.half_thickness + block.allowed);
        boxes[b] = {boxes[b].low - reach, boxes[b].high + reach};
      },
      64);
  tree_.refit(boxes);
  std::vector<Stencil<2>> near;
  tree_.find_pairs([](int, int) { return true; }, near);
  for (int b = 0; b < static_cast<int>(blocks_.size()); ++b) near.push_back({b, b});
  std::sort(near.begin(), near.end());

  std::vector<List> old = std::exchange(lists_, std::vector<List>(near.size()));
  auto next = old.begin();
  for (size_t l = 0; l < near.size(); ++l) {
    const auto& [a, b] = near[l];
    while (next != old.end() && Stencil<2>{next->a, next->b} < near[l]) ++next;
    if (next != old.end() && Stencil<2>{next->a, next->b} == near[l]) {
      lists_[l] = std::move(*next);
    } else {
      lists_[l].a = a;
      lists_[l].b = b;
    }
  }
}

std::vector<int> ClosePairs::find_stale() const {
  return parallel_collect<int>(
      static_cast<int>(lists_.size()),
      [&](int l, auto& found) {
        const List& list = lists_[l];
        if (!filters_ || !(list.margin - list.used >= list.needed)) found.push_back(l);
      },
      kListsATask);
}

// Returns whether pairs must be looked for.
bool ClosePairs::begin_anew(List& list) const {
  const Block &a = blocks_[list.a], &b = blocks_[list.b];
  list.pairs.clear();
  list.least = kInfinity;
  list.used = 0;
  list.margin = a.margin + b.margin;
  const double room = gap_between(a.box, b.box) - a.half_thickness - b.half_thickness;
  if (!filters_ || room < list.margin) return true;
  list.margin = room;
  return false;
}

void ClosePairs::place(Block& block) const {
  if (block.placed && *block.placed == block.margin) return;
  block.placed = block.margin;
  const float reach = reach_of(block.margin, farthest(block.box, wide(origin_)), block.extent_at_rest);
  place(block, reach, block.points);
  place(block, reach, block.edges);
  place(block, reach, block.triangles);
}

template <size_t N>
void ClosePairs::place(const Block& block, float reach, Elements<N>& elements) const {
  const int count = static_cast<int>(elements.vertices.size());
  for (int leaf = 0; 4 * leaf < count; ++leaf) {
    FourElements<N>& four = elements.leaves[leaf];
    WideBox box;
    for (int k = 0; k < std::min(4, count - 4 * leaf); ++k) {
      for (size_t i = 0; i < N; ++i) {
        const int v = elements.vertices[4 * leaf + k][i];
        box.include(places_[v]);
        four.corner[i].set(k, start_.col(v) - origin_);
      }
      four.reach[k] = reach;
    }
    const double beside = block.half_thickness + block.margin;
    elements.boxes[leaf].low = box.low - beside;
    elements.boxes[leaf].high = box.high + beside;
  }
}

void ClosePairs::make(List& list) const {
  const Block &a = blocks_[list.a], &b = blocks_[list.b];
  const NearKernels& kernels = near_kernels();
  if (list.disjoint.empty()) list.disjoint = disjoint_elements(a, b);
  const int* disjoint = list.disjoint.data();
  const auto meet = [&](PairKind kind, const auto& as, const auto& bs, const auto& sieve) {
    disjoint = add_near(kind, as, bs, disjoint, sieve, list);
  };
  meet(PairKind::point_triangle, a.points, b.triangles, kernels.points_and_triangles);
  if (&a != &b) meet(PairKind::point_triangle, b.points, a.triangles, kernels.points_and_triangles);
  meet(PairKind::edge_edge, a.edges, b.edges, kernels.edges);
}

// Returns where the next kind of pairs has its bits.
template <size_t N, size_t M, class Sieve>
const int* ClosePairs::add_near(PairKind kind, const Elements<N>& a, const Elements<M>& b,
                                const int* disjoint, const Sieve& sieve, List& list) const {
  for (size_t i = 0; i < a.leaves.size(); ++i)
    for (size_t j = 0; j < b.leaves.size(); ++j) {
      int hits = *disjoint++;
      if (hits == 0 || gap_between(a.boxes[i], b.boxes[j]) > 0) continue;
      if (filters_) hits = sieve(a.leaves[i], b.leaves[j], hits);
      for (int bit = 0; hits >> bit != 0; ++bit) {
        if (!(hits >> bit & 1)) continue;
        const Stencil<N>& side = a.vertices[4 * i + bit / 4];
        const Stencil<M>& other = b.vertices[4 * j + bit % 4];
        Stencil<4> vertices;
        std::copy(other.begin(), other.end(), std::copy(side.begin(), side.end(), vertices.begin()));
        const std::optional<Listed> listed = describe(kind, vertices, list.margin);
        if (!listed) continue;
        list.pairs.push_back(*listed);
        list.least = std::min(list.least, listed->bound - listed->pair.radius);
      }
    }
  return disjoint;
}

// Nothing if the two are farther apart than that beside their radius.
std::optional<ClosePairs::Listed> ClosePairs::describe(PairKind kind, const Stencil<4>& vertices,
                                                       double beside) const {
  const double distance = closest_points(kind, gather(start_, vertices)).distance;
  if (!(distance < sum_of_sides(kind, vertices, surfaces_.half_thickness) + beside)) return {};
  const std::optional<double> radius = radius_of(surfaces_, kind, vertices);
  if (!radius || !(distance < *radius + beside)) return {};
  return Listed{{kind, vertices, *radius, friction_of(surfaces_, kind, vertices)}, distance};
}

}  // namespace muslin
