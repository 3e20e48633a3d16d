#include "muslin/audit/start.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "muslin/audit/bodies.h"
#include "muslin/audit/met_bodies.h"
#include "muslin/audit/names.h"
#include "muslin/audit/solids.h"
#include "muslin/audit/surface.h"
#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/core/check.h"
#include "muslin/core/text.h"
#include "muslin/model/expect.h"
#include "muslin/model/fastening.h"
#include "muslin/model/measure.h"
#include "muslin/model/motion.h"

namespace muslin {

namespace {

constexpr int kNamedByRun = 2;  // in one sentence
constexpr double kThin = 1e-6;  // height of a triangle over its longest side

/// The start of a run, or where another goes on: what all searches look at.
struct Start {
  const Model& model;
  const Controls& controls;
  const Points& positions;
  PlacedColliders placed;
  double time;     // [s]
  bool keeps_out;  // the solver lets nothing into colliders
  int named;       // of each kind, at most
  Surface surface = make_surface(model.vertex_count(), model.triangles);

  // What only some searches look at
  const std::vector<Hinge>& hinges() const {
    if (!hinges_) hinges_ = build_topology(model.vertex_count(), model.triangles, "cloth").hinges;
    return *hinges_;
  }
  const std::vector<std::pair<int, int>>& intersecting() const {
    if (!intersecting_) intersecting_ = intersecting_pairs(surface, positions);
    return *intersecting_;
  }
  bool is_held_inside(int vertex, int collider) const {
    if (!held_inside_) held_inside_ = held_inside(model, controls);
    return std::binary_search(held_inside_->begin(), held_inside_->end(), Stencil<2>{vertex, collider});
  }
  bool is_held_inside(const Stencil<3>& triangle, int collider) const {
    return std::any_of(triangle.begin(), triangle.end(), [&](int v) { return is_held_inside(v, collider); });
  }
  const std::vector<Stencil<2>>& all_held_inside() const {
    is_held_inside(0, 0);
    return *held_inside_;
  }
  // Held along all axes where it is
  bool stays(int vertex) const {
    if (!stays_) {
      stays_.emplace(model.vertex_count());
      for (const PinnedVertex& pin : controls.pins)
        (*stays_)[pin.vertex] = controls.free.col(pin.vertex).isZero(0);
      for (const PinnedVertex& pin : controls.pins)
        if (moves(model, controls, pin)) (*stays_)[pin.vertex] = false;
    }
    return (*stays_)[vertex];
  }
  bool stays(const Stencil<3>& triangle) const {
    return std::all_of(triangle.begin(), triangle.end(), [&](int v) { return stays(v); });
  }
  mutable std::optional<std::vector<Stencil<2>>> held_inside_ = {};
  mutable std::optional<std::vector<bool>> stays_ = {};
  mutable std::optional<std::vector<Hinge>> hinges_ = {};
  mutable std::optional<std::vector<std::pair<int, int>>> intersecting_ = {};
};

/// Counts one more, and names it while there are few. `name` is called only then.
template <class Name>
void add(const Start& start, StartTrouble& trouble, const Name& name) {
  if (++trouble.count <= start.named) trouble.named.push_back(name());
}

void add_triangles_around(const Start& start, int vertex, StartTrouble& trouble) {
  const Incidence& around = start.model.triangle_incidence;
  trouble.triangles.insert(trouble.triangles.end(), around.item.begin() + around.begin[vertex],
                           around.item.begin() + around.begin[vertex + 1]);
}

std::vector<bool> border_vertices(const Start& start) {
  std::vector<bool> on_border(start.model.vertex_count());
  for (const Hinge& hinge : start.hinges())
    if (hinge.triangle1 < 0) on_border[hinge.v0] = on_border[hinge.v1] = true;
  return on_border;
}

/// Adds the triangles that meet: those of which both are on a border, or all others.
StartTrouble find_intersecting(const Start& start, bool by_borders, StartTrouble trouble) {
  const std::vector<bool> on_border = border_vertices(start);
  const auto has_border = [&](const Stencil<3>& t) {
    return on_border[t[0]] || on_border[t[1]] || on_border[t[2]];
  };
  for (const auto& [first, second] : start.intersecting()) {
    const Stencil<3>&a = start.model.triangles[first], &b = start.model.triangles[second];
    if ((has_border(a) && has_border(b)) != by_borders || (start.stays(a) && start.stays(b))) continue;
    add(start, trouble, [&, i = first, j = second] {
      return fmt::format("{} and {} at {}", triangle_name(start.model, i), triangle_name(start.model, j),
                         place_name(meeting_place(start.positions, a, b)));
    });
    trouble.triangles.insert(trouble.triangles.end(), {first, second});
  }
  return trouble;
}

/// Adds the triangles that meet those of mesh colliders.
StartTrouble find_in_mesh(const Start& start) {
  StartTrouble trouble{StartTrouble::in_mesh, "pairs of triangles of cloth and colliders that intersect"};
  Surface surface = surface_with_bodies(start.model);
  if (surface.triangles.size() == start.surface.triangles.size()) return trouble;
  surface.cloth_meets_cloth = false;
  const Points places = places_with_bodies(start.model, start.positions, start.placed);
  for (const auto& [first, second] : intersecting_pairs(surface, places)) {
    const Collider* const body = user_vertex(start.model, surface.triangles[second][0]).collider;
    const Stencil<3>& triangle = surface.triangles[first];
    if (start.is_held_inside(triangle, static_cast<int>(body - start.model.colliders.data())) ||
        (start.stays(triangle) && !moves(*body)))
      continue;
    add(start, trouble, [&, i = first, j = second] {
      return fmt::format("{} and {} at {}", triangle_name(start.model, i), triangle_name(start.model, j),
                         place_name(meeting_place(places, surface.triangles[i], surface.triangles[j])));
    });
    trouble.triangles.push_back(first);
  }
  return trouble;
}

/// Adds the triangles that meet other colliders as contact sees them.
StartTrouble find_in_solid(const Start& start) {
  StartTrouble trouble{StartTrouble::in_solid, "triangles of cloth that meet the surface of a collider"};
  for (const auto& [triangle, collider, place] :
       find_met_bodies(start.model, start.positions, start.placed, start.time)) {
    const Stencil<3>& corners = start.model.triangles[triangle];
    if (start.is_held_inside(corners, collider) ||
        (start.stays(corners) && !moves(start.model.colliders[collider])))
      continue;
    add(start, trouble, [&, t = triangle, c = collider, at = place] {
      return fmt::format("{} and \"{}\" at {}", triangle_name(start.model, t), start.model.colliders[c].name,
                         place_name(at));
    });
    trouble.triangles.push_back(triangle);
  }
  if (trouble.count == 0) return trouble;
  for (const CutTriangle& cut :
       triangles_cutting(start.model.colliders, start.placed.poses, start.positions, start.model.triangles))
    trouble.depth = std::max(trouble.depth, cut.depth);
  return trouble;
}

/// Adds the triangles that cut other colliders between their vertices.
StartTrouble find_cut(const Start& start) {
  StartTrouble trouble{StartTrouble::in_solid, "triangles that cut colliders between their vertices"};
  for (const CutTriangle& cut :
       triangles_cutting(start.model.colliders, start.placed.poses, start.positions, start.model.triangles)) {
    trouble.depth = std::max(trouble.depth, cut.depth);
    add(start, trouble, [&] {
      return fmt::format("{}, {} inside \"{}\" at {}", triangle_name(start.model, cut.triangle),
                         distance_text(cut.depth), start.model.colliders[cut.collider].name,
                         place_name(cut.place));
    });
    trouble.triangles.push_back(cut.triangle);
  }
  return trouble;
}

StartTrouble find_same_place(const Start& start) {
  StartTrouble trouble{StartTrouble::same_place, "pairs of vertices in the same place"};
  const Points& x = start.positions;
  std::vector<int> order(x.cols());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::tuple(x(0, a), x(1, a), x(2, a), a) < std::tuple(x(0, b), x(1, b), x(2, b), b);
  });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const int a = order[i - 1], b = order[i];
    if (x.col(a) != x.col(b)) continue;
    add(start, trouble, [&] {
      return fmt::format("{} and {} at {}", vertex_name(start.model, a), vertex_name(start.model, b),
                         place_name(x.col(a)));
    });
    add_triangles_around(start, a, trouble);
    add_triangles_around(start, b, trouble);
  }
  return trouble;
}

