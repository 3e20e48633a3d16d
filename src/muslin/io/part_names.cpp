#include "muslin/io/part_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace muslin {

std::string part_name(std::string_view name, const std::string& otherwise) {
  constexpr std::size_t kLongest = 200;  // bytes: names of parts are written again and again
  std::string text(name.substr(0, kLongest));
  for (char& c : text)
    if (const auto code = static_cast<unsigned char>(c); code < 0x20 || code == 0x7F) c = '_';
  const std::size_t first = text.find_first_not_of(' ');
  return first == text.npos ? otherwise : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::string group_name(std::string_view name, const std::string& otherwise) {
  std::string text = part_name(name, otherwise);
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

std::string with_group(const std::string& groups, const std::string& name) {
  constexpr std::size_t kLongest =
      2000;  // bytes; what lies deeper than so many names is in those above alone
  if (groups.size() + name.size() > kLongest) return groups;
  return groups.empty() ? name : groups + ' ' + name;
}

std::string UniqueNames::take(const std::string& name) {
  std::string taken = name;
  for (int& next = next_.try_emplace(name, 2).first->second; !taken_.insert(taken).second; ++next)
    taken = fmt::format("{} {}", name, next);
  return taken;
}

}  // namespace muslin
