#pragma once
#include <algorithm>

#include "muslin/simulation.h"

// Cloth that stretches as good as not, as in bench/race: what coarse corrections are for.

namespace muslin {

inline void make_inextensible(Fabric& fabric) {
  fabric.density = 0.2;
  fabric.warp = fabric.weft = 1e5;
  fabric.shear = 33000;
  fabric.bend = 0;
}

/// The largest 99th percentile of strain in the first second.
inline double highest_strain(Scene scene, bool coarse) {
  scene.solver.position.coarse = coarse;
  Simulation simulation(scene);
  double highest = 0;
  for (int f = 0; f < 60; ++f) highest = std::max(highest, simulation.step().strain_p99);
  return highest;
}

}  // namespace muslin
