#include "muslin/changed_scene.h"

#include "muslin/solver/methods.h"

namespace muslin {

namespace {

// The family comes first, so that the settings of others are known to be unread.
std::vector<Override> all_overrides(const SceneChanges& changes) {
  std::vector<Override> overrides;
  if (!changes.method.empty()) overrides.emplace_back("/solver/family", family_of_method(changes.method));
  if (changes.frames) overrides.emplace_back("/frames", std::to_string(*changes.frames));
  overrides.insert(overrides.end(), changes.overrides.begin(), changes.overrides.end());
  return overrides;
}

Scene with_method(Scene scene, const SceneChanges& changes) {
  if (!changes.method.empty()) find_method(changes.method).choose(scene.solver);
  return scene;
}

}  // namespace

std::optional<Override> split_assignment(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) return {};
  return Override{text.substr(0, equals), text.substr(equals + 1)};
}

Scene read_changed_scene(const std::string& path, const SceneChanges& changes) {
  return with_method(read_scene(path, all_overrides(changes)), changes);
}

Scene parse_changed_scene(const std::string& text, const std::string& name, const std::string& folder,
                          const SceneChanges& changes) {
  return with_method(parse_scene(text, name, folder, all_overrides(changes)), changes);
}

}  // namespace muslin
