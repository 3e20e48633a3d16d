#include "muslin/solver/position/mesh_lines.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "muslin/solver/position/colour_kernels.h"
#include "muslin/solver/position/compliance.h"
#include "muslin/solver/position/kernels.h"
#include "muslin/solver/position/line_layout.h"

namespace muslin {

namespace {

constexpr size_t kLeastSprings = 3;  // of a line; of shorter ones lanes are mostly padding. 6 does as well
// Between an edge and its family's direction: 45°, half of what lies between warp and weft. At 60° strain is
// the same, as few lines get longer.
constexpr double kLeastCosine = 0.7;
constexpr double kDiagonal = 0.70710678118654752;
const Vec2 kDirections[] = {{1, 0}, {0, 1}, {kDiagonal, kDiagonal}, {-kDiagonal, kDiagonal}};

// Along warp and weft, what springs lead over that are edges of a triangle, of length 1; 0 for all others.
std::vector<Vec2> directions_in_weave(const Model& model) {
  std::map<Stencil<2>, Vec2> of_edge;
  for (size_t t = 0; t < model.triangles.size(); ++t) {
    const auto& [u, v, area] = model.rest_triangles[t];
    Eigen::Matrix2d gradient;
    gradient << u[1], v[1], u[2], v[2];
    const Eigen::Matrix2d places = gradient.inverse();  // of vertices 1 and 2, seen from 0
    const Vec2 at[3] = {Vec2::Zero(), places.col(0), places.col(1)};
    for (int k = 0; k < 3; ++k) {
      const int a = model.triangles[t][k], b = model.triangles[t][(k + 1) % 3];
      const Vec2 way = (at[(k + 1) % 3] - at[k]).normalized();
      of_edge[{std::min(a, b), std::max(a, b)}] = a < b ? way : Vec2(-way);
    }
  }
  const SpringEnergy& springs = model.energies.springs;
  std::vector<Vec2> ways(springs.size(), Vec2::Zero());
  for (int s = 0; s < springs.size(); ++s) {
    const auto [a, b] = springs.vertices(s);
    const auto found = of_edge.find({std::min(a, b), std::max(a, b)});
    if (found != of_edge.end()) ways[s] = a < b ? found->second : Vec2(-found->second);
  }
  return ways;
}

// The numbers of a spring of which a line goes on to a vertex; kColourLanes lie between one and the next.
void write_line_spring(const SpringEnergy& springs, const Controls& controls, double h, int s, int vertex,
                       bool damped, float* number) {
  using N = MeshLineNumber;
  const double damping = springs.elements().damping[s];
  number[N::rest * kColourLanes] = float(springs.rest[s]);
  number[N::compliance * kColourLanes] = float(step_compliance(springs.stiffness[s], damping, h));
  number[N::end * kColourLanes] = float(controls.inverse_mass(0, vertex));
  if (damped) number[N::shift * kColourLanes] = float(damping_shift(damping, h));
}

}  // namespace

MeshLines::MeshLines(const Model& model, const Controls& controls, double h)
    : taken_(model.energies.springs.size(), 0),
      damped_(muslin::is_damped(model.energies.springs)),
      vertex_count_(model.vertex_count()) {
  if (taken_.empty()) return;
  const std::vector<Vec2> edges = directions_in_weave(model);
  std::vector<std::vector<Line>> families;
  for (const Vec2& along : kDirections) families.push_back(family(model, edges, along));
  for (size_t f = families.size(); f-- > 0;) add(families[f], model, controls, h);
}

// The straightest first: an edge is taken where no other leaves its first vertex, or leads to its second.
std::vector<MeshLines::Line> MeshLines::family(const Model& model, const std::vector<Vec2>& edges,
                                               const Vec2& along) {
  const SpringEnergy& springs = model.energies.springs;
  std::vector<std::pair<double, int>> straightest;
  for (int s = 0; s < springs.size(); ++s) {
    const double cosine = std::abs(edges[s].dot(along));
    if (!taken_[s] && springs.stiffness[s] > 0 && cosine > kLeastCosine) straightest.push_back({-cosine, s});
  }
  std::sort(straightest.begin(), straightest.end());
  // Springs that leave a vertex, and that lead to it
  std::vector<int> next(model.vertex_count(), -1), before(model.vertex_count(), -1);
  for (const auto& [cosine, s] : straightest) {
    auto [a, b] = springs.vertices(s);
    if (edges[s].dot(along) < 0) std::swap(a, b);
    if (next[a] < 0 && before[b] < 0) next[a] = before[b] = s;
  }
  std::vector<Line> lines;
  const auto follow = [&](int v) {
    Line line{v};
    while (next[v] >= 0) {
      const int s = std::exchange(next[v], -1);
      v = springs.vertices(s)[0] == v ? springs.vertices(s)[1] : springs.vertices(s)[0];
      if (v == line.front()) break;  // a ring is open where it began
      line.push_back(s);
      line.push_back(v);
    }
    if (line.size() < 2 * kLeastSprings + 1) return;
    for (size_t k = 1; k < line.size(); k += 2) taken_[line[k]] = 1;
    lines.push_back(std::move(line));
  };
  for (int v = 0; v < model.vertex_count(); ++v)
    if (before[v] < 0) follow(v);
  for (int v = 0; v < model.vertex_count(); ++v) follow(v);  // what is left are rings
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.size() > b.size(); });
  return lines;
}

