#pragma once
#include <optional>
#include <string>

#include "muslin/audit/surface.h"
#include "muslin/io/run_record.h"
#include "muslin/simulation.h"

/// Counts, in some frames of a run, the triangles of cloth that intersect, where the method lets them. What
/// is seen is exact; what happens between the frames looked at is not seen.
class IntersectionWatch {
 public:
  explicit IntersectionWatch(const muslin::Simulation& simulation);

  /// After every frame: looks at one in so many, and at the last. How many pairs it saw, if it looked.
  std::optional<int> look(const muslin::Simulation& simulation) const;

 private:
  static constexpr int kMostLooks = 24;

  const muslin::Scene& scene_;
  bool lets_through_;
  muslin::Surface surface_;
};

/// What was found in the frames of a record and what would prevent it, in one sentence; "" if nothing was.
std::string intersection_doubt(const muslin::RunRecord& record);
