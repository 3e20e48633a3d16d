#include "muslin/contact/vertices/contact_energy.h"

#include "muslin/contact/vertices/gap.h"
#include "muslin/core/parallel.h"

namespace muslin {

ContactEnergy::ContactEnergy(const Model& model, const Input& input, const Points& start, double h)
    : model_(model), input_(input), start_(start), h_(h) {
  if (!empty()) presses_.resize(model.vertex_count());
}

double ContactEnergy::offset(int vertex, int collider) const {
  return model_.colliders[collider].margin + model_.half_thickness[vertex];
}

void ContactEnergy::lag(const Points& x, double hardness) {
  if (empty()) return;
  parallel_for(model_.vertex_count(), [&](int v) {
    presses_[v].clear();
    for (int c = 0; c < static_cast<int>(model_.colliders.size()); ++c) {
      const auto [distance, normal] = surface_of(model_.colliders[c], input_.collider_end[c], x.col(v));
      const double depth = offset(v, c) - distance;
      if (!(depth > 0)) continue;
      const Pose &start = input_.collider_start[c], &end = input_.collider_end[c];
      const Vec3 local = start.rotation.transpose() * (start_.col(v) - start.translation);
      const double force = hardness * model_.mass[v] / (h_ * h_) * depth;
      presses_[v].push_back(
          {model_.colliders[c].friction * force, normal, end.rotation * local + end.translation});
    }
  });
}

double ContactEnergy::value(int v, const Vec3& x) const {
  double sum = 0;
  for (int c = 0; c < static_cast<int>(model_.colliders.size()); ++c) {
    const double depth = offset(v, c) - surface_of(model_.colliders[c], input_.collider_end[c], x).distance;
    if (depth > 0) sum += 0.5 * stiffness(v) * depth * depth;
  }
  for (const Press& press : presses_[v]) {
    const double slip = press.slip(x).norm(), stick = kStick * h_;
    sum += press.friction * (slip > stick ? slip - 0.5 * stick : 0.5 * slip * slip / stick);
  }
  return sum;
}

Vec3 ContactEnergy::gradient(int v, const Vec3& x) const {
  Vec3 sum = Vec3::Zero();
  for (int c = 0; c < static_cast<int>(model_.colliders.size()); ++c) {
    const auto [distance, normal] = surface_of(model_.colliders[c], input_.collider_end[c], x);
    const double depth = offset(v, c) - distance;
    if (depth > 0) sum -= stiffness(v) * depth * normal;
  }
  for (const Press& press : presses_[v]) {
    const Vec3 slip = press.slip(x);
    sum += press.friction / std::max(slip.norm(), kStick * h_) * slip;
  }
  return sum;
}

Mat3 ContactEnergy::hessian_psd(int v, const Vec3& x) const {
  Mat3 sum = Mat3::Zero();
  for (int c = 0; c < static_cast<int>(model_.colliders.size()); ++c) {
    const auto [distance, normal] = surface_of(model_.colliders[c], input_.collider_end[c], x);
    if (offset(v, c) - distance > 0) sum += stiffness(v) * normal * normal.transpose();
  }
  for (const Press& press : presses_[v]) {
    const Vec3 slip = press.slip(x);
    const double length = slip.norm(), stick = kStick * h_;
    Mat3 across = Mat3::Identity() - press.normal * press.normal.transpose();
    if (length > stick) across -= slip * slip.transpose() / (length * length);
    sum += press.friction / std::max(length, stick) * across;
  }
  return sum;
}

int ContactEnergy::contacts(const Points& x) const {
  int count = 0;
  for (int v = 0; v < (empty() ? 0 : model_.vertex_count()); ++v) {
    bool inside = false;
    for (int c = 0; c < static_cast<int>(model_.colliders.size()); ++c)
      inside =
          inside || surface_of(model_.colliders[c], input_.collider_end[c], x.col(v)).distance < offset(v, c);
    count += inside;
  }
  return count;
}

}  // namespace muslin
