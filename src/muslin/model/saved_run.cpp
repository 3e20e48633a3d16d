#include "muslin/model/saved_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "muslin/model/model.h"

namespace muslin {

namespace {

std::string find_misfit(const Taken& taken, const Model& model) {
  const auto motions = std::ssize(model.script.pin_motions), colliders = std::ssize(model.colliders);
  if (taken.motion >= motions)
    return fmt::format("must have taken vertices by {} pins, got pin {}", motions, taken.motion);
  if (!taken.fastening) return "";
  const auto& [collider, face, weights, local] = *taken.fastening;
  if (collider >= colliders)
    return fmt::format("must fasten vertices to {} colliders, got {}", colliders, collider);
  const auto& mesh = model.colliders[collider].mesh;
  const int most = *std::max_element(face.begin(), face.end());
  if (most >= 0 && (!mesh || most >= mesh->mesh->vertex_count()))
    return fmt::format("must fasten vertices to those of collider {}, got its vertex {}", collider, most);
  return "";
}

}  // namespace

std::string find_misfit(const SavedRun& run, const Model& model) {
  const Eigen::Index n = model.vertex_count();
  const auto is_all = [&](const Points& points) { return points.cols() == n; };
  const auto is_all_or_none = [&](const Points& points) { return points.cols() == 0 || points.cols() == n; };
  const StepHistory& history = run.state.history;
  if (!is_all(run.state.positions) || !is_all(run.state.velocities))
    return fmt::format("must have positions and velocities of {} vertices, got {} and {}", n,
                       run.state.positions.cols(), run.state.velocities.cols());
  if (!is_all_or_none(history.positions) || !is_all_or_none(history.velocities) ||
      !is_all_or_none(history.accelerations) || history.positions.cols() > history.velocities.cols() ||
      !is_all_or_none(run.start) || !is_all_or_none(run.force))
    return fmt::format("must have the step before, a start and forces of {} vertices each, or none", n);
  if (run.grasp.wanted.size() != model.colliders.size() ||
      run.collider_offset.size() != model.colliders.size())
    return fmt::format("must have offsets of {} colliders, got {} and {}", model.colliders.size(),
                       run.grasp.wanted.size(), run.collider_offset.size());
  int last = -1;
  if (!run.grasp.held.empty()) last = std::max(last, run.grasp.held.rbegin()->first);
  if (!run.grasp.let_go.empty()) last = std::max(last, *run.grasp.let_go.rbegin());
  if (run.grasp.pull) last = std::max(last, run.grasp.pull->grips.back().vertex);
  for (const Taken& taken : run.grasp.taken) last = std::max(last, taken.vertex);
  if (last >= n) return fmt::format("hands must hold vertices of {}, got vertex {}", n, last);
  for (const Taken& taken : run.grasp.taken)
    if (const std::string misfit = find_misfit(taken, model); !misfit.empty()) return misfit;
  return "";
}

}  // namespace muslin
