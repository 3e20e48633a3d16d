#include "muslin/pattern/pattern_mesh.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "muslin/core/check.h"
#include "muslin/core/maths.h"
#include "muslin/pattern/triangulate.h"

namespace muslin {

namespace {

constexpr double kShort = 0.5;     // of the resolution: an edge that becomes one vertex
constexpr double kMostEase = 0.5;  // of a seam's longer side: what is said of the other
constexpr double kBetween = 0.05;  // [m] from panel to panel in the plane
constexpr double kSquares =
    4;  // of how many triangles at least a panel is said to be made, for the count beforehand

/// What of a pattern its mesh is made of.
class PatternMesher {
 public:
  PatternMesher(const SewingPattern& pattern, double resolution, int most)
      : pattern_(pattern), resolution_(resolution), most_(most) {}

  PatternMesh made() {
    measure();
    check_count();
    count_sides();
    collapse();
    made_.edges.resize(pattern_.panels.size());
    for (int p = 0; p < std::ssize(pattern_.panels); ++p) add_panel(p);
    finish_mesh();
    for (const PatternStitch& stitch : pattern_.stitches) add_seam(stitch);
    return std::move(made_);
  }

 private:
  template <class T>
  using OfEdges = std::vector<std::vector<T>>;

  void measure() {
    for (const PatternPanel& panel : pattern_.panels) {
      std::vector<double>& lengths = length_.emplace_back();
      for (const PatternEdge& edge : panel.edges) lengths.push_back(length_of(panel, edge));
    }
  }

  // Before anything is made of it: a slip of the pen asks for more than memory has.
  void check_count() const {
    double count = 0;
    for (size_t p = 0; p < pattern_.panels.size(); ++p) {
      Vec2 low = pattern_.panels[p].corners[0], high = low;
      for (const Vec2& corner : pattern_.panels[p].corners) {
        low = low.cwiseMin(corner);
        high = high.cwiseMax(corner);
      }
      for (const double length : length_[p]) count += length / resolution_;
      count += (high - low).prod() / (kSquares * resolution_ * resolution_);
    }
    if (count > most_)
      throw Error(
          ErrorKind::invalid,
          fmt::format("resolution: {} m makes more than {} vertices of this pattern", resolution_, most_));
  }

  // Into how many parts each edge is cut: as the longer side of its seam.
  void count_sides() {
    for (const std::vector<double>& lengths : length_) {
      std::vector<int>& counts = count_.emplace_back();
      for (const double length : lengths)
        counts.push_back(std::max(1, static_cast<int>(std::ceil(length / resolution_ - 1e-9))));
    }
    for (const auto& [a, b, reversed] : pattern_.stitches) {
      int &of_a = count_[a.panel][a.edge], &of_b = count_[b.panel][b.edge];
      of_a = of_b = std::max(of_a, of_b);
    }
  }

  // Edges of seams that are too short for the mesh have no part; a panel keeps three edges.
  void collapse() {
    std::vector<int> left;
    for (const PatternPanel& panel : pattern_.panels)
      left.push_back(static_cast<int>(std::ssize(panel.edges)));
    for (const auto& [a, b, reversed] : pattern_.stitches) {
      const auto is_short = [&](const PatternSide& s) {
        return length_[s.panel][s.edge] < kShort * resolution_;
      };
      if (!is_short(a) || !is_short(b)) continue;
      --left[a.panel];
      --left[b.panel];
      if (left[a.panel] >= 3 && left[b.panel] >= 3) count_[a.panel][a.edge] = count_[b.panel][b.edge] = 0;
    }
  }

  void add_panel(int p) {
    const PatternPanel& panel = pattern_.panels[p];
    const int edges = static_cast<int>(panel.edges.size());
    const std::vector<int>& count = count_[p];
    // 1. The outline: corners on both ends of an edge without parts are one, in the mean of their places
    int begin = 0;
    while (count[(begin + edges - 1) % edges] == 0) begin = (begin + 1) % edges;
    std::vector<Vec2> outline;
    std::vector<int> first(edges), last(edges);
    for (int k = 0, e = begin; k < edges; ++k, e = (e + 1) % edges) {
      if (k == 0 || count[(e + edges - 1) % edges] > 0) {
        Vec2 sum = panel.corners[panel.edges[e].from];
        int members = 1;
        for (int f = e; count[f] == 0; f = (f + 1) % edges, ++members)
          sum += panel.corners[panel.edges[f].to];
        outline.push_back(sum / members);
      }
      first[e] = static_cast<int>(outline.size()) - 1;
      const std::vector<Vec2> points =
          count[e] > 1 ? divided(panel, panel.edges[e], count[e]) : std::vector<Vec2>();
      for (int i = 1; i < count[e]; ++i) outline.push_back(points[i]);
      last[e] = count[e] == 0 ? first[e] : static_cast<int>(outline.size());
    }
    for (int& v : last)
      if (v == std::ssize(outline)) v = 0;

    // 2. Its triangles, which turn as the loop goes
    FlatMesh flat = filled(panel, outline);
    double twice_area = 0;
    for (size_t k = 0; k < outline.size(); ++k) {
      const Vec2 &a = outline[k], &b = outline[(k + 1) % outline.size()];
      twice_area += a.x() * b.y() - a.y() * b.x();
    }
    const int base = static_cast<int>(flat_.size());
    for (Stencil<3>& t : flat.triangles) {
      if (twice_area < 0) std::swap(t[1], t[2]);
      made_.mesh.triangles.push_back({base + t[0], base + t[1], base + t[2]});
    }
    ends_.push_back(static_cast<int>(made_.mesh.triangles.size()));

    // 3. Where they are, and which vertices its edges have
    Vec2 low = outline[0], high = outline[0];
    for (const Vec2& point : outline) {
      low = low.cwiseMin(point);
      high = high.cwiseMax(point);
    }
    for (const Vec2& point : flat.points) {
      flat_.push_back(Vec2(point.x() - low.x() + offset_, point.y() - low.y()));
      placed_.push_back(panel.place(point));
    }
    offset_ += high.x() - low.x() + kBetween;
    for (int e = 0; e < edges; ++e) {
      std::vector<int>& chain = made_.edges[p].emplace_back(1, base + first[e]);
      for (int i = 1; i < count[e]; ++i) chain.push_back(base + first[e] + i);
      if (count[e] > 0) chain.push_back(base + last[e]);
    }
  }

