#include "scene_text.h"

#include <algorithm>
#include <filesystem>

#include "muslin/changed_scene.h"
#include "muslin/compare/common_step.h"
#include "muslin/core/check.h"
#include "muslin/io/scene_json.h"

namespace muslin::web {

namespace {

std::vector<Override> overrides_of(const std::string& lines) {
  std::vector<Override> overrides;
  for (size_t begin = 0;
       begin < lines.size();) {  // no stream: those bring all of the locales into the program
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    const std::string line = lines.substr(begin, end - begin);
    begin = end + 1;
    if (line.empty()) continue;
    const auto override = split_assignment(line);
    if (!override) throw Error(ErrorKind::invalid, "override: must be path=value, got " + line);
    overrides.push_back(*override);
  }
  return overrides;
}

}  // namespace

Scene scene_of(const SceneText& given) {
  const bool is_reference = given.method == kReference;
  if (is_reference && !given.in_comparison)
    throw Error(ErrorKind::invalid, "method: the reference is one of a comparison alone");
  const bool is_named = !given.method.empty() && !is_reference;

  const std::string folder = std::filesystem::path(given.name).parent_path().string();
  const std::string method = is_named && !given.in_comparison ? given.method : "";
  const Scene scene =
      parse_changed_scene(given.text, given.name, folder, {method, {}, overrides_of(given.overrides)});
  if (given.in_comparison) {
    const std::string compared = given.method.empty() ? scene.solver.family : given.method;
    return scene_in_comparison(compared, scene, build_model(scene));
  }
  return scene;
}

}  // namespace muslin::web
