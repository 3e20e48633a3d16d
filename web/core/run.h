#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exact_step.h"
#include "muslin/audit/verdict.h"
#include "muslin/simulation.h"
#include "scene_text.h"

namespace muslin::web {

/// A simulation with what the page keeps beside it.
class Run {
 public:
  /// Throws Error where the scene cannot be built, and where its start is one that contact cannot mend.
  explicit Run(const SceneText& scene);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Simulation& simulation() { return simulation_; }
  const Simulation& simulation() const { return simulation_; }
  const FrameReport& report() const { return report_; }
  /// What was said before the first frame, a sentence each.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// The scene as it was given.
  const Scene& written() const { return written_; }

  /// Frames, as muslin_step says. Returns how many were made.
  int step(int frames, double milliseconds);
  void reset();
  void load(const std::string& bytes);
  void edit(const SceneText& scene);
  /// Does what a hand does; the exact step of the last frame stays, as that frame does.
  void set_exact(bool on);
  bool is_exact() const { return exact_ != nullptr; }
  /// What the exact step says of the last frame, or null.
  const Exactness* exactness() const { return exact_ && exact_->last() ? &*exact_->last() : nullptr; }
  /// The next step, iterate by iterate.
  Trace trace();

  /// The cloth as it is, and what happened since the last call, if no collider was carried meanwhile.
  Verdict judge();

 private:
  void look_anew();

  Scene written_;
  Simulation simulation_;
  std::vector<std::string> warnings_;
  FrameReport report_;
  std::unique_ptr<ExactStep> exact_;
  std::optional<Moment> judged_;     ///< when the last verdict was
  Moment judged_earlier_{};          ///< and the one before, if nothing was carried meanwhile
  std::vector<Vec3> judged_offset_;  ///< and where colliders were carried to then [m]
};

}  // namespace muslin::web