StartTrouble find_thin(const Start& start) {
  StartTrouble trouble{StartTrouble::thin, "triangles with almost no area"};
  for (int t = 0; t < static_cast<int>(start.model.triangles.size()); ++t) {
    const auto& [a, b, c] = start.model.triangles[t];
    const Vec3 ab = start.positions.col(b) - start.positions.col(a),
               ac = start.positions.col(c) - start.positions.col(a);
    const double longest2 = std::max({ab.squaredNorm(), ac.squaredNorm(), (ac - ab).squaredNorm()});
    if (ab.cross(ac).norm() > kThin * longest2) continue;
    add(start, trouble, [&] { return triangle_name(start.model, t); });
    trouble.triangles.push_back(t);
  }
  return trouble;
}

/// The slot of a vertex in a triangle.
int slot_of(const Stencil<3>& triangle, int vertex) {
  return static_cast<int>(std::find(triangle.begin(), triangle.end(), vertex) - triangle.begin());
}

/// Into how many fans the triangles around each vertex fall. Corner 3 t + k is slot k of triangle t; an edge
/// of two triangles joins their corners at either end.
std::vector<int> count_fans(const Start& start) {
  const std::vector<Stencil<3>>& triangles = start.model.triangles;
  std::vector<int> fan(3 * triangles.size());
  std::iota(fan.begin(), fan.end(), 0);
  const auto first_of_fan = [&](int corner) {
    while (fan[corner] != corner) corner = fan[corner] = fan[fan[corner]];
    return corner;
  };
  std::vector<int> fans(start.model.vertex_count());
  for (const Stencil<3>& triangle : triangles)
    for (const int v : triangle) ++fans[v];
  for (const Hinge& hinge : start.hinges())
    for (const int v : {hinge.v0, hinge.v1}) {
      if (hinge.triangle1 < 0) continue;
      const int a = first_of_fan(3 * hinge.triangle0 + slot_of(triangles[hinge.triangle0], v));
      const int b = first_of_fan(3 * hinge.triangle1 + slot_of(triangles[hinge.triangle1], v));
      if (a == b) continue;
      fan[a] = b;
      --fans[v];
    }
  return fans;
}

