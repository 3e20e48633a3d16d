#include "muslin/io/scene_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/io/cs184.h"
#include "muslin/io/json_tree.h"
#include "muslin/io/scene_tree.h"
#include "muslin/model/same_fields.h"

namespace muslin {

namespace {

/// A value to be written at a place of a scene; null takes an optional one away.
struct Change {
  std::vector<std::string> path;
  Json value;
};

// --- what is to be changed -------------------------------------------------------------------------

/// An element of a list as a person would write it: without what every one of its kind has anyway.
Json shortened(const Json& value, const Json& standard) {
  if (!value.is_object() || !standard.is_object()) return value;
  Json result = Json::object();
  for (const auto& [key, member] : value.items()) {
    const auto its_standard = standard.find(key);
    if (its_standard == standard.end())
      result[key] = member;
    else if (member != *its_standard)
      result[key] = shortened(member, *its_standard);
  }
  return result;
}

Json new_element(const std::string& list, const Json& value) {
  if (list == "pins") return shortened(value, to_tree(Pin{}));
  if (list == "colliders") return shortened(value, to_tree(Collider{}));
  return value;
}

std::vector<std::string> below(std::vector<std::string> path, const std::string& step) {
  path.push_back(step);
  return path;
}

void find_changes(const Json& from, const Json& to, const std::vector<std::string>& path,
                  std::vector<Change>& changes) {
  if (from == to) return;
  const auto holds_objects = [](const Json& list) { return !list.empty() && list.front().is_object(); };
  if (from.is_object() && to.is_object()) {
    for (const auto& [key, value] : to.items()) {
      if (const auto before = from.find(key); before != from.end())
        find_changes(*before, value, below(path, key), changes);
      else
        changes.push_back({below(path, key), value});
    }
    for (const auto& [key, value] : from.items())
      if (!to.contains(key)) changes.push_back({below(path, key), Json()});
  } else if (from.is_array() && to.is_array() && holds_objects(to) && from.size() <= to.size()) {
    for (size_t i = 0; i < to.size(); ++i) {
      if (i < from.size())
        find_changes(from[i], to[i], below(path, std::to_string(i)), changes);
      else
        changes.push_back({below(path, std::to_string(i)), new_element(path.back(), to[i])});
    }
  } else if (to.is_array() && holds_objects(to)) {
    Json list = Json::array();
    for (const Json& element : to) list.push_back(new_element(path.back(), element));
    changes.push_back({path, list});
  } else {
    changes.push_back({path, to});
  }
}

// --- the text --------------------------------------------------------------------------------------

std::string one_line(const Json& value) {
  if (!value.is_structured()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  for (const auto& [key, member] : value.items()) {
    if (!text.empty()) text += ", ";
    if (value.is_object()) text += Json(key).dump() + ": ";
    text += one_line(member);
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

size_t end_of_string(const std::string& text, size_t quote) {
  size_t at = quote + 1;
  while (text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return at + 1;
}

/// Behind a comment that begins at `at`, or `at` where none does.
size_t end_of_comment(const std::string& text, size_t at) {
  if (text.compare(at, 2, "//") == 0) return std::min(text.find('\n', at), text.size());
  if (text.compare(at, 2, "/*") == 0) return std::min(text.find("*/", at + 2), text.size() - 2) + 2;
  return at;
}

/// Behind the value that begins at `begin` in a text that is known to be well formed.
size_t end_of_value(const std::string& text, size_t begin) {
  if (text[begin] == '"') return end_of_string(text, begin);
  if (text[begin] != '{' && text[begin] != '[')
    return std::min(text.find_first_of(",]} \t\r\n/", begin), text.size());
  int depth = 0;
  for (size_t at = begin; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = end_of_string(text, at);
    } else if (const size_t end = end_of_comment(text, at); end > at) {
      at = end;
    } else {
      depth += (c == '{' || c == '[') - (c == '}' || c == ']');
      ++at;
      if (depth == 0) return at;
    }
  }
  return text.size();
}

/// The end of the line in which a value ends, a comment behind it included; npos if anything else follows.
size_t end_of_line_behind(const std::string& text, size_t at) {
  while (at < text.size() && text[at] != '\n') {
    const size_t end = end_of_comment(text, at);
    if (end == at && text[at] != ' ' && text[at] != '\t' && text[at] != '\r') return std::string::npos;
    at = std::max(end, at + 1);
  }
  return at;
}

/// The blanks at the beginning of the line of a place.
std::string indent_at(const std::string& text, size_t place) {
  const size_t line = text.rfind('\n', place) + 1;  // npos + 1 is 0
  return text.substr(line, text.find_first_not_of(" \t", line) - line);
}

/// Where the members of an object or the elements of an array begin, and where the last one ends.
struct Children {
  size_t first = 0, last_end = 0;
  bool none = true;
};

Children children_of(const std::string& text, const JsonNode& node) {
  const auto* object = node.as<JsonNode::Object>();
  const auto* array = node.as<JsonNode::Array>();
  if (object && !object->empty())
    return {object->front().place.offset, end_of_value(text, object->back().value.place.offset), false};
  if (array && !array->empty())
    return {array->front().place.offset, end_of_value(text, array->back().place.offset), false};
  return {};
}

/// Adds a member or an element behind the last one, in the manner of the others.
void append(std::string& text, const JsonNode& node, const std::string& what) {
  const size_t begin = node.place.offset;
  const auto [first, last_end, none] = children_of(text, node);
  if (none) {
    text.insert(begin + 1, what);
    return;
  }
  const bool own_lines = text.substr(begin, first - begin).find('\n') != std::string::npos;
  const size_t line_end = own_lines ? end_of_line_behind(text, last_end) : std::string::npos;
  if (line_end == std::string::npos) {
    text.insert(last_end, (own_lines ? ",\n" + indent_at(text, first) : ", ") + what);
    return;
  }
  text.insert(line_end, "\n" + indent_at(text, first) + what);
  text.insert(last_end, ",");
}

bool is_place_in_list(const std::string& step) {
  return !step.empty() && step.find_first_not_of("0123456789") == std::string::npos;
}

const JsonNode* child_of(const JsonNode& node, const std::string& step) {
  if (const auto* array = node.as<JsonNode::Array>())
    return is_place_in_list(step) && std::stoul(step) < array->size() ? &(*array)[std::stoul(step)] : nullptr;
  return node.find(step);
}

/// A value inside the objects and arrays that a path names.
Json wrapped(const Json& value, const std::vector<std::string>& path, size_t from) {
  Json result = value;
  for (size_t i = path.size(); i-- > from;)
    result = is_place_in_list(path[i]) ? Json::array({result}) : Json{{path[i], result}};
  return result;
}

void apply(std::string& text, const std::string& name, const Change& change) {
  const JsonNode root = parse_json(text, name);
  const JsonNode* node = &root;
  size_t depth = 0;
  const auto replace = [&](const std::string& value) {
    const size_t begin = node->place.offset;
    text.replace(begin, end_of_value(text, begin) - begin, value);
  };
  for (; depth < change.path.size(); ++depth) {
    const std::string& step = change.path[depth];
    if (const auto* preset = node->as<std::string>(); preset && change.path[depth - 1] == "fabric") {
      Json fabric{{"preset", *preset}};  // for which a fabric's name alone is short
      fabric.update(wrapped(change.value, change.path, depth));
      return replace(one_line(fabric));
    }
    const JsonNode* child = child_of(*node, step);
    if (!child) break;
    node = child;
  }
  if (depth == change.path.size()) return replace(one_line(change.value));
  if (node->is_null()) return replace(one_line(wrapped(change.value, change.path, depth)));
  const std::string value = one_line(wrapped(change.value, change.path, depth + 1));
  const bool is_member = node->as<JsonNode::Object>() != nullptr;
  append(text, *node, is_member ? Json(change.path[depth]).dump() + ": " + value : value);
}

}  // namespace

std::string change_scene_text(const std::string& text, const std::string& name, const Scene& from,
                              const Scene& to) {
  if (is_cs184(parse_json(text, name)))
    throw Error(ErrorKind::invalid, name + ": is a course's own file, which has no place for changes");
  std::vector<Change> changes;
  find_changes(to_tree(from), to_tree(to), {}, changes);
  std::string edited = text;
  for (const Change& change : changes) apply(edited, name, change);

  parse_scene(edited, name, from.folder);  // throws if it cannot be read
  return edited;
}

}  // namespace muslin
