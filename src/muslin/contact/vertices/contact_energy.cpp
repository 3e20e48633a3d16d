#include "muslin/contact/vertices/contact_energy.h"

#include "muslin/core/parallel.h"

namespace muslin {

ContactEnergy::ContactEnergy(const Model& model, const Input& input, const Points& start, double h)
    : model_(model), start_(start), h_(h), surfaces_(surfaces_after(model, input)) {
  if (!empty()) presses_.resize(model.vertex_count());
}

double ContactEnergy::offset(int vertex, int collider) const {
  return model_.colliders[collider].margin + model_.half_thickness[vertex];
}

std::optional<ContactEnergy::Dent> ContactEnergy::dent(int vertex, int collider, const Vec3& x) const {
  if (surfaces_[collider].is_farther(x, offset(vertex, collider))) return {};
  const auto [distance, normal] = surfaces_[collider].at(x);
  const double depth = offset(vertex, collider) - distance;
  if (!(depth > 0)) return {};
  return Dent{depth, normal};
}

void ContactEnergy::lag(const Points& x, double hardness) {
  if (empty()) return;
  parallel_for(model_.vertex_count(), [&](int v) {
    presses_[v].clear();
    for (int c = 0; c < static_cast<int>(model_.colliders.size()); ++c) {
      const std::optional<Dent> dent = this->dent(v, c, x.col(v));
      if (!dent) continue;
      const double force = hardness * model_.mass[v] / (h_ * h_) * dent->depth;
      presses_[v].push_back({friction_of(model_, model_.colliders[c], v) * force, dent->normal,
                             surfaces_[c].carried(start_.col(v), x.col(v))});
    }
  });
}

double ContactEnergy::value(int v, const Vec3& x) const {
  double sum = 0;
  for (int c = 0; c < static_cast<int>(surfaces_.size()); ++c)
    if (const std::optional<Dent> dent = this->dent(v, c, x))
      sum += 0.5 * stiffness(v) * dent->depth * dent->depth;
  for (const Press& press : presses_[v]) {
    const double slip = press.slip(x).norm(), stick = kStick * h_;
    sum += press.friction * (slip > stick ? slip - 0.5 * stick : 0.5 * slip * slip / stick);
  }
  return sum;
}

Vec3 ContactEnergy::gradient(int v, const Vec3& x) const {
  Vec3 sum = Vec3::Zero();
  for (int c = 0; c < static_cast<int>(surfaces_.size()); ++c)
    if (const std::optional<Dent> dent = this->dent(v, c, x))
      sum -= stiffness(v) * dent->depth * dent->normal;
  for (const Press& press : presses_[v]) {
    const Vec3 slip = press.slip(x);
    sum += press.friction / std::max(slip.norm(), kStick * h_) * slip;
  }
  return sum;
}

Mat3 ContactEnergy::hessian_psd(int v, const Vec3& x) const {
  Mat3 sum = Mat3::Zero();
  for (int c = 0; c < static_cast<int>(surfaces_.size()); ++c)
    if (const std::optional<Dent> dent = this->dent(v, c, x))
      sum += stiffness(v) * dent->normal * dent->normal.transpose();
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
    for (int c = 0; c < static_cast<int>(surfaces_.size()); ++c) inside = inside || dent(v, c, x.col(v));
    count += inside;
  }
  return count;
}

}  // namespace muslin