StartTrouble find_pinched(const Start& start) {
  StartTrouble trouble{StartTrouble::pinched, "vertices that alone join pieces of cloth"};
  const std::vector<int> fans = count_fans(start);
  for (int v = 0; v < start.model.vertex_count(); ++v) {
    if (fans[v] < 2) continue;
    add(start, trouble,
        [&] { return fmt::format("{}: {} fans of triangles", vertex_name(start.model, v), fans[v]); });
    add_triangles_around(start, v, trouble);
  }
  return trouble;
}

StartTrouble find_turned_over(const Start& start) {
  StartTrouble trouble{StartTrouble::turned_over, "pairs of neighbours that face different ways"};
  const auto runs_along = [&](int triangle, const Hinge& hinge) {  // from v0 to v1
    const Stencil<3>& corner = start.model.triangles[triangle];
    return corner[(slot_of(corner, hinge.v0) + 1) % 3] == hinge.v1;
  };
  for (const Hinge& hinge : start.hinges()) {
    const int a = hinge.triangle0, b = hinge.triangle1;
    if (b < 0 || runs_along(a, hinge) != runs_along(b, hinge)) continue;
    add(start, trouble,
        [&] { return triangle_name(start.model, a) + " and " + triangle_name(start.model, b); });
    trouble.triangles.insert(trouble.triangles.end(), {a, b});
  }
  return trouble;
}

