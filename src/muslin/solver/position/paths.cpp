#include "muslin/solver/position/paths.h"

#include "muslin/solver/position/colours.h"
#include "muslin/solver/position/lines.h"

namespace muslin {

FastPaths fast_paths(const PositionSettings& settings) {
  FastPaths paths;
  const PositionPath wanted = settings.wanted_path();
  if (wanted == PositionPath::lines) paths.push_back(std::make_unique<LinePath>(settings));
  if (wanted != PositionPath::general) paths.push_back(std::make_unique<ColourPath>(settings));
  return paths;
}

FastPath* first_without_obstacle(const FastPaths& paths, const Model& model, const Controls& controls) {
  for (const std::unique_ptr<FastPath>& path : paths)
    if (path->obstacle(model, controls).empty()) return path.get();
  return nullptr;
}

PositionPath path_taken(const PositionSettings& settings, const Model& model) {
  const FastPaths paths = fast_paths(settings);
  const FastPath* fast = first_without_obstacle(paths, model, model.script);
  return fast ? fast->name() : PositionPath::general;
}

}  // namespace muslin
