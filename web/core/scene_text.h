#pragma once
#include <string>

#include "muslin/model/scene.h"

namespace muslin::web {

/// A scene as a caller gives it.
struct SceneText {
  std::string text;       ///< of the file
  std::string name;       ///< of the file in messages; its folder is where meshes are
  std::string method;     ///< instead of the scene's solver; "" none
  std::string overrides;  ///< lines path=value
  bool in_comparison;     ///< whether the method takes the common step of a comparison
};

/// The scene to run. Throws Error as parse_scene does.
Scene scene_of(const SceneText& given);

}  // namespace muslin::web
