#pragma once
#include <string>

#include "muslin/audit/surface.h"
#include "muslin/simulation.h"

/// Counts, in some frames of a run, the triangles of cloth that intersect, where the method lets them. What
/// is seen is exact; what happens between the frames looked at is not seen.
class IntersectionWatch {
 public:
  explicit IntersectionWatch(const muslin::Simulation& simulation);

  /// After every frame: looks at one in so many, and at the last.
  void look(const muslin::Simulation& simulation);

  /// What was found and what would prevent it, in one sentence; "" if nothing was.
  std::string doubt() const;

 private:
  static constexpr int kMostLooks = 24;

  const muslin::Scene& scene_;
  bool lets_through_;
  muslin::Surface surface_;
  int looks_ = 0;
  int worst_ = 0, worst_frame_ = 0;  ///< pairs
  int last_ = 0;                     ///< pairs
};
