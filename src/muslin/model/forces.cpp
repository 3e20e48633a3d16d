#include "muslin/model/forces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>

#include "muslin/core/maths.h"
#include "muslin/core/parallel.h"
#include "muslin/core/random.h"

namespace muslin {

namespace {

// A unit vector whose direction is drawn evenly from the sphere.
Vec3 random_direction(std::uint64_t seed, std::uint64_t id) {
  const double z = 2 * random_unit(seed, id, 0) - 1;
  const double angle = 2 * std::numbers::pi * random_unit(seed, id, 1);
  const double r = std::sqrt(1 - z * z);
  return {r * maths::cos(angle), z, r * maths::sin(angle)};
}

// sin(angle) to 2·10⁻¹³ where |angle| < 10³ and to 4·10⁻¹¹ below 10⁶, with the same bits everywhere. The sine
// of core/maths.h is right to the last place; eight of them for every triangle and substep were a quarter of
// the time of a curtain in the wind. A polynomial in s = r² (least squares, weighted towards the largest
// error) where r is what is left of the nearest multiple of π, whose first 33 bits times such a multiple are
// exact.
double gust_sine(double angle) {
  constexpr double kToInteger = 0x1.8p52;  // added, leaves the nearest integer in the lowest bits
  constexpr double kPiHead = 0x1.921fb544p1, kPiTail = std::numbers::pi - kPiHead;
  constexpr double kOf[] = {0.999999999999671,       -0.16666666666152866,   0.008333333310286592,
                            -0.00019841265302114781, 2.7556860858132803e-06, -2.5027325767368325e-08,
                            1.537511784555079e-10};
  const double shifted = angle * std::numbers::inv_pi + kToInteger, n = shifted - kToInteger;
  const double r = std::clamp((angle - n * kPiHead) - n * kPiTail, -2.0, 2.0), s = r * r;
  double sum = kOf[6];
  for (int k = 5; k >= 0; --k) sum = kOf[k] + s * sum;
  std::uint64_t sign, value;
  double sine = r * sum;
  std::memcpy(&sign, &shifted, sizeof sign);
  std::memcpy(&value, &sine, sizeof value);
  value ^= sign << 63;  // of odd multiples
  std::memcpy(&sine, &value, sizeof sine);
  return sine;
}

// Drag along the flow and lift across it on one side of a thin plate of area A with normal n, for air that
// passes with relative velocity u: ½ρA (u·n) [C_D u + C_L (|u| n − (n·û) u)], n turned with the flow. [N]
Vec3 plate_force(const Wind& wind, double area, Vec3 normal, const Vec3& u) {
  const double speed = u.norm();
  if (speed == 0) return Vec3::Zero();
  if (normal.dot(u) < 0) normal = -normal;
  const double across = normal.dot(u);
  const Vec3 lift = speed * normal - (across / speed) * u;
  return 0.5 * wind.air_density * area * across * (wind.drag * u + wind.lift * lift);
}

// The force of the air on each vertex of one triangle [N].
Vec3 wind_force(const Model& model, const Wind& wind, const AirFlow& flow, const State& state, int t,
                double h) {
  const auto [a, b, c] = model.triangles[t];
  const auto column = [](const Points& points, int v) { return Vec3(points.col(v)); };
  const Vec3 xa = column(state.positions, a), xb = column(state.positions, b),
             xc = column(state.positions, c);
  const Vec3 cross = (xb - xa).cross(xc - xa);  // 2 A n
  const double twice_area = cross.norm();
  if (twice_area == 0) return Vec3::Zero();
  const Vec3 normal = cross / twice_area;
  if (wind.law == WindLaw::mosegaard) return cross * normal.dot(wind.pressure);

  const Vec3 air = flow.velocity((xa + xb + xc) / 3, state.time);
  const Vec3 velocity =
      (column(state.velocities, a) + column(state.velocities, b) + column(state.velocities, c)) / 3;
  const Vec3 relative = air - velocity;
  const Vec3 force = plate_force(wind, twice_area / 2, normal, relative);
  const double rate =
      relative.norm() > 0 ? force.norm() / (model.triangle_mass[t] * relative.norm()) : 0;  // [1/s]
  return force / (3 * std::max(1.0, h * rate));
}

}  // namespace

bool blows(const Wind& wind) {
  return wind.law == WindLaw::mosegaard ? wind.pressure != Vec3::Zero() : wind.air_density > 0;
}

bool is_windy(const Wind& wind) {
  return !wind.velocity.isZero(0) || wind.gust > 0 || !wind.pressure.isZero(0);
}

AirFlow::AirFlow(const Wind& wind, std::uint64_t seed) : mean_(wind.velocity) {
  if (wind.gust == 0) return;
  gusts_ = true;
  for (int w = 0; w < kWaves; ++w) {
    // Wavelengths from the gust length down to a quarter of it; a transverse wave has no divergence.
    const double wavelength = wind.gust_length / (1 + 3.0 * w / (kWaves - 1));
    const Vec3 wave_vector = 2 * std::numbers::pi / wavelength * random_direction(seed, 3 * w);
    const Vec3 sideways = wave_vector.cross(random_direction(seed, 3 * w + 1)).normalized();
    for (int axis = 0; axis < 3; ++axis) wave_vector_[axis][w] = wave_vector[axis];
    amplitude_[w] = wind.gust * std::sqrt(2.0 / kWaves) * sideways;
    rate_[w] = wave_vector.norm() * wind.gust;
    phase_[w] = 2 * std::numbers::pi * random_unit(seed, 3 * w + 2, 0);
  }
}

Vec3 AirFlow::velocity(const Vec3& place, double time) const {
  if (!gusts_) return mean_;
  const Vec3 in_the_air = place - mean_ * time;
  Numbers sines;
  for (int w = 0; w < kWaves; ++w)  // some waves at once, in vector registers
    sines[w] = gust_sine((wave_vector_[0][w] * in_the_air[0] + wave_vector_[1][w] * in_the_air[1] +
                          wave_vector_[2][w] * in_the_air[2]) +
                         rate_[w] * time + phase_[w]);
  Vec3 velocity = mean_;
  for (int w = 0; w < kWaves; ++w) velocity += sines[w] * amplitude_[w];
  return velocity;
}

Points external_acceleration(const Model& model, const Controls& controls, const State& state, double h) {
  Points acceleration = controls.gravity.replicate(1, model.vertex_count());
  if (controls.force.cols() > 0) acceleration += controls.force * model.mass.cwiseInverse().asDiagonal();
  const Wind& wind = controls.wind;
  if (!blows(wind)) return acceleration;
  const AirFlow flow(wind, model.seed);
  Points force(3, static_cast<int>(model.triangles.size()));
  parallel_for(static_cast<int>(model.triangles.size()),
               [&](int t) { force.col(t) = wind_force(model, wind, flow, state, t, h); });
  const Incidence& rows = model.triangle_incidence;
  parallel_for(model.vertex_count(), [&](int v) {
    for (int r = rows.begin[v]; r < rows.begin[v + 1]; ++r)
      acceleration.col(v) += force.col(rows.item[r]) / model.mass[v];
  });
  return acceleration;
}

}  // namespace muslin