/// Adds the held vertices inside colliders that do not count.
StartTrouble find_held_inside(const Start& start) {
  StartTrouble trouble{StartTrouble::held_inside,
                       "held vertices inside colliders, from which triangles that have them are not kept"};
  for (const auto& [vertex, collider] : start.all_held_inside()) {
    add(start, trouble, [&, v = vertex, c = collider] {
      return fmt::format("{} in \"{}\"", vertex_name(start.model, v), start.model.colliders[c].name);
    });
    add_triangles_around(start, vertex, trouble);
  }
  return trouble;
}

/// Adds the pinned vertices inside colliders, or all others.
StartTrouble find_inside(const Start& start, bool pinned, StartTrouble trouble) {
  std::vector<bool> is_pinned(start.model.vertex_count());
  for (const PinnedVertex& pin : start.controls.pins) is_pinned[pin.vertex] = true;
  for (const InsideVertex& inside :
       vertices_inside(start.model.colliders, start.placed.poses, start.positions)) {
    if (is_pinned[inside.vertex] != pinned || start.is_held_inside(inside.vertex, inside.collider)) continue;
    trouble.depth = std::max(trouble.depth, inside.depth);
    add(start, trouble, [&] {
      return fmt::format("{}, {} inside \"{}\"", vertex_name(start.model, inside.vertex),
                         distance_text(inside.depth), start.model.colliders[inside.collider].name);
    });
    add_triangles_around(start, inside.vertex, trouble);
  }
  return trouble;
}

/// Half of what every vertex keeps from other cloth [m].
Scalars half_distance(const Model& model) {
  const double kept = model.self_collision.enabled ? model.self_distance / 2 : 0;
  return model.half_thickness.cwiseMax(kept);
}

/// Cloth that is thicker than its edges are long is near itself everywhere: there, only what is nearer than
/// an edge is listed.
StartTrouble find_too_near(const Start& start) {
  const Scalars kept = half_distance(start.model);
  const Scalars half = kept.cwiseMin(mean_edge_about_vertices(start.model) / 2);
  const bool is_thick = (half.array() < kept.array()).any();
  StartTrouble trouble{StartTrouble::too_near,
                       is_thick ? "pairs of elements nearer than an edge is long, where cloth is thicker"
                                : "pairs of elements nearer than they are kept apart"};
  if (half.isZero(0)) return trouble;  // nothing is nearer than that
  for (const ElementPair& pair : find_gaps(start.surface, start.positions, half)) {
    add(start, trouble, [&] {
      return fmt::format("{} are {} apart at {}", pair_name(start.model, start.surface, pair),
                         distance_text(pair.distance), place_name(pair.place));
    });
    const Stencil<4> vertices = vertices_of(start.surface, pair);
    for (const int v : {vertices[0], vertices[3]}) add_triangles_around(start, v, trouble);
  }
  return trouble;
}

/// Adds the vertices that will be pushed away from colliders: those on their surface, if a solver keeps cloth
/// out of them, or all others.
StartTrouble find_at_body(const Start& start, bool on_surface, StartTrouble trouble) {
  const Scalars half = start.keeps_out ? half_distance(start.model) : start.model.half_thickness;
  for (std::size_t c = 0; c < start.placed.poses.size(); ++c) {
    const Collider& collider = start.model.colliders[c];
    if (!collider.enabled) continue;
    for (int v = 0; v < start.model.vertex_count(); ++v) {
      const double gap = 0 - depth_inside(collider, start.placed.poses[c], start.positions.col(v));
      const bool is_on = start.keeps_out && std::abs(gap) <= kSurfaceRounding;
      if (!is_on && (gap < -kSurfaceRounding || gap >= collider.margin + half[v] - kSurfaceRounding))
        continue;
      if (is_on != on_surface || start.is_held_inside(v, static_cast<int>(c))) continue;
      add(start, trouble, [&] {
        return fmt::format("{}, {} from \"{}\"", vertex_name(start.model, v), distance_text(gap),
                           collider.name);
      });
      add_triangles_around(start, v, trouble);
    }
  }
  return trouble;
}

