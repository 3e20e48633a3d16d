#include "muslin/render/look_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

#include "muslin/core/check.h"
#include "muslin/core/text.h"

namespace muslin {
namespace {

/// What a field of a look may be set to.
struct Choice {
  std::string_view field;
  std::vector<std::string_view> words;  ///< that stand for a value without `field=`
  std::string value;                    ///< what stands behind `field=`: "NUMBER"
  std::string_view doc;
};

/// Names of values that say something by themselves, and that a picture can have: there is nothing to differ
/// from, and what needs a file is said by the file.
bool stands_alone(std::string_view name) {
  return name != "none" && name != "image" && name != "custom" && name != "difference";
}

/// Lists the choices.
struct Lister {
  std::vector<Choice> choices;

  void operator()(std::string_view name, const bool& is_on, const FieldInfo& info) {
    choices.push_back({name, {}, is_on ? "false" : "true", info.doc});
    if (!is_on) choices.back().words.push_back(name);
  }
  void operator()(std::string_view name, const std::optional<double>&, const FieldInfo& info) {
    choices.push_back({name, {}, "NUMBER", info.doc});
  }
  void operator()(std::string_view name, const std::string&, const FieldInfo& info) {
    choices.push_back({name, {}, "PATH", info.doc});
  }
  template <class E>
  requires std::is_enum_v<E>
  void operator()(std::string_view name, const E&, const FieldInfo& info) {
    Choice choice{name, {}, "NAME", info.doc};
    for (const std::string_view word : EnumNames<E>::names)
      if (stands_alone(word)) choice.words.push_back(word);
    choices.push_back(choice);
  }
};

std::vector<Choice> choices() {
  Look look;
  Lister lister;
  Look::fields(look, lister);
  return lister.choices;
}

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid, message); }

/// `; did you mean phong?`, or where to look.
std::string hint(std::string_view word, const std::vector<std::string_view>& names) {
  const std::string nearest = nearest_name(word, names);
  return nearest.empty() ? "; see muslin list looks" : fmt::format("; did you mean {}?", nearest);
}

/// Sets one field from text.
struct Setter {
  std::string_view field, text;

  void operator()(std::string_view name, bool& value, const FieldInfo&) const {
    if (name != field) return;
    if (text != "true" && text != "false")
      refuse(fmt::format("{}: must be true or false, got '{}'", name, text));
    value = text == "true";
  }
  void operator()(std::string_view name, std::optional<double>& value, const FieldInfo&) const {
    if (name != field) return;
    std::istringstream in{std::string(text)};
    in.imbue(std::locale::classic());
    double number = 0;
    if (!(in >> number) || in.peek() != EOF)
      refuse(fmt::format("{}: must be a number, got '{}'", name, text));
    value = number;
  }
  void operator()(std::string_view name, std::string& value, const FieldInfo&) const {
    if (name == field) value = text;
  }
  template <class E>
  requires std::is_enum_v<E>
  void operator()(std::string_view name, E& value, const FieldInfo&) const {
    if (name != field) return;
    const auto& names = EnumNames<E>::names;
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end() || text == "difference")
      refuse(fmt::format("{}: unknown name '{}'{}", name, text, hint(text, {names.begin(), names.end()})));
    value = static_cast<E>(found - names.begin());
  }
};

/// "phong" as {"shading", "phong"}, "wireframe" as {"wireframe", "true"}, "heat_high=5" as it says.
std::pair<std::string, std::string> assignment(const std::string& word) {
  const size_t equals = word.find('=');
  std::vector<std::string_view> names;
  const std::vector<Choice> all = choices();
  for (const Choice& choice : all) {
    if (equals != std::string::npos) {
      if (choice.field == word.substr(0, equals)) return {word.substr(0, equals), word.substr(equals + 1)};
      names.push_back(choice.field);
      continue;
    }
    for (const std::string_view name : choice.words) {
      if (name == word) return {std::string(choice.field), name == choice.field ? "true" : word};
      names.push_back(name);
    }
  }
  for (const Choice& choice : all)
    if (choice.field == word) refuse(fmt::format("'{0}' needs a value: {0}={1}", word, choice.value));
  refuse(fmt::format("unknown word '{}'{}", word, hint(word.substr(0, equals), names)));
}

}  // namespace

Look parse_look(const std::vector<std::string>& words) {
  Look look;
  std::map<std::string, std::string> said;  // field → word
  for (const std::string& word : words) {
    const auto [field, value] = assignment(word);
    const auto [earlier, is_new] = said.emplace(field, word);
    if (!is_new && earlier->second != word)
      refuse(fmt::format("{} and {} are both {}: choose one", earlier->second, word, field));
    Setter setter{field, value};
    Look::fields(look, setter);
  }
  // A file says what it is for, unless other words do.
  const bool bumps = look.shading == Shading::bump || look.shading == Shading::displacement;
  if (!look.texture.empty() && !said.contains("pattern") && !bumps) look.pattern = Pattern::image;
  if (!look.shaders.empty() && !said.contains("shading")) look.shading = Shading::custom;
  if (look.shading == Shading::custom && look.shaders.empty()) refuse("shading=custom needs shaders=PATH");
  if (look.pattern == Pattern::image && look.texture.empty()) refuse("pattern=image needs texture=PATH");
  if (look.heat_low && look.heat_high && *look.heat_low >= *look.heat_high)
    refuse("heat_low must be less than heat_high");
  return look;
}

std::vector<LookWords> look_words() {
  std::vector<LookWords> rows;
  for (const Choice& choice : choices()) {
    std::string words;
    for (const std::string_view word : choice.words) words += (words.empty() ? "" : ", ") + std::string(word);
    if (choice.value != "NAME" && choice.words.empty())
      words = fmt::format("{}={}", choice.field, choice.value);
    rows.push_back({std::string(choice.field), words, std::string(choice.doc)});
  }
  return rows;
}

}  // namespace muslin
