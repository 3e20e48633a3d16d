#pragma once
#include <map>
#include <set>
#include <string>

#include "muslin/geometry/mesh.h"
#include "muslin/model/scene.h"

namespace muslin {

/// A folder that `muslin run` wrote.
struct RunFolder {
  Scene scene;                       ///< as resolved in run.json
  std::string outcome;               ///< as in run.json (run_record.h); "" if it says none
  int recorded = 0;                  ///< frames that run.json tells of
  std::set<int> held_up;             ///< in which colliders or pins were short of their places
  std::map<int, std::string> files;  ///< of every frame; the PLY where there is an OBJ too
};

/// Throws Error(file) without run.json or frames, Error(invalid) if run.json is none.
RunFolder read_run_folder(const std::string& folder);

/// The mesh of a frame. Throws Error as read_mesh does, and Error(invalid) if it has another number of
/// vertices (Model::user_vertex_count).
Mesh read_frame(const std::string& file, int vertex_count);

}  // namespace muslin
