#include "muslin/solver/position/tethers.h"

#include <algorithm>
#include <cmath>

#include "muslin/geometry/geodesic.h"
#include "muslin/solver/position/line_layout.h"

namespace muslin {

namespace {

constexpr int kMostPins = 16;  // of many the ones that are spread best: distances are searched from each

}  // namespace

Tethers::Tethers(const Model& model, const Controls& controls) {
  const int n = model.vertex_count();
  std::vector<int> pins;
  for (const PinnedVertex& pin : controls.pins) pins.push_back(pin.vertex);
  if (pins.empty()) return;
  const EdgeLengths surface = edge_lengths(n, model.triangles, model.edges, model.edge_length);

  // Two nearest of every vertex, from pins each of which is the one farthest from those before.
  struct Nearest {
    double distance = kInfinity;
    int pin = -1;
  };
  std::vector<std::array<Nearest, 2>> nearest(n);
  int next = pins.front();
  for (int count = 0; count < kMostPins && next >= 0; ++count) {
    const std::vector<double> distance = geodesic_distances(surface, next);
    for (int v = 0; v < n; ++v) {
      Nearest entry{distance[v], next};
      for (Nearest& known : nearest[v])
        if (entry.distance < known.distance) std::swap(entry, known);
    }
    const auto apart = [&](int pin) { return nearest[pin][0].distance; };
    const auto farthest =
        std::max_element(pins.begin(), pins.end(), [&](int a, int b) { return apart(a) < apart(b); });
    next = apart(*farthest) > 0 ? *farthest : -1;
  }
  tethers_.resize(n);
  for (int v = 0; v < n; ++v)
    for (int k = 0; k < 2 && controls.inverse_mass(0, v) > 0; ++k)
      if (std::isfinite(nearest[v][k].distance))
        tethers_[v][k] = {nearest[v][k].pin, float(nearest[v][k].distance)};
}

void Tethers::pull(float* place) const {
  constexpr int kTogether = 1024;  // vertices that a thread takes at once
  const int n = static_cast<int>(tethers_.size());
  for_all_lines(n, (n + kTogether - 1) / kTogether, [&](int chunk) {
    for (int v = chunk * kTogether; v < std::min(n, (chunk + 1) * kTogether); ++v)
      for (const Tether& tether : tethers_[v]) {
        if (tether.pin < 0) break;
        float *x = place + 4 * v, d[3];
        const float* pin = place + 4 * tether.pin;
        for (int axis = 0; axis < 3; ++axis) d[axis] = x[axis] - pin[axis];
        const float squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (!(squared > tether.length * tether.length)) continue;
        const float scale = tether.length / std::sqrt(squared);
        for (int axis = 0; axis < 3; ++axis) x[axis] = pin[axis] + scale * d[axis];
      }
  });
}

}  // namespace muslin
