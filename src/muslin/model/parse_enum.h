#pragma once
#include <string>
#include <string_view>

#include "muslin/core/check.h"
#include "muslin/model/field.h"

namespace muslin {

/// The value of an enumeration that scenes call so: parse<PositionQuality>("strain 1 %"). Throws
/// Error(invalid) with all of its names for another.
template <class E>
E parse(std::string_view name) {
  const auto& names = EnumNames<E>::names;
  std::string all;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == name) return static_cast<E>(k);
    all += (k == 0 ? "\"" : ", \"") + std::string(names[k]) + "\"";
  }
  throw Error(ErrorKind::invalid, "must be one of " + all + ", got \"" + std::string(name) + "\"");
}

}  // namespace muslin
