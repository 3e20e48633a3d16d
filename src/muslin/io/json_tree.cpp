#include "muslin/io/json_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "muslin/core/check.h"

namespace muslin {

namespace {

bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// "name:line:column" of a byte.
std::string text_position(std::string_view text, const std::string& name, size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::string_view in_line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
  const auto column =
      1 + in_line.size() - std::count_if(in_line.begin(), in_line.end(), continues_code_point);
  return fmt::format("{}:{}:{}", name, line, column);
}

// Where a comment opens that nothing closes; npos if none does. nlohmann's lexer would copy what follows
// several times, and name the end of the text.
size_t open_comment(std::string_view text) {
  constexpr std::string_view kEndsOfLine("\r\n\0", 3);
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("/*")) {
      const size_t end = rest.find("*/", 2);
      if (end == rest.npos) return at;
      at += end + 1;
    } else if (rest.starts_with("//")) {
      at = std::min(text.find_first_of(kEndsOfLine, at), text.size());
    } else if (rest.front() == '"') {  // a string, in which what a backslash escapes ends nothing
      while (++at < text.size() && text[at] != '"' && text[at] != '\n')
        if (text[at] == '\\') ++at;
    }
  }
  return text.npos;
}

// Walks the text for nlohmann's lexer and tells how far it has come.
class TrackedIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackedIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  TrackedIterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  bool operator==(const TrackedIterator& other) const { return at_ == other.at_; }
  bool operator!=(const TrackedIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// What is wrong in the words of who writes scenes; "" where nlohmann's own say it. `message`: "while parsing
// array - unexpected number literal; expected ']'", `in_array`: the value that is open is one, `line`: where
// the last value ended, `is_line_above`: that is not the line of the error.
std::string plain_words(std::string_view message, bool in_array, std::ptrdiff_t line, bool is_line_above) {
  const auto says = [&](std::string_view words) { return message.find(words) != message.npos; };
  if (says("unexpected end of input")) return in_array ? "the text ends before ]" : "the text ends before }";
  if (says("missing closing quote")) return "a closing quote is missing on this line";
  if (says("expected end of input")) return "nothing may follow the scene's last }";
  if (says("object key - unexpected '}'")) return "no comma may stand before }";
  if (says("value - unexpected ']'"))
    return in_array ? "no comma may stand before ]" : "a value is missing before ]";
  if (says("value - unexpected '}'")) return in_array ? "expected ] before }" : "a value is missing before }";
  if (says("object separator - unexpected")) return "a colon is missing after the key";
  if (says("object key - ")) return "a key in double quotes must stand here";
  if (says("while parsing array - unexpected '}'")) return "expected ] before }";
  if (says("while parsing object - unexpected ']'")) return "expected } before ]";
  if (says("while parsing array - unexpected") || says("while parsing object - unexpected"))
    return is_line_above ? fmt::format("a comma is missing after line {}", line)
                         : "a comma is missing before this";
  return "";
}

// Builds the tree from nlohmann's events. An event comes when its last byte has been read (after a number
// also the byte behind it), so the start of a token is found by looking back.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(std::string_view text, const std::string& name, int override_index)
      : text_(text), name_(name), override_index_(override_index), reached_(text.data()) {}

  JsonNode parse() {
    if (text_.size() > kMaxJsonBytes) refuse(0, fmt::format("text over {} MB", kMaxJsonBytes >> 20));
    if (const size_t at = open_comment(text_); at != text_.npos)
      refuse(at, "syntax error: this comment is not closed by */");
    const TrackedIterator first(text_.data(), &reached_), last(text_.data() + text_.size(), &reached_);
    constexpr bool kWholeText = true, kComments = true;
    nlohmann::json::sax_parse(first, last, this, nlohmann::json::input_format_t::json, kWholeText, kComments);
    return std::move(root_);
  }

  bool null() override { return add(nullptr, before(4)); }
  bool boolean(bool value) override { return add(value, before(value ? 4 : 5)); }
  bool number_integer(std::int64_t value) override { return add(value, number_start()); }
  bool number_unsigned(std::uint64_t value) override { return add(value, number_start()); }
  bool number_float(double value, const std::string&) override { return add(value, number_start()); }
  bool string(std::string& value) override { return add(std::move(value), string_start()); }
  bool binary(nlohmann::json::binary_t&) override { return false; }  // never comes from text

  bool start_array(std::size_t) override { return open(JsonNode::Array{}); }
  bool end_array() override { return close(); }
  bool start_object(std::size_t) override { return open(JsonNode::Object{}); }
  bool key(std::string& value) override {
    open_.back()->as<JsonNode::Object>()->push_back({std::move(value), place(string_start()), {}});
    return true;
  }
  bool end_object() override {
    refuse_duplicates(*open_.back()->as<JsonNode::Object>());
    return close();
  }

  bool parse_error(std::size_t characters_read, const std::string&,
                   const nlohmann::json::exception& error) override {
    std::string_view message = error.what();
    message.remove_prefix(message.find("] ") + 2);
    if (message.starts_with("parse error")) message.remove_prefix(message.find(": ") + 2);
    const auto odd = [](unsigned char c) { return c >= 0x80; };  // perhaps not UTF-8
    if (message.size() > 200 || std::any_of(message.begin(), message.end(), odd))
      message = message.substr(0, std::min<size_t>(message.find("; last read"), 100));
    const size_t offset = std::min(characters_read - 1, text_.size());
    const std::ptrdiff_t line = line_of(value_end_);
    const bool in_array = !open_.empty() && open_.back()->as<JsonNode::Array>();
    const std::string plain = plain_words(message, in_array, line, line < line_of(offset));
    refuse(offset, plain.empty() ? std::string(message) : "syntax error: " + plain);
  }

 private:
  template <class T>
  bool add(T&& value, size_t start) {
    place_node() = {std::forward<T>(value), place(start)};
    value_end_ = start + 1;  // within its first line; values of several lines are closed
    return true;
  }
  template <class T>
  bool open(T&& container) {
    if (open_.size() == kMaxJsonDepth)
      refuse(before(1), fmt::format("nested deeper than {} levels", kMaxJsonDepth));
    JsonNode& node = place_node();
    node = {std::forward<T>(container), place(before(1))};
    open_.push_back(&node);  // stays put: its parent gets no further child while it is open
    return true;
  }
  bool close() {
    open_.pop_back();
    value_end_ = before(0);
    return true;
  }

  // The node that the next value goes to.
  JsonNode& place_node() {
    if (++count_ > kMaxJsonValues)
      refuse(before(1), fmt::format("more than {} values in one file", kMaxJsonValues));
    if (open_.empty()) return root_;
    if (auto* array = open_.back()->as<JsonNode::Array>()) return array->emplace_back();
    return open_.back()->as<JsonNode::Object>()->back().value;
  }

  void refuse_duplicates(const JsonNode::Object& members) const {
    std::vector<int> order(members.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      const int compared = members[a].key.compare(members[b].key);
      return compared != 0 ? compared < 0 : a < b;
    });
    const auto twin = std::adjacent_find(order.begin(), order.end(),
                                         [&](int a, int b) { return members[a].key == members[b].key; });
    if (twin != order.end()) {
      const JsonMember& second = members[*(twin + 1)];
      refuse(second.place.offset, fmt::format("the key {} stands here twice", in_quotes(second.key)));
    }
  }

  std::ptrdiff_t line_of(size_t offset) const {
    const std::string_view text = text_.substr(0, offset);
    return 1 + std::count(text.begin(), text.end(), '\n');
  }
  size_t before(size_t length) const { return reached_ - text_.data() - length; }
  size_t number_start() const {
    const auto in_number = [](char c) {
      return (c >= '0' && c <= '9') || std::string_view("+-.eE").find(c) != std::string_view::npos;
    };
    const char* at = reached_;
    if (!in_number(at[-1])) --at;
    while (at > text_.data() && in_number(at[-1])) --at;
    return at - text_.data();
  }
  size_t string_start() const {
    size_t quote = before(1);
    size_t backslashes;
    do {
      quote = text_.rfind('"', quote - 1);
      const size_t other = quote == 0 ? std::string_view::npos : text_.find_last_not_of('\\', quote - 1);
      backslashes = quote - 1 - other;  // npos counts as -1
    } while (backslashes % 2 == 1);
    return quote;
  }
  JsonPlace place(size_t offset) const { return {static_cast<std::uint32_t>(offset), override_index_}; }

  [[noreturn]] void refuse(size_t offset, const std::string& message) const {
    throw Error(ErrorKind::invalid, text_position(text_, name_, offset) + ": " + message);
  }

  std::string_view text_;
  const std::string& name_;
  int override_index_;
  const char* reached_;
  JsonNode root_;
  std::vector<JsonNode*> open_;
  size_t value_end_ = 0;  // where the last value has ended, or its line
  size_t count_ = 0;
};

}  // namespace

