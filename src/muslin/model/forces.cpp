#include "muslin/model/forces.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "muslin/core/parallel.h"
#include "muslin/model/wind/air_flow.h"

namespace muslin {

namespace {

// [Mosegaard] The pressure along the normal n times twice the area, on each vertex of triangle t [N].
Vec3 pressure_force(const Model& model, const Vec3& pressure, const Points& positions, int t) {
  const auto [a, b, c] = model.triangles[t];
  const Vec3 xa = positions.col(a), xb = positions.col(b), xc = positions.col(c);
  const Vec3 cross = (xb - xa).cross(xc - xa);  // 2 A n
  const double twice_area = cross.norm();
  if (twice_area == 0) return Vec3::Zero();
  return cross * (cross / twice_area).dot(pressure);
}

// The force of the air on each vertex of every triangle [N].
Points wind_forces(const Model& model, const Wind& wind, const State& state, double h) {
  const int count = static_cast<int>(model.triangles.size());
  Points force(3, count);
  if (wind.law == WindLaw::mosegaard) {
    parallel_for(count,
                 [&](int t) { force.col(t) = pressure_force(model, wind.pressure, state.positions, t); });
    return force;
  }
  const WindJob job{AirFlow(wind, model.seed).waves(),
                    state.time,
                    h,
                    wind.air_density,
                    wind.drag,
                    wind.lift,
                    state.positions.data(),
                    state.velocities.data(),
                    model.triangles.data()->data(),
                    model.triangle_mass.data()};
  const WindKernels& kernels = wind_kernels();
  const int chunks = (count + kGrain - 1) / kGrain;
  parallel_for(
      chunks,
      [&](int c) {
        const int first = c * kGrain;
        kernels.forces(job, first, std::min(count, first + kGrain), force.col(first).data());
      },
      1);
  return force;
}

}  // namespace

bool blows(const Wind& wind) {
  return wind.law == WindLaw::mosegaard ? wind.pressure != Vec3::Zero() : wind.air_density > 0;
}

bool is_windy(const Wind& wind) {
  return !wind.velocity.isZero(0) || wind.gust > 0 || !wind.pressure.isZero(0);
}

Points external_acceleration(const Model& model, const Controls& controls, const State& state, double h) {
  Points acceleration = controls.gravity.replicate(1, model.vertex_count());
  if (controls.force.cols() > 0) acceleration += controls.force * model.mass.cwiseInverse().asDiagonal();
  const Wind& wind = controls.wind;
  if (!blows(wind)) return acceleration;
  const Points force = wind_forces(model, wind, state, h);
  const Incidence& rows = model.triangle_incidence;
  parallel_for(model.vertex_count(), [&](int v) {
    for (int r = rows.begin[v]; r < rows.begin[v + 1]; ++r)
      acceleration.col(v) += force.col(rows.item[r]) / model.mass[v];
  });
  return acceleration;
}

}  // namespace muslin
