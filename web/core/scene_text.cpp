#include "scene_text.h"

#include <algorithm>
#include <filesystem>

#include "muslin/compare/common_step.h"
#include "muslin/core/check.h"
#include "muslin/io/scene_json.h"
#include "muslin/solver/methods.h"

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
    const size_t equals = line.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw Error(ErrorKind::invalid, "override: must be path=value, got " + line);
    overrides.emplace_back(line.substr(0, equals), line.substr(equals + 1));
  }
  return overrides;
}

}  // namespace

Scene scene_of(const SceneText& given) {
  const bool is_reference = given.method == kReference;
  if (is_reference && !given.in_comparison)
    throw Error(ErrorKind::invalid, "method: the reference is one of a comparison alone");
  const bool is_named = !given.method.empty() && !is_reference;

  std::vector<Override> overrides;
  if (is_named && !given.in_comparison)
    overrides.emplace_back("/solver/family", family_of_method(given.method));
  for (Override& override : overrides_of(given.overrides)) overrides.push_back(std::move(override));
  Scene scene = parse_scene(given.text, given.name, std::filesystem::path(given.name).parent_path().string(),
                            overrides);

  if (given.in_comparison) {
    const std::string method = given.method.empty() ? scene.solver.family : given.method;
    return scene_in_comparison(method, scene, build_model(scene));
  }
  if (is_named) find_method(given.method).choose(scene.solver);
  return scene;
}

}  // namespace muslin::web
