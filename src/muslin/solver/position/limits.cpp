#include "muslin/solver/position/limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

#include "muslin/solver/position/paths.h"

namespace muslin {

namespace {

// How many floats apart a step's fall must be, or the run warns. A drape of silk (docs/fabrics.md) was right
// at 4.6 and four points too stiff at 1.15; a sheet of cotton stretched by 1, 14, 40 % too much at 0.9, 0.2,
// 0.06.
constexpr double kFewestFloats = 1.5;

// Which path runs instead of the one that is wanted, and what keeps the others from it.
std::string path_limits(const PositionSettings& settings, const Model& model, const FastPaths& paths,
                        const FastPath* taken) {
  if (!settings.path) return "";  // the fastest that runs is what was asked for
  if (paths.empty() || taken == paths.front().get()) return "";
  std::string why;
  for (const std::unique_ptr<FastPath>& path : paths) {
    const std::string& obstacle = path->obstacle(model, model.script);
    if (!obstacle.empty() && why.find(obstacle) == std::string::npos)
      why += (why.empty() ? "" : "; ") + obstacle;
  }
  return fmt::format("position takes {} instead of {}: {}",
                     taken ? fmt::format("the path {}", name_of(taken->name())) : "the general path",
                     name_of(paths.front()->name()), why);
}

// How far a step moves cloth that falls, beside what floats tell apart there.
std::string float_limits(const Model& model, const FastPath& path, double h) {
  const double fall = model.script.gravity.norm() * h * h, reach = path.reach(model);
  const double apart = std::nextafter(float(reach), std::numeric_limits<float>::infinity()) - float(reach);
  if (fall == 0 || fall >= kFewestFloats * apart) return "";
  return fmt::format(
      "a step of {:.3g} us lets cloth fall {:.3g} nm; floats of the path {} are up to {:.3g} nm apart, and "
      "smaller moves are lost: take fewer substeps or the path general",
      1e6 * h, 1e9 * fall, name_of(path.name()), 1e9 * apart);
}

std::string energy_limits(const PositionSettings& settings, const Model& model) {
  const Energies& energies = model.energies;
  if (settings.method == PositionMethod::pbd) {
    const bool bends = energies.bending.size() > 0, loses = is_damped(energies);
    if (!bends && !loses) return "";
    return fmt::format("pbd holds lengths rigidly: the fabric's {} not used",
                       bends && loses ? "bending rigidity and damping are"
                       : bends        ? "bending rigidity is"
                                      : "damping is");
  }
  const bool stiffens = muslin::stiffens(energies.baraff_witkin),
             limited = is_limited(energies.baraff_witkin);
  if (!stiffens && !limited) return "";
  return fmt::format("xpbd has no strain {}{}{}: the fabric's {} not used", stiffens ? "stiffening" : "",
                     stiffens && limited ? " and no strain " : "", limited ? "limit" : "",
                     stiffens && limited ? "are" : "is");
}

}  // namespace

std::string position_limits(const PositionSettings& settings, const Model& model, double frame_time) {
  const FastPaths paths = fast_paths(settings);
  const FastPath* taken = first_without_obstacle(paths, model, model.script);
  std::vector<std::string> limits{path_limits(settings, model, paths, taken), energy_limits(settings, model)};
  if (taken) limits.push_back(float_limits(model, *taken, frame_time / settings.steps()));
  std::erase(limits, "");
  return fmt::format("{}", fmt::join(limits, "; "));
}

}  // namespace muslin
