#include "muslin/contact/vertices/collider_probes.h"

#include <algorithm>
#include <cmath>

namespace muslin {

namespace {
bool same(const std::vector<Pose>& a, const std::vector<Pose>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Pose& p, const Pose& q) {
    return p.rotation == q.rotation && p.translation == q.translation;
  });
}
}  // namespace

void ColliderProbes::begin(const Model& model, const Input& input) {
  const bool is_same_model = model_revision_ == model.revision;
  if (is_same_model && time_start_ == input.time_start && time_end_ == input.time_end &&
      same(poses_start_, input.collider_start) && same(poses_end_, input.collider_end))
    return;
  const bool goes_on = is_same_model && time_end_ == input.time_start;
  model_revision_ = model.revision;
  time_start_ = input.time_start;
  time_end_ = input.time_end;
  poses_start_ = input.collider_start;
  poses_end_ = input.collider_end;
  surfaces_ = surfaces_after(model, input);
  if (!is_same_model) known_ = std::vector<OfCollider>(surfaces_.size());
  for (size_t c = 0; c < known_.size(); ++c) {
    if (!model.collider_surfaces[c]) continue;
    auto& [probes, deformed] = known_[c];
    if (probes.empty() || (surfaces_[c].deforms() && !goes_on)) {
      probes = std::vector<Probe>(model.vertex_count());
      deformed = 0;
    } else {
      deformed += surfaces_[c].largest_deformation();
    }
  }
}

bool ColliderProbes::is_known_farther(int collider, int vertex, const Vec3& place, double distance) const {
  constexpr double kRounding = 1e-9;  // far more than turning and subtracting are off
  const auto& [probes, deformed] = known_[collider];
  const Probe& probe = probes[vertex];
  const Vec3 here = surfaces_[collider].in_its_frame(place);
  const double rounding = kRounding * (here.cwiseAbs().sum() + std::abs(distance) + deformed);
  return probe.distance - (here - probe.place).norm() - deformed > distance + rounding;
}

SurfacePoint ColliderProbes::probe(int collider, int vertex, const Vec3& place) {
  auto& [probes, deformed] = known_[collider];
  Probe& probe = probes[vertex];
  const PosedSurface& surface = surfaces_[collider];
  const Vec3 here = surface.in_its_frame(place);
  const SurfacePoint found = surface.deforms() ? surface.at(place)
                                               : surface.at(place, (here - probe.place).norm(),
                                                            std::abs(probe.distance), probe.nearby);
  probe.place = here;
  probe.distance = found.distance + deformed;
  return found;
}

}  // namespace muslin
