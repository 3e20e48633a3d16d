#pragma once
#include "muslin/energy/energies.h"

// What solvers that keep something of a model between steps compare, to know that it still holds.

namespace muslin {

/// The vertices of all stencils of all energies, one after another.
inline std::vector<int> pattern(const Energies& energies) {
  std::vector<int> vertices;
  energies.each([&](const auto& energy) {
    for (const auto& stencil : energy.vertices)
      vertices.insert(vertices.end(), stencil.begin(), stencil.end());
  });
  return vertices;
}

}  // namespace muslin
