#pragma once
#include <span>

#include "muslin/io/scene_tree.h"

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
/// What is the same for all types is no template: there are hundreds of fields. Internal to io and sweep.
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
    return reference_to(name);
  }
  template <Described Struct>
  Json describe_struct(const Struct& defaults) {
    Json properties = Json::object();
    const auto visit = [&](std::string_view name, const auto& member, const FieldInfo& info) {
      put_unless_null(properties, name, property(member, info));
    };
    Struct::fields(defaults, visit);
    return object_of(std::move(properties));
  }
  const Json& definitions() const { return definitions_; }

  /// The schema of a document that is such a struct.
  template <Described Struct>
  static Json document(std::string_view title) {
    SchemaWriter writer;
    const Json body = writer.describe_struct(Struct{});
    return document_of(title, body, writer.definitions());
  }

 private:
  static Json of(bool, const FieldInfo&);
  static Json of(int, const FieldInfo& info);
  static Json of(std::uint64_t, const FieldInfo&);
  static Json of(double, const FieldInfo& info);
  static Json of(const std::string&, const FieldInfo&);
  static Json of(const Colour&, const FieldInfo&);
  template <class E>
  requires std::is_enum_v<E> Json of(E, const FieldInfo&) { return one_of(EnumNames<E>::names); }
  Json of(const Vec3&, const FieldInfo& info) { return list_of(of(double{}, info), 3); }
  template <class T, size_t N>
  Json of(const std::array<T, N>&, const FieldInfo& info) {
    return list_of(of(T{}, info), N);
  }
  template <class T>
  Json of(const std::vector<T>&, const FieldInfo& info) {
    return list_of(of(T{}, info));
  }
  template <class T>
  Json of(const std::optional<T>&, const FieldInfo& info) {
    return or_null(of(T{}, info));
  }
  Json of(const Fabric& defaults, const FieldInfo& info);

  // One key of a struct.
  template <class T>
  Json property(const T& value, const FieldInfo& info) {
    Json schema = described(of(value, info), info);
    if constexpr (!Described<T>) put_unless_null(schema, "default", to_tree(value));
    return schema;
  }

  static Json reference_to(const std::string& name);
  static Json object_of(Json properties);
  static Json document_of(std::string_view title, const Json& body, const Json& definitions);
  static Json one_of(std::span<const std::string_view> names);
  static Json list_of(Json element);
  static Json list_of(Json element, size_t length);
  static Json or_null(Json schema);
  static Json described(Json schema, const FieldInfo& info);

  Json definitions_ = Json::object();
};

}  // namespace muslin
