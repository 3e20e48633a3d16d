#include "muslin/solver/position/line_springs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace muslin {

namespace {

// The families that line solves know: both families of threads, both diagonals, and what skips one vertex.
constexpr int kOffsets[][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}};

// How many springs a whole family has, and how many lines of one stiffness each.
int spring_count(const GridPatch& patch, const LineFamily& f) {
  return std::max(0, patch.nu - std::abs(f.di)) * std::max(0, patch.nv - f.dj);
}
int line_count(const GridPatch& patch, const LineFamily& f) {
  return f.di == 0 ? patch.nu : f.dj == 0 ? patch.nv : 1;
}

// Lengths are differences of places, which have few digits far from the origin; floats have seven.
bool same(double a, double b) { return std::abs(a - b) <= 1e-6 * std::abs(a); }

class SpringReader {
 public:
  explicit SpringReader(const GridPatch& patch) : patch_(patch) {
    for (const auto& [di, dj] : kOffsets) {
      families_.push_back({di, dj, 0, 0, {}});
      families_.back().stiffness.assign(line_count(patch, families_.back()), -1);
    }
    counts_.assign(families_.size(), 0);
  }

  // Whether the spring is one of a family, and like all others of its line.
  bool take(const SpringEnergy& springs, int s) {
    const int a = springs.vertices(s)[0] - patch_.first_vertex,
              b = springs.vertices(s)[1] - patch_.first_vertex;
    const int low = std::min(a, b), high = std::max(a, b), i = low % patch_.nu, j = low / patch_.nu;
    const int di = high % patch_.nu - i, dj = high / patch_.nu - j;
    for (size_t f = 0; f < families_.size(); ++f) {
      LineFamily& family = families_[f];
      if (family.di != di || family.dj != dj) continue;
      double& stiffness = family.stiffness[di == 0 ? i : dj == 0 ? j : 0];
      if (counts_[f]++ == 0) {
        family.rest_length = springs.rest[s];
        family.damping = springs.elements().damping[s];
      }
      if (stiffness < 0) stiffness = springs.stiffness[s];
      return same(family.rest_length, springs.rest[s]) && family.damping == springs.elements().damping[s] &&
             same(stiffness, springs.stiffness[s]);
    }
    return false;
  }

  // The families that there are; what is wrong with them in `obstacle`.
  std::vector<LineFamily> result(std::string& obstacle) const {
    std::vector<LineFamily> present;
    for (size_t f = 0; f < families_.size(); ++f) {
      const LineFamily& family = families_[f];
      if (counts_[f] == 0) continue;
      if (counts_[f] != spring_count(patch_, family)) obstacle = "has lines of springs with gaps";
      if (*std::max_element(family.stiffness.begin(), family.stiffness.end()) > 0) present.push_back(family);
    }
    return present;
  }

 private:
  const GridPatch& patch_;
  std::vector<LineFamily> families_;
  std::vector<int> counts_;
};

// Which grid has a vertex, where each vertex of the model is one of a grid.
std::vector<int> owners(const Model& model) {
  std::vector<int> owner(model.vertex_count(), -1);
  for (size_t g = 0; g < model.grids.size(); ++g) {
    const GridPatch& patch = model.grids[g];
    std::fill_n(owner.begin() + patch.first_vertex, patch.nu * patch.nv, static_cast<int>(g));
  }
  return owner;
}

// What keeps the energies from being run line by line, or "".
std::string other_energies(const Model& model) {
  std::string obstacle;
  model.energies.each([&](const auto& energy) {
    if (energy.size() == 0 || !obstacle.empty()) return;
    if (energy.kName != SpringEnergy::kName && energy.kName != BendingEnergy::kName)
      obstacle = fmt::format("the cloth has {}, not springs and quadratic bending alone", energy.kName);
  });
  return obstacle;
}

}  // namespace

LineMaterials line_materials(const Model& model) {
  LineMaterials result;
  const auto name = [&](const GridPatch& patch) {
    return fmt::format("cloth \"{}\"", model.cloths[patch.cloth].name);
  };
  result.obstacle = other_energies(model);
  const std::vector<int> owner = owners(model);
  for (const ClothRange& cloth : model.cloths)
    if (result.obstacle.empty() && owner[cloth.first_vertex] < 0)
      result.obstacle = fmt::format("cloth \"{}\" is no grid", cloth.name);
  if (!result.obstacle.empty()) return result;

  std::vector<SpringReader> readers(model.grids.begin(), model.grids.end());
  const SpringEnergy& springs = model.energies.springs;
  for (int s = 0; s < springs.size(); ++s) {
    const int g = owner[springs.vertices(s)[0]];
    if (readers[g].take(springs, s)) continue;
    result.obstacle = name(model.grids[g]) + " has springs that do not make whole lines of one kind";
    return result;
  }
  for (size_t g = 0; g < readers.size(); ++g) {
    std::string words;
    result.grids.push_back({model.grids[g], readers[g].result(words), 0});
    if (!words.empty()) result.obstacle = name(model.grids[g]) + " " + words;
  }
  const BendingEnergy& bending = model.energies.bending;
  for (int e = 0; e < bending.size(); ++e)
    result.grids[owner[bending.vertices(e)[0]]].bend_damping = bending.elements().damping[e];
  if (!result.obstacle.empty()) result.grids.clear();
  return result;
}

}  // namespace muslin
