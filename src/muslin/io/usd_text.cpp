#include "muslin/io/usd_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "muslin/io/scan.h"

namespace muslin {

namespace {

constexpr int kDeepest = 100;  // prims in prims, lists in lists

template <std::size_t count>
bool is_one_of(std::string_view word, const std::array<std::string_view, count>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
constexpr std::array<std::string_view, 5> kListEdits{"add", "append", "delete", "prepend", "reorder"};
constexpr std::array<std::string_view, 4> kQualifiers{"config", "custom", "uniform", "varying"};
constexpr std::array<std::string_view, 5> kCompositions{"inherits", "payload", "references", "specializes",
                                                        "subLayers"};

bool is_word_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':'; }
bool is_number_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '+' || c == '-';
}

/// Reads the text token by token.
class UsdParser {
 public:
  UsdParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  UsdPrim layer() {
    UsdPrim root;
    check_header();
    if (peek() == '(') root.metadata = metadata();
    while (peek() != '\0') {
      const std::string first = word("def, over or class");
      if (is_one_of(first, kListEdits))
        skip_edit();
      else
        root.children.push_back(prim(first, 0));
    }
    return root;
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> words, Args&&... args) {
    throw Error(ErrorKind::invalid,
                fmt::format("{}:{}: {}", name_, line(), fmt::format(words, std::forward<Args>(args)...)));
  }

  // --- characters ----------------------------------------------------------------------------------

  std::size_t line() {
    line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
    counted_ = at_;
    return line_;
  }

  bool follows(std::string_view token) const { return text_.substr(at_, token.size()) == token; }
  void skip_to(std::string_view end) { at_ = std::min(text_.find(end, at_), text_.size()); }

  /// The next character that means something; 0 at the end of the text.
  char peek() {
    for (;;) {
      while (at_ < text_.size() &&
             (std::isspace(static_cast<unsigned char>(text_[at_])) || text_[at_] == ';'))
        ++at_;
      if (follows("#") || follows("//")) {
        skip_to("\n");
      } else if (follows("/*")) {
        skip_to("*/");
        at_ = std::min(at_ + 2, text_.size());
      } else {
        return at_ < text_.size() ? text_[at_] : '\0';
      }
    }
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  std::string found() {
    peek();
    return at_ == text_.size() ? "the end of the file"
                               : quote(text_.substr(at_, text_.find('\n', at_) - at_));
  }
  void expect(char c) {
    if (!take(c)) fail("expected {}, got {}", c, found());
  }

  // --- tokens --------------------------------------------------------------------------------------

  std::string word(const char* what) {
    peek();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word_part(text_[at_])) ++at_;
    if (at_ == begin) fail("expected {}, got {}", what, found());
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// In one or three quotes, of either kind, with what is escaped as it stands.
  std::string string() {
    const char quote_mark = peek();
    if (quote_mark != '"' && quote_mark != '\'') fail("expected a string, got {}", found());
    const std::string three(3, quote_mark), mark = follows(three) ? three : std::string(1, quote_mark);
    std::size_t end = at_ + mark.size();
    while (end < text_.size() && text_.substr(end, mark.size()) != mark) end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) fail("a closing quote is missing");
    const std::string content(text_.substr(at_ + mark.size(), end - at_ - mark.size()));
    at_ = end + mark.size();
    return content;
  }

  std::string between(std::string_view begin, std::string_view end) {
    const std::size_t first = at_ + begin.size(), last = text_.find(end, first);
    if (last == text_.npos) fail("{} is missing", end);
    at_ = last + end.size();
    return std::string(text_.substr(first, last - first));
  }

  /// The rest of what an open bracket holds; strings may hold brackets.
  void skip_block(char close) {
    std::string open(1, close);
    while (!open.empty()) {
      const char c = peek();
      if (c == '\0') fail("expected {}, but the file ends", open.back());
      if (c == '"' || c == '\'') {
        string();
      } else if (c == '@') {
        asset();
      } else {
        if (c == '(' || c == '[' || c == '{') open += c == '(' ? ')' : c == '[' ? ']' : '}';
        if (c == ')' || c == ']' || c == '}') {
          if (c != open.back()) fail("expected {}, got {}", open.back(), c);
          open.pop_back();
        }
        ++at_;
      }
    }
  }

  std::string asset() { return follows("@@@") ? between("@@@", "@@@") : between("@", "@"); }

  // --- values --------------------------------------------------------------------------------------

  UsdValue value() {
    UsdValue result;
    peek();
    result.place = line();
    add_value(result, 0);
    return result;
  }

  void add_value(UsdValue& result, int depth) {
    if (depth > kDeepest) fail("values must lie at most {} lists deep", kDeepest);
    const char c = peek();
    if (c == '(' || c == '[') return add_list(result, depth);
    if (c == '"' || c == '\'') return result.words.push_back(string());
    if (c == '<') return result.words.push_back(between("<", ">"));
    if (c == '@') return add_asset(result);
    if (c == '{') {
      ++at_;
      return skip_block('}');
    }
    const std::size_t begin = at_;
    const auto is_part =
        std::isalpha(static_cast<unsigned char>(c)) || c == '_' ? is_word_part : is_number_part;
    while (at_ < text_.size() && is_part(text_[at_])) ++at_;
    const std::string_view token = text_.substr(begin, at_ - begin);
    if (token.empty()) fail("expected a value, got {}", found());
    if (const std::optional<double> number = parse_number(token))
      result.numbers.push_back(*number);
    else if (is_part == is_word_part)
      result.words.emplace_back(token);
    else
      fail("expected a number, got {}", quote(token));
  }

