#pragma once
#include <vector>

#include "muslin/contact/vertices/collider_probes.h"
#include "muslin/contact/vertices/neighbours.h"
#include "muslin/model/input.h"
#include "muslin/model/model.h"

namespace muslin {

/// What contact of vertices keeps over steps. It spares searches, and changes no bit.
struct VertexMemory {
  Neighbours neighbours;
  ColliderProbes probes;
};

/// What a pass over the colliders met.
struct ContactReport {
  int contacts = 0;           ///< vertices that were pushed out
  std::vector<char> touched;  ///< which they are, one a vertex; empty: none
};

/// Projects vertices out of the colliders as they stand at the end of the step, with friction against the
/// motion since `start` (positions at the beginning of the step). Held components stay. First form of
/// contact: it looks at vertices only, and at the end of the step only.
ContactReport push_out(const Model& model, const Input& input, const Points& start, ColliderProbes& probes,
                       Points& positions);

/// The smallest gap of a vertex to the colliders at the end of the step [m]; infinite without colliders.
double least_gap(const Model& model, const Input& input, ColliderProbes& probes, const Points& positions);

/// Vertices closer than Model::self_distance (or their rest distance, if that is less) push each other apart,
/// all from the same positions, by `relaxation` times the mean of their corrections, along axes that are
/// `free` (Controls). Returns how many moved. `neighbours` spares the search, and changes no bit.
int push_apart(const Model& model, const Points& free, Neighbours& neighbours, Points& positions);

}  // namespace muslin
