#pragma once
#include <optional>
#include <string>
#include <vector>

#include "muslin/io/scene_json.h"

namespace muslin {

/// "path=value" as an override; none if there is no "=", or nothing before it.
std::optional<Override> split_assignment(const std::string& text);

/// What is changed of a scene before it runs, as `muslin run --solver --frames --set` has it.
struct SceneChanges {
  std::string method;               ///< a method (solver/methods.h) instead of the scene's; "": the scene's
  std::optional<int> frames;        ///< instead of the scene's number
  std::vector<Override> overrides;  ///< values of the scene, in their order
};

/// read_scene and parse_scene (io/scene_json.h), with changes. Throw as they do, and as find_method does.
Scene read_changed_scene(const std::string& path, const SceneChanges& changes);
Scene parse_changed_scene(const std::string& text, const std::string& name, const std::string& folder,
                          const SceneChanges& changes);

}  // namespace muslin
