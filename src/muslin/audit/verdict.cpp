#include "muslin/audit/verdict.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "muslin/audit/names.h"
#include "muslin/core/parallel.h"
#include "muslin/model/expect.h"
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
  template <class Pair>
  std::vector<Pair> of(std::vector<Pair> pairs) const {
    std::erase_if(pairs, [&](const Pair& pair) { return !has(vertices_of(judge_.surface(), pair)); });
    return pairs;
  }

 private:
  const Judge& judge_;
  std::vector<Collider> solids_;
  bool moving_;
};

/// Moves to `other` what `is_kept` does not keep.
template <class Finding, class Kept>
void set_aside(std::vector<Finding>& found, std::vector<Finding>& other, const Kept& is_kept) {
  std::vector<char> kept(found.size());
  parallel_for(
      static_cast<int>(found.size()), [&](int i) { kept[i] = is_kept(found[i]); }, 1);
  std::vector<Finding> all;
  all.swap(found);
  for (std::size_t i = 0; i < all.size(); ++i) (kept[i] ? found : other).push_back(all[i]);
}

/// Stitches of seams whose ends lie in one place, to the bit: they are one vertex.
std::vector<Stencil<2>> closed_stitches(const Model& model, const Points& cloth) {
  std::vector<Stencil<2>> closed;
  for (const ModelSeam& seam : model.seams)
    for (const auto& [a, b] : seam.stitches) {
      const int v = model.vertex_numbers.to_model(a), w = model.vertex_numbers.to_model(b);
      if (v != w && cloth.col(v) == cloth.col(w)) closed.push_back({v, w});
    }
  return closed;
}

}  // namespace

void doubt_crossings(const Surface& surface, const Points& end, std::vector<Verdict>& run) {
  struct History {
    int side_at_first = 0, times = 0;  // that the pair crossed
  };
  std::map<std::tuple<PairOf, int, int>, History> histories;
  const auto history_of = [&](const Crossing& c) -> History& {
    return histories[{c.kind, c.first, c.second}];
  };
  for (const Verdict& verdict : run)
    for (const auto* crossings : {&verdict.crossings, &verdict.doubted})
      for (const Crossing& crossing : *crossings) {
        History& history = history_of(crossing);
        if (history.times++ == 0) history.side_at_first = crossing.side_before;
      }
  const auto is_passage = [&](const Crossing& crossing) {
    const History& history = history_of(crossing);
    const Stencil<4> v = vertices_of(surface, crossing);
    if (crossing.turned) return false;
    if (const int side = side_of(surface, crossing, end); side != 0) return side != history.side_at_first;
    return surface.piece[v[0]] != surface.piece[v[3]] && history.times % 2 == 1;
  };
  for (Verdict& verdict : run) {
    const auto doubtful =
        std::stable_partition(verdict.crossings.begin(), verdict.crossings.end(), is_passage);
    verdict.doubted.insert(verdict.doubted.end(), doubtful, verdict.crossings.end());
    verdict.crossings.erase(doubtful, verdict.crossings.end());
  }
}

bool Judge::is_of_moving_body(int vertex) const {
  const Collider* const body = user_vertex(model_, vertex).collider;
  return body && moves(*body);
}

Verdict Judge::judge(const Moment& frame, const Moment& before, const Moment& earlier) const {
  expect_positions("judge", frame.places, static_cast<int>(surface_.piece.size()));
  if (before.places.cols() > 0)
    expect_positions("judge", before.places, static_cast<int>(surface_.piece.size()));
  const Points& places = frame.places;
  const Points cloth = places.leftCols(model_.vertex_count());
  const std::vector<Stencil<2>> closed = closed_stitches(model_, cloth);
  const Surface sewn = closed.empty() ? Surface() : joined(surface_, closed);
  const Surface& surface = closed.empty() ? surface_ : sewn;
  Verdict verdict;
  const Judged there(*this, model_.colliders, frame.bodies_in_place);
  verdict.meeting = intersecting_pairs(surface, places);
  std::erase_if(verdict.meeting, [&](const auto& pair) {
    return !there.has(surface_.triangles[pair.first]) || !there.has(surface_.triangles[pair.second]);
  });
  if (verdict.meeting.empty()) {
    verdict.gap = least(there.of(find_gaps(surface, places, within_)));
  } else {
    const auto& [a, b] = verdict.meeting[0];
    verdict.meeting_place = meeting_place(places, surface_.triangles[a], surface_.triangles[b]);
  }
  const std::vector<Pose> poses = poses_at(there.solids(), frame.time);
  verdict.inside = vertices_inside(there.solids(), poses, cloth);
  verdict.cut = triangles_cutting(there.solids(), poses, cloth, model_.triangles);

  if (before.places.cols() > 0) judge_way(frame, before, earlier, verdict);
  return verdict;
}

void Judge::judge_way(const Moment& frame, const Moment& before, const Moment& earlier,
                      Verdict& verdict) const {
  const double time = frame.time - before.time;
  const Judged since(*this, model_.colliders, frame.bodies_in_place && before.bodies_in_place);
  const Interval interval{before.places, frame.places, earlier_places(before, earlier, time),
                          model_.script.gravity * time * time};
  verdict.crossings = since.of(find_crossings(surface_, before.places, frame.places));
  const Points from = before.places.leftCols(model_.vertex_count()),
               to = frame.places.leftCols(model_.vertex_count());
  verdict.through = vertices_through(since.solids(), {before.time, frame.time, from, to});
  set_aside(verdict.crossings, verdict.doubted,
            [&](const Crossing& crossing) { return is_proved(surface_, passages_, interval, crossing); });
  set_aside(verdict.through, verdict.possible, [&](const ThroughVertex& through) {
    const Collider& collider = model_.colliders[through.collider];
    return is_proved(surface_, passages_, interval, through, pose_at(collider, before.time).translation,
                     pose_at(collider, frame.time).translation);
  });
}

// Cloth that a scene throws begins at its velocity; a body is where its script has it.
Points Judge::earlier_places(const Moment& before, const Moment& earlier, double time) const {
  if (earlier.places.cols() > 0)
    return before.places - (before.places - earlier.places) * (time / (before.time - earlier.time));
  if (before.time != 0) return Points(3, 0);
  Points places = before.places;
  places.leftCols(model_.vertex_count()) -= time * model_.start_velocity;
  return places;
}

}  // namespace muslin
