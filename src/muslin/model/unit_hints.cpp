#include "muslin/model/unit_hints.h"

#include <fmt/format.h>

#include <cmath>

#include "muslin/core/text.h"

namespace muslin {

std::string size_hint(double size, double scale, double least) {
  constexpr double kPlausible = 4;  // [m] a person, a bed sheet, a flag
  if (!(size >= least)) return "";
  const bool centimetres = size * 0.01 <= kPlausible;
  const double smaller = centimetres ? 0.01 : 0.001;
  return fmt::format(
      "is {} large, if its numbers are metres: are they {}? \"scale\": {} in its mesh makes it {} large",
      distance_text(size), centimetres ? "centimetres" : "millimetres", smaller * scale,
      distance_text(smaller * size));
}

std::string up_axis_hint(const Points& positions) {
  constexpr double kFlat = 0.1;       // of the longest side: sheets lie as they please
  constexpr double kCentred = 0.1;    // of the extent along y, as what is symmetric front to back
  constexpr double kOnGround = 0.02;  // of the extent along z
  if (positions.cols() == 0) return "";
  const Vec3 low = positions.rowwise().minCoeff(), high = positions.rowwise().maxCoeff(), size = high - low;
  const bool solid = size.minCoeff() > kFlat * size.maxCoeff();
  const bool centred = std::abs(low.y() + high.y()) / 2 < kCentred * size.y();
  if (!solid || !centred || std::abs(low.z()) > kOnGround * size.z()) return "";
  return "stands on z = 0 and is as far in front of y = 0 as behind it: is z up in its file, as Blender and "
         "CAD have it? "
         "Here y is; \"rotation\": [-90, 0, 0] in its mesh turns it";
}

std::vector<std::string> mesh_hints(const MeshFile& mesh, double least) {
  std::vector<std::string> hints;
  if (!mesh.mesh || mesh.mesh->positions.cols() == 0) return hints;
  const Points& points = mesh.mesh->positions;
  const double size = (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).maxCoeff();
  if (mesh.scale == 1) hints.push_back(size_hint(size, 1, least));
  if (mesh.rotation.isZero()) hints.push_back(up_axis_hint(points));
  std::erase(hints, "");
  return hints;
}

}  // namespace muslin
