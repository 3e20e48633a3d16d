#pragma once
#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/core/check.h"

// The text form of USD files (usda) as a tree of prims. Internal to io.

namespace muslin {

/// A value: the numbers and the words in it, one after another, whatever lists and tuples they stand in.
struct UsdValue {
  std::vector<double> numbers;
  std::vector<std::string> words;  ///< strings, tokens, paths, names of files
  std::size_t width = 0;           ///< numbers in each innermost tuple; 0: there are none
  std::size_t place = 0;           ///< line
};

using UsdValues = std::map<std::string, UsdValue, std::less<>>;

/// An attribute or relationship of a prim.
struct UsdProperty {
  std::string type;  ///< "point3f[]"; "rel" of a relationship
  UsdValue value;    ///< of time samples the first
  bool is_sampled = false;
  UsdValues metadata;
};

/// A prim: a part of the scene.
struct UsdPrim {
  std::string specifier, type, name;  ///< "def", "Mesh", "skirt"
  std::size_t place = 0;              ///< line
  UsdValues metadata;
  std::map<std::string, UsdProperty, std::less<>> properties;
  std::vector<UsdPrim> children;

  const UsdProperty* find(std::string_view key) const {
    const auto found = properties.find(key);
    return found == properties.end() ? nullptr : &found->second;
  }
};

/// The layer that a text is: its metadata and prims. Throws Error(invalid) with `name:line:` where the text
/// is none, and for what only another program can put together: layers, references, variants.
UsdPrim parse_usd_text(std::string_view text, const std::string& name);

}  // namespace muslin
