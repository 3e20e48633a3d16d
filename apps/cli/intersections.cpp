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

std::optional<int> IntersectionWatch::look(const Simulation& simulation) const {
  const int frame = simulation.frame(), every = (scene_.frames + kMostLooks - 1) / kMostLooks;
  if (!lets_through_ || (frame % every != 0 && frame != scene_.frames)) return {};
  if (!simulation.state().positions.allFinite()) return {};
  return static_cast<int>(intersecting_pairs(surface_, simulation.state().positions).size());
}

std::string intersection_doubt(const RunRecord& record) {
  const auto& looks = record.intersections;
  const auto worst = std::max_element(looks.begin(), looks.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; });
  if (worst == looks.end() || worst->second == 0) return "";
  const std::string found = fmt::format(
      "cloth passes through cloth: {} pairs of triangles intersect in frame {}, {} in the last "
      "of the {} frames looked at",
      worst->second, worst->first, looks.rbegin()->second, looks.size());
  if (!record.open_seams.empty()) return found + "; of cloth with open seams: sew it first";
  if (!record.scene.self_collision.enabled)
    return found +
           "; self_collision is off: --set self_collision/enabled=true, and --solver quasi_newton or --set "
           "solver/position/contact=pairs, keep it apart";
  return found +
         "; self_collision keeps only vertices apart with this method: --solver quasi_newton, or --solver "
         "xpbd --set solver/position/contact=pairs, keep all of it apart";
}
