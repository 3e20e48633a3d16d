#include "muslin/audit/start.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

#include "muslin/audit/bodies.h"
#include "muslin/audit/names.h"
#include "muslin/audit/surface.h"
#include "muslin/core/check.h"

namespace muslin {

namespace {

constexpr int kNamed = 5;       // of each kind
constexpr int kNamedByRun = 2;  // in one sentence
constexpr double kThin = 1e-6;  // height of a triangle over its longest side

/// The start of a run: what all searches look at.
struct Start {
  const Model& model;
  const Points& positions;
  Surface surface = make_surface(model.vertex_count(), model.triangles);
  std::vector<std::pair<int, int>> intersecting = intersecting_pairs(surface, positions);
};

/// Counts one more, and names it while there are few. `name` is called only then.
template <class Name>
void add(StartTrouble& trouble, const Name& name) {
  if (++trouble.count <= kNamed) trouble.first.push_back(name());
}

void add_triangles_around(const Start& start, int vertex, StartTrouble& trouble) {
  const Incidence& around = start.model.triangle_incidence;
  trouble.triangles.insert(trouble.triangles.end(), around.item.begin() + around.begin[vertex],
                           around.item.begin() + around.begin[vertex + 1]);
}

/// Whether each triangle has a vertex on an edge that no other triangle has.
std::vector<bool> triangles_on_border(const Model& model) {
  std::vector<Stencil<2>> sides;
  for (const Stencil<3>& corner : model.triangles)
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax({corner[k], corner[(k + 1) % 3]});
      sides.push_back({low, high});
    }
  std::sort(sides.begin(), sides.end());
  std::vector<bool> on_border(model.vertex_count());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const bool twice =
        (i > 0 && sides[i] == sides[i - 1]) || (i + 1 < sides.size() && sides[i] == sides[i + 1]);
    if (!twice) on_border[sides[i][0]] = on_border[sides[i][1]] = true;
  }
  std::vector<bool> triangles;
  for (const auto& [a, b, c] : model.triangles)
    triangles.push_back(on_border[a] || on_border[b] || on_border[c]);
  return triangles;
}

/// Triangles that meet: those of which both are on a border, or all others.
StartTrouble find_intersecting(const Start& start, bool by_borders) {
  StartTrouble trouble{
      by_borders ? StartTrouble::borders_meet : StartTrouble::intersecting,
      by_borders ? "pairs of triangles on borders that intersect" : "pairs of triangles that intersect",
      0,
      {},
      {}};
  const auto& triangles = start.model.triangles;
  const std::vector<bool> on_border = triangles_on_border(start.model);
  for (const auto& [a, b] : start.intersecting) {
    if ((on_border[a] && on_border[b]) != by_borders) continue;
    add(trouble, [&, a = a, b = b] {
      return fmt::format("{} and {} at {}", triangle_name(start.model, a), triangle_name(start.model, b),
                         place_name(meeting_place(start.positions, triangles[a], triangles[b])));
    });
    trouble.triangles.insert(trouble.triangles.end(), {a, b});
  }
  return trouble;
}

StartTrouble find_same_place(const Start& start) {
  StartTrouble trouble{StartTrouble::same_place, "pairs of vertices in the same place", 0, {}, {}};
  const Points& x = start.positions;
  std::vector<int> order(x.cols());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::tuple(x(0, a), x(1, a), x(2, a), a) < std::tuple(x(0, b), x(1, b), x(2, b), b);
  });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const int a = order[i - 1], b = order[i];
    if (x.col(a) != x.col(b)) continue;
    add(trouble, [&] {
      return fmt::format("{} and {} at {}", vertex_name(start.model, a), vertex_name(start.model, b),
                         place_name(x.col(a)));
    });
    add_triangles_around(start, a, trouble);
    add_triangles_around(start, b, trouble);
  }
  return trouble;
}

StartTrouble find_thin(const Start& start) {
  StartTrouble trouble{StartTrouble::thin, "triangles with almost no area", 0, {}, {}};
  for (int t = 0; t < static_cast<int>(start.model.triangles.size()); ++t) {
    const auto& [a, b, c] = start.model.triangles[t];
    const Vec3 ab = start.positions.col(b) - start.positions.col(a),
               ac = start.positions.col(c) - start.positions.col(a);
    const double longest2 = std::max({ab.squaredNorm(), ac.squaredNorm(), (ac - ab).squaredNorm()});
    if (ab.cross(ac).norm() > kThin * longest2) continue;
    add(trouble, [&] { return triangle_name(start.model, t); });
    trouble.triangles.push_back(t);
  }
  return trouble;
}

/// Of the triangles around a vertex: how many fans of neighbours they make.
int fans_around(const Start& start, int vertex) {
  const Incidence& around = start.model.triangle_incidence;
  const int begin = around.begin[vertex], end = around.begin[vertex + 1];
  std::vector<int> fan(end - begin);  // of each triangle: the first one that it hangs together with
  std::iota(fan.begin(), fan.end(), 0);
  int fans = end - begin;
  for (int i = 0; i < end - begin; ++i)
    for (int j = 0; j < i; ++j) {
      const Stencil<3>&a = start.model.triangles[around.item[begin + i]],
            &b = start.model.triangles[around.item[begin + j]];
      const auto shared =
          std::count_if(a.begin(), a.end(), [&](int v) { return std::count(b.begin(), b.end(), v) > 0; });
      if (shared < 2 || fan[i] == fan[j]) continue;
      std::replace(fan.begin(), fan.end(), fan[i], fan[j]);
      --fans;
    }
  return fans;
}

