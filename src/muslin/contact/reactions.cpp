#include "muslin/contact/reactions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <memory>

#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/contact/vertices/posed_surface.h"
#include "muslin/core/parallel.h"
#include "muslin/energy/energies.h"
#include "muslin/geometry/bvh.h"
#include "muslin/geometry/distance.h"
#include "muslin/model/forces.h"
#include "muslin/model/measure.h"

namespace muslin {

namespace {

// A mesh that is not closed, in its collider's frame.
class OpenSurface {
 public:
  OpenSurface(const Points& vertices, const std::vector<Stencil<3>>& triangles)
      : vertices_(vertices), triangles_(triangles), tree_(boxes()) {}

  // The nearest place within a reach [m]; infinitely far without any. The normal looks to `place`.
  SurfacePoint at(const Vec3& place, double reach) const {
    SurfacePoint found{kInfinity, Vec3::UnitY()};
    tree_.visit_leaves_within(reach, place, [&](int leaf) {
      const int last = std::min<int>(4 * leaf + 4, static_cast<int>(tree_.order().size()));
      for (int k = 4 * leaf; k < last; ++k) {
        Quad pair;
        pair.col(0) = place;
        for (int c = 0; c < 3; ++c) pair.col(c + 1) = vertices_.col(triangles_[tree_.order()[k]][c]);
        const Closest closest = closest_points(PairKind::point_triangle, pair);
        if (closest.distance < found.distance) found = {closest.distance, closest.normal};
      }
      return std::min(reach, found.distance);
    });
    return found;
  }

 private:
  std::vector<Box> boxes() const {
    std::vector<Box> all;
    for (const Stencil<3>& triangle : triangles_) {
      Box box = Box::nothing();
      for (const int v : triangle) box.include(vertices_.col(v));
      all.push_back(box);
    }
    return all;
  }

  Points vertices_;
  const std::vector<Stencil<3>>& triangles_;
  BoxTree tree_;
};

// The forces that nothing but elasticity explains [N].
Points inelastic(const Model& model, const Controls& controls, const State& state, const Points& acceleration,
                 double h) {
  Points force = -external_acceleration(model, controls, state, h) + model.damping * state.velocities;
  if (acceleration.cols() > 0) force += acceleration;
  force = force * model.mass.asDiagonal();
  Scratch scratch;
  if (controls.pulls.size() > 0) add_gradient(controls.pulls, state.positions, scratch, force);
  return force;
}

// Adds the gradient of the elastic energy at a vertex [N].
void add_gradient_at(const Energies& energies, const Points& x, int v, Points& force) {
  energies.each([&](const auto& energy) {
    if (energy.size() == 0) return;
    const Incidence& rows = energy.elements().incidence;
    for (int r = rows.begin[v]; r < rows.begin[v + 1]; ++r)
      force.col(v) +=
          energy[rows.item[r]].gradient(gather(x, energy.vertices(rows.item[r]))).col(rows.slot[r]);
  });
}

// Takes the forces along held axes out of `force`.
std::vector<PinReaction> take_reactions(const Controls& controls, Points& force) {
  std::vector<PinReaction> groups(controls.pin_motions.size());
  for (const PinnedVertex& pin : controls.pins) {
    PinReaction& group = groups[pin.motion];
    ++group.vertices;
    group.reaction += pin.fixed.cwiseProduct(force.col(pin.vertex));
  }
  for (const PinnedVertex& pin : controls.pins)
    force.col(pin.vertex) = (Vec3::Ones() - pin.fixed).cwiseProduct(force.col(pin.vertex));
  return groups;
}

struct Nearest {
  double distance = kInfinity;  // less what is kept of thickness and margin [m]
  Vec3 normal = Vec3::UnitY();
};

// How far every vertex is from every collider, and which colliders cloth lies on.
struct Distances {
  std::vector<std::vector<Nearest>> nearest;  // [collider][vertex]; empty: not enabled
  std::vector<char> bears;                    // one a collider
  Scalars edges;                              // mean length about every vertex [m]

