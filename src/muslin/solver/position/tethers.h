#pragma once
#include <cstdint>
#include <vector>

#include "muslin/model/model.h"

namespace muslin {

/// Long-range attachments [Kim 2012]: no vertex is farther from a pin than along the cloth at rest. Each has
/// up to two, to the pins nearest to it (of many pins, of sixteen that are spread best). They do what sweeps
/// of constraints are slow at, to carry the weight of a large cloth to its pins, and hold no vertex that
/// cloth without stretch can have; cloth that gives way by stretch or shear is kept stiffer than it is.
class Tethers {
 public:
  Tethers() = default;
  Tethers(const Model& model, const Controls& controls);

  /// Moves vertices that are too far onto the sphere about their pin; places as in ColourJob.
  void pull(float* place) const;

 private:
  std::vector<int> anchors_;  // vertices: pins, or of many the ones that are spread best
  // As in TetherJob
  std::vector<std::int32_t> pins_;
  std::vector<float> lengths_;
};

}  // namespace muslin
