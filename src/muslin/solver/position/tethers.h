#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "muslin/model/model.h"

namespace muslin {

/// Of every vertex the two pins nearest to it, along the cloth at rest.
struct NearestPins {
  struct Reach {
    double length = kInfinity;  ///< [m]
    int anchor = 0;             ///< number in `anchors`
  };
  std::vector<int> anchors;              ///< pins: of many the sixteen that are spread best
  std::vector<std::array<Reach, 2>> of;  ///< a vertex
};
/// Of n vertices, of which `pins` are held; `distances` [m] tells how far all are from one.
NearestPins nearest_pins(int n, const std::vector<int>& pins,
                         const std::function<std::vector<double>(int pin)>& distances);

/// Long-range attachments [Kim 2012]: no vertex is farther from a pin than along the cloth at rest. Each has
/// up to two (nearest_pins). They do what sweeps of constraints are slow at, to carry the weight of a large
/// cloth to its pins, and hold no vertex that cloth without stretch can have; cloth that gives way by stretch
/// or shear is kept stiffer than it is.
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
