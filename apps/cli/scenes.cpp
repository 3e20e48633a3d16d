#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "commands.h"
#include "muslin/changed_scene.h"
#include "muslin/core/check.h"
#include "muslin/core/text.h"
#include "muslin/model/mesh_files.h"
#include "muslin/platform/processes.h"
#include "muslin/solver/inert.h"

namespace fs = std::filesystem;
using namespace muslin;

std::string shipped_scenes() {
  std::error_code ignored;
  const fs::path beside = fs::path(platform::own_program()).parent_path();
  for (const char* const folder : {MUSLIN_INSTALLED_SCENES, "scenes"}) {
    const fs::path scenes = (beside / folder).lexically_normal();
    if (fs::is_directory(scenes, ignored)) return scenes.string();
  }
#ifdef MUSLIN_SOURCE_SCENES
  return MUSLIN_SOURCE_SCENES;
#else
  return (beside / "scenes").string();
#endif
}

std::string find_scene(const std::string& path_or_name) {
  const fs::path path(path_or_name);
  std::error_code ignored;
  if (is_mesh_file(path_or_name))
    throw Error(ErrorKind::invalid,
                path_or_name + ": is a mesh: name it in a scene, or look at it with muslin check");
  const bool is_name = path_or_name.find_first_of("/.") == std::string::npos;
  const fs::path shipped = fs::path(shipped_scenes()) / (path_or_name + ".json");  // "torture/twist", too
  if (path.is_relative() && !fs::is_regular_file(path, ignored) && fs::exists(shipped, ignored))
    return shipped.string();
  if (!is_name || fs::is_regular_file(path, ignored)) return path_or_name;
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(shipped_scenes(), ignored))
    names.push_back(entry.path().stem().string());
  const std::string nearest = nearest_name(path_or_name, {names.begin(), names.end()});
  throw Error(ErrorKind::file, fmt::format("{}: is neither a file nor a shipped scene; {}", path_or_name,
                                           nearest.empty() ? "see muslin list scenes"
                                                           : fmt::format("did you mean {}?", nearest)));
}

std::vector<std::string> vain_overrides(const Scene& scene, const std::vector<Override>& overrides) {
  const std::vector<InertField> warned = written_in_vain(scene);
  const auto is_overridden = [&](const InertField& field) {
    return std::any_of(overrides.begin(), overrides.end(), [&](const Override& override) {
      std::string path = override.first.starts_with('/') ? override.first : '/' + override.first;
      std::replace(path.begin(), path.end(), '.', '/');
      return field.path == path || (field.is_written && field.path.starts_with(path + '/'));
    });
  };
  const auto is_warned = [&](const InertField& field) {
    return std::any_of(warned.begin(), warned.end(), [&](const auto& w) { return w.path == field.path; });
  };
  std::vector<InertField> fields = inert_fields(scene);
  std::erase_if(fields, [&](const InertField& field) { return !is_overridden(field) || is_warned(field); });
  return inert_sentences(fields);
}

std::vector<std::string> dropped_losses(const Scene& scene) {
  std::vector<InertField> fields = inert_fields(scene);
  std::erase_if(fields, [](const InertField& field) {
    return !field.is_written || !field.path.starts_with("/solver/") ||
           !field.path.ends_with("/velocity_loss");
  });
  return inert_sentences(fields);
}

std::vector<muslin::Override> parse_overrides(const std::vector<std::string>& assignments) {
  std::vector<muslin::Override> overrides;
  for (const std::string& assignment : assignments) {
    const auto override = muslin::split_assignment(assignment);
    if (!override) throw CLI::ValidationError("--set", "expects path=value, got " + assignment);
    overrides.push_back(*override);
  }
  return overrides;
}
