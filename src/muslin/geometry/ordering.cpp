#include "muslin/geometry/ordering.h"

#include <algorithm>
#include <numeric>

#include "muslin/geometry/topology.h"

namespace muslin {

namespace {

std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  return place;
}

// Finds the vertices of a piece by the triangles between them, nearest first.
class Spread {
 public:
  explicit Spread(const Mesh& mesh)
      : triangles_(mesh.triangles),
        at_vertex_(build_incidence(mesh.vertex_count(), mesh.triangles)),
        found_(mesh.vertex_count()) {}

  bool has_found(int vertex) const { return found_[vertex]; }

  // Appends the piece of `start` to the order.
  void from(int start, std::vector<int>& order) {
    size_t next = order.size();
    add(start, order);
    for (; next < order.size(); ++next) {
      const int v = order[next];
      for (int r = at_vertex_.begin[v]; r < at_vertex_.begin[v + 1]; ++r)
        for (const int other : triangles_[at_vertex_.item[r]]) add(other, order);
    }
  }

  // Takes all but the first vertices off the order.
  void undo(size_t first, std::vector<int>& order) {
    for (size_t k = first; k < order.size(); ++k) found_[order[k]] = false;
    order.resize(first);
  }

 private:
  void add(int v, std::vector<int>& order) {
    if (found_[v]) return;
    found_[v] = true;
    order.push_back(v);
  }

  const std::vector<Stencil<3>>& triangles_;
  Incidence at_vertex_;
  std::vector<bool> found_;
};

// Breadth first from a vertex that is as far as can be from another one.
std::vector<int> breadth_first(const Mesh& mesh) {
  Spread spread(mesh);
  std::vector<int> order;
  order.reserve(mesh.vertex_count());
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (spread.has_found(v)) continue;
    const size_t first = order.size();
    spread.from(v, order);
    const int far = order.back();
    spread.undo(first, order);
    spread.from(far, order);
  }
  return order;
}

}  // namespace

double cache_misses(int vertex_count, const std::vector<Stencil<3>>& triangles) {
  constexpr int kLine = 8, kLines = 256;  // vertices a line of a cache, and lines that it holds: about 48 kB
  const int lines = (vertex_count + kLine - 1) / kLine;
  std::vector<int> fetched(lines, -kLines);  // as the how-manieth miss
  int misses = 0;
  for (const Stencil<3>& triangle : triangles)
    for (const int v : triangle)
      if (misses - fetched[v / kLine] >= kLines) fetched[v / kLine] = ++misses;
  return lines > 0 ? double(misses) / lines : 1;
}

MeshOrder local_order(const Mesh& mesh) {
  constexpr double kFewMisses = 3;  // a line: the rows of a grid have 1, a random order more than 30
  if (cache_misses(mesh.vertex_count(), mesh.triangles) <= kFewMisses) return {};
  MeshOrder order{breadth_first(mesh), {}};

  const std::vector<int> place = inverse(order.vertices);
  std::vector<int> first(mesh.triangles.size());  // vertex of every triangle
  for (size_t t = 0; t < first.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    first[t] = std::min({place[a], place[b], place[c]});
  }
  order.triangles.resize(first.size());
  std::iota(order.triangles.begin(), order.triangles.end(), 0);
  std::stable_sort(order.triangles.begin(), order.triangles.end(),
                   [&](int s, int t) { return first[s] < first[t]; });
  return order;
}

Mesh reordered(const Mesh& mesh, const MeshOrder& order) {
  if (order.empty()) return mesh;
  const std::vector<int> place = inverse(order.vertices);
  Mesh other;
  other.positions = mesh.positions(Eigen::all, order.vertices);
  other.repairs = mesh.repairs;
  if (!mesh.uv.empty())
    for (const int v : order.vertices) other.uv.push_back(mesh.uv[v]);
  for (const int t : order.triangles) {
    const auto& [a, b, c] = mesh.triangles[t];
    other.triangles.push_back({place[a], place[b], place[c]});
    if (!mesh.polygon_of.empty()) other.polygon_of.push_back(mesh.polygon_of[t]);
    if (!mesh.triangle_uv.empty()) other.triangle_uv.push_back(mesh.triangle_uv[t]);
  }
  other.polygons = mesh.polygons;
  for (const auto& [a, b] : mesh.diagonals) {
    const auto [low, high] = std::minmax(place[a], place[b]);
    other.diagonals.push_back({low, high});
  }
  std::sort(other.diagonals.begin(), other.diagonals.end());
  return other;
}

Points Numbering::to_user(const Points& columns) const {
  return same() ? columns : Points(columns(Eigen::all, model_));
}

Points Numbering::to_model(const Points& columns) const {
  return same() ? columns : Points(columns(Eigen::all, user_));
}

void Numbering::append(int in_model, const std::vector<int>& user, const std::vector<int>& model) {
  const auto is_same = [](const std::vector<int>& numbers) {
    for (size_t k = 0; k < numbers.size(); ++k)
      if (numbers[k] != static_cast<int>(k)) return false;
    return true;
  };
  if (same() && is_same(user) && is_same(model)) return;
  const int first = user_count(in_model);
  for (int k = static_cast<int>(user_.size()); k < in_model; ++k) user_.push_back(k);
  for (int k = static_cast<int>(model_.size()); k < first; ++k) model_.push_back(k);
  for (const int number : user) user_.push_back(first + number);
  for (const int number : model) model_.push_back(in_model + number);
}

void Numbering::append(int first, int count, const std::vector<int>& order) {
  std::vector<int> user = order;
  if (order.empty()) {
    user.resize(count);
    std::iota(user.begin(), user.end(), 0);
  }
  append(first, user, inverse(user));
}

}  // namespace muslin
