#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/model/model.h"
#include "muslin/model/motion.h"
#include "muslin/model/state.h"

namespace muslin {

/// Where colliders are that cloth keeps from where their motion has them: by index into Model::colliders.
using BlockedBodies = std::map<int, Pose>;

/// Writes one frame to one file.
class FrameWriter {
 public:
  virtual ~FrameWriter() = default;
  /// The whole content of the file for this frame. Throws Error(invalid) for a state of another model.
  std::string encode(const Model& model, const State& state) const;
  /// The same where it is known which colliders cloth blocks, and not from the state.
  std::string encode(const Model& model, const State& state, const BlockedBodies& blocked) const;

 protected:
  /// The same of a state that fits the model: what a format has to write.
  virtual std::string encode_frame(const Model& model, const State& state,
                                   const BlockedBodies& blocked) const = 0;
};

/// The one list of frame formats: FORMAT(extension, what it is). Each has a function make_NAME_writer() in
/// its own file: without one the program does not link.
#define MUSLIN_FRAME_FORMATS(FORMAT)                                                                     \
  FORMAT(obj, "Wavefront OBJ: text; polygons, objects, groups, materials, normals, texture coordinates") \
  FORMAT(ply, "Stanford PLY: binary, double precision; polygons, texture coordinates")                   \
  FORMAT(vtp, "VTK PolyData: binary; velocity, strain, energy, gap; colliders; beside them run.pvd")

#define MUSLIN_DECLARE_FORMAT(extension, summary) /** A new writer of files with that extension. */ \
  std::unique_ptr<FrameWriter> make_##extension##_writer();
MUSLIN_FRAME_FORMATS(MUSLIN_DECLARE_FORMAT)
#undef MUSLIN_DECLARE_FORMAT

/// What there is to know of a frame format.
struct FormatEntry {
  std::string_view extension;              ///< "obj"
  std::string_view summary;                ///< what the format is and keeps, without a full stop
  std::unique_ptr<FrameWriter> (*make)();  ///< a new writer
};

/// Every frame format, in the order of the list.
const std::vector<FormatEntry>& formats();

/// Whether there is a format with that extension, "obj".
bool is_frame_format(std::string_view extension);

/// A writer of the format with that extension, "obj". Throws Error(invalid) with the nearest one if there is
/// none.
std::unique_ptr<FrameWriter> make_frame_writer(const std::string& extension);

}  // namespace muslin
