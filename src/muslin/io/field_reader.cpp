#include "muslin/io/field_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "muslin/core/text.h"
#include "muslin/io/scene_paths.h"
#include "muslin/model/fabrics.h"

namespace muslin {

void FieldReader::expected(const JsonNode& node, std::string_view what, const FieldInfo& info) {
  const std::string unit = info.unit.empty() ? "" : fmt::format(" [{}]", info.unit);
  complaints_.add(node.place, path_, fmt::format("expected {}{}, got {}", what, unit, finding(node)));
}

// Every scene of ours may leave out keys, so a reader that wants all of them reads another format.
std::string FieldReader::hint(std::string_view key, const std::vector<std::string_view>& names) const {
  const std::string belongs = missing_ == Missing::keeps_default ? where_it_belongs(key) : "";
  return belongs.empty() ? suggestion(key, names) : belongs;
}

void FieldReader::refuse_unknown(const JsonNode& node, const std::vector<std::string_view>& names) {
  for (const JsonMember& member : *node.as<JsonNode::Object>())
    if (std::find(names.begin(), names.end(), member.key) == names.end())
      complaints_.add(member.place, path_,
                      fmt::format("unknown key {}; {}", in_quotes(member.key), hint(member.key, names)));
}

void FieldReader::read(const JsonNode& node, bool& value, const FieldInfo& info) {
  if (const auto* truth = node.as<bool>())
    value = *truth;
  else
    expected(node, "true or false", info);
}

void FieldReader::read(const JsonNode& node, int& value, const FieldInfo& info) {
  const auto number = node.number();
  if (!number || *number != std::floor(*number)) return expected(node, "an integer", info);
  using Limits = std::numeric_limits<int>;
  if (*number >= Limits::min() && *number <= Limits::max()) {
    value = static_cast<int>(*number);
  } else {
    const Range range{std::max<double>(info.range.min, Limits::min()),
                      std::min<double>(info.range.max, Limits::max()), info.range.above_min};
    complaints_.add(node.place, path_, fmt::format("{}, got {}", describe(range, info.unit), finding(node)));
  }
}

void FieldReader::read(const JsonNode& node, std::uint64_t& value, const FieldInfo& info) {
  if (const auto* natural = node.as<std::uint64_t>())
    value = *natural;
  else
    expected(node, "an integer from 0 to 18446744073709551615", info);
}

void FieldReader::read(const JsonNode& node, double& value, const FieldInfo& info) {
  if (const auto number = node.number())
    value = *number;
  else
    expected(node, "a number", info);
}

void FieldReader::read(const JsonNode& node, std::string& value, const FieldInfo& info) {
  if (const auto* text = node.as<std::string>())
    value = *text;
  else
    expected(node, "a string", info);
}

void FieldReader::read(const JsonNode& node, Colour& value, const FieldInfo& info) {
  const auto* text = node.as<std::string>();
  if (const auto colour = text ? read_colour(*text) : std::nullopt)
    value = *colour;
  else
    expected(node, "a colour as \"#rrggbb\"", info);
}

// Null where it is missing.
const JsonNode* FieldReader::child_of(const JsonNode& node, std::string_view name, bool may_miss) {
  const JsonNode* child = node.find(name);
  if (!child && missing_ == Missing::is_wrong && !may_miss)
    complaints_.add(node.place, path_, "missing key " + in_quotes(name));
  return child;
}

bool FieldReader::has_length(const JsonNode& node, size_t length, const FieldInfo& info) {
  const auto* array = node.as<JsonNode::Array>();
  if (array && array->size() == length) return true;
  expected(node, fmt::format("an array of {} numbers", length), info);
  return false;
}

std::optional<size_t> FieldReader::index_of(const JsonNode& node, std::span<const std::string_view> names,
                                            const FieldInfo& info) {
  const auto* name = node.as<std::string>();
  if (!name) {
    expected(node, fmt::format("one of {}", fmt::join(names, ", ")), info);
    return {};
  }
  const auto found = std::find(names.begin(), names.end(), *name);
  if (found != names.end()) return found - names.begin();
  complaints_.add(
      node.place, path_,
      fmt::format("unknown name {}; {}", in_quotes(*name), suggestion(*name, {names.begin(), names.end()})));
  return {};
}

void FieldReader::read(const JsonNode& node, Fabric& fabric, const FieldInfo& info) {
  if (node.as<std::string>()) return choose_preset(node, fabric);
  if (!node.as<JsonNode::Object>()) return expected(node, "the name of a fabric or an object", info);
  read<Fabric>(node, fabric, info);
  const JsonNode* preset = node.find("preset");
  if (preset && preset->as<std::string>()) {
    const size_t length = path_.size();
    append("preset");
    choose_preset(*preset, fabric);
    path_.resize(length);
  }
}

void FieldReader::choose_preset(const JsonNode& node, Fabric& fabric) {
  const std::string& name = *node.as<std::string>();
  if (find_fabric(name)) {
    fabric.preset = name;
    return;
  }
  std::vector<std::string_view> names;
  for (const FabricPreset& preset : fabrics()) names.push_back(preset.fabric.preset);
  complaints_.add(node.place, path_,
                  fmt::format("unknown fabric {}; {}", in_quotes(name), suggestion(name, names)));
}

}  // namespace muslin
