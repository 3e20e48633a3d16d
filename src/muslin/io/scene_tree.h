#pragma once
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "muslin/model/scene.h"

// Description structs as nlohmann's JSON values, for writing. Internal to io.

namespace muslin {

using Json = nlohmann::ordered_json;

template <class T>
requires std::is_arithmetic_v<T> Json to_tree(const T& value) { return value; }
inline Json to_tree(const std::string& value) { return value; }
inline Json to_tree(const Colour& value) { return text_of(value); }
template <class E>
requires std::is_enum_v<E> Json to_tree(const E& value) { return name_of(value); }
template <Described Struct>
Json to_tree(const Struct& value);
template <class T>
Json to_tree(const std::optional<T>& value) {
  return value ? to_tree(*value) : Json();
}
template <class List>
requires requires(const List& list) {
  list.size();
  list[0];
}
Json to_tree(const List& values) {
  Json array = Json::array();
  for (int i = 0; i < static_cast<int>(values.size()); ++i) array.push_back(to_tree(values[i]));
  return array;
}
/// Adds a key, unless there is nothing to say of it.
inline void put_unless_null(Json& object, std::string_view name, Json value) {
  if (!value.is_null()) object[std::string(name)] = std::move(value);
}
/// Every field; those of absent optionals are left out.
template <Described Struct>
Json to_tree(const Struct& value) {
  Json object = Json::object();
  const auto visit = [&](std::string_view name, const auto& member, const FieldInfo&) {
    put_unless_null(object, name, to_tree(member));
  };
  Struct::fields(value, visit);
  return object;
}

}  // namespace muslin
