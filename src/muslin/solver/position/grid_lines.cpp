#include "muslin/solver/position/grid_lines.h"

#include <algorithm>
#include <cmath>

#include "muslin/solver/position/compliance.h"

namespace muslin {

namespace {

// I + cDᵀD for a row of second differences, factored without pivots (c ≥ 0 makes it an M of positive pivots):
// factors[0…5] of every vertex as BendJob has them.
void factor_bending(const std::vector<double>& c, std::vector<std::array<float, kBendFactors>>& factors) {
  const int n = static_cast<int>(c.size());
  std::vector<std::array<double, 5>> row(n, {0, 0, 1, 0, 0});  // columns k − 2 … k + 2
  const double weights[3] = {1, -2, 1};
  for (int m = 1; m + 1 < n; ++m)
    for (int p = 0; p < 3; ++p)
      for (int q = 0; q < 3; ++q) row[m - 1 + p][2 + q - p] += c[m - 1 + p] * weights[p] * weights[q];
  for (int k = 0; k < n; ++k) {
    double l1 = 0, l2 = 0;
    if (k >= 2) {
      l2 = row[k][0] / row[k - 2][2];
      row[k][1] -= l2 * row[k - 2][3];
      row[k][2] -= l2 * row[k - 2][4];
    }
    if (k >= 1) {
      l1 = row[k][1] / row[k - 1][2];
      row[k][2] -= l1 * row[k - 1][3];
      row[k][3] -= l1 * row[k - 1][4];
    }
    factors[k] = {float(c[k]),          float(l1),        float(l2),
                  float(1 / row[k][2]), float(row[k][3]), float(row[k][4])};
  }
}

}  // namespace

GridLines::GridLines(const GridMaterial& material, const Controls& controls, double h, bool coarse)
    : patch_(material.patch), damped_(material.bend_damping > 0) {
  grid_.resize(patch_.nv, patch_.nu);
  transpose_.resize(patch_.nu, patch_.nv);
  for (int j = 0; j < patch_.nv; ++j)
    for (int i = 0; i < patch_.nu; ++i) {
      const auto w = static_cast<float>(controls.inverse_mass(0, patch_.vertex(i, j)));
      grid_.inverse_mass[grid_.at(j, i)] = transpose_.inverse_mass[transpose_.at(i, j)] = w;
    }
  // Soft before stiff, and what users look at last: shear, then both families of threads.
  for (const int reach : {2, 1})
    for (const bool slanted : {true, false})
      for (const LineFamily& springs : material.families)
        if (std::max(std::abs(springs.di), springs.dj) == reach && (springs.di * springs.dj != 0) == slanted)
          add_family(springs, h);
  for (const LineFamily& springs : material.families) damped_ = damped_ || springs.damping > 0;
  if (coarse) {
    nets_ = coarse_nets(patch_, transpose_, controls);
    tethers_ = GridTethers(patch_, grid_, controls);
  }
  add_bending(material, true, h);
  add_bending(material, false, h);
  const double twist =
      2 * std::sqrt(patch_.bend[0] * patch_.bend[1]) / (patch_.spacing[0] * patch_.spacing[1]);
  if (twist > 0) {
    twist_compliance_ = float(step_compliance(twist, material.bend_damping, h));
    twist_shift_ = float(damping_shift(material.bend_damping, h));
  }
  if (!damped_) return;
  for (LineLayout* layout : {&grid_, &transpose_})
    for (int axis = 0; axis < 3; ++axis) layout->start[axis] = layout->place[axis];
}

void GridLines::add_family(const LineFamily& springs, double h) {
  Family family;
  const bool slanted = springs.di * springs.dj != 0;
  family.transposed = springs.dj == 0 || slanted;
  family.slope = slanted ? springs.di * springs.dj : 0;
  family.reach = std::max(std::abs(springs.di), springs.dj);
  family.rest = float(springs.rest_length);
  family.shift = float(damping_shift(springs.damping, h));
  const int lanes = family.transposed ? transpose_.lanes : grid_.lanes;
  family.compliance.assign(lanes + kMostLanes, 1);
  for (int lane = 0; lane < static_cast<int>(family.compliance.size()); ++lane) {
    const size_t line = slanted ? 0 : std::min(lane, lanes - 1);
    family.compliance[lane] = float(step_compliance(springs.stiffness[line], springs.damping, h));
  }
  if (slanted) {
    family.acts.assign(lanes + 2 * kMostLanes, 0);
    for (int lane = 0; lane < lanes; ++lane)
      if (lane + family.slope >= 0 && lane + family.slope < lanes) family.acts[lane + kMostLanes] = 1;
  }
  families_.push_back(std::move(family));
}

// E = ½ ∫ D κ² along one family of threads: B = D b / a³ for vertices a apart along lines b apart, of which
// the two on the border count half.
void GridLines::add_bending(const GridMaterial& material, bool transposed, double h) {
  const double rigidity = patch_.bend[transposed ? 0 : 1];
  LineLayout& layout = transposed ? transpose_ : grid_;
  if (rigidity == 0 || layout.along < 3) return;
  const double a = patch_.spacing[transposed ? 0 : 1], b = patch_.spacing[transposed ? 1 : 0];
  const double damping = material.bend_damping;
  layout.bend_shift = float(damping_shift(damping, h));
  const size_t plane = layout.inverse_mass.size();
  layout.factors.assign(kBendFactors * plane, 0);
  std::fill_n(layout.factors.begin() + 3 * plane, plane, 1.0f);
  std::vector<double> c(layout.along);
  std::vector<std::array<float, kBendFactors>> factors(layout.along);
  for (int lane = 0; lane < layout.lanes; ++lane) {
    const double width = (lane == 0 || lane == layout.lanes - 1 ? 0.5 : 1) * b;
    for (int k = 0; k < layout.along; ++k)
      c[k] = h * (h + damping) * layout.inverse_mass[layout.at(k, lane)] * rigidity * width / (a * a * a);
    factor_bending(c, factors);
    for (int k = 0; k < layout.along; ++k)
      for (int f = 0; f < kBendFactors; ++f) layout.factors[f * plane + layout.at(k, lane)] = factors[k][f];
  }
}

double GridLines::project(const Points& start, Points& positions, bool measured) {
  origin_ = positions.col(patch_.middle());
  load(positions, transpose_.place);
  if (damped_) {
    load(start, transpose_.start);
    grid_.turn(transpose_, transpose_.start, grid_.start);
  }
  for (CoarseNet& net : nets_) net.correct(transpose_);
  if (!transpose_.factors.empty()) bend(transpose_);
  for (const Family& family : families_)
    if (family.transposed) solve(family);
  grid_.turn(transpose_, transpose_.place, grid_.place);
  if (twist_compliance_ > 0) twist();
  if (!grid_.factors.empty()) bend(grid_);
  for (const Family& family : families_)
    if (!family.transposed) solve(family);
  tethers_.pull(grid_);
  const double move = measured ? largest_move(positions) : 0;
  store(positions);
  return move;
}

// Calls body(begin, end) for rows begin … end − 1 of the grid, some at once.
template <class Body>
void GridLines::for_all_tiles(const Body& body) const {
  constexpr int kTile = LineLayout::kTile;
  for_all_lines(patch_.nu * patch_.nv, (patch_.nv + kTile - 1) / kTile,
                [&](int tile) { body(tile * kTile, std::min(patch_.nv, (tile + 1) * kTile)); });
}

void GridLines::load(const Points& from, std::vector<float> (&planes)[3]) const {
  const std::ptrdiff_t first = transpose_.at(0, 0);
  const Planes place{planes[0].data() + first, planes[1].data() + first, planes[2].data() + first};
  for_all_tiles([&](int begin, int end) {
    chosen_grid_kernels().load({patch_.nu, begin, end, origin_.data(), place, transpose_.pitch},
                               from.data() + 3 * patch_.first_vertex);
  });
}

void GridLines::store(Points& positions) {
  const std::ptrdiff_t first = grid_.at(0, 0);
  const Planes all = grid_.places(), place{all.x + first, all.y + first, all.z + first};
  for_all_tiles([&](int begin, int end) {
    chosen_grid_kernels().store({patch_.nu, begin, end, origin_.data(), place, grid_.pitch},
                                positions.data() + 3 * patch_.first_vertex);
  });
}

double GridLines::largest_move(const Points& before) const {
  double farthest = 0;
  for (int j = 0; j < patch_.nv; ++j)
    for (int i = 0; i < patch_.nu; ++i) {
      const std::ptrdiff_t at = grid_.at(j, i);
      const Vec3 now(grid_.place[0][at], grid_.place[1][at], grid_.place[2][at]);
      farthest = std::max(farthest, (now - (before.col(patch_.vertex(i, j)) - origin_)).squaredNorm());
    }
  return std::sqrt(farthest);
}

void GridLines::solve(const Family& family) {
  LineLayout& layout = family.transposed ? transpose_ : grid_;
  const Kernels& kernels = chosen_kernels();
  const bool slanted = family.slope != 0;
  const int width = slanted ? kernels.slanted_lanes : kernels.lanes;
  for_all_chains(layout, family.reach, family.slope, width, [&](const ChainGroup& group) {
    ChainJob job{};
    job.place = layout.places();
    job.start = layout.starts();
    job.inverse_mass = layout.inverse_mass.data();
    job.first = group.first;
    job.step = family.reach * layout.pitch + family.slope;
    job.vertices = group.vertices;
    job.rest = family.rest;
    job.shift = family.shift;
    job.compliance = family.compliance.data() + (slanted ? 0 : group.begin);
    job.acts_step = family.slope;
    if (slanted) job.acts = family.acts.data() + kMostLanes + group.begin + family.slope * group.from;
    float* memory = line_scratch(static_cast<size_t>(kernels.scratch) * layout.along);
    (slanted ? kernels.slanted : kernels.straight)(job, memory);
  });
}

void GridLines::bend(LineLayout& layout) {
  const Kernels& kernels = chosen_kernels();
  const auto bend_group = [&](int group) {
    const auto plane = static_cast<std::ptrdiff_t>(layout.inverse_mass.size());
    const BendJob job{layout.places(),
                      layout.starts(),
                      layout.at(0, group * kernels.lanes),
                      layout.pitch,
                      layout.along,
                      layout.bend_shift,
                      layout.factors.data(),
                      plane};
    kernels.bend(job, line_scratch(static_cast<size_t>(kernels.scratch) * layout.along));
  };
  for_all_lines(patch_.nu * patch_.nv, (layout.lanes + kernels.lanes - 1) / kernels.lanes, bend_group);
}

// E = ½ B |t|² for every cell, t = x₀₀ − x₁₀ − x₀₁ + x₁₁, B = 2 √(D_u D_v) / (du dv): ∫ √(D_u D_v) κ_uv². One
// Gauss–Seidel pass of the vector-valued condition.
void GridLines::twist() {
  const std::vector<float>& w = grid_.inverse_mass;
  const std::ptrdiff_t pitch = grid_.pitch;
  for (int j = 0; j + 1 < patch_.nv; ++j)
    for (int i = 0; i + 1 < patch_.nu; ++i) {
      const std::ptrdiff_t a = grid_.at(j, i), b = a + 1, c = a + pitch, d = c + 1;
      const auto twisted = [&](const std::vector<float>& x) { return (x[a] - x[b]) + (x[d] - x[c]); };
      const float scale = 1 / (w[a] + w[b] + w[c] + w[d] + twist_compliance_);
      for (int axis = 0; axis < 3; ++axis) {
        std::vector<float>& x = grid_.place[axis];
        float t = twisted(x);
        if (twist_shift_ > 0) t -= twist_shift_ * twisted(grid_.start[axis]);
        const float multiplier = scale * t;
        x[a] -= w[a] * multiplier;
        x[b] += w[b] * multiplier;
        x[c] += w[c] * multiplier;
        x[d] -= w[d] * multiplier;
      }
    }
}

}  // namespace muslin
