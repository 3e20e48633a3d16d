#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/core/types.h"
#include "muslin/io/file.h"
#include "muslin/io/written_bodies.h"

namespace muslin {

/// What all files of a series begin with.
struct SeriesSetting {
  const Model* model = nullptr;        ///< must outlive the series
  double frame_time = 0;               ///< [s] between two frames
  std::string folder;                  ///< where its files are
  bool overwrite = false;              ///< files of those names may be there
  std::vector<WrittenBody> cloths;     ///< written_cloths
  std::vector<WrittenBody> colliders;  ///< written_colliders
  int cloth_vertices = 0;              ///< of all cloths

  std::string path_of(const std::string& name) const { return folder + "/" + name; }
};

/// One frame of a series.
struct SeriesFrame {
  int frame = 0;               ///< 0, 1, …
  double time = 0;             ///< frame · frame_time [s]
  std::vector<Points> cloths;  ///< one a cloth: 3×its vertices [m]
  std::vector<Pose> poses;     ///< one a collider of the setting: where it is, blocked or not
  std::vector<Points>
      colliders;  ///< one a collider of the setting: its vertices in the frame of its pose [m]
};

/// Names of files and their SHA-256.
using FileSums = std::map<std::string, std::string>;

/// Writes all frames of a run to one file, or to one of cloths and one of colliders. What it keeps in memory
/// does not grow with the number of frames, or by a few bytes each.
class SeriesWriter {
 public:
  virtual ~SeriesWriter() = default;
  virtual void add(const SeriesFrame& frame) = 0;
  /// Gives the files, which were not there until now, their names, and enters them in the sums.
  virtual void finish(FileSums& sums) = 0;
};

/// The one list of formats that hold all frames of a run in one file: SERIES(format, the file, what it is).
/// Each has a function make_FORMAT_series() in its own file: without one the program does not link.
#define MUSLIN_SERIES_FORMATS(SERIES)                                                                 \
  SERIES(pc2, "run.pc2", "point cache PC2: single precision; beside it run.obj; colliders likewise")  \
  SERIES(mdd, "run.mdd", "point cache MDD: single precision; beside it run.obj; colliders likewise")  \
  SERIES(glb, "run.glb", "glTF: triangles; frames are morph targets and an animation; colliders")     \
  SERIES(usda, "run.usda", "USD: text; time samples; polygons, texture coordinates, pins, colliders") \
  SERIES(npz, "run.npz", "NumPy: arrays in double precision; pins, poses and meshes of colliders")    \
  SERIES(h5, "run.h5", "HDF5: the arrays of npz; where Muslin was built with its library")            \
  SERIES(vtp, "run.pvd", "the times of the frames, for ParaView")

#define MUSLIN_DECLARE_SERIES(format, file, summary) /** A new writer of that format. */ \
  std::unique_ptr<SeriesWriter> make_##format##_series(const SeriesSetting& setting);
MUSLIN_SERIES_FORMATS(MUSLIN_DECLARE_SERIES)
#undef MUSLIN_DECLARE_SERIES

/// What there is to know of a series' format.
struct SeriesEntry {
  std::string_view format;   ///< "pc2"
  std::string_view file;     ///< "run.pc2"
  std::string_view summary;  ///< what it is and keeps, without a full stop
  std::unique_ptr<SeriesWriter> (*make)(const SeriesSetting& setting);
};

/// Every format of series, in the order of the list.
const std::vector<SeriesEntry>& series_formats();

/// Names of formats, of frames and of series.
std::vector<std::string> all_formats();

/// Every name that a file of a series may have in a run's folder.
std::vector<std::string> series_files();
bool is_series_file(const std::string& name);

/// Whether any of these formats has files of all frames.
bool has_series(const std::vector<std::string>& formats);

/// Of formats by name, those that write a file a frame; unknown ones among them.
std::vector<std::string> frame_formats_of(const std::vector<std::string>& formats);

/// All series of a run, by the frames alone: the same frames give the same bytes.
class FrameSeries {
 public:
  /// Those of the formats, by name, that are series. `model` must outlive it. Throws Error(file) if a file
  /// cannot be made, or is there already and `overwrite` is false.
  FrameSeries(const std::vector<std::string>& formats, const Model& model, double frame_time,
              const std::string& folder, bool overwrite);
  ~FrameSeries();

  bool empty() const { return writers_.empty(); }
  /// The next frame: 3×n [m], in the model's order, and where colliders are that cloth blocks. Throws
  /// Error(file).
  void add(const Points& positions, const BlockedBodies& blocked = {});
  /// Every file gets its name; returns names and SHA-256. Without it nothing is left. Throws Error(file).
  FileSums finish();

 private:
  void write_meshes(const Points& positions);

  SeriesSetting setting_;
  std::vector<std::unique_ptr<SeriesWriter>> writers_;
  bool has_meshes_ = false;  ///< run.obj and colliders.obj
  std::map<std::string, std::unique_ptr<GrowingFile>> meshes_;
  int frames_ = 0;
};

/// A file of a series that grows in its folder under no name yet.
std::unique_ptr<GrowingFile> series_file(const SeriesSetting& setting, const std::string& name);

/// Gives a file its name and enters the SHA-256 of what is in it.
void finish_file(const std::string& name, GrowingFile& file, FileSums& sums);

/// Appends all that is in another file.
void append_file(const GrowingFile& from, GrowingFile& to);

}  // namespace muslin
