#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "muslin/io/json_text.h"

// JSON text as a tree whose values know where they were written. Internal to io.

namespace muslin {

inline constexpr std::size_t kMaxJsonBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxJsonValues = 2'000'000;

/// Where something was written: in the text of the document or in an override.
struct JsonPlace {
  std::uint32_t offset = 0;          ///< byte in the text
  std::int32_t override_index = -1;  ///< into JsonDocument::overrides; -1: in the text
};

struct JsonMember;

/// One value.
struct JsonNode {
  using Array = std::vector<JsonNode>;
  using Object = std::vector<JsonMember>;
  /// Integers are negative (int64) or not (uint64); what fits neither is a double.
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> value;
  JsonPlace place;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&value);
  }
  template <class T>
  T* as() {
    return std::get_if<T>(&value);
  }
  bool is_null() const { return as<std::nullptr_t>() != nullptr; }
  /// The value if it is any kind of number.
  std::optional<double> number() const;
  /// The member of that name; nullptr if there is none or this is no object.
  const JsonNode* find(std::string_view key) const;
  JsonNode* find(std::string_view key);
};

/// One entry of an object.
struct JsonMember {
  std::string key;
  JsonPlace place;  ///< of the key
  JsonNode value;
};

/// A text, what it says, and the labels of the overrides that changed it.
struct JsonDocument {
  std::string name;
  std::string_view text;
  JsonNode root;
  std::vector<std::string> overrides;

  /// "flag.json:12:18" (line and column from 1; columns count code points) or the override's label.
  std::string where(const JsonPlace& place) const;
};

/// Reads JSON text; comments are allowed. Every place gets `override_index`. Throws Error(invalid) with
/// `name:line:column:` for text that is malformed, not UTF-8, over kMaxJsonBytes, nested deeper than
/// kMaxJsonDepth, of more than kMaxJsonValues values, or has a key twice or a number beyond doubles.
JsonNode parse_json(std::string_view text, const std::string& name, int override_index = -1);

/// The text in quotes and escapes, shortened if it is long.
std::string in_quotes(std::string_view text);

/// What a value is, for messages: `the string "heavy"`, `-1`, `an array of 2`.
std::string finding(const JsonNode& node);

}  // namespace muslin