std::optional<double> JsonNode::number() const {
  if (const auto* negative = as<std::int64_t>()) return static_cast<double>(*negative);
  if (const auto* natural = as<std::uint64_t>()) return static_cast<double>(*natural);
  if (const auto* real = as<double>()) return *real;
  return {};
}

const JsonNode* JsonNode::find(std::string_view key) const {
  const Object* members = as<Object>();
  if (!members) return nullptr;
  for (const JsonMember& member : *members)
    if (member.key == key) return &member.value;
  return nullptr;
}
JsonNode* JsonNode::find(std::string_view key) {
  return const_cast<JsonNode*>(static_cast<const JsonNode*>(this)->find(key));
}

std::string JsonDocument::where(const JsonPlace& place) const {
  if (place.override_index >= 0) return overrides[place.override_index];
  return text_position(text, name, place.offset);
}

JsonNode parse_json(std::string_view text, const std::string& name, int override_index) {
  return TreeBuilder(text, name, override_index).parse();
}

std::string in_quotes(std::string_view text) {
  constexpr size_t kLongest = 60;
  std::string part(text.substr(0, kLongest));
  if (text.size() > kLongest) {
    size_t end = kLongest;
    while (end > 0 && continues_code_point(text[end])) --end;
    part = std::string(text.substr(0, end)) + "...";
  }
  return nlohmann::json(part).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string finding(const JsonNode& node) {
  if (const auto* truth = node.as<bool>()) return *truth ? "true" : "false";
  if (const auto* negative = node.as<std::int64_t>()) return fmt::format("{}", *negative);
  if (const auto* natural = node.as<std::uint64_t>()) return fmt::format("{}", *natural);
  if (const auto* real = node.as<double>()) return fmt::format("{}", *real);
  if (const auto* text = node.as<std::string>()) return "the string " + in_quotes(*text);
  if (const auto* array = node.as<JsonNode::Array>()) return fmt::format("an array of {}", array->size());
  return node.is_null() ? "null" : "an object";
}

}  // namespace muslin