StartTrouble find_pinched(const Start& start) {
  StartTrouble trouble{StartTrouble::pinched, "vertices that hold pieces of cloth together alone", 0, {}, {}};
  for (int v = 0; v < start.model.vertex_count(); ++v) {
    const int fans = fans_around(start, v);
    if (fans < 2) continue;
    add(trouble, [&] { return fmt::format("{}: {} fans of triangles", vertex_name(start.model, v), fans); });
    add_triangles_around(start, v, trouble);
  }
  return trouble;
}

StartTrouble find_turned_over(const Start& start) {
  StartTrouble trouble{StartTrouble::turned_over, "sides whose two triangles face different ways", 0, {}, {}};
  struct Side {
    Stencil<2> ends;  // in the sense of the triangle
    int triangle;
    bool operator<(const Side& other) const {
      return std::tie(ends, triangle) < std::tie(other.ends, other.triangle);
    }
  };
  std::vector<Side> sides;
  for (int t = 0; t < static_cast<int>(start.model.triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      const Stencil<3>& corner = start.model.triangles[t];
      sides.push_back({{corner[k], corner[(k + 1) % 3]}, t});
    }
  std::sort(sides.begin(), sides.end());
  for (std::size_t i = 1; i < sides.size(); ++i) {
    const int a = sides[i - 1].triangle, b = sides[i].triangle;
    if (sides[i - 1].ends != sides[i].ends) continue;
    add(trouble, [&] { return triangle_name(start.model, a) + " and " + triangle_name(start.model, b); });
    trouble.triangles.insert(trouble.triangles.end(), {a, b});
  }
  return trouble;
}

/// Pinned vertices, or all others, inside colliders.
StartTrouble find_inside(const Start& start, bool pinned) {
  StartTrouble trouble{pinned ? StartTrouble::pinned_inside : StartTrouble::inside,
                       pinned ? "pinned vertices inside colliders" : "vertices inside colliders",
                       0,
                       {},
                       {}};
  std::vector<bool> is_pinned(start.model.vertex_count());
  for (const PinnedVertex& pin : start.model.pins) is_pinned[pin.vertex] = true;
  for (const auto& [vertex, collider, depth] : vertices_inside(start.model.colliders, 0, start.positions)) {
    if (is_pinned[vertex] != pinned) continue;
    add(trouble, [&, v = vertex, c = collider, d = depth] {
      return fmt::format("{}, {:.3g} mm inside \"{}\"", vertex_name(start.model, v), 1000 * d,
                         start.model.colliders[c].name);
    });
    add_triangles_around(start, vertex, trouble);
  }
  return trouble;
}

StartTrouble find_too_near(const Start& start) {
  StartTrouble trouble{StartTrouble::too_near, "pairs of elements nearer than the cloth is thick", 0, {}, {}};
  const Scalars& half = start.model.half_thickness;
  for (const ElementPair& pair : find_gaps(start.surface, start.positions, 2 * half.maxCoeff())) {
    const bool edges = pair.kind == Elements::edge_edge;
    const int a = edges ? start.surface.edges[pair.first][0] : pair.first;
    const int b = edges ? start.surface.edges[pair.second][0] : start.model.triangles[pair.second][0];
    if (pair.distance >= half[a] + half[b]) continue;
    add(trouble, [&] {
      return fmt::format("{} are {:.3g} mm apart at {}", pair_name(start.model, start.surface, pair),
                         1000 * pair.distance, place_name(pair.place));
    });
    add_triangles_around(start, a, trouble);
    add_triangles_around(start, b, trouble);
  }
  return trouble;
}

/// All of a trouble in one sentence.
std::string sentence(const StartTrouble& trouble) {
  const auto named = std::min<std::ptrdiff_t>(kNamedByRun, std::ssize(trouble.first));
  return fmt::format("the start has {} ({}): {}{}", trouble.what, trouble.count,
                     fmt::join(trouble.first.begin(), trouble.first.begin() + named, "; "),
                     trouble.count > named ? "; `muslin check` lists more" : "");
}

}  // namespace

std::vector<StartTrouble> find_start_troubles(const Model& model, const Points& positions) {
  const Start start{model, positions};
  std::vector<StartTrouble> troubles;
  for (const StartTrouble& trouble :
       {find_intersecting(start, false), find_intersecting(start, true), find_same_place(start),
        find_thin(start), find_pinched(start), find_turned_over(start), find_inside(start, true),
        find_inside(start, false), find_too_near(start)})
    if (trouble.count > 0) troubles.push_back(trouble);
  return troubles;
}

void refuse_start(const Model& model, const std::vector<StartTrouble>& troubles) {
  for (const StartTrouble& trouble : troubles)
    if (trouble.kind == StartTrouble::intersecting && model.self_collision.enabled)
      throw Error(ErrorKind::invalid,
                  "self_collision: cannot keep apart what intersects already; " + sentence(trouble));
}

std::vector<std::string> check_start(const Model& model) {
  const std::vector<StartTrouble> troubles = find_start_troubles(model, initial_state(model).positions);
  refuse_start(model, troubles);
  std::vector<std::string> warnings;
  for (const StartTrouble& trouble : troubles) warnings.push_back(sentence(trouble));
  return warnings;
}

}  // namespace muslin
