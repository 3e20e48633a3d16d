#include "muslin/audit/verdict.h"

#include <algorithm>

#include "muslin/audit/names.h"

namespace muslin {

namespace {

std::optional<ElementPair> least_gap(const Surface& surface, const Points& positions, double within) {
  const std::vector<ElementPair> gaps = find_gaps(surface, positions, within);
  const auto least =
      std::min_element(gaps.begin(), gaps.end(),
                       [](const ElementPair& a, const ElementPair& b) { return a.distance < b.distance; });
  return least == gaps.end() ? std::nullopt : std::optional(*least);
}

}  // namespace

Verdict Judge::judge(double time, const Points& places, const Points& before) const {
  Verdict verdict;
  verdict.meeting = intersecting_pairs(surface_, places);
  if (verdict.meeting.empty()) {
    verdict.gap = least_gap(surface_, places, within_);
  } else {
    const auto& [a, b] = verdict.meeting[0];
    verdict.meeting_place = meeting_place(places, surface_.triangles[a], surface_.triangles[b]);
  }
  verdict.inside = vertices_inside(model_.colliders, time, places.leftCols(model_.vertex_count()));
  if (before.cols() > 0) verdict.crossings = find_crossings(surface_, before, places);
  return verdict;
}

}  // namespace muslin
