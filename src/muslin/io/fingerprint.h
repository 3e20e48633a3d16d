#pragma once
#include <string>

#include "muslin/model/model.h"

namespace muslin {

/// What decides the steps of a run, as SHA-256 in hexadecimal digits. Names, file names, colours and the
/// number of frames do not.
struct Fingerprint {
  std::string shapes;   ///< vertices, masses, elements, pins and collider meshes of the model
  std::string numbers;  ///< all fields of the scene but those of the solver
  std::string solver;   ///< settings of the family that runs

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Of a resolved scene and its model; `start`: positions that the scene begins with (not those that
/// started_from was given).
Fingerprint fingerprint_of(const Scene& scene, const Model& model, const Points& start);

/// "the solver's settings are others", and likewise of the other parts; "" for equal ones.
std::string describe_difference(const Fingerprint& found, const Fingerprint& expected);

}  // namespace muslin
