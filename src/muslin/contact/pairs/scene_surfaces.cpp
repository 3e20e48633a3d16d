#include "muslin/contact/pairs/scene_surfaces.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

#include "muslin/core/check.h"
#include "muslin/geometry/closed_surface.h"
#include "muslin/model/collider_shape.h"
#include "muslin/model/fastening.h"
#include "muslin/model/measure.h"

namespace muslin {

namespace {

// Half and double: docs/performance/constants.md; kThick alone matters to drape (0.4: +24 %).
constexpr double kThinnest = 0.01;  // thickness over the mean edge, at least: contact needs some
constexpr double kFinest = 0.03;    // edge of a round solid over its radius, at least
constexpr double kStandsOut =
    0.1;  // of what cloth keeps: by how much a mesh may stand out from a round shape
constexpr double kMostCorners = 20000;  // of a circle
constexpr double kThick = 0.2;  // thickness over the mean edge, below which cloth is thin for its mesh
constexpr double kStop = 50;    // m/h², h = 1/60 s, that contact is at least as stiff as

double edge_of(const Collider& collider, double mean_edge) {
  return std::max(mean_edge, kFinest * collider.radius);
}

/// The mesh of a round collider from which cloth keeps so much [m].
Mesh mesh_near(const Collider& collider, const ColliderShape& shape, double mean_edge, double kept) {
  const double corners = shape.corners ? std::ceil(shape.corners(collider, kStandsOut * kept)) : 0;
  if (corners > kMostCorners)
    throw Error(
        ErrorKind::invalid,
        fmt::format("colliders: {} \"{}\" of radius {:.4g} m is too large for cloth that keeps {:.3g} "
                    "mm from it; a margin of {:.2g} m or more would do, or a capsule or a plane",
                    name_of(collider.shape), collider.name, collider.radius, 1000 * kept,
                    kept * (corners / kMostCorners) * (corners / kMostCorners)));
  return shape.mesh(collider, edge_of(collider, mean_edge), static_cast<int>(corners));
}

/// Adds a collider to the surfaces, from which cloth keeps so much [m]; returns its first vertex.
int add_exact(const Collider& collider, double mean_edge, double kept, const Piece& piece,
              Surfaces& surfaces) {
  const ColliderShape& shape = shape_of(collider);
  switch (shape.contact) {
    case ContactSurface::ball:
      return surfaces.add_ball(collider.radius, collider.margin, piece);
    case ContactSurface::capsule:
      return surfaces.add_capsule(collider.radius, collider.length, collider.margin, piece);
    case ContactSurface::plane:
      return surfaces.add_plane(collider.margin, piece);
    case ContactSurface::mesh:
      break;
  }
  return surfaces.add(mesh_near(collider, shape, mean_edge, kept), collider.margin, piece);
}

/// Adds a mesh that encloses a collider: all that the repair of starts sees of it.
int add_enclosing(const Collider& collider, double mean_edge, const Piece& piece, Surfaces& surfaces) {
  return surfaces.add(shape_of(collider).mesh(collider, edge_of(collider, mean_edge), 0), collider.margin,
                      piece);
}

/// Half of what a cloth keeps [m], of this mean edge.
double half_thickness_of(const Model& model, const ClothRange& cloth, double edge) {
  return std::max({model.self_distance, cloth.thickness, kThinnest * edge}) / 2;
}

Mesh cloth_mesh(const Model& model, const ClothRange& cloth) {
  Mesh mesh;
  mesh.positions = model.start.middleCols(cloth.first_vertex, cloth.vertex_count);
  const auto first = model.triangles.begin() + cloth.first_triangle;
  for (auto t = first; t != first + cloth.triangle_count; ++t) {
    const auto& [a, b, c] = *t;
    mesh.triangles.push_back({a - cloth.first_vertex, b - cloth.first_vertex, c - cloth.first_vertex});
  }
  return mesh;
}

/// How far places are from the inside of a collider where it begins [m].
class Insides {
 public:
  Insides(const Model& model, int collider)
      : collider_(model.colliders[collider]),
        pose_(poses_at(model.colliders, 0)[collider]),
        mesh_(collider < std::ssize(model.collider_surfaces) ? model.collider_surfaces[collider].get()
                                                             : nullptr) {}

  /// A mesh that is open has no inside, nor does a plane that acts on both sides.
  bool exist() const {
    if (!collider_.enabled) return false;
    if (collider_.shape == Shape::mesh) return mesh_ != nullptr;
    return collider_.shape != Shape::plane || collider_.friction_law != FrictionLaw::cs184;
  }
  bool have(const Vec3& place) const {
    constexpr double kOnSurface = 1e-9;  // [m] what is nearer cannot be told from inside
    const Vec3 local = pose_.rotation.transpose() * (place - pose_.translation);
    if (!mesh_) return shape_of(collider_).surface(collider_, local).distance <= kOnSurface;
    return mesh_->may_be_within(kOnSurface, local) && mesh_->at(local).distance <= kOnSurface;
  }

