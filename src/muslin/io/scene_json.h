#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

/// A value that replaces another before a scene is read: {"/cloths/0/grid/points", "[64, 64]"}.
using Override = std::pair<std::string, std::string>;

/// Reads a scene file, ours or CS184's (told apart by content). Applies the overrides, then reports every
/// problem at once: throws Error(invalid), one line each, `file:line:column: /path: expectation, got
/// finding`; Error(file) if it cannot be read.
Scene read_scene(const std::string& path, const std::vector<Override>& overrides = {});

/// Meshes in memory, by the names that a scene has them by in place of files.
using NamedMeshes = std::map<std::string, std::shared_ptr<const Mesh>>;

/// The same from text; `name` stands for the file in messages, `folder` is where mesh files may be. What a
/// mesh of `meshes` is called is no file.
Scene parse_scene(const std::string& text, const std::string& name, const std::string& folder,
                  const std::vector<Override>& overrides = {}, const NamedMeshes& meshes = {});

/// The resolved scene: every field with its value, as JSON text that read_scene accepts.
std::string write_scene(const Scene& scene, int indent = 2);

/// JSON Schema (draft-07) of the scene format, for editors.
std::string scene_schema();

}  // namespace muslin
