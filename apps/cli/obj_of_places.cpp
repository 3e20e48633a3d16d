#include "obj_of_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "muslin/audit/names.h"

using namespace muslin;

std::string obj_of_places(const Model& model, const Points& positions,
                          const std::vector<Stencil<3>>& triangles, const std::vector<Place>& places) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  int written = 0;
  for (const Place& place : places) {
    std::vector<int> shown = place.triangles;
    std::sort(shown.begin(), shown.end());
    shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    if (shown.empty()) continue;
    fmt::format_to(out, "o {}\n", place.name);
    for (const int t : shown)
      for (const int v : triangles[t])
        fmt::format_to(out, "v {} {} {}\n", positions(0, v), positions(1, v), positions(2, v));
    for (const int t : shown) {
      fmt::format_to(out, "# {}\nf {} {} {}\n", triangle_name(model, t), written + 1, written + 2,
                     written + 3);
      written += 3;
    }
  }
  return fmt::to_string(text);
}
