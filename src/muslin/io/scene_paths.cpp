#include "muslin/io/scene_paths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "muslin/core/text.h"
#include "muslin/io/json_tree.h"
#include "muslin/io/override.h"
#include "muslin/io/schema_writer.h"
#include "muslin/model/scene.h"

namespace muslin {

namespace {

/// Walks the fields of a scene, the first element of every list, and keeps the paths of every key.
class KeyPaths {
 public:
  KeyPaths() { look(Scene{}); }

  std::map<std::string, std::vector<std::string>, std::less<>> of;

 private:
  template <Described Struct>
  void look(const Struct& value) {
    const auto visit = [this](std::string_view name, const auto& member, const FieldInfo&) {
      const size_t length = path_.size();
      path_.append(length == 0 ? "" : "/").append(name);
      of[std::string(name)].push_back(path_);
      this->look(member);
      path_.resize(length);
    };
    Struct::fields(value, visit);
  }
  template <class T>
  void look(const T&) {}
  template <class T>
  void look(const std::optional<T>&) {
    look(T{});
  }
  template <class T>
  void look(const std::vector<T>&) {
    path_ += "/0";
    look(T{});
  }

  std::string path_;
};

struct OtherName {
  std::string_view key, words;
};
// What other programs and textbooks call it.
constexpr OtherName kOtherNames[] = {
    {"mass", "cloth has a fabric/density [kg/m^2], or a vertex_mass [kg]"},
    {"dt", "the step is frame_time over the solver's substeps"},
    {"time_step", "the step is frame_time over the solver's substeps"},
    {"fps", "a frame lasts frame_time [s]"},
    {"stiffness", "cloth has a fabric (warp, weft, shear, bend), or springs (structural, shear, bend)"},
    {"ks", "cloth has a fabric (warp, weft, shear, bend), or springs (structural, shear, bend)"},
    {"material", "what cloth is made of is its fabric"},
    {"resolution", "a grid has points, [128, 128]"},
};

// What a schema says of a value once references are followed, of the ways it can be written the longest.
const Json& followed(const Json& schema, const Json& document) {
  if (schema.contains("$ref")) {
    const auto name = schema["$ref"].get<std::string>();
    return document["definitions"][name.substr(name.rfind('/') + 1)];
  }
  if (schema.contains("allOf")) return followed(schema["allOf"][0], document);
  if (!schema.contains("anyOf")) return schema;
  const Json* found = &schema;
  for (const Json& way : schema["anyOf"])
    if (const Json& inside = followed(way, document);
        inside.contains("properties") || inside.contains("items"))
      found = &inside;
  return *found;
}

std::string known_keys(const Json& properties, const std::string& key) {
  std::vector<std::string> names;
  for (const auto& [name, value] : properties.items()) names.push_back(name);
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string belongs = nearest_name(key, known).empty() ? where_it_belongs(key) : "";
  return belongs.empty() ? suggestion(key, known) : belongs;
}

}  // namespace

std::string suggestion(std::string_view word, const std::vector<std::string_view>& names) {
  const std::string near = nearest_name(word, names);
  return near.empty() ? fmt::format("known: {}", fmt::join(names, ", "))
                      : fmt::format("did you mean {}?", in_quotes(near));
}

std::string plain_path(const std::string& path) {
  return fmt::format("{}", fmt::join(path_steps(path), "/"));
}

std::string path_trouble(const std::string& path) {
  static const Json document = SchemaWriter::document<Scene>("");
  const Json* at = &document;
  std::string above;
  for (const std::string& step : path_steps(path)) {
    const std::string where = above.empty() ? "" : " at " + above;
    if (at->contains("items")) {
      if (!is_index(step)) return fmt::format("must have an index{}, not {}", where, in_quotes(step));
      at = &followed((*at)["items"], document);
    } else if (at->contains("properties")) {
      const Json& properties = (*at)["properties"];
      if (!properties.contains(step))
        return fmt::format("has no key {}{}; {}", in_quotes(step), where, known_keys(properties, step));
      at = &followed(properties[step], document);
    } else {
      return fmt::format("has no key {}: {} is a single value", in_quotes(step), above);
    }
    above += "/" + step;
  }
  return "";
}

std::string where_it_belongs(std::string_view key) {
  for (const OtherName& other : kOtherNames)
    if (other.key == key) return std::string(other.words);
  static const KeyPaths paths;
  const auto found = paths.of.find(key);
  if (found == paths.of.end()) return "";
  constexpr size_t kMost = 3;
  const auto end = found->second.begin() + std::min(kMost, found->second.size());
  const auto more = found->second.end() - end;
  return fmt::format("it stands at {}{}", fmt::join(found->second.begin(), end, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace muslin
