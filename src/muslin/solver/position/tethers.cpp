#include "muslin/solver/position/tethers.h"

#include <algorithm>
#include <cmath>

#include "muslin/geometry/geodesic.h"
#include "muslin/solver/position/line_layout.h"
#include "muslin/solver/position/step_kernels.h"

namespace muslin {

namespace {

constexpr int kLanes = kTetherLanes;
constexpr size_t kMostPins = 16;  // of many the ones that are spread best: distances are searched from each

}  // namespace

// Each anchor is the pin farthest from those before.
NearestPins nearest_pins(int n, const std::vector<int>& pins,
                         const std::function<std::vector<double>(int pin)>& distances) {
  NearestPins nearest{{}, std::vector<std::array<NearestPins::Reach, 2>>(n)};
  int next = pins.empty() ? -1 : pins.front();
  while (nearest.anchors.size() < kMostPins && next >= 0) {
    nearest.anchors.push_back(next);
    const std::vector<double> distance = distances(next);
    for (int v = 0; v < n; ++v) {
      NearestPins::Reach reach{distance[v], static_cast<int>(nearest.anchors.size()) - 1};
      for (NearestPins::Reach& known : nearest.of[v])
        if (reach.length < known.length) std::swap(reach, known);
    }
    const auto apart = [&](int pin) { return nearest.of[pin][0].length; };
    const auto farthest =
        std::max_element(pins.begin(), pins.end(), [&](int a, int b) { return apart(a) < apart(b); });
    next = apart(*farthest) > 0 ? *farthest : -1;
  }
  return nearest;
}

Tethers::Tethers(const Model& model, const Controls& controls) {
  const int n = model.vertex_count();
  std::vector<int> pins;
  for (const PinnedVertex& pin : controls.pins) pins.push_back(pin.vertex);
  if (pins.empty()) return;
  const EdgeLengths surface = edge_lengths(n, model.triangles, model.edges, model.edge_length);
  NearestPins nearest = nearest_pins(n, pins, [&](int pin) { return geodesic_distances(surface, pin); });
  constexpr float kNone = 1e30f;
  pins_.assign(2 * kLanes * ((n + kLanes - 1) / kLanes), 0);
  lengths_.assign(pins_.size(), kNone);
  for (int v = 0; v < n; ++v)
    for (int k = 0; k < 2 && controls.inverse_mass(0, v) > 0; ++k) {
      const NearestPins::Reach& reach = nearest.of[v][k];
      if (!std::isfinite(reach.length)) continue;
      const int at = (2 * (v / kLanes) + k) * kLanes + v % kLanes;
      pins_[at] = 4 * reach.anchor;
      lengths_[at] = float(reach.length);
    }
  anchors_ = std::move(nearest.anchors);
}

void Tethers::pull(float* place) const {
  constexpr int kTogether = 128;  // groups that a thread takes at once
  const int groups = static_cast<int>(pins_.size()) / (2 * kLanes);
  std::vector<float> anchors(4 * anchors_.size());
  for (size_t a = 0; a < anchors_.size(); ++a) std::copy_n(place + 4 * anchors_[a], 4, &anchors[4 * a]);
  for_all_lines(kLanes * groups, (groups + kTogether - 1) / kTogether, [&](int chunk) {
    const int first = chunk * kTogether;
    chosen_step_kernels().pull(
        {place, anchors.data(), pins_.data(), lengths_.data(), first, std::min(kTogether, groups - first)});
  });
}

}  // namespace muslin
