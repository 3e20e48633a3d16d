#pragma once
#include <string>
#include <vector>

#include "muslin/core/types.h"
#include "muslin/model/scene.h"

// Meshes come in centimetres, in millimetres, or with z up: what a file does not say, its size and place may.

namespace muslin {

/// What to say of a mesh whose longest side is `size` [m] where its `scale` puts it, if that is longer than
/// cloth or a person: the unit it probably is in, and the scale that mends it. "" for what is smaller than
/// `least` [m].
std::string size_hint(double size, double scale, double least);

/// What to say of points [m] that stand on z = 0, as they do in files with z up; "" where nothing tells so.
std::string up_axis_hint(const Points& positions);

/// Both for a mesh as its file has it, without a subject; what a scene scales or turns is as meant.
std::vector<std::string> mesh_hints(const MeshFile& mesh, double least);

constexpr double kLargeMesh = 10;  ///< [m] larger than a garment, a table or a person

}  // namespace muslin
