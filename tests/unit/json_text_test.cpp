#include "muslin/io/json_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>

// What JSON text and its numbers must pass before they are taken.

namespace muslin {
namespace {

std::string nested(size_t levels, const std::string& inside = "") {
  return std::string(levels, '[') + inside + std::string(levels, ']');
}

TEST(JsonText, NestsSoDeepAndNoDeeper) {
  EXPECT_EQ(too_deep(nested(kMaxJsonDepth)), std::string::npos);
  EXPECT_EQ(too_deep(nested(kMaxJsonDepth + 1)), kMaxJsonDepth);
  EXPECT_EQ(too_deep(nested(kMaxJsonDepth - 1, "{\"a\":[1]}")), 68u);
  EXPECT_EQ(too_deep("[" + nested(63) + "," + nested(63) + "]"), std::string::npos);
  EXPECT_THROW(check_depth(nested(100000), "text"), Error);
}

TEST(JsonText, BracketsInStringsAreLetters) {
  const std::string brackets(100, '[');
  EXPECT_EQ(too_deep("[\"" + brackets + "\"]"), std::string::npos);
  EXPECT_EQ(too_deep("[\"\\\"" + brackets + "\"]"), std::string::npos) << "an escaped quote ends nothing";
  EXPECT_EQ(too_deep("[\"\\\\\"," + nested(100) + "]"), 69u) << "an escaped backslash escapes nothing";
  EXPECT_EQ(too_deep("\"" + brackets), std::string::npos) << "no end";
  EXPECT_EQ(too_deep("\"\\"), std::string::npos);
}

TEST(JsonText, WholeNumbersAreNotCast) {
  const auto whole = []<class Int>(const char* text, Int) {
    return whole_number<Int>(nlohmann::json::parse(text));
  };
  EXPECT_EQ(whole("2147483647", 0), 2147483647);
  EXPECT_EQ(whole("-2147483648", 0), -2147483647 - 1);
  EXPECT_EQ(whole("18446744073709551615", std::uint64_t{}), UINT64_MAX);
  EXPECT_EQ(whole("255", std::uint8_t{}), 255);
  for (const char* text :
       {"2147483648", "-2147483649", "1e20", "1.0", "null", "true", "\"1\"", "[1]", "{}"}) {
    EXPECT_EQ(whole(text, 0), std::nullopt) << text;
  }
  EXPECT_EQ(whole("-1", std::uint64_t{}), std::nullopt);
  EXPECT_THROW(need_whole<int>(nlohmann::json(0.5), "a count"), Error);
}

}  // namespace
}  // namespace muslin
