#include "muslin/solver/position/coarse_net.h"

#include <algorithm>
#include <cmath>

namespace muslin {

namespace {

constexpr int kPinLines = 4;         // held vertices that get lines of their own; along a whole side, no
constexpr int kLeast = 17;           // vertices along the longer side: with fewer, lines reach far enough
constexpr int kLarge = 200;          // vertices along the longer side that want a coarser net above
constexpr float kUnlimited = 1e30f;  // [m] where there is no edge
constexpr float kRigidCompliance = 1e-4f;  // of a node's inverse mass: rigid, but no system is singular

}  // namespace

CoarseNet::Axis CoarseNet::axis(int count, int stride, const std::vector<int>& extra) {
  Axis axis;
  for (int k = 0; k < count; ++k)
    if (k % stride == 0 || k + 1 == count || std::count(extra.begin(), extra.end(), k) > 0)
      axis.nodes.push_back(k);
  for (int k = 0, cell = 0; k < count; ++k) {
    while (cell + 2 < static_cast<int>(axis.nodes.size()) && axis.nodes[cell + 1] <= k) ++cell;
    const int begin = axis.nodes[cell], end = axis.nodes[cell + 1];
    axis.cell.push_back(cell);
    axis.fraction.push_back(static_cast<float>(k - begin) / static_cast<float>(end - begin));
  }
  return axis;
}

// Means of vertices that lie alike about two nodes are no further apart than the nodes' own places are at
// rest, however the cloth is bent. A held node stands for itself: vertices about the other are at most their
// root mean square distance from it. About diagonals at a border vertices lie differently: none there.
CoarseNet::Family CoarseNet::family(const LineLayout& layout, bool transposed, int slope) const {
  Family family{slope, std::vector<float>(layout.inverse_mass.size(), kUnlimited)};
  const auto moments = [&](int row, int lane) -> const Moments& {
    return moments_[transposed ? row * layout.lanes + lane : lane * layout.along + row];
  };
  for (int row = 1; row < layout.along; ++row)
    for (int lane = 0; lane < layout.lanes; ++lane) {
      const int from = lane - slope;
      if (from < 0 || from >= layout.lanes) continue;
      const bool at_border = row == 1 || row + 1 == layout.along || std::min(lane, from) == 0 ||
                             std::max(lane, from) + 1 == layout.lanes;
      if (slope != 0 && at_border) continue;
      const Moments &a = moments(row - 1, from), &b = moments(row, lane);
      const double spread = a.held ? b.variance : b.held ? a.variance : 0;
      family.longest[layout.at(row, lane)] = float(std::sqrt((b.mean - a.mean).squaredNorm() + spread));
    }
  return family;
}

CoarseNet::CoarseNet(const GridPatch& patch, const LineLayout& fine, const Controls& controls, int stride) {
  std::vector<int> rows, columns;
  for (const PinnedVertex& pin : controls.pins) {
    const int number = pin.vertex - patch.first_vertex;
    if (number < 0 || number >= patch.nu * patch.nv) continue;
    columns.push_back(number % patch.nu);
    rows.push_back(number / patch.nu);
  }
  if (rows.size() > kPinLines) {
    rows.clear();
    columns.clear();
  }
  u_ = axis(patch.nu, stride, columns);
  v_ = axis(patch.nv, stride, rows);
  const int nodes_u = static_cast<int>(u_.nodes.size()), nodes_v = static_cast<int>(v_.nodes.size());
  grid_.resize(nodes_v, nodes_u);
  transpose_.resize(nodes_u, nodes_v);
  lump_masses(fine, patch.spacing);
  slanted_[0] = family(transpose_, true, 1);
  slanted_[1] = family(transpose_, true, -1);
  along_u_ = family(transpose_, true, 0);
  along_v_ = family(grid_, false, 0);
}

// Masses Pᵀ m of the nodes, and where what they are made of is at rest.
void CoarseNet::lump_masses(const LineLayout& fine, const Vec2& spacing) {
  const int lanes = transpose_.lanes;
  moments_.assign(static_cast<size_t>(transpose_.along) * lanes, {});
  free_.assign(fine.inverse_mass.size(), 0);
  mass_.assign(fine.inverse_mass.size(), 0);
  for (int i = 0; i < fine.along; ++i)
    for (int j = 0; j < fine.lanes; ++j) {
      const float w = fine.inverse_mass[fine.at(i, j)];
      if (w == 0) continue;
      free_[fine.at(i, j)] = 1;
      mass_[fine.at(i, j)] = 1 / w;
      const Vec2 place(i * spacing[0], j * spacing[1]);
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) {
          const double p = (a == 0 ? 1 - u_.fraction[i] : u_.fraction[i]) *
                           (b == 0 ? 1 - v_.fraction[j] : v_.fraction[j]) / w;
          Moments& node = moments_[(u_.cell[i] + a) * lanes + v_.cell[j] + b];
          node.mass += p;
          node.mean += p * place;
          node.variance += p * place.squaredNorm();
        }
    }
  double heaviest = 0;
  for (int a = 0; a < transpose_.along; ++a)
    for (int b = 0; b < lanes; ++b) {
      Moments& node = moments_[a * lanes + b];
      node.held = free_[fine.at(u_.nodes[a], v_.nodes[b])] == 0 || !(node.mass > 0);
      if (node.held) {
        node.mean = Vec2(u_.nodes[a] * spacing[0], v_.nodes[b] * spacing[1]);
        node.variance = 0;
        continue;
      }
      node.mean /= node.mass;
      node.variance = node.variance / node.mass - node.mean.squaredNorm();
      transpose_.inverse_mass[transpose_.at(a, b)] = grid_.inverse_mass[grid_.at(b, a)] =
          float(1 / node.mass);
      heaviest = std::max(heaviest, node.mass);
    }
  compliance_.assign(kMostLanes, heaviest > 0 ? float(kRigidCompliance / heaviest) : 1);
  for (std::vector<float>& plane : taken_) plane.assign(transpose_.inverse_mass.size(), 0);
}

