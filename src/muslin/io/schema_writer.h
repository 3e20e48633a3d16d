#pragma once
#include <cmath>

#include "muslin/io/scene_tree.h"
#include "muslin/model/fabrics.h"

namespace muslin {

/// "Grid" for muslin::Grid, out of what the compiler calls this function. Internal to io.
template <class T>
std::string struct_name() {
  const std::string_view signature =
      __PRETTY_FUNCTION__;  // "… [with T = muslin::Grid; …]", or without muslin::
  const std::string_view before = "T = ";
  const size_t begin = signature.find(before) + before.size();
  const std::string_view name = signature.substr(begin, signature.find_first_of(";]", begin) - begin);
  const size_t scope = name.rfind(':');
  return std::string(scope == name.npos ? name : name.substr(scope + 1));
}

/// Says of each type what a JSON Schema (draft-07) says of it, by fields() alone; structs become definitions.
/// Internal to io and sweep.
class SchemaWriter {
 public:
  template <Described Struct>
  Json of(const Struct& defaults, const FieldInfo&) {
    const std::string name = struct_name<Struct>();
    if (!definitions_.contains(name)) {
      definitions_[name] = Json();  // keeps the place: outer structs first
      Json definition = describe_struct(defaults);
      definitions_[name] = std::move(definition);
    }
    return {{"$ref", "#/definitions/" + name}};
  }
  template <Described Struct>
  Json describe_struct(const Struct& defaults) {
    Json properties = Json::object();
    const auto visit = [&](std::string_view name, const auto& member, const FieldInfo& info) {
      properties[std::string(name)] = property(member, info);
    };
    Struct::fields(defaults, visit);
    return {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
  }
  const Json& definitions() const { return definitions_; }

  /// The schema of a document that is such a struct.
  template <Described Struct>
  static Json document(std::string_view title) {
    SchemaWriter writer;
    const Json body = writer.describe_struct(Struct{});
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
    schema.update(body);
    schema["properties"]["$schema"] = {{"type", "string"}, {"description", "where editors find this schema"}};
    schema["definitions"] = writer.definitions();
    return schema;
  }

 private:
  Json of(bool, const FieldInfo&) { return {{"type", "boolean"}}; }
  Json of(int, const FieldInfo& info) { return bounded("integer", info.range); }
  Json of(std::uint64_t, const FieldInfo&) { return bounded("integer", Range::not_negative()); }
  Json of(double, const FieldInfo& info) { return bounded("number", info.range); }
  Json of(const std::string&, const FieldInfo&) { return {{"type", "string"}}; }
  template <class E>
  requires std::is_enum_v<E> Json of(E, const FieldInfo&) { return {{"enum", EnumNames<E>::names}}; }
  Json of(const Vec3&, const FieldInfo& info) { return array_of(double{}, info, 3); }
  template <class T, size_t N>
  Json of(const std::array<T, N>&, const FieldInfo& info) {
    return array_of(T{}, info, N);
  }
  template <class T>
  Json of(const std::vector<T>&, const FieldInfo& info) {
    return {{"type", "array"}, {"items", of(T{}, info)}};
  }
  template <class T>
  Json of(const std::optional<T>&, const FieldInfo& info) {
    return either(of(T{}, info), {{"type", "null"}});
  }
  Json of(const Fabric& defaults, const FieldInfo& info) {
    Json names = Json::array();
    for (const FabricPreset& preset : fabrics()) names.push_back(preset.fabric.preset);
    return either({{"enum", names}}, of<Fabric>(defaults, info));
  }

  static Json either(Json one, Json other) {
    return {{"anyOf", Json::array({std::move(one), std::move(other)})}};
  }
  template <class T>
  Json array_of(const T& element, const FieldInfo& info, size_t length) {
    return {{"type", "array"}, {"items", of(element, info)}, {"minItems", length}, {"maxItems", length}};
  }
  static Json bounded(std::string_view type, const Range& range) {
    Json schema{{"type", type}};
    if (std::isfinite(range.min)) schema[range.above_min ? "exclusiveMinimum" : "minimum"] = range.min;
    if (std::isfinite(range.max)) schema["maximum"] = range.max;
    return schema;
  }

  // Not written out where it is used, in a template: clang 14 forgets to destroy what is assigned from
  // braces.
  static Json all_of(const Json& schema) { return {{"allOf", Json::array({schema})}}; }

  // One key of a struct: draft-07 ignores what stands beside a $ref, hence allOf.
  template <class T>
  Json property(const T& value, const FieldInfo& info) {
    Json schema = of(value, info);
    if (schema.contains("$ref")) schema = all_of(schema);
    const std::string unit = info.unit.empty() ? "" : " [" + std::string(info.unit) + "]";
    schema["description"] = std::string(info.doc) + unit;
    if constexpr (!Described<T>) {
      const Json preset = to_tree(value);
      if (!preset.is_null()) schema["default"] = preset;
    }
    return schema;
  }

  Json definitions_ = Json::object();
};

}  // namespace muslin
