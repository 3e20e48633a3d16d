#include "muslin/energy/hinge_loops.h"

#include "muslin/core/simd.h"
#include "muslin/energy/hinge_kernels.h"

namespace muslin {

const HingeKernels& hinge_kernels() {
  return widest_of(KernelsBySimd<HingeKernels>{plain_hinge_kernels(), avx2_hinge_kernels(), nullptr});
}

namespace {

// run(job, first, last, numbers) for all hinges, in chunks.
void for_hinges(void (*run)(const HingeJob&, int, int, double*), const PlateHinges& hinges, const Points& x,
                double* numbers) {
  if (hinges.size() == 0) return;
  const HingeJob job{x.data(), hinges.vertices.data()->data(), maths::atan2};
  const int chunks = (hinges.size() + kGrain - 1) / kGrain;
  parallel_for(
      chunks, [&](int c) { run(job, c * kGrain, std::min(hinges.size(), (c + 1) * kGrain), numbers); }, 1);
}

// E = ½ φᵀ Q φ of element e, and its moments Q φ, from the angles of all hinges, angle(h).
template <class Angle>
double bend(const DihedralEnergy& energy, int e, const Angle& angle, Vec3& moments) {
  const Stencil<3>& hinges = energy.shared().of_element[e];
  const auto element = energy[e];
  Vec3 bent = Vec3::Zero();
  for (int k = 0; k < 3; ++k)
    if (hinges[k] >= 0) bent[k] = angle(hinges[k]) - element.rest[k];
  moments = element.stiffness * bent;
  return 0.5 * bent.dot(moments);
}

}  // namespace

double total_value(const DihedralEnergy& energy, const Points& x) {
  const PlateHinges& hinges = energy.shared();
  std::vector<double> angles(hinges.size());
  for_hinges(hinge_kernels().angles, hinges, x, angles.data());
  return parallel_sum(energy.size(), 0.0, [&](int e) {
    Vec3 moments;
    return bend(
        energy, e, [&](int h) { return angles[h]; }, moments);
  });
}

void add_gradient(const DihedralEnergy& energy, const Points& x, Scratch& scratch, Points& gradient) {
  add_value_and_gradient(energy, x, scratch, gradient);
}

// ∂E/∂x = Σ over hinges of ∂θ/∂x times the moments of all elements about it.
double add_value_and_gradient(const DihedralEnergy& energy, const Points& x, Scratch& scratch,
                              Points& gradient) {
  const PlateHinges& hinges = energy.shared();
  const int count = hinges.size();
  if (energy.size() == 0) return 0;
  scratch.resize(std::max<size_t>(scratch.size(), 3 * count + energy.size()));
  Vec3 *const folds = scratch.data(), *const moments = folds + 3 * count;

  // 1. A, B and (α, β, θ) of every hinge
  for_hinges(hinge_kernels().folds, hinges, x, folds->data());

  // 2. Moments of every element
  const double value = parallel_sum(energy.size(), 0.0, [&](int e) {
    return bend(
        energy, e, [&](int h) { return folds[3 * h + 2][2]; }, moments[e]);
  });

  // 3. Times the moment about it
  parallel_for(count, [&](int h) {
    double moment = 0;
    for (const int place : hinges.places[h])
      if (place >= 0) moment += moments[place / 3][place % 3];
    folds[3 * h] *= moment;
    folds[3 * h + 1] *= moment;
  });

  // 4. What the hinges about a vertex do to it
  const Incidence& around = hinges.incidence;
  parallel_for(static_cast<int>(gradient.cols()), [&](int v) {
    Vec3 sum = gradient.col(v);
    for (int r = around.begin[v]; r < around.begin[v + 1]; ++r) {
      const Vec3* fold = folds + 3 * around.item[r];
      const Vec3 &A = fold[0], &B = fold[1];
      const double alpha = fold[2][0], beta = fold[2][1];
      switch (around.slot[r]) {
        case 0:
          sum += (alpha - 1) * A + (beta - 1) * B;
          break;
        case 1:
          sum -= alpha * A + beta * B;
          break;
        case 2:
          sum += A;
          break;
        case 3:
          sum += B;
          break;
      }
    }
    gradient.col(v) = sum;
  });
  return value;
}

}  // namespace muslin
