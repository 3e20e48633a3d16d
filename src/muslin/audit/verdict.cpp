#include "muslin/audit/verdict.h"

#include <algorithm>

#include "muslin/audit/names.h"
#include "muslin/model/motion.h"

namespace muslin {

namespace {

std::optional<ElementPair> least(const std::vector<ElementPair>& gaps) {
  const auto least =
      std::min_element(gaps.begin(), gaps.end(),
                       [](const ElementPair& a, const ElementPair& b) { return a.distance < b.distance; });
  return least == gaps.end() ? std::nullopt : std::optional(*least);
}

}  // namespace

bool Judge::is_of_moving_body(int vertex) const {
  const Collider* const body = user_vertex(model_, vertex).collider;
  return body && moves(*body);
}

Verdict Judge::judge(const Moment& frame, const Moment& before, bool moving_bodies) const {
  const auto counts = [&](auto vertices) {
    return moving_bodies ||
           std::none_of(vertices.begin(), vertices.end(), [&](int v) { return is_of_moving_body(v); });
  };
  const auto drop = [&](std::vector<ElementPair> pairs) {
    std::erase_if(pairs, [&](const ElementPair& pair) { return !counts(vertices_of(surface_, pair)); });
    return pairs;
  };
  std::vector<Collider> solids = model_.colliders;
  for (Collider& solid : solids) solid.enabled = solid.enabled && (moving_bodies || !moves(solid));
  const Points& places = frame.places;
  const Points cloth = places.leftCols(model_.vertex_count());

  Verdict verdict;
  verdict.meeting = intersecting_pairs(surface_, places);
  std::erase_if(verdict.meeting, [&](const auto& pair) {
    return !counts(surface_.triangles[pair.first]) || !counts(surface_.triangles[pair.second]);
  });
  if (verdict.meeting.empty()) {
    verdict.gap = least(drop(find_gaps(surface_, places, within_)));
  } else {
    const auto& [a, b] = verdict.meeting[0];
    verdict.meeting_place = meeting_place(places, surface_.triangles[a], surface_.triangles[b]);
  }
  verdict.inside = vertices_inside(solids, frame.time, cloth);
  verdict.cut = triangles_cutting(solids, frame.time, cloth, model_.triangles);
  if (before.places.cols() > 0) {
    verdict.crossings = drop(find_crossings(surface_, before.places, places));
    const Points from = before.places.leftCols(model_.vertex_count());
    verdict.through = vertices_through(solids, {before.time, frame.time, from, cloth});
  }
  return verdict;
}

}  // namespace muslin
