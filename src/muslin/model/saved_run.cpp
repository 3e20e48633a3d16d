#include "muslin/model/saved_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "muslin/model/model.h"

namespace muslin {

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
  if (last >= n) return fmt::format("hands must hold vertices of {}, got vertex {}", n, last);
  return "";
}

}  // namespace muslin
