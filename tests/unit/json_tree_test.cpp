#include "muslin/io/json_tree.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "muslin/core/check.h"

namespace muslin {
namespace {

// Writes a random value and notes where each value and key began: what the parser has to find again.
class RandomText {
 public:
  explicit RandomText(unsigned seed) : random_(seed) {}

  void write_value(int depth) {
    write_space();
    offsets.push_back(text.size());
    const int kind = pick(depth > 0 ? 9 : 7);
    if (kind < 7) {
      const char* scalars[] = {"null", "true", "false", "-12", "18446744073709551615", "-1.5e-3", nullptr};
      text += scalars[kind] ? scalars[kind] : random_string();
      if (kind == 6) write_space();
    } else if (kind == 7) {
      write_list('[', ']', [&](int) { write_value(depth - 1); });
    } else {
      write_list('{', '}', [&](int i) {
        write_space();
        offsets.push_back(text.size());
        text += fmt::format("\"{}{}:", i, random_string().substr(1));
        write_value(depth - 1);
      });
    }
  }

  std::string text;
  std::vector<size_t> offsets;

 private:
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  void write_space() {
    const char* spaces[] = {"", " ", "\n", "\t\r\n", "// \"e1\n", "/* \\\" 1e */", "/**/", ""};
    text += spaces[pick(8)];
  }
  std::string random_string() {
    std::string inside;
    const char* parts[] = {"a", "\\\"", "\\\\", "é", "\\u00e9", "\\n", "//", "{", "1"};
    for (int i = pick(6); i > 0; --i) inside += parts[pick(9)];
    return "\"" + inside + "\"";
  }
  template <class Item>
  void write_list(char open, char close, Item write_item) {
    text += open;
    const int count = pick(4);
    for (int i = 0; i < count; ++i) {
      if (i > 0) text += ',';
      write_item(i);
      write_space();
    }
    text += close;
  }
  std::mt19937 random_;
};

void collect_offsets(const JsonNode& node, std::vector<size_t>& offsets) {
  offsets.push_back(node.place.offset);
  if (const auto* array = node.as<JsonNode::Array>())
    for (const JsonNode& child : *array) collect_offsets(child, offsets);
  if (const auto* object = node.as<JsonNode::Object>())
    for (const JsonMember& member : *object) {
      offsets.push_back(member.place.offset);
      collect_offsets(member.value, offsets);
    }
}

TEST(JsonTree, KnowsWhereEveryValueAndKeyBegins) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomText random(seed);
    random.write_value(4);
    std::vector<size_t> found;
    collect_offsets(parse_json(random.text, "random"), found);
    ASSERT_EQ(found, random.offsets) << "seed " << seed << "\n" << random.text;
  }
}

TEST(JsonTree, KeepsIntegersExact) {
  const JsonNode root =
      parse_json("[18446744073709551615, -9223372036854775808, 1.0, 18446744073709551616]", "t");
  const auto& values = *root.as<JsonNode::Array>();
  EXPECT_EQ(*values[0].as<std::uint64_t>(), 18446744073709551615u);
  EXPECT_EQ(*values[1].as<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(*values[2].as<double>(), 1.0);
  EXPECT_EQ(*values[3].as<double>(), 18446744073709551616.0);
}

TEST(JsonTree, CountsColumnsInCodePoints) {
  const JsonDocument document{"t", "{\n  \"é€\": 1}", {}, {"--set a"}};
  EXPECT_EQ(document.where({0, -1}), "t:1:1");
  EXPECT_EQ(document.where({4, -1}), "t:2:3");
  EXPECT_EQ(document.where({13, -1}), "t:2:9");
  EXPECT_EQ(document.where({13, 0}), "--set a");
}

TEST(JsonTree, SkipsAByteOrderMark) { EXPECT_EQ(*parse_json("\xEF\xBB\xBF 7", "t").as<std::uint64_t>(), 7u); }

struct Malformed {
  std::string text, message;
};
class Refused : public ::testing::TestWithParam<Malformed> {};

void expect_refusal(const std::string& text, const std::string& expected) {
  try {
    parse_json(text, "t");
    FAIL() << "accepted " << text.substr(0, 80);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid);
    EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    EXPECT_LT(std::string(error.what()).size(), 400u);
  }
}

TEST_P(Refused, WithPlaceAndReason) { expect_refusal(GetParam().text, GetParam().message); }

