#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "muslin/io/frame_series.h"

// A run as named arrays: what NumPy's archives and HDF5 files have in common. Internal to io.

namespace muslin {

/// The numbers of an array; both lowest byte first.
enum class ArrayType { float64, int32 };

/// A file of named arrays, each written at once.
class ArrayFile {
 public:
  virtual ~ArrayFile() = default;
  /// Adds an array in C order, last index fastest. Its numbers are the bytes, or those of `body` if there is
  /// one. Throws Error(file).
  virtual void add(const std::string& name, ArrayType type, const std::vector<std::size_t>& shape,
                   const std::string& bytes, const GrowingFile* body) = 0;
  /// Gives the file its name, and enters it in the sums.
  virtual void finish(FileSums& sums) = 0;
};

/// A series whose file has these arrays: positions, times, triangles, pinned, cloth_first_vertex,
/// collider_poses, collider_k_triangles and collider_k_vertices (docs/formats.md). `name`: of the file.
std::unique_ptr<SeriesWriter> make_array_series(const SeriesSetting& setting, const std::string& name,
                                                std::unique_ptr<ArrayFile> file);

}  // namespace muslin
