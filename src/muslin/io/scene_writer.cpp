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
  if (!value.is_structured() || value.empty()) {
    out += dump(value);
    return;
  }
  const bool one_line = !holds_objects(value);
  const std::string end = one_line ? "" : fmt::format("\n{:{}}", "", margin);
  const std::string line = one_line ? "" : fmt::format("\n{:{}}", "", margin + indent);
  out += value.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& [key, child] : value.items()) {
    if (!first) out += one_line ? ", " : ",";
    first = false;
    out += line;
    if (value.is_object()) out += dump(key) + ": ";
    print(child, indent, margin + indent, out);
  }
  out += end;
  out += value.is_object() ? '}' : ']';
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
