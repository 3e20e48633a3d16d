#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "muslin/geometry/mesh.h"
#include "muslin/io/frame_writer.h"
#include "muslin/model/model.h"
#include "muslin/model/scene.h"

namespace muslin {

/// A folder that `muslin run` wrote.
struct RunFolder {
  std::string folder;                           ///< its path
  Scene scene;                                  ///< as resolved in run.json
  std::string outcome;                          ///< as in run.json (run_record.h); "" if it says none
  int recorded = 0;                             ///< frames that run.json tells of
  std::set<int> blocked;                        ///< in which colliders or pins were short of their places
  std::map<int, BlockedBodies> blocked_bodies;  ///< where colliders of these frames were instead
  std::map<int, std::string> files;             ///< of every frame: the PLY where there is an OBJ too
  int cached = 0;                               ///< without any of these: frames in the point cache run.pc2
  std::map<std::string, std::string>
      sums;  ///< SHA-256 of files as they were written, as far as run.json says

  /// Whether there are positions of a frame.
  bool has(int frame) const { return (frame >= 0 && frame < cached) || files.contains(frame); }
  int last() const { return files.empty() ? cached - 1 : files.rbegin()->first; }  ///< frame
};

/// "frame_0012.obj"
std::string frame_file(int frame, const std::string& format);
/// 12 for "frame_0012.obj"; nothing for names that no run gives. Of any format (frame_writer.h).
std::optional<int> frame_of_file(const std::string& name);

/// Of a run that has recorded what it wrote, only that, and what it wrote after its last record if it came to
/// no end; of others, what looks like frames. Throws Error(file) without run.json or frames, Error(invalid)
/// if run.json is none.
RunFolder read_run_folder(const std::string& folder);

/// How many frames a run has, from 0 on. Throws Error(file) if one is missing that is before the last, or
/// that run.json tells of.
int count_frames(const RunFolder& run);

/// The files of the run that are no longer what it wrote.
std::vector<std::string> changed_files(const RunFolder& run);

/// "checkpoint_0012.state": the run saved after frame 12 (Simulation::save).
std::string checkpoint_file(int frame);

/// The saved states in a folder by their frames: what has the name of one.
std::map<int, std::string> checkpoints_in(const std::string& folder);

/// Paths of what a run has in a folder.
struct RunFiles {
  std::vector<std::string> checkpoints;  ///< saved states
  std::vector<std::string> frames;       ///< in every format of one file a frame
  std::vector<std::string> series;       ///< files of all frames
};
/// By the same measure as read_run_folder, but for run.json. Nothing without a run.json that can be read.
/// Throws Error(file) if the folder cannot be.
RunFiles files_of_run(const std::string& folder);

/// Removes files. Throws Error(file) if one cannot be.
void remove_files(const std::vector<std::string>& paths);

/// Whether all files of a frame are there as they were written; throws Error(invalid) with the first that is
/// not.
void check_files(const std::string& folder, const std::map<std::string, std::string>& sums);

/// Where the vertices of a model are in a frame [m], 3×n, as the model numbers them; in single precision if
/// they come from a point cache. Throws Error as read_mesh does, and Error(invalid) if the file has another
/// number of vertices (Model::user_vertex_count) or other faces.
Points read_frame(const RunFolder& run, int frame, const Model& model);

/// Whether the mesh of a frame, in the user's order, has the faces of a model.
bool has_faces_of(const Model& model, const Mesh& frame);

/// Whether frames in these formats can be read back bit by bit: there is OBJ or PLY.
bool keeps_positions(const std::vector<std::string>& formats);

}  // namespace muslin
