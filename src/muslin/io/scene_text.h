#pragma once
#include <string>

#include "muslin/io/scene_json.h"

namespace muslin {

/// The text of a scene file changed from saying one scene to saying another: comments, order and whatever is
/// the same stay as they are written. Throws Error(invalid) for a course's own file. Whether overrides hide
/// any of it nobody looks.
std::string change_scene_text(const std::string& text, const std::string& name, const Scene& from,
                              const Scene& to);

}  // namespace muslin
