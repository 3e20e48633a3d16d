#include "torture/judged_run.h"

#include <algorithm>

namespace muslin::torture {

JudgedRun::JudgedRun(const Scene& scene, Along along, Members members)
    : simulation_(scene), judge_(simulation_.model(), 0), along_(along), members_(members) {
  way_ = {places(state().positions, state().time)};
  if (along_ == Along::iterates)
    simulation_.watch([this](const Points& iterate) { go_to(places(iterate, began_)); });
}

Points JudgedRun::places(const Points& cloth, double time) const {
  return members_ == Members::all ? places_with_bodies(model(), cloth, time) : cloth;
}

/// Iterates of a step that is thrown away lead back to where it began.
void JudgedRun::go_to(const Points& place) {
  const auto been = std::find(way_.begin(), way_.end(), place);
  if (been != way_.end())
    way_.erase(been + 1, way_.end());
  else
    way_.push_back(place);
}

bool JudgedRun::is_with_moving_body(const ElementPair& pair) const {
  const Stencil<4> vertices = vertices_of(judge_.surface(), pair);
  return std::any_of(vertices.begin(), vertices.end(), [&](int v) { return judge_.is_of_moving_body(v); });
}

std::vector<Crossing> JudgedRun::crossings_of_way() const {
  std::vector<Crossing> all;
  for (size_t k = 1; k < way_.size(); ++k) {
    std::vector<Crossing> pairs = find_crossings(judge_.surface(), way_[k - 1], way_[k]);
    std::erase_if(pairs, [&](const ElementPair& pair) { return is_with_moving_body(pair); });
    all.insert(all.end(), pairs.begin(), pairs.end());
  }
  return all;
}

JudgedRun::Frame JudgedRun::step() {
  Frame frame;
  const Moment before{state().time, way_.front(), bodies_in_place_};
  began_ = before.time;
  frame.report = simulation_.step();
  bodies_in_place_ = frame.report.step.blocked == 0;

  const Moment after{state().time, places(state().positions, state().time), bodies_in_place_};
  frame.verdict = judge_.judge(after, before, earlier_);
  earlier_ = before;
  if (along_ == Along::iterates) {
    go_to(places(state().positions, began_));
    std::vector<Crossing>& crossings = frame.verdict.crossings;
    std::erase_if(crossings, [&](const ElementPair& pair) { return !is_with_moving_body(pair); });
    const std::vector<Crossing> along = crossings_of_way();
    crossings.insert(crossings.end(), along.begin(), along.end());
  }
  way_ = {after.places};
  return frame;
}

}  // namespace muslin::torture
