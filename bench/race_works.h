#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hang.h"
#include "hang_table.h"

namespace bench {

/// What a row of the race must reach to count for a target.
struct Target {
  const char* name;     // "p99 < 1 %"
  double p99, largest;  // strain at the last frame, likewise
};

/// One piece of work that all contenders do.
struct Work {
  std::string name;  // "hang 64 x 64"
  muslin::Scene scene;
  int points = 0;                  // along a side; 0: no square
  int frames = 300;                // of 1/60 s
  std::optional<FallGate> gate{};  // absent: a run in small steps makes it
  bool for_peers = true;           // engines that know no contact can do it
  std::vector<Target> targets{};
};

/// All of them: sheets of so many points a side that hang from two corners, as grids and as Delaunay meshes;
/// a circle skirt of `skirt` (an OBJ file of scripts/make_skirt) on its dress form; a square that falls on a
/// ball.
std::vector<Work> works(const std::vector<int>& points, const std::string& skirt);

}  // namespace bench
