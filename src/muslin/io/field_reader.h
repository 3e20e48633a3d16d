#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "muslin/io/complaints.h"
#include "muslin/model/field_check.h"
#include "muslin/model/scene.h"

namespace muslin {

/// Fills description structs from JSON, by their fields() alone. What does not fit is complained of and left
/// at its default; ranges are FieldCheck's matter. Internal to io.
class FieldReader {
 public:
  enum class Missing { keeps_default, is_wrong };

  FieldReader(Complaints& complaints, Missing missing) : complaints_(complaints), missing_(missing) {}

  template <Described Struct>
  void read(const JsonNode& node, Struct& target, const FieldInfo& info = {}) {
    if (!node.as<JsonNode::Object>()) return expected(node, "an object", info);
    std::vector<std::string_view> names;
    const auto visit = [&](std::string_view name, auto& member, const FieldInfo& member_info) {
      names.push_back(name);
      if (const JsonNode* child = child_of(node, name, may_miss(member)))
        read_below(name, *child, member, member_info);
    };
    Struct::fields(target, visit);
    refuse_unknown(node, names);
  }

 private:
  void read(const JsonNode& node, bool& value, const FieldInfo& info);
  void read(const JsonNode& node, int& value, const FieldInfo& info);
  void read(const JsonNode& node, std::uint64_t& value, const FieldInfo& info);
  void read(const JsonNode& node, double& value, const FieldInfo& info);
  void read(const JsonNode& node, std::string& value, const FieldInfo& info);
  void read(const JsonNode& node, Colour& value, const FieldInfo& info);
  void read(const JsonNode& node, Fabric& value, const FieldInfo& info);
  void read(const JsonNode& node, Vec3& value, const FieldInfo& info) {
    if (has_length(node, 3, info)) read_all(node, value, info);
  }
  template <class T, size_t N>
  void read(const JsonNode& node, std::array<T, N>& value, const FieldInfo& info) {
    if (has_length(node, N, info)) read_all(node, value, info);
  }
  template <class T>
  void read(const JsonNode& node, std::vector<T>& value, const FieldInfo& info) {
    const auto* array = node.as<JsonNode::Array>();
    if (!array) return expected(node, "an array", info);
    value.assign(array->size(), T{});
    read_all(node, value, info);
  }
  template <class T>
  void read(const JsonNode& node, std::optional<T>& value, const FieldInfo& info) {
    value.reset();
    if (!node.is_null()) read(node, value.emplace(), info);
  }
  template <class E>
  requires std::is_enum_v<E>
  void read(const JsonNode& node, E& value, const FieldInfo& info) {
    if (const auto index = index_of(node, EnumNames<E>::names, info)) value = static_cast<E>(*index);
  }

  template <class List>
  void read_all(const JsonNode& node, List& values, const FieldInfo& info) {
    int i = 0;
    for (const JsonNode& child : *node.as<JsonNode::Array>()) {
      read_below(i, child, values[i], info);
      ++i;
    }
  }
  template <class Step, class T>
  void read_below(const Step& step, const JsonNode& node, T& value, const FieldInfo& info) {
    const size_t length = path_.size();
    append(step);
    read(node, value, info);
    path_.resize(length);
  }

  template <class T>
  static bool may_miss(const T&) {
    return false;
  }
  template <class T>
  static bool may_miss(const std::optional<T>&) {
    return true;
  }
  template <class T>
  static bool may_miss(const std::vector<T>&) {
    return true;
  }

  void append(std::string_view step) { path_.append("/").append(step); }
  void append(int index) { append(std::to_string(index)); }
  const JsonNode* child_of(const JsonNode& node, std::string_view name, bool may_miss);
  bool has_length(const JsonNode& node, size_t length, const FieldInfo& info);
  std::optional<size_t> index_of(const JsonNode& node, std::span<const std::string_view> names,
                                 const FieldInfo& info);
  void choose_preset(const JsonNode& node, Fabric& fabric);
  std::string hint(std::string_view key, const std::vector<std::string_view>& names) const;
  void refuse_unknown(const JsonNode& node, const std::vector<std::string_view>& names);
  void expected(const JsonNode& node, std::string_view what, const FieldInfo& info);

  Complaints& complaints_;
  Missing missing_;
  std::string path_;
};

/// A description struct from a document, with its ranges looked at. All that is wrong is complained of; what
/// could not be read is not out of its range, too. Internal to io.
template <Described Struct>
Struct read_described(const JsonDocument& document, FieldReader::Missing missing, Complaints& complaints) {
  Struct value;
  FieldReader(complaints, missing).read(document.root, value);
  FieldCheck ranges;
  ranges.check(value);
  const Complaints of_types = complaints;
  for (const Problem& problem : ranges.problems())
    if (!of_types.touch(problem.path)) complaints.add(document.root, problem);
  return value;
}

}  // namespace muslin