/// Adds the pieces that a mesh winds around: none of their triangles meets it, and they never get out.
StartTrouble find_enclosed(const Start& start) {
  StartTrouble trouble{StartTrouble::enclosed, "pieces of cloth wholly inside colliders that are meshes"};
  for (std::size_t c = 0; c < start.placed.poses.size(); ++c) {
    const Collider& collider = start.model.colliders[c];
    if (!collider.enabled || collider.shape != Shape::mesh) continue;
    const Pose& pose = start.placed.poses[c];
    const Points places = (pose.rotation * start.placed.shapes[c]).colwise() + pose.translation;
    for (int v = 0; v < start.model.vertex_count(); ++v) {
      // Pieces have the number of their first vertex; where that is held inside, others are not
      if (start.surface.piece[v] != v || start.is_held_inside(v, static_cast<int>(c))) continue;
      if (std::abs(winding_number(places, collider.mesh->mesh->triangles, start.positions.col(v))) < 0.5)
        continue;
      add(start, trouble, [&] {
        return fmt::format("the one of {}, inside \"{}\"", vertex_name(start.model, v), collider.name);
      });
      add_triangles_around(start, v, trouble);
    }
  }
  return trouble;
}

/// All trouble of one kind.
StartTrouble find(const Start& start, StartTrouble::Kind kind) {
  switch (kind) {
    case StartTrouble::intersecting:
      return find_intersecting(start, false, {kind, "pairs of triangles that intersect"});
    case StartTrouble::borders_meet:
      return find_intersecting(start, true, {kind, "pairs of triangles on borders that intersect"});
    case StartTrouble::same_place:
      return find_same_place(start);
    case StartTrouble::thin:
      return find_thin(start);
    case StartTrouble::pinched:
      return find_pinched(start);
    case StartTrouble::turned_over:
      return find_turned_over(start);
    case StartTrouble::held_inside:
      return find_held_inside(start);
    case StartTrouble::pinned_inside:
      return find_inside(start, true, {kind, "pinned vertices inside colliders"});
    case StartTrouble::inside:
      return find_inside(start, false, {kind, "vertices inside colliders"});
    case StartTrouble::too_near:
      return find_too_near(start);
    case StartTrouble::on_body:
      return find_at_body(start, true, {kind, "vertices on the surface of colliders"});
    case StartTrouble::near_body:
      return find_at_body(start, false, {kind, "vertices nearer to colliders than they are kept from them"});
    case StartTrouble::in_mesh:
      return find_in_mesh(start);
    case StartTrouble::in_solid:
      return start.keeps_out ? find_in_solid(start) : find_cut(start);
    case StartTrouble::enclosed:
      break;
  }
  return find_enclosed(start);
}

std::vector<StartTrouble::Kind> all_kinds() {
  std::vector<StartTrouble::Kind> kinds;
  for (int k = 0; k <= StartTrouble::enclosed; ++k) kinds.push_back(static_cast<StartTrouble::Kind>(k));
  return kinds;
}

bool has(const std::vector<StartTrouble>& troubles, StartTrouble::Kind kind) {
  return std::any_of(troubles.begin(), troubles.end(), [&](const auto& t) { return t.kind == kind; });
}

bool is_refused(const Model& model, StartTrouble::Kind kind, bool keeps_out) {
  switch (kind) {
    case StartTrouble::intersecting:
      return model.self_collision.enabled;
    case StartTrouble::in_mesh:
      return true;
    case StartTrouble::pinned_inside:
    case StartTrouble::inside:
    case StartTrouble::in_solid:
    case StartTrouble::on_body:
      return keeps_out;
    default:
      return false;
  }
}

/// What there is, how many of them, and the first ones by name; if there are others, how many, and `where`.
std::string count_and_names(const StartTrouble& trouble, const char* where = "") {
  const auto shown = std::min<std::ptrdiff_t>(kNamedByRun, std::ssize(trouble.named));
  return fmt::format(
      "{} ({}): {}{}", trouble.what, trouble.count,
      fmt::join(trouble.named.begin(), trouble.named.begin() + shown, "; "),
      trouble.count > shown ? fmt::format("; and {} more{}", trouble.count - shown, where) : "");
}

/// All of a trouble with the start in one sentence.
std::string sentence(const StartTrouble& trouble) {
  return "the start has " + count_and_names(trouble, ", which `muslin check` lists");
}

