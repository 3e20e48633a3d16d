#pragma once
#include <string>
#include <vector>

#include "muslin/io/scene_json.h"
#include "muslin/model/field.h"

namespace muslin {

/// What `muslin view` changes in a scene so that it moves in real time: the section `viewer` of a scene file.
/// A run takes the scene as it is.
struct ViewerVariant {
  std::vector<std::string> set;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("set", self.set, {"changes as --set has them: \"cloths/0/grid/points=[31, 31]\""});
  }
};

/// The changes that a scene file asks the viewer to make, for read_scene; none if it has no such section.
/// Throws Error(invalid) if they do not have the form path=value, Error(file) if the file cannot be read.
std::vector<Override> read_viewer_variant(const std::string& path);
/// The same of a file's text; `path` is for messages.
std::vector<Override> viewer_variant_of(const std::string& text, const std::string& path);

}  // namespace muslin
