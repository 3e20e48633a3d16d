#include <fmt/format.h>

#include <algorithm>

#include "muslin/io/scene_json.h"
#include "muslin/io/scene_tree.h"

namespace muslin {

namespace {

std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool holds_objects(const Json& value) {
  return value.is_object() || (value.is_array() && std::any_of(value.begin(), value.end(), holds_objects));
}

// Like dump with an indent, but vectors and lists of numbers stay on one line.
void print(const Json& value, int indent, int margin, std::string& out) {
  if (!holds_objects(value) || value.empty()) {
    out += dump(value);
    return;
  }
  const std::string line = fmt::format("\n{:{}}", "", margin + indent);
  out += value.is_object() ? "{" : "[";
  const char* separator = "";
  for (const auto& [key, child] : value.items()) {
    out += separator + line;
    if (value.is_object()) out += dump(key) + ": ";
    print(child, indent, margin + indent, out);
    separator = ",";
  }
  out += line.substr(0, 1 + margin);
  out += value.is_object() ? "}" : "]";
}

}  // namespace

std::string write_scene(const Scene& scene, int indent) {
  const Json tree = to_tree(scene);
  if (indent < 0) return dump(tree);
  std::string text;
  print(tree, indent, 0, text);
  return text + "\n";
}

}  // namespace muslin
