#pragma once
#include <vector>

#include "muslin/audit/verdict.h"
#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/simulation.h"

namespace muslin::torture {

/// The way by which it is judged whether elements passed through each other in a frame. `frames`: straight
/// from frame to frame, as check-frames has to, which knows no other. `iterates`: as the solver went, and as
/// contact certifies it; a fold that snaps around another, or around a rim, seems to pass on the straight
/// way. Bodies that move are judged from frame to frame on either.
enum class Along { frames, iterates };

/// A run of which every frame is judged by exact predicates, alone and against the one before.
class JudgedRun {
 public:
  struct Frame {
    FrameReport report;
    Verdict verdict;  ///< without moving bodies in a frame in which something was held up
  };

  explicit JudgedRun(const Scene& scene, Along along = Along::frames, Members members = Members::all);
  JudgedRun(const JudgedRun&) = delete;  // the simulation is being watched

  Frame step();

  const Model& model() const { return simulation_.model(); }
  const State& state() const { return simulation_.state(); }

 private:
  Points places(const Points& cloth, double time) const;
  void go_to(const Points& place);
  bool is_with_moving_body(const ElementPair& pair) const;
  std::vector<Crossing> crossings_of_way() const;

  Simulation simulation_;
  Judge judge_;
  Along along_;
  Members members_;
  std::vector<Points> way_;      // places in a frame, from its start
  Moment earlier_{};             // the frame before the last
  double began_ = 0;             // the frame [s]: where bodies at rest are, they are all along
  bool bodies_in_place_ = true;  // moving ones are where the scene has them
};

}  // namespace muslin::torture