std::string repeated(std::string_view part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

INSTANTIATE_TEST_SUITE_P(
    JsonTree, Refused,
    ::testing::Values(
        Malformed{"", "t:1:1: "}, Malformed{"  \n ", "t:2:2: "}, Malformed{"{\n\"a\": }", "t:2:6: "},
        Malformed{"[1,\n2", "t:2:2: "}, Malformed{"[1] 2", "t:1:5: "}, Malformed{"[NaN]", "t:1:2: "},
        Malformed{"[-Infinity]", "t:1:3: "}, Malformed{"[1, 1e999]", "number overflow"},
        Malformed{"[-1e999]", "number overflow"}, Malformed{"[01]", "t:1:3: "},
        Malformed{"[\"\xFF\"]", "t:1:3: "}, Malformed{"[\"\xED\xA0\x80\"]", "UTF-8"},
        Malformed{"\xFF\xFE{}", "t:1:1: "}, Malformed{"'a'", "t:1:1: "},
        Malformed{"{\"a\": 1,\n \"b\": {\"c\": 1, \"c\": 2}}", "t:2:16: the key \"c\" stands here twice"},
        Malformed{"{\"a\": 1, \"\\u0061\": 2}", "t:1:10: the key \"a\" stands here twice"},
        Malformed{"{\n\"a\": [1,\n2]\n\n\"b\": 3}", "t:5:3: syntax error: a comma is missing after line 3"},
        Malformed{"{\"a\": 1 \"b\": 3}", "t:1:11: syntax error: a comma is missing before this"},
        Malformed{"[1 2]", "t:1:4: syntax error: a comma is missing before this"},
        Malformed{"{\"a\": 1,}", "t:1:9: syntax error: no comma may stand before }"},
        Malformed{"[1,\n]", "t:2:1: syntax error: no comma may stand before ]"},
        Malformed{"{\"a\" 1}", "syntax error: a colon is missing after the key"},
        Malformed{"{a: 1}", "t:1:2: syntax error: a key in double quotes must stand here"},
        Malformed{"{\"a\": }", "syntax error: a value is missing before }"},
        Malformed{"{\"a\": [1, 2}", "syntax error: expected ] before }"},
        Malformed{"{\"a\": [1, 2]", "syntax error: the text ends before }"},
        Malformed{"{\"a\": 1} 2", "syntax error: nothing may follow the scene's last }"},
        Malformed{"/* never ends", "t:1:1: syntax error: this comment is not closed by */"},
        Malformed{"{} // */\n/*/ \"*", "t:2:1: syntax error: this comment is not closed by */"},
        Malformed{"{\"a\": \"\\\"\" /* \n", "t:1:12: syntax error: this comment is not closed by */"},
        Malformed{"[\"never ends]", "t:1:14: "},
        Malformed{repeated("[", 65), "t:1:65: nested deeper than 64 levels"},
        Malformed{repeated("[", 200000) + repeated("]", 200000), "nested deeper than 64 levels"},
        Malformed{repeated("{\"a\":", 100000), "nested deeper than 64 levels"},
        Malformed{"[1" + std::string(100000, '0') + "]", "number overflow"}));

TEST(JsonTree, RefusesMoreThanItsLimits) {
  expect_refusal("[" + repeated("0,", 2100000) + "0]", "more than 2000000 values");
  expect_refusal("\"" + std::string(kMaxJsonBytes, 'a') + "\"", "text over 64 MB");
}

TEST(JsonTree, OnlyCommentsOpenComments) {
  const char* const text = "/**/ [ // /* \r \"/*\", /* // \" */ \"\\\\\", \"\\\"/*\", \"//\" /***/] // /*";
  EXPECT_EQ(finding(parse_json(text, "t")), "an array of 4");
}

TEST(JsonTree, AcceptsTheDeepestNesting) {
  EXPECT_NO_THROW(parse_json(repeated("[", 64) + repeated("]", 64), "t"));
}

TEST(JsonTree, QuotesForMessages) {
  EXPECT_EQ(in_quotes("a\n\"b"), "\"a\\n\\\"b\"");
  EXPECT_EQ(in_quotes("\xFF").find('\xFF'), std::string::npos);
  EXPECT_EQ(in_quotes(std::string(59, 'a') + "é!"), "\"" + std::string(59, 'a') + "...\"");
  EXPECT_EQ(finding(parse_json("[1, 2]", "t")), "an array of 2");
  EXPECT_EQ(finding(parse_json("-0.5", "t")), "-0.5");
}

}  // namespace
}  // namespace muslin
