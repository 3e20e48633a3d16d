#include "muslin/sewing/weld.h"

#include <algorithm>
#include <map>

#include "muslin/audit/surface.h"
#include "muslin/contact/pairs/candidates.h"
#include "muslin/contact/pairs/safe_step.h"
#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/core/disjoint_sets.h"
#include "muslin/model/measure.h"

namespace muslin {

namespace {

// Ends of stitches that are nearer may be closed: of the distance that cloth keeps, or of the mean edge if
// that is more. Contact holds borders apart that lie on one another; the way that is left is certified,
// however long.
constexpr double kReach = 1.5, kReachOfEdge = 0.3;

/// Looks for stitches to close, and takes back those that something speaks against.
class WeldPlanner {
 public:
  WeldPlanner(const Model& model, const Controls& controls, const State& state)
      : model_(model), stitches_(model.energies.stitches), state_(state), scene_(model, controls) {
    plan_.refusals.assign(model.stitches.size(), WeldRefusal::far);
    is_chosen_.assign(model.stitches.size(), 0);
    const Scalars& half = scene_.surfaces().half_thickness;
    const double edge = mean_edge(model);
    for (int s = 0; s < stitches_.size(); ++s) {
      const auto& [a, b] = stitches_.vertices(s);
      const double gap = (state.positions.col(a) - state.positions.col(b)).norm();
      const ModelSeam& seam = model.seams[model.stitches[s].seam];
      is_chosen_[s] =
          state.time >= seam.start && gap <= std::max(kReach * (half[a] + half[b]), kReachOfEdge * edge);
    }
    bodies_ = state.blocked;
    const Points there =
        scene_.bodies_at(poses_at(model.colliders, state.time, controls.collider_offset), state.time);
    if (bodies_.cols() != there.cols()) bodies_ = there;
  }

  WeldPlan plan() {
    if (!any_chosen()) return std::move(plan_);
    Candidates candidates(scene_.surfaces());
    do {
      gather();
    } while (any_chosen() && (take_back_crowded() || take_back_blocked(candidates) || take_back_folded()));
    for (size_t s = 0; s < is_chosen_.size(); ++s) {
      const auto& [seam, stitch] = model_.stitches[s];
      if (is_chosen_[s]) plan_.closed.push_back(model_.seams[seam].stitches[stitch]);
    }
    plan_.places = places_;
    return std::move(plan_);
  }

 private:
  bool any_chosen() const { return std::find(is_chosen_.begin(), is_chosen_.end(), 1) != is_chosen_.end(); }

  // Classes of the chosen stitches, and where they come together.
  void gather() {
    const int n = model_.vertex_count();
    DisjointSets classes(n);
    for (int s = 0; s < stitches_.size(); ++s)
      if (is_chosen_[s]) classes.unite(stitches_.vertices(s)[0], stitches_.vertices(s)[1]);
    class_.resize(n);
    size_.assign(n, 0);
    Points sum = Points::Zero(3, n);
    Scalars mass = Scalars::Zero(n);
    for (int v = 0; v < n; ++v) {
      const int c = class_[v] = classes.least_of(v);
      ++size_[c];
      sum.col(c) += model_.mass[v] * state_.positions.col(v);
      mass[c] += model_.mass[v];
    }
    places_ = state_.positions;
    for (int v = 0; v < n; ++v)
      if (is_moved(v)) places_.col(v) = sum.col(class_[v]) / mass[class_[v]];
  }
  bool is_moved(int v) const { return v < std::ssize(class_) && size_[class_[v]] > 1; }
  int class_of(int v) const { return v < std::ssize(class_) ? class_[v] : v; }

  // Opens all stitches of the classes of these vertices; whether there were any.
  template <size_t N>
  bool take_back(const Stencil<N>& vertices, WeldRefusal why) {
    bool any = false;
    for (const int v : vertices) {
      if (!is_moved(v)) continue;
      for (int s = 0; s < stitches_.size(); ++s)
        if (is_chosen_[s] && class_[stitches_.vertices(s)[0]] == class_[v]) {
          is_chosen_[s] = 0;
          plan_.refusals[s] = why;
          any = true;
        }
    }
    return any;
  }

  std::vector<Stencil<3>> triangles_of_classes() const {
    std::vector<Stencil<3>> triangles = model_.triangles;
    for (Stencil<3>& t : triangles)
      for (int& v : t) v = class_[v];
    return triangles;
  }

  bool take_back_crowded() {
    const std::vector<Stencil<3>> triangles = triangles_of_classes();
    std::map<Stencil<2>, int> sides;
    bool any = false;
    for (const Stencil<3>& t : triangles)
      for (int k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
        if (low == high) any |= take_back(Stencil<1>{low}, WeldRefusal::crowded);
        if (++sides[{low, high}] > 2) any |= take_back(Stencil<2>{low, high}, WeldRefusal::crowded);
      }
    return any;
  }

