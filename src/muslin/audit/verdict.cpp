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

/// What is judged: everything, or all but colliders that move.
class Judged {
 public:
  Judged(const Judge& judge, const std::vector<Collider>& colliders, bool moving)
      : judge_(judge), solids_(colliders), moving_(moving) {
    for (Collider& solid : solids_) solid.enabled = solid.enabled && (moving || !moves(solid));
  }

  const std::vector<Collider>& solids() const { return solids_; }
  template <class Vertices>
  bool has(const Vertices& vertices) const {
    return moving_ ||
           std::none_of(vertices.begin(), vertices.end(), [&](int v) { return judge_.is_of_moving_body(v); });
  }
  std::vector<ElementPair> of(std::vector<ElementPair> pairs) const {
    std::erase_if(pairs, [&](const ElementPair& pair) { return !has(vertices_of(judge_.surface(), pair)); });
    return pairs;
  }

 private:
  const Judge& judge_;
  std::vector<Collider> solids_;
  bool moving_;
};

}  // namespace

bool Judge::is_of_moving_body(int vertex) const {
  const Collider* const body = user_vertex(model_, vertex).collider;
  return body && moves(*body);
}

Verdict Judge::judge(const Moment& frame, const Moment& before) const {
  const Points& places = frame.places;
  const Points cloth = places.leftCols(model_.vertex_count());
  Verdict verdict;
  const Judged there(*this, model_.colliders, frame.bodies_in_place);
  verdict.meeting = intersecting_pairs(surface_, places);
  std::erase_if(verdict.meeting, [&](const auto& pair) {
    return !there.has(surface_.triangles[pair.first]) || !there.has(surface_.triangles[pair.second]);
  });
  if (verdict.meeting.empty()) {
    verdict.gap = least(there.of(find_gaps(surface_, places, within_)));
  } else {
    const auto& [a, b] = verdict.meeting[0];
    verdict.meeting_place = meeting_place(places, surface_.triangles[a], surface_.triangles[b]);
  }
  const std::vector<Pose> poses = poses_at(there.solids(), frame.time);
  verdict.inside = vertices_inside(there.solids(), poses, cloth);
  verdict.cut = triangles_cutting(there.solids(), poses, cloth, model_.triangles);

  if (before.places.cols() > 0) {
    const Judged since(*this, model_.colliders, frame.bodies_in_place && before.bodies_in_place);
    const Points from = before.places.leftCols(model_.vertex_count());
    verdict.crossings = since.of(find_crossings(surface_, before.places, places));
    verdict.through = vertices_through(since.solids(), {before.time, frame.time, from, cloth});
  }
  return verdict;
}

}  // namespace muslin
