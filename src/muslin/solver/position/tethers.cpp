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

Tethers::Tethers(const Model& model, const Controls& controls) {
  const int n = model.vertex_count();
  std::vector<int> pins;
  for (const PinnedVertex& pin : controls.pins) pins.push_back(pin.vertex);
  if (pins.empty()) return;
  const EdgeLengths surface = edge_lengths(n, model.triangles, model.edges, model.edge_length);

  // Two nearest of every vertex, from pins each of which is the one farthest from those before.
  struct Nearest {
    double distance = kInfinity;
    int anchor = 0;
  };
  std::vector<std::array<Nearest, 2>> nearest(n);
  int next = pins.front();
  while (anchors_.size() < kMostPins && next >= 0) {
    anchors_.push_back(next);
    const std::vector<double> distance = geodesic_distances(surface, next);
    for (int v = 0; v < n; ++v) {
      Nearest entry{distance[v], static_cast<int>(anchors_.size()) - 1};
      for (Nearest& known : nearest[v])
        if (entry.distance < known.distance) std::swap(entry, known);
    }
    const auto apart = [&](int pin) { return nearest[pin][0].distance; };
    const auto farthest =
        std::max_element(pins.begin(), pins.end(), [&](int a, int b) { return apart(a) < apart(b); });
    next = apart(*farthest) > 0 ? *farthest : -1;
  }
  constexpr float kNone = 1e30f;
  pins_.assign(2 * kLanes * ((n + kLanes - 1) / kLanes), 0);
  lengths_.assign(pins_.size(), kNone);
  for (int v = 0; v < n; ++v)
    for (int k = 0; k < 2 && controls.inverse_mass(0, v) > 0; ++k) {
      if (!std::isfinite(nearest[v][k].distance)) continue;
      const int at = (2 * (v / kLanes) + k) * kLanes + v % kLanes;
      pins_[at] = 4 * nearest[v][k].anchor;
      lengths_[at] = float(nearest[v][k].distance);
    }
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
