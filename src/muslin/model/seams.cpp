#include "muslin/model/seams.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "muslin/core/check.h"
#include "muslin/model/pieces.h"
#include "muslin/pattern/pattern_mesh.h"

namespace muslin {

namespace {

/// Chains of vertices on the borders of a mesh.
class Borders {
 public:
  Borders(const Cloth& cloth, const Mesh& mesh) : cloth_(cloth), mesh_(mesh) {
    std::map<Stencil<2>, int> sides;
    for (const Stencil<3>& t : mesh.triangles)
      for (int k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
    for (const auto& [side, count] : sides)
      if (!sides.contains({side[1], side[0]})) next_[side[0]] = side[1];
  }

  std::vector<int> chain(const std::string& place, const SeamSide& side) const {
    if (side.panel || side.edge) return chain_of_panel(place, side);
    if (side.vertices.size() < 2) fail(place, "names neither panel and edge nor two vertices at least");
    for (const int v : side.vertices)
      if (v < 0 || v >= mesh_.vertex_count())
        fail(place, fmt::format("vertex {} of {}", v, mesh_.vertex_count()));
    return side.vertices.size() == 2 ? walk(place, side.vertices[0], side.vertices[1])
                                     : checked(place, side.vertices);
  }

 private:
  [[noreturn]] void fail(const std::string& place, const std::string& words) const {
    throw Error(ErrorKind::invalid, fmt::format("{}: {}: {}", quoted(cloth_), place, words));
  }

  std::vector<int> chain_of_panel(const std::string& place, const SeamSide& side) const {
    if (!side.panel || !side.edge) fail(place, "panel and edge belong together, got one of them");
    if (!cloth_.pattern || !cloth_.pattern->made)
      fail(place, "panels are of a pattern, and the cloth has none");
    const PatternMesh& made = *cloth_.pattern->made;
    const std::vector<std::string>& names = made.mesh.polygons->objects;
    const auto found = std::find(names.begin(), names.end(), *side.panel);
    if (found == names.end()) fail(place, fmt::format("the pattern has no panel \"{}\"", *side.panel));
    const auto& edges = made.edges[found - names.begin()];
    if (*side.edge < 0 || *side.edge >= std::ssize(edges))
      fail(place, fmt::format("edge {} of {} of panel \"{}\"", *side.edge, edges.size(), *side.panel));
    return edges[*side.edge];
  }

  bool on_border(int a, int b) const {
    const auto there = next_.find(a), back = next_.find(b);
    return (there != next_.end() && there->second == b) || (back != next_.end() && back->second == a);
  }

  std::vector<int> checked(const std::string& place, const std::vector<int>& vertices) const {
    for (size_t k = 0; k + 1 < vertices.size(); ++k)
      if (!on_border(vertices[k], vertices[k + 1]))
        fail(place, fmt::format("vertices {} and {} have no edge on a border", vertices[k], vertices[k + 1]));
    return vertices;
  }

  std::vector<int> walk(const std::string& place, int from, int to) const {
    std::vector<int> chain{from};
    do {
      const auto next = next_.find(chain.back());
      if (next == next_.end() || std::ssize(chain) > std::ssize(next_) || next->second == from)
        fail(place, fmt::format("no border leads from vertex {} to vertex {}", from, to));
      chain.push_back(next->second);
    } while (chain.back() != to);
    return chain;
  }

  const Cloth& cloth_;
  const Mesh& mesh_;
  std::map<int, int> next_;  ///< along borders, with the front on the left
};

ModelSeam seam_between(const Mesh& mesh, const Seam& numbers, std::string name,
                       const std::vector<Stencil<2>>& stitches, double length) {
  ModelSeam seam{std::move(name), numbers.start, numbers.speed};
  const double between = stitches.size() > 1 ? length / static_cast<double>(stitches.size() - 1) : length;
  for (size_t k = 0; k < stitches.size(); ++k) {
    const auto& [a, b] = stitches[k];
    const bool is_end = stitches.size() > 1 && (k == 0 || k + 1 == stitches.size());
    seam.stitches.push_back(stitches[k]);
    seam.lengths.push_back((mesh.positions.col(a) - mesh.positions.col(b)).norm());
    seam.stiffness.push_back(numbers.stiffness * between * (is_end ? 0.5 : 1));
  }
  return seam;
}

// All seams of a pattern close at one time, the longest at its speed: a sleeve is round the arm when its
// armhole draws it in.
void close_together(std::vector<ModelSeam>& seams) {
  const auto longest_of = [](const ModelSeam& seam) {
    return seam.lengths.empty() ? 0 : *std::max_element(seam.lengths.begin(), seam.lengths.end());
  };
  double longest = 0;
  for (const ModelSeam& seam : seams) longest = std::max(longest, longest_of(seam));
  for (ModelSeam& seam : seams)
    if (const double own = longest_of(seam); own > 0) seam.speed *= own / longest;
}

double length_of_chain(const Points& places, const std::vector<int>& chain) {
  double length = 0;
  for (size_t k = 0; k + 1 < chain.size(); ++k)
    length += (places.col(chain[k + 1]) - places.col(chain[k])).norm();
  return length;
}

}  // namespace

std::vector<ModelSeam> seams_of(const Cloth& cloth, const Mesh& mesh) {
  std::vector<ModelSeam> seams;
  if (cloth.pattern && cloth.pattern->made)
    for (const PatternSeam& of : cloth.pattern->made->seams)
      seams.push_back(seam_between(mesh, Seam(), fmt::format("{}: {}", cloth.name, of.name), of.stitches,
                                   std::min(of.length_a, of.length_b)));
  close_together(seams);
  if (cloth.seams.empty()) return seams;
  const Borders borders(cloth, mesh);
  const Points& rest = cloth.mesh && cloth.mesh->rest ? *cloth.mesh->rest : mesh.positions;
  for (size_t s = 0; s < cloth.seams.size(); ++s) {
    const Seam& seam = cloth.seams[s];
    const std::vector<int> a = borders.chain(fmt::format("seams/{}/a", s), seam.a);
    std::vector<int> b = borders.chain(fmt::format("seams/{}/b", s), seam.b);
    if (a.size() != b.size())
      throw Error(ErrorKind::invalid,
                  fmt::format("{}: seams/{}: both sides must have as many vertices, got {} and {}",
                              quoted(cloth), s, a.size(), b.size()));
    if (seam.reversed) std::reverse(b.begin(), b.end());
    std::vector<Stencil<2>> stitches;
    for (size_t k = 0; k < a.size(); ++k)
      if (a[k] != b[k]) stitches.push_back({a[k], b[k]});
    seams.push_back(seam_between(mesh, seam, fmt::format("{}: {}", cloth.name, seam.name), stitches,
                                 std::min(length_of_chain(rest, a), length_of_chain(rest, b))));
  }
  return seams;
}

void add_seams(const Cloth& cloth, const Mesh& mesh, int first_user, Model& model) {
  for (ModelSeam& seam : seams_of(cloth, mesh)) {
    for (Stencil<2>& stitch : seam.stitches)
      for (int& v : stitch) v += first_user;
    model.seams.push_back(std::move(seam));
  }
}

void add_stitches(Model& model) {
  std::vector<char> counted(model.vertex_count());
  bool any = false;
  for (int user = 0; user < model.user_vertex_count() && !model.seams.empty(); ++user) {
    const int v = model.vertex_numbers.to_model(user);
    if (model.vertex_numbers.to_user(v) != user) counted[v] = any = true;
  }
  if (any) model.is_sewn = std::move(counted);
  for (int s = 0; s < std::ssize(model.seams); ++s)
    for (int k = 0; k < std::ssize(model.seams[s].stitches); ++k) {
      const int a = model.vertex_numbers.to_model(model.seams[s].stitches[k][0]),
                b = model.vertex_numbers.to_model(model.seams[s].stitches[k][1]);
      if (a == b) continue;
      model.stitches.push_back({s, k});
      model.energies.stitches.add({a, b}, 0, kInfinity, model.seams[s].stiffness[k], 0);
    }
}

std::vector<double> stitch_lengths(const Model& model, double time) {
  std::vector<double> lengths;
  for (const auto& [s, k] : model.stitches) {
    const ModelSeam& seam = model.seams[s];
    lengths.push_back(time > seam.start ? std::max(0.0, seam.lengths[k] - seam.speed * (time - seam.start))
                                        : kInfinity);
  }
  return lengths;
}

std::vector<Stencil<2>> closed_of(const std::vector<Stencil<2>>& closed, int first_user, int count) {
  std::vector<Stencil<2>> own;
  for (const auto& [a, b] : closed)
    if (a >= first_user && a < first_user + count) own.push_back({a - first_user, b - first_user});
  return own;
}

}  // namespace muslin