 private:
  const Collider& collider_;
  Pose pose_;
  const ClosedSurface* mesh_;
};

/// One a vertex: the least vertex of the piece of cloth that it belongs to.
std::vector<int> first_of_pieces(const Model& model) {
  std::vector<int> first(model.vertex_count());
  std::iota(first.begin(), first.end(), 0);
  const auto root = [&](int v) {
    while (first[v] != v) v = first[v] = first[first[v]];
    return v;
  };
  for (const auto& [a, b] : model.edges) {
    const auto [low, high] = std::minmax({root(a), root(b)});
    first[high] = low;
  }
  for (int v = 0; v < model.vertex_count(); ++v) first[v] = root(v);
  return first;
}

/// Held vertices inside a collider, and the ends of held edges that dip into it.
std::vector<char> held_within(const Model& model, const std::vector<char>& is_held, const Points& x,
                              const Insides& insides) {
  constexpr int kParts = 8;  // of an edge, between which it is looked at
  std::vector<char> within(is_held.size());
  for (int v = 0; v < model.vertex_count(); ++v) within[v] = is_held[v] && insides.have(x.col(v));
  for (const auto& [a, b] : model.edges) {
    if (!is_held[a] || !is_held[b] || (within[a] && within[b])) continue;
    for (int k = 1; k < kParts; ++k)
      if (insides.have(x.col(a) + double(k) / kParts * (x.col(b) - x.col(a)))) within[a] = within[b] = 1;
  }
  return within;
}

}  // namespace

std::vector<Stencil<2>> held_inside(const Model& model, const Controls& controls) {
  std::vector<Stencil<2>> found;
  std::vector<char> is_held(model.vertex_count());
  for (const PinnedVertex& pin : controls.pins) is_held[pin.vertex] = controls.free.col(pin.vertex).isZero(0);
  if (std::find(is_held.begin(), is_held.end(), 1) == is_held.end()) return found;
  const Points x = initial_state(model).positions;
  std::vector<int> piece;
  for (int c = 0; c < static_cast<int>(model.colliders.size()); ++c) {
    const Insides insides(model, c);
    if (!insides.exist()) continue;
    const std::vector<char> within = held_within(model, is_held, x, insides);
    if (std::find(within.begin(), within.end(), 1) == within.end()) continue;
    if (piece.empty()) piece = first_of_pieces(model);
    std::vector<char> is_outside(model.vertex_count());  // of a piece by its first vertex
    for (int v = 0; v < model.vertex_count(); ++v)
      if (!is_outside[piece[v]]) is_outside[piece[v]] = !insides.have(x.col(v));
    for (int v = 0; v < model.vertex_count(); ++v)
      if (within[v] && is_outside[piece[v]]) found.push_back({v, c});
  }
  std::sort(found.begin(), found.end());
  return found;
}

SceneSurfaces::SceneSurfaces(const Model& model, const Controls& controls, Members members, Solids solids)
    : cloth_count_(members == Members::bodies ? 0 : model.vertex_count()) {
  const double edge = mean_edge(model);
  if (members != Members::bodies) add_cloth(model, controls, edge);
  if (members != Members::cloth) add_bodies(model, edge, solids);
  if (!surfaces_.sewn.empty()) surfaces_.sewn.resize(surfaces_.vertex_count(), 0);
  if (members == Members::all) note_held_inside(model, controls);
  if (members == Members::all) note_fastened(model, controls);
}

void SceneSurfaces::note_held_inside(const Model& model, const Controls& controls) {
  for (const auto& [vertex, collider] : held_inside(model, controls))
    for (const Body& body : bodies_)
      if (body.collider == collider) surfaces_.held_inside.push_back({vertex, surfaces_.piece[body.first]});
}

// What bodies carry is where it would be at the start, and so are they.
void SceneSurfaces::note_fastened(const Model& model, const Controls& controls) {
  std::vector<PinnedVertex> carried;
  for (const PinnedVertex& pin : controls.pins) {
    if (pin.fastening < 0) continue;
    for (const Body& body : bodies_)
      if (body.collider == controls.fastenings[pin.fastening].collider) {
        surfaces_.fastened.push_back({pin.vertex, surfaces_.piece[body.first]});
        carried.push_back(pin);
      }
  }
  if (carried.empty()) return;
  std::sort(surfaces_.fastened.begin(), surfaces_.fastened.end());
  const std::vector<Pose> poses = poses_at(model.colliders, 0);
  const Points places = places_of(model, controls, carried, poses, 0);
  surfaces_.together = model.start;
  surfaces_.together.conservativeResize(3, surfaces_.vertex_count());
  surfaces_.together.rightCols(surfaces_.vertex_count() - cloth_count_) = bodies_at(poses, 0);
  for (size_t k = 0; k < carried.size(); ++k) surfaces_.together.col(carried[k].vertex) = places.col(k);
}

void SceneSurfaces::add_cloth(const Model& model, const Controls& controls, double edge) {
  for (const ClothRange& cloth : model.cloths)
    surfaces_.add(cloth_mesh(model, cloth), half_thickness_of(model, cloth, edge),
                  {.body = false, .friction = model.self_collision.friction});
  for (int v = 0; v < cloth_count_; ++v)  // regions may be thicker
    surfaces_.half_thickness[v] = std::max(surfaces_.half_thickness[v], model.half_thickness[v]);
  for (int v = 0; v < cloth_count_; ++v) surfaces_.moves[v] = !controls.free.col(v).isZero();
  for (const PinnedVertex& pin : controls.pins)
    if (moves(model, controls, pin)) surfaces_.moves[pin.vertex] = 1;
  surfaces_.fastened = model.attached;  // a cloth's piece has its number
  if (!model.attached.empty()) surfaces_.together = model.start;
  surfaces_.friction = model.friction;
  surfaces_.cloth_meets_cloth = model.self_collision.enabled;
  surfaces_.sewn = model.is_sewn;
}

void SceneSurfaces::add_bodies(const Model& model, double edge, Solids solids) {
  double half = kInfinity;
  for (const ClothRange& cloth : model.cloths) half = std::min(half, half_thickness_of(model, cloth, edge));
  for (int c = 0; c < static_cast<int>(model.colliders.size()); ++c) {
    const Collider& collider = model.colliders[c];
    if (!collider.enabled) continue;
    const Piece piece{.body = true, .friction = collider.friction};
    const int first = solids == Solids::exact
                          ? add_exact(collider, edge, half + collider.margin, piece, surfaces_)
                          : add_enclosing(collider, edge, piece, surfaces_);
    std::fill(surfaces_.moves.begin() + first, surfaces_.moves.end(), moves(collider));
    bodies_.push_back({c, first, surfaces_.vertex_count() - first,
                       collider.frames ? std::optional(collider) : std::nullopt});
  }
}

Points SceneSurfaces::bodies_at(const std::vector<Pose>& poses, double time) const {
  Points places(3, surfaces_.vertex_count() - cloth_count_);
  for (const Body& body : bodies_) {
    const Pose& pose = poses[body.collider];
    const Points shape = body.deforming ? shape_at(*body.deforming, time)
                                        : Points(surfaces_.rest.middleCols(body.first, body.count));
    places.middleCols(body.first - cloth_count_, body.count) =
        (pose.rotation * shape).colwise() + pose.translation;
  }
  return places;
}

PlacedColliders SceneSurfaces::placed_by(const Points& bodies, PlacedColliders placed) const {
  for (const Body& body : bodies_) {
    Pose& pose = placed.poses[body.collider];
    Points& shape = placed.shapes[body.collider];
    const Points to = bodies.middleCols(body.first - cloth_count_, body.count);
    const Points from =
        (pose.rotation * (body.deforming ? shape : Points(surfaces_.rest.middleCols(body.first, body.count))))
            .colwise() +
        pose.translation;
    if (from == to) continue;
    if (body.deforming) {
      shape = pose.rotation.transpose() * (to.colwise() - pose.translation);
    } else {
      const Eigen::Affine3d moved(Eigen::umeyama(from, to, /*with_scaling=*/false));
      pose = {moved.linear() * pose.rotation, moved * pose.translation};
    }
  }
  return placed;
}

PlacedColliders placed_in(const Model& model, const Controls& controls, const State& state) {
  PlacedColliders placed = placed_at(model.colliders, state.time, controls.collider_offset);
  if (state.blocked.cols() == 0) return placed;
  const SceneSurfaces bodies(model, controls, Members::bodies);
  const bool is_theirs = state.blocked.cols() == bodies.surfaces().vertex_count();
  return is_theirs ? bodies.placed_by(state.blocked, std::move(placed)) : placed;
}

int SceneSurfaces::collider_of(int vertex) const {
  const auto after = std::upper_bound(bodies_.begin(), bodies_.end(), vertex,
                                      [](int v, const Body& body) { return v < body.first; });
  MUSLIN_ASSERT(after != bodies_.begin());
  return std::prev(after)->collider;
}

double contact_stiffness(const Model& model, double thickness) {
  double sum = 0;
  int count = 0;
  model.energies.each([&](const auto& energy) {
    if constexpr (is_membrane<typename std::decay_t<decltype(energy)>::Element>())
      for (int e = 0; e < energy.size(); ++e, ++count) sum += energy[e].majorant().diagonal().maxCoeff();
  });
  const double stop = kStop * model.mass.mean() * 3600;
  return std::max(count > 0 ? sum / count : 0, stop) * std::max(1.0, kThick * mean_edge(model) / thickness);
}

}  // namespace muslin
