#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/geometry/mesh.h"

namespace muslin {

/// The bytes of a file that a glTF file names, by its path relative to it. Throws Error.
using ReadNeighbour = std::function<std::string(const std::string& file)>;

/// The mesh in the bytes of a glTF 2.0 file [Khronos 2021], binary (GLB) or JSON, whose name is `name` in
/// messages: every node of its scene that has a mesh, in its place [m], is an object of the node's name;
/// nodes above it are groups, primitives have materials. What glTF splits is joined again: vertices of one
/// mesh in exactly the same place, which differ by texture or normal, are one with several texture
/// coordinates. Skeletons and morph targets shape it as they are at rest. Throws Error(invalid) with the
/// place in the JSON, for compression, too, which is not read. Mesh::repairs lists what was joined and what
/// was left out.
Mesh parse_gltf(std::string_view bytes, const std::string& name, const ReadNeighbour& read = {});

/// The vertices of that mesh as an animation of the file moves them, by nodes, skeletons and morph targets:
/// 3×n [m], every `interval` [s] of its time until it ends. Without a name it is the first of the file.
std::vector<Points> parse_gltf_animation(std::string_view bytes, const std::string& name,
                                         const ReadNeighbour& read,
                                         const std::optional<std::string>& animation, double interval);

}  // namespace muslin
