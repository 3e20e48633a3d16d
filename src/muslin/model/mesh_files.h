#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "muslin/core/text.h"

namespace muslin {

/// What the name of a mesh file ends in, in any case.
inline constexpr std::array<std::string_view, 6> kMeshExtensions{".obj",  ".ply",  ".glb",
                                                                 ".gltf", ".usda", ".usd"};
/// For messages: "must be …".
inline constexpr std::string_view kMeshFile = "a mesh file (.obj, .ply, .glb, .gltf, .usda)";

/// Whether a file is a mesh, by its name.
inline bool is_mesh_file(const std::string& name) {
  const std::string extension = extension_of(name);
  return std::find(kMeshExtensions.begin(), kMeshExtensions.end(), extension) != kMeshExtensions.end();
}

/// Whether a file may have animations, by its name, which has no place for a number.
inline bool is_animation_file(const std::string& name) {
  const std::string extension = extension_of(name);
  return (extension == ".glb" || extension == ".gltf") && !numbered(name, 0);
}

}  // namespace muslin
