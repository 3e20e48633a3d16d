#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace muslin {

/// `did you mean "density"?`, or all names if none is near. Internal to io.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& names);

/// Where a scene has a key that somebody wrote in another place, or what it has in its stead: "it stands at
/// cloths/0/fabric"; "" where nothing of the kind is known. Internal to io.
std::string where_it_belongs(std::string_view key);

/// A path that --set would take, as "cloths/0/fabric", however it is written. Internal to io and sweep.
std::string plain_path(const std::string& path);

/// What is wrong with a path that --set would take: `has no key "densty" at /cloths/0/fabric; did you mean
/// "density"?`; "" if some scene has it. Internal to io and sweep.
std::string path_trouble(const std::string& path);

}  // namespace muslin
