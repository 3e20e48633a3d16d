#include "muslin/solver/methods.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/core/text.h"
#include "muslin/solver/solver.h"

namespace muslin {

const std::vector<Method>& methods() {
  static const std::vector<Method> table = [] {
    std::vector<Method> all;
    for (const SolverEntry& entry : solvers())
      all.insert(all.end(), entry.methods.begin(), entry.methods.end());
    std::sort(all.begin(), all.end(), [](const Method& a, const Method& b) { return a.place < b.place; });
    return all;
  }();
  return table;
}

const Method& find_method(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Method& method : methods()) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  const std::string nearest = nearest_name(name, names);
  throw Error(ErrorKind::invalid,
              fmt::format("unknown solver '{}'; {}", name,
                          nearest.empty() ? fmt::format("known are {}", fmt::join(names, ", "))
                                          : fmt::format("did you mean '{}'?", nearest)));
}

std::string family_of_method(std::string_view name) {
  SolverSettings settings;
  find_method(name).choose(settings);
  return settings.family;
}

}  // namespace muslin
