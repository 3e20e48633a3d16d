#pragma once
#include "muslin/audit/verdict.h"
#include "muslin/contact/scene_surfaces.h"
#include "muslin/simulation.h"

namespace muslin {

/// A run of which every frame is judged by exact predicates, alone and against the one before.
class JudgedRun {
 public:
  struct Frame {
    FrameReport report;
    Verdict verdict;
  };

  explicit JudgedRun(const Scene& scene, Bodies bodies = Bodies::included)
      : simulation_(scene), judge_(simulation_.model(), 0), bodies_(bodies), before_(places()) {}

  Frame step() {
    Frame frame;
    frame.report = simulation_.step();
    const Points after = places();
    frame.verdict = judge_.judge(simulation_.state().time, after, before_);
    before_ = after;
    return frame;
  }

  const Model& model() const { return simulation_.model(); }
  const State& state() const { return simulation_.state(); }

 private:
  Points places() const {
    const Points& x = simulation_.state().positions;
    return bodies_ == Bodies::included ? places_with_bodies(model(), x, simulation_.state().time) : x;
  }

  Simulation simulation_;
  Judge judge_;
  Bodies bodies_;
  Points before_;
};

}  // namespace muslin