// Lines of about the same length side by side; what is missing of the shorter ones stands at their ends.
void MeshLines::add(const std::vector<Line>& lines, const Model& model, const Controls& controls, double h) {
  if (lines.empty()) return;
  const SpringEnergy& springs = model.energies.springs;
  const int numbers_a_spring = damped_ ? MeshLineNumber::count : MeshLineNumber::count - 1;
  families_.emplace_back();
  for (size_t first = 0; first < lines.size(); first += kColourLanes) {
    const int longest = static_cast<int>(lines[first].size()) / 2;  // in springs
    longest_ = std::max(longest_, longest);
    families_.back().push_back({longest, std::ssize(vertices_), std::ssize(numbers_)});
    std::int32_t* vertices = &*vertices_.insert(vertices_.end(), size_t(longest + 1) * kColourLanes, 0);
    float* numbers =
        &*numbers_.insert(numbers_.end(), size_t(1 + longest * numbers_a_spring) * kColourLanes, 0);
    for (int lane = 0; lane < kColourLanes; ++lane) {
      const bool filled = first + lane < lines.size();
      const Line line = filled ? lines[first + lane] : Line{vertex_count_ + lane};
      vertices[lane] = 4 * line.front();
      if (filled) numbers[lane] = float(controls.inverse_mass(0, line.front()));
      for (int k = 0; k < longest; ++k) {
        float* number = numbers + (1 + k * numbers_a_spring) * kColourLanes + lane;
        const size_t end = 2 * static_cast<size_t>(k + 1);
        const bool goes_on = end < line.size();
        vertices[(k + 1) * kColourLanes + lane] = 4 * (goes_on ? line[end] : line.back());
        if (goes_on)
          write_line_spring(springs, controls, h, line[end - 1], line[end], damped_, number);
        else
          number[MeshLineNumber::compliance * kColourLanes] = 1;  // of nothing, but no system is singular
      }
    }
  }
}

void MeshLines::sweep(float* place, const float* start) const {
  const MeshLineKernel kernel = chosen_colour_kernels().lines[damped_];
  for (const std::vector<Group>& family : families_)
    for_all_lines(vertex_count_, static_cast<int>(family.size()), [&](int g) {
      kernel({place, start, vertices_.data() + family[g].vertices, numbers_.data() + family[g].numbers,
              family[g].springs},
             line_scratch(static_cast<size_t>(longest_) * kChainScratch * kColourLanes));
    });
}

}  // namespace muslin
