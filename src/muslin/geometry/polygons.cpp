#include "muslin/geometry/polygons.h"

#include <algorithm>
#include <unordered_set>

namespace muslin {

namespace {

// The names in what stands behind a keyword: several groups are parted by spaces.
std::vector<std::string> names_in(const std::string& text, const Naming& naming) {
  if (naming.keyword != kGroup.keyword) return {text};
  std::vector<std::string> names;
  for (size_t begin = text.find_first_not_of(" \t"); begin != text.npos;) {
    const size_t end = std::min(text.find_first_of(" \t", begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(" \t", end);
  }
  return names;
}

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <class T>
void append_range(const std::vector<T>& from, int begin, int end, std::vector<T>& to) {
  if (!from.empty()) to.insert(to.end(), from.begin() + begin, from.begin() + end);
}

}  // namespace

std::vector<std::string> names_of(const Polygons& polygons, const Naming& naming) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (const std::string& text : polygons.*naming.names)
    for (const std::string& name : names_in(text, naming))
      if (seen.insert(name).second) names.push_back(name);
  return names;
}

std::vector<bool> polygons_named(const Polygons& polygons, const Naming& naming, std::string_view name) {
  std::vector<bool> is_named(polygons.count());
  const std::vector<std::string>& names = polygons.*naming.names;
  for (size_t p = 0; p < polygons.parts.size(); ++p) {
    const int text = polygons.parts[p].*naming.of_part;
    if (text == Polygons::kNone || !has(names_in(names[text], naming), name)) continue;
    std::fill(is_named.begin() + polygons.parts[p].first, is_named.begin() + polygons.end_of_part(p), true);
  }
  return is_named;
}

Polygons chosen(const Polygons& polygons, const std::vector<bool>& choice, const std::vector<int>& number) {
  Polygons result;
  result.uv = polygons.uv;
  result.libraries = polygons.libraries;
  for (const Naming& naming : kNamings) result.*naming.names = polygons.*naming.names;
  for (size_t p = 0; p < polygons.parts.size(); ++p) {
    Polygons::Part part = polygons.parts[p];
    part.first = result.count();
    for (int k = polygons.parts[p].first; k < polygons.end_of_part(p); ++k) {
      if (!choice[k]) continue;
      const int begin = polygons.begin_of(k), end = polygons.end[k];
      for (int c = begin; c < end; ++c) result.corners.push_back(number[polygons.corners[c]]);
      append_range(polygons.corner_uv, begin, end, result.corner_uv);
      append_range(polygons.corner_normal, begin, end, result.corner_normal);
      result.end.push_back(static_cast<int>(result.corners.size()));
    }
    if (result.count() > part.first) result.parts.push_back(part);
  }
  return result;
}

}  // namespace muslin
