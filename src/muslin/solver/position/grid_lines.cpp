#include "muslin/solver/position/grid_lines.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/parallel.h"

namespace muslin {

namespace {

constexpr int kTile = 16;              // vertices a side: a tile of both layouts stays in the cache
constexpr int kWorthThreads = 16'384;  // vertices; below, starting threads costs more than they take over

// Calls body(0) … body(count − 1), which must not meet.
template <class Body>
void for_all(int vertices, int count, const Body& body) {
  if (vertices >= kWorthThreads)
    parallel_for(count, body, 1);
  else
    for (int k = 0; k < count; ++k) body(k);
}

float* scratch(size_t size) {
  thread_local std::vector<float> memory;
  if (memory.size() < size) memory.resize(size);
  return memory.data();
}

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

void LineLayout::resize(int rows, int columns) {
  along = rows;
  lanes = columns;
  pitch = (columns + kPadding + kMostLanes + kPadding - 1) / kPadding * kPadding;
  const size_t size = static_cast<size_t>(rows * pitch + kPadding + kMostLanes);
  for (std::vector<float>& plane : place) plane.assign(size, 0);
  inverse_mass.assign(size, 0);
}

GridLines::GridLines(const GridMaterial& material, const Controls& controls, double h)
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
  add_bending(material, true, h);
  add_bending(material, false, h);
  const double twist =
      2 * std::sqrt(patch_.bend[0] * patch_.bend[1]) / (patch_.spacing[0] * patch_.spacing[1]);
  if (twist > 0) {
    twist_compliance_ = float(1 / (twist * h * (h + material.bend_damping)));
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
    family.compliance[lane] = float(1 / (springs.stiffness[line] * h * (h + springs.damping)));
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

double GridLines::project(const Points& start, Points& positions) {
  origin_ = positions.col(patch_.vertex(patch_.nu / 2, patch_.nv / 2));
  load(positions, transpose_, true, transpose_.place);
  if (damped_) {
    load(start, transpose_, true, transpose_.start);
    turn(transpose_.start, grid_.start);
  }
  if (!transpose_.factors.empty()) bend(transpose_);
  for (const Family& family : families_)
    if (family.transposed) solve(family);
  turn(transpose_.place, grid_.place);
  if (twist_compliance_ > 0) twist();
  if (!grid_.factors.empty()) bend(grid_);
  for (const Family& family : families_)
    if (!family.transposed) solve(family);
  return store(positions);
}

// Tile by tile, so that what is read by columns comes from the cache.
void GridLines::load(const Points& from, LineLayout& to, bool transposed,
                     std::vector<float> (&planes)[3]) const {
  const double* first = from.data() + 3 * patch_.first_vertex;
  const int nu = patch_.nu, nv = patch_.nv;
  for_all(nu * nv, (nu + kTile - 1) / kTile, [&](int tile) {
    const int end = std::min(nu, (tile + 1) * kTile);
    for (int j = 0; j < nv; ++j)
      for (int i = tile * kTile; i < end; ++i) {
        const double* x = first + 3 * (static_cast<std::ptrdiff_t>(j) * nu + i);
        const std::ptrdiff_t at = transposed ? to.at(i, j) : to.at(j, i);
        for (int axis = 0; axis < 3; ++axis) planes[axis][at] = static_cast<float>(x[axis] - origin_[axis]);
      }
  });
}

void GridLines::turn(std::vector<float> (&from)[3], std::vector<float> (&to)[3]) const {
  const int nu = patch_.nu, nv = patch_.nv;
  for_all(nu * nv, (nv + kTile - 1) / kTile, [&](int tile) {
    const int end = std::min(nv, (tile + 1) * kTile);
    for (int axis = 0; axis < 3; ++axis)
      for (int first = 0; first < nu; first += kTile)
        for (int j = tile * kTile; j < end; ++j) {
          float* row = to[axis].data() + grid_.at(j, 0);
          const float* column = from[axis].data() + transpose_.at(0, j);
          for (int i = first; i < std::min(nu, first + kTile); ++i) row[i] = column[i * transpose_.pitch];
        }
  });
}

// x += what the lines moved it by: held vertices stay to the bit.
double GridLines::store(Points& positions) const {
  double* first = positions.data() + 3 * patch_.first_vertex;
  const int nu = patch_.nu;
  std::vector<double> farthest(patch_.nv, 0);
  for_all(nu * patch_.nv, patch_.nv, [&](int j) {
    const std::ptrdiff_t row = grid_.at(j, 0);
    double most = 0;
    for (int i = 0; i < nu; ++i) {
      double* x = first + 3 * (static_cast<std::ptrdiff_t>(j) * nu + i);
      double squared = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const double move =
            double(grid_.place[axis][row + i]) - double(static_cast<float>(x[axis] - origin_[axis]));
        x[axis] += move;
        squared += move * move;
      }
      most = std::max(most, squared);
    }
    farthest[j] = most;
  });
  return std::sqrt(*std::max_element(farthest.begin(), farthest.end()));
}

// All chains of a family, a group of lanes after another. Of slanted chains a group begins in the padding or
// leaves into it, where nothing acts; groups never share an element.
void GridLines::solve(const Family& family) {
  LineLayout& layout = family.transposed ? transpose_ : grid_;
  const Kernels& kernels = chosen_kernels();
  const int width = family.slope == 0 ? kernels.lanes : kernels.slanted_lanes;
  const int n = layout.along, lanes = layout.lanes, slope = family.slope;
  const int least = slope > 0 ? -(n - 1) : 0;  // lane at which the first group begins in row 0
  const int groups = ((slope == 0 ? lanes : lanes + n - 1) + width - 1) / width;
  const auto solve_group = [&](int group) {
    const int begin = least + group * width;
    ChainJob job{layout.places(),
                 layout.inverse_mass.data(),
                 layout.starts(),
                 0,
                 0,
                 0,
                 nullptr,
                 slope,
                 family.rest,
                 family.shift,
                 nullptr};
    float* memory = scratch(static_cast<size_t>(kernels.scratch) * n);
    if (slope == 0) {
      job.compliance = family.compliance.data() + begin;
      job.step = family.reach * layout.pitch;
      for (int row = 0; row < family.reach; ++row) {
        job.first = layout.at(row, begin);
        job.vertices = (n - row + family.reach - 1) / family.reach;
        if (job.vertices > 1) kernels.straight(job, memory);
      }
      return;
    }
    // Rows in which the group meets the grid: begin + slope·k + width > 0 and begin + slope·k < lanes.
    const int from = slope > 0 ? std::max(0, 1 - width - begin) : std::max(0, begin - lanes + 1);
    const int to = slope > 0 ? std::min(n - 1, lanes - 1 - begin) : std::min(n - 1, begin + width - 1);
    if (to <= from) return;
    job.first = layout.at(from, begin + slope * from);
    job.step = layout.pitch + slope;
    job.vertices = to - from + 1;
    job.acts = family.acts.data() + kMostLanes + begin + slope * from;
    job.compliance = family.compliance.data();
    kernels.slanted(job, memory);
  };
  for_all(patch_.nu * patch_.nv, groups, solve_group);
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
    kernels.bend(job, scratch(static_cast<size_t>(kernels.scratch) * layout.along));
  };
  for_all(patch_.nu * patch_.nv, (layout.lanes + kernels.lanes - 1) / kernels.lanes, bend_group);
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
