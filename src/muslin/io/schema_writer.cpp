#include "muslin/io/schema_writer.h"

#include <cmath>

#include "muslin/model/fabrics.h"

namespace muslin {

namespace {

Json bounded(std::string_view type, const Range& range) {
  Json schema{{"type", type}};
  if (std::isfinite(range.min)) schema[range.above_min ? "exclusiveMinimum" : "minimum"] = range.min;
  if (std::isfinite(range.max)) schema["maximum"] = range.max;
  return schema;
}

Json either(Json one, Json other) { return {{"anyOf", Json::array({std::move(one), std::move(other)})}}; }

// Not written out where it is used: clang 14 forgets to destroy what is assigned from braces.
Json all_of(Json schema) { return {{"allOf", Json::array({std::move(schema)})}}; }

}  // namespace

Json SchemaWriter::of(bool, const FieldInfo&) { return {{"type", "boolean"}}; }
Json SchemaWriter::of(int, const FieldInfo& info) { return bounded("integer", info.range); }
Json SchemaWriter::of(std::uint64_t, const FieldInfo&) { return bounded("integer", Range::not_negative()); }
Json SchemaWriter::of(double, const FieldInfo& info) { return bounded("number", info.range); }
Json SchemaWriter::of(const std::string&, const FieldInfo&) { return {{"type", "string"}}; }
Json SchemaWriter::of(const Colour&, const FieldInfo&) {
  return {{"type", "string"}, {"pattern", "^#[0-9A-Fa-f]{6}$"}};
}

Json SchemaWriter::of(const Fabric& defaults, const FieldInfo& info) {
  Json names = Json::array();
  for (const FabricPreset& preset : fabrics()) names.push_back(preset.fabric.preset);
  return either({{"enum", names}}, of<Fabric>(defaults, info));
}

Json SchemaWriter::reference_to(const std::string& name) { return {{"$ref", "#/definitions/" + name}}; }

Json SchemaWriter::object_of(Json properties) {
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
}

Json SchemaWriter::document_of(std::string_view title, const Json& body, const Json& definitions) {
  Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
  schema.update(body);
  schema["properties"]["$schema"] = {{"type", "string"}, {"description", "where editors find this schema"}};
  schema["definitions"] = definitions;
  return schema;
}

Json SchemaWriter::one_of(std::span<const std::string_view> names) {
  Json array = Json::array();
  for (const std::string_view name : names) array.push_back(name);
  return {{"enum", std::move(array)}};
}

Json SchemaWriter::list_of(Json element) { return {{"type", "array"}, {"items", std::move(element)}}; }

Json SchemaWriter::list_of(Json element, size_t length) {
  return {{"type", "array"}, {"items", std::move(element)}, {"minItems", length}, {"maxItems", length}};
}

Json SchemaWriter::or_null(Json schema) { return either(std::move(schema), {{"type", "null"}}); }

// Draft-07 ignores what stands beside a $ref, hence allOf.
Json SchemaWriter::described(Json schema, const FieldInfo& info) {
  if (schema.contains("$ref")) schema = all_of(std::move(schema));
  const std::string unit = info.unit.empty() ? "" : " [" + std::string(info.unit) + "]";
  schema["description"] = std::string(info.doc) + unit;
  return schema;
}

}  // namespace muslin
