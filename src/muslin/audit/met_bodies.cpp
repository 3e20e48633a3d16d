#include "muslin/audit/met_bodies.h"

#include <algorithm>
#include <cmath>

#include "muslin/audit/bodies.h"
#include "muslin/audit/names.h"
#include "muslin/audit/solids.h"
#include "muslin/audit/surface.h"
#include "muslin/contact/pairs/touching.h"
#include "muslin/model/collider_shape.h"

namespace muslin {

namespace {

/// Adds the triangles that meet those of colliders that contact sees as meshes.
void add_by_triangles(const Model& model, const SceneSurfaces& scene, const Points& places,
                      std::vector<MetBody>& met) {
  const Surfaces& surfaces = scene.surfaces();
  std::vector<Stencil<3>> triangles;
  for (const Stencil<3>& triangle : surfaces.triangles)
    if (surfaces.pieces[surfaces.piece[triangle[0]]].frame < 0) triangles.push_back(triangle);
  Surface surface = make_surface(surfaces.vertex_count(), triangles);
  surface.cloth_vertices = scene.cloth_count();
  surface.cloth_meets_cloth = false;
  for (const auto& [first, second] : intersecting_pairs(surface, places)) {
    const int collider = scene.collider_of(triangles[second][0]);
    if (model.colliders[collider].shape == Shape::mesh) continue;
    met.push_back({first, collider, meeting_place(places, triangles[first], triangles[second])});
  }
}

/// Adds what is wholly inside the mesh of a round collider, which stands out from it a little, or on its
/// surface.
void add_enclosed(const Model& model, const SceneSurfaces& scene, const Points& places,
                  const PlacedColliders& placed, std::vector<MetBody>& met) {
  const std::vector<Stencil<3>>& all = scene.surfaces().triangles;
  for (int c = 0; c < static_cast<int>(model.colliders.size()); ++c) {
    const Collider& collider = model.colliders[c];
    if (!collider.enabled || !shape_of(collider).stands_out()) continue;
    const auto gap = [&](int v) { return -depth_inside(collider, placed.poses[c], places.col(v)); };
    std::vector<Stencil<3>> triangles;
    double stands_out = kSurfaceRounding;
    for (const Stencil<3>& triangle : all) {
      if (triangle[0] < scene.cloth_count() || scene.collider_of(triangle[0]) != c) continue;
      triangles.push_back(triangle);
      for (const int v : triangle) stands_out = std::max(stands_out, gap(v));
    }
    for (int v = 0; v < scene.cloth_count(); ++v)
      if (gap(v) <= stands_out && std::abs(winding_number(places, triangles, places.col(v))) > 0.25)
        met.push_back({model.triangle_incidence.item[model.triangle_incidence.begin[v]], c, places.col(v)});
  }
}

/// A triangle with all of these vertices of cloth.
int triangle_of(const Model& model, const std::vector<int>& vertices) {
  const Incidence& around = model.triangle_incidence;
  for (int k = around.begin[vertices[0]]; k < around.begin[vertices[0] + 1]; ++k) {
    const Stencil<3>& triangle = model.triangles[around.item[k]];
    if (std::all_of(vertices.begin(), vertices.end(),
                    [&](int v) { return std::find(triangle.begin(), triangle.end(), v) != triangle.end(); }))
      return around.item[k];
  }
  return -1;
}

/// Adds the triangles that cut colliders between their vertices.
void add_cutting(const Model& model, const Points& positions, const PlacedColliders& placed,
                 std::vector<MetBody>& met) {
  for (const CutTriangle& cut : triangles_cutting(model.colliders, placed.poses, positions, model.triangles))
    met.push_back({cut.triangle, cut.collider, cut.place});
}

/// Adds the triangles that touch planes and round colliders.
void add_by_distance(const Model& model, const SceneSurfaces& scene, const Points& places,
                     std::vector<MetBody>& met) {
  for (const auto& [vertices, collider] : find_touching(scene, places))
    met.push_back({triangle_of(model, vertices), collider, places.col(vertices[0])});
}

}  // namespace

std::vector<MetBody> find_met_bodies(const Model& model, const Points& positions,
                                     const PlacedColliders& placed, double time) {
  std::vector<MetBody> met;
  const auto is_solid = [](const Collider& c) { return c.enabled && c.shape != Shape::mesh; };
  if (std::none_of(model.colliders.begin(), model.colliders.end(), is_solid)) return met;
  const SceneSurfaces scene(model);
  Points places(3, scene.surfaces().vertex_count());
  places << positions, scene.bodies_at(placed.poses, time);
  add_by_triangles(model, scene, places, met);
  add_enclosed(model, scene, places, placed, met);
  add_cutting(model, positions, placed, met);
  add_by_distance(model, scene, places, met);
  const auto number = [](const MetBody& m) { return std::pair(m.triangle, m.collider); };
  std::stable_sort(met.begin(), met.end(),
                   [&](const MetBody& a, const MetBody& b) { return number(a) < number(b); });
  met.erase(std::unique(met.begin(), met.end(),
                        [&](const MetBody& a, const MetBody& b) { return number(a) == number(b); }),
            met.end());
  return met;
}

}  // namespace muslin
