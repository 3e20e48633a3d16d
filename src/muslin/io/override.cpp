#include "muslin/io/override.h"

#include <fmt/format.h>

#include "muslin/core/check.h"

namespace muslin {

namespace {

JsonNode parse_value(const std::string& value, int override_index) {
  try {
    return parse_json(value, "value", override_index);
  } catch (const Error&) {
    if (value.find_first_of("{[\"") == 0) throw;
    return {value, {0, override_index}};
  }
}

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid, message); }

// The child of a node, made if it can be.
JsonNode& enter(JsonNode& node, const std::string& step, const JsonPlace& place) {
  if (step.empty()) refuse("the path has an empty step");
  if (node.is_null()) {  // as if absent; only arrays have numbered children
    if (step == "0")
      node = {JsonNode::Array{}, place};
    else
      node = {JsonNode::Object{}, place};
  }
  if (auto* array = node.as<JsonNode::Array>()) {
    if (!is_index(step) || std::stoul(step) > array->size())
      refuse(
          fmt::format("expected an index from 0 to {} (a new one), got {}", array->size(), in_quotes(step)));
    if (std::stoul(step) == array->size()) array->push_back({nullptr, place});
    return (*array)[std::stoul(step)];
  }
  if (auto* object = node.as<JsonNode::Object>()) {
    if (JsonNode* child = node.find(step)) return *child;
    return object->emplace_back(JsonMember{step, place, {nullptr, place}}).value;
  }
  refuse(fmt::format("{} has no member {}", finding(node), in_quotes(step)));
}

void apply(JsonDocument& document, const Override& override, int override_index) {
  const JsonPlace place{0, override_index};
  JsonNode value = parse_value(override.second, override_index);
  JsonNode* node = &document.root;
  std::string parent;
  for (const std::string& step : path_steps(override.first)) {
    if (parent == "fabric" && node->as<std::string>())  // a fabric's name is short for its preset
      node->value = JsonNode::Object{{"preset", node->place, *node}};
    node = &enter(*node, step, place);
    parent = step;
  }
  *node = std::move(value);
}

}  // namespace

std::vector<std::string> path_steps(const std::string& path) {
  std::vector<std::string> steps(1);
  for (size_t i = path.starts_with('/') ? 1 : 0; i < path.size(); ++i) {
    if (path[i] == '/' || path[i] == '.')
      steps.emplace_back();
    else
      steps.back() += path[i];
  }
  return steps;
}

bool is_index(const std::string& step) {
  return !step.empty() && step.size() < 10 && step.find_first_not_of("0123456789") == std::string::npos;
}

void apply_overrides(JsonDocument& document, const std::vector<Override>& overrides, Complaints& complaints) {
  if (!document.root.as<JsonNode::Object>() && !document.root.is_null())
    return;  // no scene: who reads it says so
  for (const Override& override : overrides) {
    const int index = static_cast<int>(document.overrides.size());
    document.overrides.push_back("--set " + override.first);
    try {
      apply(document, override, index);
    } catch (const Error& error) {
      complaints.add(JsonPlace{0, index}, "", error.what());
    }
  }
}

}  // namespace muslin