  bool take_back_blocked(Candidates& candidates) {
    const int n = model_.vertex_count();
    Points all(3, n + bodies_.cols()), way = Points::Zero(3, n + bodies_.cols());
    all << state_.positions, bodies_;
    way.leftCols(n) = places_ - state_.positions;
    candidates.set_moved(way);
    candidates.detect(all, way, 0);
    bool any = false;
    for (const ContactPair& pair : candidates.pairs()) {
      const auto& [a, b, c, d] = pair.vertices;
      if (!is_moved(a) && !is_moved(b) && !is_moved(c) && !is_moved(d)) continue;
      if (share_class(pair)) continue;
      if (step_before_contact(pair, all, way) < 1) any |= take_back(pair.vertices, WeldRefusal::blocked);
    }
    return any;
  }
  bool share_class(const ContactPair& pair) const {
    const int middle = first_of_b(pair.kind);
    for (int i = 0; i < middle; ++i)
      for (int j = middle; j < 4; ++j)
        if (class_of(pair.vertices[i]) == class_of(pair.vertices[j])) return true;
    return false;
  }

  bool take_back_folded() {
    const std::vector<Stencil<3>> triangles = triangles_of_classes();
    const Surface surface = make_surface(model_.vertex_count(), triangles);
    bool any = false;
    for (const auto& [first, second] : intersecting_pairs(surface, places_)) {
      any |= take_back(triangles[first], WeldRefusal::folded);
      any |= take_back(triangles[second], WeldRefusal::folded);
    }
    return any;
  }

  const Model& model_;
  const StitchEnergy& stitches_;
  const State& state_;
  const SceneSurfaces scene_;
  Points bodies_;
  std::vector<char> is_chosen_;  ///< one a stitch
  std::vector<int> class_, size_;
  Points places_;
  WeldPlan plan_;
};

}  // namespace

WeldPlan plan_weld(const Model& model, const Controls& controls, const State& state) {
  return WeldPlanner(model, controls, state).plan();
}

Points mean_of_welded(const Points& columns, const Model& before, const Model& after) {
  if (columns.cols() == 0) return columns;
  const int n = after.vertex_count();
  Points mean = Points::Zero(3, n);
  std::vector<double> mass(n, 0);
  std::vector<int> members(n, 0), only(n, 0);
  std::vector<char> is_counted(before.vertex_count());
  for (int user = 0; user < before.user_vertex_count(); ++user) {
    const int from = before.vertex_numbers.to_model(user), to = after.vertex_numbers.to_model(user);
    if (is_counted[from]) continue;
    is_counted[from] = 1;
    mean.col(to) += before.mass[from] * columns.col(from);
    mass[to] += before.mass[from];
    only[to] = from;
    ++members[to];
  }
  for (int v = 0; v < n; ++v) {
    if (members[v] == 1)
      mean.col(v) = columns.col(only[v]);  // to the bit
    else
      mean.col(v) /= mass[v];
  }
  return mean;
}

State welded_state(const State& state, const Points& places, const Model& before, const Model& after) {
  State next = state;
  const int n = after.vertex_count();
  next.positions.resize(3, n);
  for (int v = 0; v < n; ++v)
    next.positions.col(v) = places.col(before.vertex_numbers.to_model(after.vertex_numbers.to_user(v)));
  next.velocities = mean_of_welded(state.velocities, before, after);
  next.history.positions = mean_of_welded(state.history.positions, before, after);
  next.history.velocities = mean_of_welded(state.history.velocities, before, after);
  next.history.accelerations = mean_of_welded(state.history.accelerations, before, after);
  next.slips.clear();
  return next;
}

Grasp renumbered(Grasp grasp, const Model& before, const Model& after) {
  const auto number = [&](int v) { return after.vertex_numbers.to_model(before.vertex_numbers.to_user(v)); };
  std::map<int, Vec3> held;
  std::set<int> let_go;
  for (const auto& [v, place] : grasp.held) held[number(v)] = place;
  for (const int v : grasp.let_go) let_go.insert(number(v));
  grasp.held = std::move(held);
  grasp.let_go = std::move(let_go);
  for (Taken& taken : grasp.taken) taken.vertex = number(taken.vertex);
  std::sort(grasp.taken.begin(), grasp.taken.end());
  const auto is_not_before = [](const Taken& a, const Taken& b) { return !(a < b); };
  grasp.taken.erase(std::unique(grasp.taken.begin(), grasp.taken.end(), is_not_before), grasp.taken.end());
  if (!grasp.pull) return grasp;
  std::vector<Grip>& grips = grasp.pull->grips;
  grasp.pull->vertex = number(grasp.pull->vertex);
  for (Grip& grip : grips) grip.vertex = number(grip.vertex);
  std::stable_sort(grips.begin(), grips.end(),
                   [](const Grip& a, const Grip& b) { return a.vertex < b.vertex; });
  const auto end = std::unique(grips.begin(), grips.end(),
                               [](const Grip& a, const Grip& b) { return a.vertex == b.vertex; });
  grips.erase(end, grips.end());
  return grasp;
}

}  // namespace muslin