  void add_list(UsdValue& result, int depth) {
    const char close = peek() == '(' ? ')' : ']';
    const std::size_t before = result.numbers.size(), tuples = tuples_;
    ++at_;
    while (!take(close)) {
      add_value(result, depth + 1);
      if (!take(',') && peek() != close) fail("expected , or {}, got {}", close, found());
    }
    if (close != ')' || tuples_ != tuples) return;  // not an innermost tuple
    ++tuples_;
    const std::size_t size = result.numbers.size() - before;
    if (result.width != 0 && size != result.width)
      fail("expected {} numbers in parentheses, got {}", result.width, size);
    result.width = size;
  }

  // A file, perhaps with the path of a prim in it and with an offset in time.
  void add_asset(UsdValue& result) {
    result.words.push_back(asset());
    if (peek() == '<') between("<", ">");
    if (take('(')) skip_block(')');
  }

  // --- metadata and properties ---------------------------------------------------------------------

  /// key = value, or a comment as a string, in parentheses.
  UsdValues metadata() {
    UsdValues values;
    expect('(');
    while (!take(')')) {
      if (peek() == '"' || peek() == '\'') {
        string();
        continue;
      }
      std::string key = word("a key");
      const bool is_removed = key == "delete";
      if (is_one_of(key, kListEdits)) key = word("a key");
      expect('=');
      UsdValue its = value();
      if (is_one_of(key, kCompositions) && !is_removed && !its.words.empty() && its.words.front() != "None")
        fail("{} are not read: flatten the file first (usdcat --flatten), or export it as one", key);
      values[key] = std::move(its);
    }
    return values;
  }

  /// reorder nameChildren = [...] and the like, which say nothing of shapes.
  void skip_edit() {
    word("a name");
    expect('=');
    value();
  }

  void property(std::string type, UsdPrim& owner) {
    if (type == "reorder") return skip_edit();
    while (is_one_of(type, kQualifiers) || is_one_of(type, kListEdits)) type = word("a type");
    if (take('[')) {
      expect(']');
      type += "[]";
    }
    const std::string name = word("the name of a property");
    std::string part;
    if (follows(".")) {
      ++at_;
      part = word("timeSamples or connect");
    }
    UsdProperty read;
    read.type = type;
    const bool has_value = take('=');
    if (has_value && part == "timeSamples") {
      read.is_sampled = true;
      read.value = first_sample();
    } else if (has_value) {
      read.value = value();
    }
    if (peek() == '(') read.metadata = metadata();
    if (!has_value && part.empty() && read.metadata.empty()) return;
    if (part.empty() || part == "timeSamples") keep(name, std::move(read), owner);
  }

  // A value that does not depend on time may stand above or below the samples, and comes first; metadata
  // stand with either.
  static void keep(const std::string& name, UsdProperty read, UsdPrim& owner) {
    const auto [known, is_new] = owner.properties.try_emplace(name);
    UsdProperty& property = known->second;
    UsdValues metadata = is_new ? UsdValues() : std::move(property.metadata);
    metadata.merge(read.metadata);
    const bool is_bare = property.value.numbers.empty() && property.value.words.empty();
    if (is_bare || !read.is_sampled) property = std::move(read);
    property.metadata = std::move(metadata);
  }

  UsdValue first_sample() {
    UsdValue first;
    expect('{');
    if (take('}')) return first;
    value();  // its time
    expect(':');
    first = value();
    skip_block('}');
    return first;
  }

  // --- prims ---------------------------------------------------------------------------------------

  UsdPrim prim(const std::string& specifier, int depth) {
    if (specifier != "def" && specifier != "over" && specifier != "class")
      fail("expected def, over or class, got {}", quote(specifier));
    if (depth > kDeepest) fail("prims must lie at most {} deep", kDeepest);
    UsdPrim prim;
    prim.specifier = specifier;
    prim.place = line();
    if (peek() != '"' && peek() != '\'') prim.type = word("a type or a name in quotes");
    prim.name = string();
    if (peek() == '(') prim.metadata = metadata();
    expect('{');
    while (!take('}')) {
      const std::string first = word("a property, a prim or }");
      if (first == "variantSet")
        fail("variants are not read: flatten the file first (usdcat --flatten), or export it without");
      if (first == "def" || first == "over" || first == "class")
        prim.children.push_back(this->prim(first, depth + 1));
      else
        property(first, prim);
    }
    return prim;
  }

  void check_header() {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.substr(0, 8) == "PXR-USDC" || text_.substr(0, 4) == "PK\x03\x04")
      fail("binary USD is not read: convert it to text (usdcat scene.usd -o scene.usda), or export it so");
    if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark) text_.remove_prefix(kByteOrderMark.size());
    if (!follows("#usda ")) fail("a USD file must begin with #usda 1.0, got {}", quote(text_.substr(0, 10)));
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0, line_ = 1;  ///< lines are counted up to there
  std::size_t tuples_ = 0;              ///< read so far
};

}  // namespace

UsdPrim parse_usd_text(std::string_view text, const std::string& name) {
  return UsdParser(text, name).layer();
}

}  // namespace muslin
