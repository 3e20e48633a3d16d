#pragma once
#include <memory>

#include "muslin/model/input.h"
#include "muslin/model/model.h"
#include "muslin/model/report.h"
#include "muslin/solver/solver.h"

namespace muslin {

/// A run of one scene: owns Model, State and Solver.
class Simulation {
 public:
  /// Throws Error if the scene cannot be built.
  explicit Simulation(const Scene& scene);

  /// One frame. After a step that diverged the state stays as that step left it.
  FrameReport step();

  /// Back to time 0.
  void reset();

  /// The report of the state as it is, without stepping.
  FrameReport report() const;

  const Scene& scene() const { return scene_; }
  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  /// Continue from a saved state of the same model.
  void restore(const State& state, int frame);
  int frame() const { return frame_; }
  int substeps() const { return substeps_; }

 private:
  void measure(FrameReport& report) const;

  Scene scene_;
  Model model_;
  State state_;
  std::unique_ptr<Solver> solver_;
  int substeps_ = 1;
  int frame_ = 0;
  bool touched_ = false;  // anything met a collider or itself since the start, or may have before a restore
};

}  // namespace muslin
