#include "coarser.h"

#include <algorithm>
#include <cmath>

using namespace muslin;

namespace {

constexpr int kFewestPoints = 7;  // along a side that is halved

int halved(int points) { return points < kFewestPoints ? points : (points - 1) / 2 + 1; }

/// Where point i of `from` lies among `to`; numbers below 0 count from the end.
int moved(int i, int from, int to) {
  const int index = i < 0 ? i + from : i;
  return static_cast<int>(std::lround(double(index) * (to - 1) / (from - 1)));
}

template <class T>
void drop_twins(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

void make_coarser(Cloth& cloth) {
  const auto [u, v] = cloth.grid->points;
  const int new_u = halved(u), new_v = halved(v);
  cloth.grid->points = {new_u, new_v};
  for (Pin& pin : cloth.pins) {
    for (int& vertex : pin.vertices)
      vertex = moved(vertex / u, v, new_v) * new_u + moved(vertex % u, u, new_u);
    for (auto& [i, j] : pin.grid) {
      i = moved(i, u, new_u);
      j = moved(j, v, new_v);
    }
    drop_twins(pin.vertices);
    drop_twins(pin.grid);
  }
}

}  // namespace

std::optional<Scene> coarser(const Scene& scene) {
  Scene result = scene;
  bool changed = false;
  for (Cloth& cloth : result.cloths) {
    if (!cloth.grid) continue;
    const std::array<int, 2> before = cloth.grid->points;
    make_coarser(cloth);
    changed |= cloth.grid->points != before;
  }
  return changed ? std::optional(result) : std::nullopt;
}