// Held nodes as they lie; all others at the mean M⁻¹ Pᵀ m x. What constrains means moves vertices by P, so
// that the correction is a projection in the metric of mass: with places of single vertices it would do work.
void CoarseNet::take(const LineLayout& fine) {
  const int lanes = fine.lanes;
  const std::ptrdiff_t first = fine.at(0, 0);
  for (int axis = 0; axis < 3; ++axis) {
    // 1. Across rows, all lanes side by side
    std::vector<float>& sums = rows_[axis];
    sums.assign(static_cast<size_t>(transpose_.along) * lanes, 0);
    chosen_grid_kernels().gather(rows(fine, 0, fine.along), mass_.data() + first,
                                 fine.place[axis].data() + first, sums.data());
    // 2. Along them, from node to node
    for (int a = 0; a < transpose_.along; ++a) {
      const float* row = sums.data() + static_cast<std::ptrdiff_t>(a) * lanes;
      float begin = 0, end = 0;
      for (int b = 0; b < transpose_.lanes; ++b) {
        const std::ptrdiff_t node = transpose_.at(a, b);
        begin = end;
        end = 0;
        for (int j = v_.nodes[b]; j < end_of_cell(b); ++j) {
          begin += (1 - v_.fraction[j]) * row[j];
          end += v_.fraction[j] * row[j];
        }
        const float w = transpose_.inverse_mass[node];
        transpose_.place[axis][node] =
            w > 0 ? w * begin : fine.place[axis][fine.at(u_.nodes[a], v_.nodes[b])];
        taken_[axis][node] = transpose_.place[axis][node];
      }
    }
  }
}

NetRows CoarseNet::rows(const LineLayout& fine, int begin, int end) const {
  return {u_.cell.data(), u_.fraction.data(), fine.pitch, begin, end, fine.lanes};
}

// Vertices of cell b of the lanes end there; the last cell has its last node, too, and that node no cell.
int CoarseNet::end_of_cell(int b) const {
  const int last = transpose_.lanes - 1;
  return b == last ? v_.nodes[b] : v_.nodes[b + 1] + (b + 1 == last ? 1 : 0);
}

void CoarseNet::correct(LineLayout& fine) {
  take(fine);
  limit(transpose_, slanted_[0]);
  limit(transpose_, slanted_[1]);
  limit(transpose_, along_u_);
  grid_.turn(transpose_, transpose_.place, grid_.place);
  limit(grid_, along_v_);
  transpose_.turn(grid_, grid_.place, transpose_.place);
  if (is_moved()) spread(fine);
}

void CoarseNet::limit(LineLayout& layout, const Family& family) {
  const Kernels& kernels = chosen_kernels();
  for_all_chains(layout, 1, family.slope, kernels.slanted_lanes, [&](const ChainGroup& group) {
    ChainJob job{};
    job.place = layout.places();
    job.inverse_mass = layout.inverse_mass.data();
    job.first = group.first;
    job.step = layout.pitch + family.slope;
    job.vertices = group.vertices;
    job.compliance = compliance_.data();
    job.longest = family.longest.data();
    kernels.limit(job, line_scratch(static_cast<size_t>(kernels.scratch) * layout.along));  // of this thread
  });
}

bool CoarseNet::is_moved() const {
  for (int axis = 0; axis < 3; ++axis)
    if (transpose_.place[axis] != taken_[axis]) return true;
  return false;
}

void CoarseNet::spread(LineLayout& fine) {
  // 1. Along rows of nodes
  for (int axis = 0; axis < 3; ++axis)
    for (int a = 0; a < transpose_.along; ++a) {
      float* row = rows_[axis].data() + static_cast<std::ptrdiff_t>(a) * fine.lanes;
      const auto moved = [&](int b) {
        return transpose_.place[axis][transpose_.at(a, b)] - taken_[axis][transpose_.at(a, b)];
      };
      for (int b = 0; b + 1 < transpose_.lanes; ++b) {
        const float begin = moved(b), change = moved(b + 1) - begin;
        for (int j = v_.nodes[b]; j < end_of_cell(b); ++j) row[j] = begin + v_.fraction[j] * change;
      }
    }
  // 2. Across them, all lanes side by side
  const std::ptrdiff_t first = fine.at(0, 0);
  for_all_lines(fine.along * fine.lanes, fine.along, [&](int i) {
    for (int axis = 0; axis < 3; ++axis)
      chosen_grid_kernels().spread(rows(fine, i, i + 1), free_.data() + first, rows_[axis].data(),
                                   fine.place[axis].data() + first);
  });
}

std::vector<CoarseNet> coarse_nets(const GridPatch& patch, const LineLayout& fine, const Controls& controls) {
  std::vector<CoarseNet> nets;
  const int longest = std::max(patch.nu, patch.nv);
  if (longest < kLeast || std::min(patch.nu, patch.nv) < 2) return nets;
  if (longest > kLarge) nets.emplace_back(patch, fine, controls, 16);
  nets.emplace_back(patch, fine, controls, 8);
  return nets;
}

}  // namespace muslin