  bool any_bears() const { return std::count(bears.begin(), bears.end(), 1) > 0; }
};

Distances measure_distances(const Model& model, const Controls& controls, const State& state) {
  const int count = static_cast<int>(model.colliders.size()), vertices = model.vertex_count();
  Distances distances{std::vector<std::vector<Nearest>>(count), std::vector<char>(count, 0), {}};
  std::vector<std::vector<Nearest>>& nearest = distances.nearest;
  std::vector<char>& bears = distances.bears;
  if (std::none_of(model.colliders.begin(), model.colliders.end(),
                   [](const Collider& c) { return c.enabled; }))
    return distances;
  const PlacedColliders placed = placed_in(model, controls, state);
  const Scalars& edges = distances.edges = mean_edge_about_vertices(model);
  const double reach = edges.size() > 0 ? edges.maxCoeff() : 0;
  for (int c = 0; c < count; ++c) {
    const Collider& collider = model.colliders[c];
    if (!collider.enabled) continue;
    nearest[c].resize(vertices);
    const PosedSurface surface(collider, surface_in_shape(model, c, placed.shapes[c]), placed.poses[c]);
    std::unique_ptr<OpenSurface> open;
    if (collider.mesh && !model.collider_surfaces[c])
      open = std::make_unique<OpenSurface>(placed.shapes[c], collider.mesh->mesh->triangles);
    const Pose& pose = placed.poses[c];
    parallel_for(vertices, [&](int v) {
      const Vec3 place = state.positions.col(v);
      const double kept = collider.margin + model.half_thickness[v];
      SurfacePoint found = surface.at(place);
      if (open) {
        found = open->at(pose.rotation.transpose() * (place - pose.translation), kept + 4 * reach);
        found.normal = pose.rotation * found.normal;
      }
      nearest[c][v] = {found.distance - kept, found.normal};
    });
    for (int v = 0; v < vertices; ++v)
      if (nearest[c][v].distance < edges[v]) bears[c] = 1;
  }
  return distances;
}

std::vector<ColliderLoad> share_among_colliders(const Distances& distances, const Points& force) {
  const auto& [nearest, bears, edges] = distances;
  const int count = static_cast<int>(bears.size()), vertices = static_cast<int>(force.cols());
  std::vector<ColliderLoad> loads(count);
  if (!distances.any_bears()) return loads;
  for (int v = 0; v < vertices; ++v) {
    int best = -1;
    for (int c = 0; c < count; ++c)
      if (bears[c] && (best < 0 || nearest[c][v].distance < nearest[best][v].distance)) best = c;
    if (best < 0 || nearest[best][v].distance == kInfinity) continue;
    const Vec3 on_collider = -force.col(v), normal = nearest[best][v].normal;
    const Vec3 along = normal.dot(on_collider) * normal;
    loads[best].vertices += nearest[best][v].distance < edges[v];
    loads[best].normal += along;
    loads[best].friction += on_collider - along;
  }
  return loads;
}

}  // namespace

Reactions measure_reactions(const Model& model, const Controls& controls, const State& state,
                            const Points& acceleration, double h) {
  Reactions result;
  result.vertices = inelastic(model, controls, state, acceleration, h);
  Scratch scratch;
  add_elastic_gradient(model.energies, state.positions, scratch, result.vertices);
  Points contact = result.vertices;
  result.pins = take_reactions(controls, contact);
  result.colliders = share_among_colliders(measure_distances(model, controls, state), contact);
  return result;
}

Reactions measure_loads(const Model& model, const Controls& controls, const State& state,
                        const Points& acceleration, double h) {
  const Distances distances = measure_distances(model, controls, state);
  Reactions result;
  if (!distances.any_bears() && controls.pins.empty()) {
    result.pins.resize(controls.pin_motions.size());
    result.colliders.resize(distances.bears.size());
    return result;
  }
  Points force = inelastic(model, controls, state, acceleration, h);
  Scratch scratch;
  if (distances.any_bears() || 4 * controls.pins.size() > static_cast<std::size_t>(model.vertex_count()))
    add_elastic_gradient(model.energies, state.positions, scratch, force);
  else
    for (const PinnedVertex& pin : controls.pins)
      add_gradient_at(model.energies, state.positions, pin.vertex, force);
  result.pins = take_reactions(controls, force);
  result.colliders = share_among_colliders(distances, force);
  return result;
}

Scalars triangle_tension(const Model& model, const Points& positions) {
  std::vector<Mat3> virial(model.vertex_count(), Mat3::Zero());
  const auto add = [&](const auto& energy, const auto& counts) {
    for (int e = 0; e < energy.size(); ++e) {
      if (!counts(e)) continue;
      const auto stencil = energy.vertices(e);
      const auto x = gather(positions, stencil);
      const auto gradient = energy[e].gradient(x);
      const Mat3 whole = (x.colwise() - Vec3(x.col(0))) * gradient.transpose();
      for (const int v : stencil) virial[v] += whole / static_cast<double>(stencil.size());
    }
  };
  const Energies& energies = model.energies;
  add(energies.springs, [&](int s) { return energies.springs[s].shape.kind != SpringClass::bend; });
  add(energies.baraff_witkin, [](int) { return true; });
  add(energies.stvk, [](int) { return true; });

  const int count = static_cast<int>(model.triangles.size());
  Scalars area = Scalars::Zero(model.vertex_count());
  for (const auto& [a, b, c] : model.triangles) {
    const Vec3 first = positions.col(b) - positions.col(a), second = positions.col(c) - positions.col(a);
    for (const int v : {a, b, c}) area[v] += first.cross(second).norm() / 6;
  }
  Scalars tension(count);
  for (int t = 0; t < count; ++t) {
    const auto [a, b, c] = model.triangles[t];
    Mat3 stress = Mat3::Zero();
    for (const int v : {a, b, c})
      if (area[v] > 0) stress += virial[v] / (3 * area[v]);
    // In the triangle's plane: the third principal value, about 0, is none of its.
    const Vec3 along = (positions.col(b) - positions.col(a)).normalized();
    const Vec3 normal =
        (positions.col(b) - positions.col(a)).cross(positions.col(c) - positions.col(a)).normalized();
    Eigen::Matrix<double, 3, 2> plane;
    plane << along, normal.cross(along);
    const Eigen::Matrix2d within = plane.transpose() * (stress + stress.transpose()) / 2 * plane;
    tension[t] =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(within, Eigen::EigenvaluesOnly).eigenvalues()[1];
  }
  return tension;
}

}  // namespace muslin
