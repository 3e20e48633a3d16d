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

  // --- by hand: what a person does to a running cloth ----------------------------------------------

  /// Changes the scene under the cloth: solver, fabric, wind, … Positions, velocities, time and what hands
  /// hold stay; a scene with another number of vertices or colliders needs a new Simulation. Throws Error as
  /// the constructor does, and then nothing has changed.
  void edit(const Scene& scene);

  /// Pins a vertex where it is, in all directions, from the next frame on.
  void hold(int vertex);
  /// Unpins a vertex, whoever pinned it.
  void let_go(int vertex);
  bool is_held(int vertex) const;

  /// Ties a vertex to a place by a damped spring that could carry the whole cloth, in place of an earlier
  /// one, until `release`; a call for the same vertex moves the place.
  void pull(int vertex, const Vec3& place);
  void release();

  /// Shifts a collider from where its own motion has it [m]; it goes there evenly during the next frame.
  void carry(int collider, const Vec3& offset);

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
