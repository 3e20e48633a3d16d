#pragma once
#include "muslin/core/lane_vectors.h"
#include "muslin/core/simd_register.h"
#include "muslin/model/wind/wind_kernels.h"

// Included by one file for every instruction set, which alone instantiates it for its width. Nothing here may
// be a plain inline function: the linker would keep one copy for all processors.

namespace muslin {

/// W places or triangles side by side.
template <int W>
struct WindLanes {
  using Lanes = typename DoublesOf<W>::Type;
  using Bits = typename DoublesOf<W>::Integers;
  using Vector = LaneVectors<Lanes>;

  static void flow(const AirWaves& air, double time, const double* places, int count, double* velocities) {
    for (int p = 0; p < count; p += W) {
      const Vector place = load(places, [&](int lane) { return at(p + lane, count); });
      store(velocity(air, time, place), p, count, velocities);
    }
  }

  static void forces(const WindJob& job, int first, int last, double* forces) {
    for (int t = first; t < last; t += W) {
      int triangles[W];
      for (int k = 0; k < W; ++k) triangles[k] = at(t + k, last);
      store(force(job, triangles), t - first, last - first, forces);
    }
  }

 private:
  /// The last again in lanes beyond it.
  static int at(int index, int end) { return index < end ? index : end - 1; }

  /// Those of `index(lane)`, three numbers each.
  template <class Index>
  static Vector load(const double* numbers, const Index& index) {
    Vector vectors = {};
    for (int k = 0; k < W; ++k) vectors.set(k, numbers + 3 * index(k));
    return vectors;
  }
  static void store(const Vector& vectors, int first, int count, double* numbers) {
    for (int k = 0; k < W && first + k < count; ++k) {
      numbers[3 * (first + k)] = vectors.x[k];
      numbers[3 * (first + k) + 1] = vectors.y[k];
      numbers[3 * (first + k) + 2] = vectors.z[k];
    }
  }

  static Lanes all(double number) { return Lanes{} + number; }
  static Vector quotient(const Vector& v, const Lanes& by) { return {v.x / by, v.y / by, v.z / by}; }
  static Lanes length(const Vector& v) { return root_of(dot(v, v)); }

  /// Drag along the flow and lift across it on one side of a thin plate of area A with normal n, for air that
  /// passes with relative velocity u: ½ρA (u·n) [C_D u + C_L (|u| n − (n·û) u)], n turned with the flow,
  /// weakened so that a step brings a triangle at most to the speed of the air. Each vertex has a third.
  static Vector force(const WindJob& job, const int (&triangles)[W]) {
    // 1. The triangles
    Vector x[3], v[3];
    for (int corner = 0; corner < 3; ++corner) {
      const auto vertex = [&](int lane) { return job.triangles[3 * triangles[lane] + corner]; };
      x[corner] = load(job.positions, vertex);
      v[corner] = load(job.velocities, vertex);
    }
    Lanes mass = {};
    for (int k = 0; k < W; ++k) mass[k] = job.mass[triangles[k]];
    const Vector across = cross(x[1] - x[0], x[2] - x[0]);  // 2 A n
    const Lanes twice_area = length(across), three = all(3);

    // 2. The air that passes them
    const Vector air = velocity(job.air, job.time, quotient(x[0] + x[1] + x[2], three));
    const Vector u = air - quotient(v[0] + v[1] + v[2], three);
    const Lanes speed = length(u);

    // 3. The force
    Vector normal = quotient(across, twice_area);
    const Vector turned = -all(1) * normal;
    normal = choose(dot(normal, u) < 0, turned, normal);
    const Lanes along = dot(normal, u);
    const Vector lift = speed * normal - (along / speed) * u;
    const Lanes half_flow = 0.5 * job.density * (twice_area / 2) * along;  // [kg/s]
    const Vector whole = half_flow * (all(job.drag) * u + all(job.lift) * lift);

    // 4. No more than a step takes to the speed of the air
    const Lanes part = job.h * (length(whole) / (mass * speed)), one = all(1);
    const Vector third = quotient(whole, 3 * (one < part ? part : one));
    return choose((twice_area != 0) & (speed != 0), third, Vector{});
  }

  static Vector velocity(const AirWaves& air, double time, const Vector& place) {
    Vector sum = {all(air.mean[0]), all(air.mean[1]), all(air.mean[2])};
    if (!air.blow) return sum;
    const Vector in_the_air = {place.x - air.mean[0] * time, place.y - air.mean[1] * time,
                               place.z - air.mean[2] * time};
    for (int w = 0; w < AirWaves::kCount; ++w) {
      const Lanes wave = sine((air.wave_vector[0][w] * in_the_air.x + air.wave_vector[1][w] * in_the_air.y +
                               air.wave_vector[2][w] * in_the_air.z) +
                              air.rate[w] * time + air.phase[w]);
      sum.x += wave * air.amplitude[0][w];
      sum.y += wave * air.amplitude[1][w];
      sum.z += wave * air.amplitude[2][w];
    }
    return sum;
  }

  /// sin(angle) to 2·10⁻¹³ where |angle| < 10³ and to 4·10⁻¹¹ below 10⁶, with the same bits everywhere. The
  /// sine of core/maths.h is right to the last place; eight of them for every triangle and substep were a
  /// quarter of the time of a curtain in the wind. A polynomial in s = r² (least squares, weighted towards
  /// the largest error) where r is what is left of the nearest multiple of π, whose first 33 bits times such
  /// a multiple are exact.
  static Lanes sine(const Lanes& angle) {
    constexpr double kPi = 3.14159265358979323846, kInversePi = 0.318309886183790671538;
    constexpr double kToInteger = 0x1.8p52;  // added, leaves the nearest integer in the lowest bits
    constexpr double kPiHead = 0x1.921fb544p1, kPiTail = kPi - kPiHead;
    constexpr double kOf[] = {0.999999999999671,       -0.16666666666152866,   0.008333333310286592,
                              -0.00019841265302114781, 2.7556860858132803e-06, -2.5027325767368325e-08,
                              1.537511784555079e-10};
    const Lanes shifted = angle * kInversePi + kToInteger, n = shifted - kToInteger;
    Lanes r = (angle - n * kPiHead) - n * kPiTail;
    r = r < -2.0 ? all(-2) : r > 2.0 ? all(2) : r;
    const Lanes s = r * r;
    Lanes sum = all(kOf[6]);
    for (int k = 5; k >= 0; --k) sum = kOf[k] + s * sum;
    const Bits sign = reinterpret_cast<Bits>(shifted) << 63;  // of odd multiples
    return reinterpret_cast<Lanes>(reinterpret_cast<Bits>(r * sum) ^ sign);
  }
};

template <int W>
constexpr WindKernels make_wind_kernels() {
  return {WindLanes<W>::flow, WindLanes<W>::forces};
}

}  // namespace muslin
