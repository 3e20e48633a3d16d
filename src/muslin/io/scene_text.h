#pragma once
#include <string>

#include "muslin/io/scene_json.h"

namespace muslin {

/// The text of a scene file changed from saying one scene to saying another: comments, order and whatever is
/// the same stay as they are written. `overrides` are those that `from` was read with. Throws Error(invalid)
/// for a course's own file, and where the text cannot say `to`: what an override sets, for instance.
std::string edit_scene_text(const std::string& text, const std::string& name, const Scene& from,
                            const Scene& to, const std::vector<Override>& overrides = {});

/// The same without looking whether overrides hide any of it.
std::string change_scene_text(const std::string& text, const std::string& name, const Scene& from,
                              const Scene& to);

}  // namespace muslin
