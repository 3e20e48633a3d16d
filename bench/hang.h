#pragma once
#include <functional>
#include <string>
#include <vector>

#include "muslin/model/model.h"

// The standard work `hang`: a sheet of N×N points falls from the horizontal, two of its corners pinned.

namespace bench {

/// What an engine says of one frame.
struct Frame {
  double ms = 0;        ///< of the step alone, if the engine tells it; else the whole call is timed
  double solve_ms = 0;  ///< time spent in constraint solves
  double solves = 0;  ///< constraints × iterations × substeps; 0: the engine solves no constraints one by one
  bool diverged = false;
};

/// An engine with its settings, the sheet loaded, at time 0.
struct Contender {
  std::string engine, settings;
  std::function<Frame()> step;                ///< one frame of 1/60 s
  std::function<muslin::Points()> positions;  ///< [m], 3×n
};

/// A contender is made only when its turn comes, from the sheet that muslin built.
using MakeContender = std::function<Contender(const muslin::Scene&)>;

/// An engine that you built yourself: bench/README.md tells how it gets in.
std::vector<MakeContender> own_contenders();

/// Bullet's soft body on the same mesh, masses and pins, with several numbers of iterations and substeps.
std::vector<MakeContender> bullet_contenders();

}  // namespace bench
