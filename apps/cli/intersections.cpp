#include "intersections.h"

#include <fmt/format.h>

#include <algorithm>

using namespace muslin;

namespace {

// Whether the method promises nothing of cloth with cloth.
bool lets_through(const Scene& scene) {
  return !scene.self_collision.enabled || !keeps_pairs_apart(scene.solver);
}

}  // namespace

IntersectionWatch::IntersectionWatch(const Simulation& simulation)
    : scene_(simulation.scene()), lets_through_(lets_through(simulation.scene())) {
  if (lets_through_) surface_ = make_surface(simulation.model().vertex_count(), simulation.model().triangles);
}

void IntersectionWatch::look(const Simulation& simulation) {
  const int frame = simulation.frame(), every = (scene_.frames + kMostLooks - 1) / kMostLooks;
  if (!lets_through_ || (frame % every != 0 && frame != scene_.frames)) return;
  if (!simulation.state().positions.allFinite()) return;
  last_ = static_cast<int>(intersecting_pairs(surface_, simulation.state().positions).size());
  ++looks_;
  if (last_ <= worst_) return;
  worst_ = last_;
  worst_frame_ = frame;
}

std::string IntersectionWatch::doubt() const {
  if (worst_ == 0) return "";
  const std::string found = fmt::format(
      "cloth passes through cloth: {} pairs of triangles intersect in frame {}, {} in the last "
      "of the {} frames looked at",
      worst_, worst_frame_, last_, looks_);
  if (!scene_.self_collision.enabled)
    return found +
           "; self_collision is off: --set self_collision/enabled=true, and --solver quasi_newton or --set "
           "solver/position/contact=pairs, keep it apart";
  return found +
         "; self_collision keeps only vertices apart with this method: --solver quasi_newton, or --solver "
         "xpbd --set solver/position/contact=pairs, keep all of it apart";
}
