#pragma once
#include <string>
#include <vector>

#include "muslin/io/complaints.h"
#include "muslin/io/scene_json.h"

namespace muslin {

/// The steps of a path as --set takes it, "cloths/0/fabric" or "/cloths.0.fabric". Internal to io.
std::vector<std::string> path_steps(const std::string& path);

/// Whether a step may be the index of an array. Internal to io.
bool is_index(const std::string& step);

/// Puts the values of the overrides into the document, in their order. Paths are separated by '/' or '.';
/// a value is JSON or else a bare word, which is a string. Missing members of objects are made; an index
/// must exist in its array or be the next. Internal to io.
void apply_overrides(JsonDocument& document, const std::vector<Override>& overrides, Complaints& complaints);

}  // namespace muslin
