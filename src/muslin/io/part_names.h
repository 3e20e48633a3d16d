#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>

// Names of parts of a mesh from files whose names may hold anything. Frames write them in lines of OBJ files.

namespace muslin {

/// The name with underscores for control characters, without space at its ends, cut after 200
/// bytes; `otherwise` if nothing is left.
std::string part_name(std::string_view name, const std::string& otherwise);

/// The same as the name of a group, which has no spaces: "left sleeve" is left_sleeve.
std::string group_name(std::string_view name, const std::string& otherwise);

/// Groups that a face is in, as one entry of Polygons::groups.
std::string with_group(const std::string& groups, const std::string& name);

/// A name that nothing before had: "sleeve", then "sleeve 2".
class UniqueNames {
 public:
  std::string take(const std::string& name);

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> next_;  ///< number to try for a name that is taken
};

}  // namespace muslin
