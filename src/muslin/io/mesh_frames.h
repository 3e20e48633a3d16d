#pragma once
#include <string>
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

/// The files that `frames` names, as the scene has them: one a frame, or the one point cache or animated
/// file.
std::vector<std::string> frame_files(const MeshFrames& frames);

/// The vertices of a mesh in every frame, 3×n, read below `folder`: from meshes with the same triangles, from
/// an animation of a GLB or glTF file, every `frames.interval` of the scene's time, or from a point cache,
/// that is PC2: little-endian, 32 bytes of header ("POINTCACHE2\0", int32 version 1, int32 points, float32
/// first frame and rate, of which neither says seconds and neither is heeded, int32 samples), then x, y, z of
/// every point of every sample as float32. Throws Error(file) if a file cannot be read, Error(invalid) if it
/// is broken or belongs to another mesh.
std::vector<Points> read_mesh_frames(const std::string& folder, const MeshFrames& frames, const Mesh& mesh);

/// How many samples a point cache says that it has. Throws Error(file) if it cannot be read, Error(invalid)
/// if it is none, or not as long as it says.
int point_cache_samples(const std::string& path);

/// One sample of a point cache, 3×n. Only that much of the file is read. Throws Error(file) if it cannot be,
/// Error(invalid) if it is broken, has another number of points, or no such sample.
Points read_point_cache_sample(const std::string& path, int sample, int points);

}  // namespace muslin
