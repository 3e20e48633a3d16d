#pragma once
#include <string>

#include "muslin/simulation.h"

namespace muslin {

/// What follows what, and when pins come and go: a line for each such pin.
std::string followers(const Simulation& simulation);

/// How fast bodies deform, and until when: a line for each.
std::string deforming_colliders(const Model& model);

}  // namespace muslin
