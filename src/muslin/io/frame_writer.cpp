#include "muslin/io/frame_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "muslin/core/check.h"
#include "muslin/core/text.h"
#include "muslin/io/obj_writer.h"
#include "muslin/io/ply_writer.h"

namespace muslin {

const std::vector<FormatEntry>& formats() {
  static const std::vector<FormatEntry> table{
      {"obj", "Wavefront OBJ: text; polygons, objects, groups, materials, normals, texture coordinates",
       make_obj_writer},
      {"ply", "Stanford PLY: binary, double precision; polygons, texture coordinates", make_ply_writer},
  };
  return table;
}

std::unique_ptr<FrameWriter> make_frame_writer(const std::string& extension) {
  std::vector<std::string_view> names;
  for (const FormatEntry& entry : formats()) {
    if (entry.extension == extension) return entry.make();
    names.push_back(entry.extension);
  }
  const std::string nearest = nearest_name(extension, names);
  throw Error(ErrorKind::invalid,
              fmt::format("format: must be one of {}, got '{}'{}", fmt::join(names, ", "), extension,
                          nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

}  // namespace muslin
