#pragma once
#include "muslin/io/json_tree.h"
#include "muslin/model/scene.h"

namespace muslin {

/// Whether a document is a scene of CS184's clothsim: it has a `cloth` and no key of ours. Internal to io.
bool is_cs184(const JsonNode& root);

/// Our scene for a CS184 document. Throws Error(invalid) with every problem, like read_scene.
Scene convert_cs184(const JsonDocument& document);

/// Where the converted scene has what a CS184 file calls `path` ("cloth/ks", "/sphere/radius"); "" for what
/// is no such name.
std::string converted_path(std::string_view path);

}  // namespace muslin
