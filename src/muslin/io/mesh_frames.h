#pragma once
#include <string>
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

/// The files that `frames` names, as the scene has them: one a frame, or the one point cache.
std::vector<std::string> frame_files(const MeshFrames& frames);

/// The vertices of a mesh in every frame, 3×n, read below `folder`: from meshes with the same triangles, or
/// from a point cache, that is PC2: little-endian, 32 bytes of header ("POINTCACHE2\0", int32 version 1,
/// int32 points, float32 first frame and rate, of which neither says seconds and neither is heeded, int32
/// samples), then x, y, z of every point of every sample as float32. Throws Error(file) if a file cannot be
/// read, Error(invalid) if it is broken or belongs to another mesh.
std::vector<Points> read_mesh_frames(const std::string& folder, const MeshFrames& frames, const Mesh& mesh);

}  // namespace muslin