/// What a person can do about a start that is refused.
std::string way_out(const Model& model, const StartTrouble& trouble, bool is_repaired) {
  std::vector<bool> is_pinned(model.vertex_count()), is_held(model.triangles.size());
  for (const PinnedVertex& pin : model.script.pins) is_pinned[pin.vertex] = true;
  for (const int t : trouble.triangles)
    for (const int v : model.triangles[t]) is_held[t] = is_held[t] || is_pinned[v];
  const auto held = std::count(is_held.begin(), is_held.end(), true);
  const std::string pins =
      held == 0 || trouble.kind == StartTrouble::pinned_inside
          ? ""
          : fmt::format("pins hold corners of {} of these triangles, and stay where they are; ", held);
  if (trouble.kind == StartTrouble::pinned_inside)
    return "pins stay where they are: move them, or the collider";
  if (is_repaired) return pins + "--repair could not draw it apart: move the cloth or the collider";
  return pins + "--repair draws it apart where that can be done";
}

[[noreturn]] void refuse(const StartTrouble& trouble, const std::string& sentence) {
  throw Error(ErrorKind::invalid,
              fmt::format("{}: cannot keep apart what {} already; {}",
                          trouble.kind == StartTrouble::intersecting ? "self_collision" : "colliders",
                          trouble.kind == StartTrouble::on_body ? "touches" : "intersects", sentence));
}

}  // namespace

std::vector<StartTrouble> find_start_troubles(const Model& model, const Points& positions, bool keeps_out,
                                              int named,
                                              const std::function<void(StartTrouble::Kind)>& begins) {
  expect_positions("check_start", positions, model.vertex_count());
  const Start start{model, model.script, positions, placed_at(model.colliders, 0), 0, keeps_out, named};
  std::vector<StartTrouble> troubles;
  for (const StartTrouble::Kind kind : all_kinds()) {
    // What meets a mesh is not wholly inside one.
    if (kind == StartTrouble::enclosed && has(troubles, StartTrouble::in_mesh)) continue;
    if (begins) begins(kind);
    if (StartTrouble trouble = find(start, kind); trouble.count > 0) troubles.push_back(std::move(trouble));
  }
  return troubles;
}

void refuse_start(const Model& model, const std::vector<StartTrouble>& troubles, bool keeps_out,
                  bool is_repaired) {
  for (const StartTrouble& trouble : troubles)
    if (is_refused(model, trouble.kind, keeps_out))
      refuse(trouble, sentence(trouble) + "; " + way_out(model, trouble, is_repaired));
}

std::vector<std::string> check_start(const Model& model, const Points& positions, bool keeps_out,
                                     bool is_repaired) {
  const std::vector<StartTrouble> troubles = find_start_troubles(model, positions, keeps_out, kNamedByRun);
  refuse_start(model, troubles, keeps_out, is_repaired);
  std::vector<std::string> warnings;
  for (const StartTrouble& trouble : troubles) warnings.push_back(sentence(trouble));
  return warnings;
}

std::vector<StartTrouble> find_room_troubles(const Model& model, const Controls& controls, const State& state,
                                             int named) {
  expect_positions("check_room", state.positions, model.vertex_count());
  if (!state.positions.allFinite())
    throw Error(ErrorKind::invalid, "the cloth is nowhere: its positions are no numbers");
  const Start start{
      model, controls, state.positions, placed_in(model, controls, state), state.time, /*keeps_out=*/true,
      named};
  std::vector<StartTrouble> troubles;
  for (const StartTrouble::Kind kind : all_kinds())
    if (is_refused(model, kind, start.keeps_out))
      if (StartTrouble trouble = find(start, kind); trouble.count > 0) troubles.push_back(std::move(trouble));
  return troubles;
}

void check_room(const Model& model, const Controls& controls, const State& state) {
  for (const StartTrouble& trouble : find_room_troubles(model, controls, state, kNamedByRun))
    refuse(trouble, fmt::format("at {:.4g} s there would be {}", state.time, count_and_names(trouble)));
}

}  // namespace muslin
