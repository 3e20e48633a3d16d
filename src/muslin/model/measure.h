#pragma once
#include <optional>

#include "muslin/model/model.h"

// What is measured of a state to judge it.

namespace muslin {

/// Strain |x₁−x₀|/L − 1 over the edges of the mesh.
struct Strain {
  double max = 0;   ///< largest
  double p99 = 0;   ///< 99th percentile (nearest rank)
  double mean = 0;  ///< mean of the absolute value
};
/// The strain of all edges at these positions [m], 3×n; not finite where any position is not.
Strain edge_strain(const Model& model, const Points& positions);

/// The largest strain of warp and weft over their limit: beyond 1 it is passed. Nothing without limits.
std::optional<double> limit_ratio(const Model& model, const Points& positions);

/// An edge a hundred times too long has blown up, though it be finite.
inline constexpr double kAbsurdStrain = 100;

/// The largest change of an edge's strain between two states.
double stretch_change(const Model& model, const Points& before, const Points& after);

double kinetic_energy(const Model& model, const Points& velocities);  ///< [J]
/// −Σ m g·x [J]
double potential_energy(const Model& model, const Vec3& gravity, const Points& positions);
Vec3 center_of_mass(const Model& model, const Points& positions);  ///< [m]

/// Mean length of all edges at rest [m].
double mean_edge(const Model& model);

// --- of every vertex ---------------------------------------------------------------------------------

/// Mean length at rest of the edges about a vertex [m]; 0 where there are none.
Scalars mean_edge_about_vertices(const Model& model);

/// The largest principal strain about a vertex: the mean of its triangles' by their areas at rest.
Scalars principal_strain(const Model& model, const Points& positions);

/// [m/s]
Scalars speed(const Points& velocities);

/// Energy of bending per area at rest [J/m²]: a third of every triangle's elements, half of every bend
/// spring.
Scalars bending_density(const Model& model, const Points& positions);

/// Elastic energy per area at rest [J/m²]: elements of triangles and plates by thirds, springs by halves.
Scalars elastic_density(const Model& model, const Points& positions);

// --- of the whole ------------------------------------------------------------------------------------

/// Nothing holds the cloth and gravity alone moves it: its centre of mass must follow free_fall.
bool falls_freely(const Controls& controls);

/// Centre of mass [m] of the unheld cloth at a time, exactly: v̇ = g − c v with the scene's damping c.
Vec3 free_fall(const Model& model, const Vec3& gravity, double time);

}  // namespace muslin