  FlatMesh filled(const PatternPanel& panel, const std::vector<Vec2>& outline) const try {
    return mesh_of_outline(outline, resolution_);
  } catch (const Error& error) {
    throw Error(error.kind(),
                fmt::format("panel \"{}\": with edges of {} m {}", panel.name, resolution_, error.what()));
  }

  void finish_mesh() {
    const auto n = static_cast<Eigen::Index>(flat_.size());
    made_.mesh.positions.resize(3, n);
    made_.rest.resize(3, n);
    for (Eigen::Index v = 0; v < n; ++v) {
      made_.mesh.positions.col(v) = placed_[v];
      made_.rest.col(v) << flat_[v], 0;
    }
    made_.mesh.uv = flat_;
    auto polygons = std::make_shared<Polygons>();
    for (int t = 0; t < std::ssize(made_.mesh.triangles); ++t) {
      for (const int v : made_.mesh.triangles[t]) polygons->corners.push_back(v);
      polygons->end.push_back(3 * (t + 1));
      made_.mesh.polygon_of.push_back(t);
    }
    for (int p = 0; p < std::ssize(pattern_.panels); ++p) {
      polygons->objects.push_back(pattern_.panels[p].name);
      polygons->parts.push_back({p == 0 ? 0 : ends_[p - 1], p});
    }
    polygons->uv = flat_;
    polygons->corner_uv = polygons->corners;
    made_.mesh.polygons = std::move(polygons);
  }

  void add_seam(const PatternStitch& stitch) {
    const auto& [a, b, reversed] = stitch;
    const std::vector<int>& of_a = made_.edges[a.panel][a.edge];
    std::vector<int> of_b = made_.edges[b.panel][b.edge];
    if (reversed) std::reverse(of_b.begin(), of_b.end());
    PatternSeam& seam = made_.seams.emplace_back();
    seam.name = fmt::format("{} {} - {} {}", pattern_.panels[a.panel].name, a.edge,
                            pattern_.panels[b.panel].name, b.edge);
    seam.length_a = length_[a.panel][a.edge];
    seam.length_b = length_[b.panel][b.edge];
    const auto apart = [&](int v, int w) { return (placed_[v] - placed_[w]).norm(); };
    seam.twist_as_is = std::max(apart(of_a.front(), of_b.front()), apart(of_a.back(), of_b.back()));
    seam.twist_turned = std::max(apart(of_a.front(), of_b.back()), apart(of_a.back(), of_b.front()));
    for (size_t k = 0; k < of_a.size(); ++k)
      if (of_a[k] != of_b[k]) seam.stitches.push_back({of_a[k], of_b[k]});
    const auto [shorter, longer] = std::minmax(seam.length_a, seam.length_b);
    if (seam.is_twisted())
      made_.words.push_back(
          fmt::format("seam {}: looks twisted, its ends are {:.2g} m apart as they are and {:.2g} m with one "
                      "side reversed",
                      seam.name, seam.twist_as_is, seam.twist_turned));
    if (shorter < kMostEase * longer)
      made_.words.push_back(
          fmt::format("seam {}: sews {:.3g} m to {:.3g} m", seam.name, seam.length_a, seam.length_b));
  }

  const SewingPattern& pattern_;
  const double resolution_;
  const int most_;
  OfEdges<double> length_;
  OfEdges<int> count_;
  PatternMesh made_;
  std::vector<Vec2> flat_;
  std::vector<Vec3> placed_;
  std::vector<int> ends_;  ///< of every panel: behind its last triangle
  double offset_ = 0;
};

}  // namespace

PatternMesh make_mesh(const SewingPattern& pattern, double resolution, int most) {
  if (const std::vector<std::string> problems = find_problems(pattern); !problems.empty())
    throw Error(ErrorKind::invalid, fmt::format("{}", fmt::join(problems, "\n")));
  return PatternMesher(pattern, resolution, most).made();
}

}  // namespace muslin
