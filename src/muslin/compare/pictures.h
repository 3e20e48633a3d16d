#pragma once
#include "muslin/compare/comparison.h"

namespace muslin {

/// Picks what of a cloth is shown when there is no room for all: at most `most_vertices` vertices, each in
/// its true place, spread evenly over the cloth, and at most `most_frames` frames of 0 … `frames`, both ends
/// among them. Triangles whose corners fall together are left out.
PictureMesh picture_mesh(const Model& model, int frames, int most_vertices, int most_frames);

/// The columns of `positions` that `vertices` names.
Points picked(const Points& positions, const std::vector<int>& vertices);

}  // namespace muslin
