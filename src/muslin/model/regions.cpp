#include "muslin/model/regions.h"

#include <fmt/format.h>

#include <cmath>

#include "muslin/model/pins.h"

namespace muslin {

ClothFabrics fabrics_of(const Cloth& cloth, const Mesh& mesh) {
  ClothFabrics fabrics{{cloth.fabric}, {}, {}};
  for (const FabricRegion& region : cloth.regions) {
    const std::vector<int> triangles = triangles_of(region, mesh);
    if (region.fabric) {
      fabrics.of_triangle.resize(mesh.triangles.size(), 0);
      for (const int t : triangles) fabrics.of_triangle[t] = static_cast<int>(fabrics.all.size());
      fabrics.all.push_back(*region.fabric);
    }
    if (!region.friction) continue;
    fabrics.friction.resize(mesh.vertex_count(), std::numeric_limits<double>::quiet_NaN());
    for (const int t : triangles)
      for (const int v : mesh.triangles[t]) fabrics.friction[v] = *region.friction;
  }
  return fabrics;
}

ClothFabrics fabrics_in(const ClothPiece& piece, const ClothFabrics& fabrics) {
  ClothFabrics part{fabrics.all, {}, {}};
  if (!fabrics.is_one())
    for (const int t : piece.triangles) part.of_triangle.push_back(fabrics.of_triangle[t]);
  if (!fabrics.friction.empty())
    for (const int v : piece.vertices) part.friction.push_back(fabrics.friction[v]);
  return part;
}

std::vector<Problem> region_problems(const std::string& path, const Cloth& cloth, const Mesh& mesh) {
  std::vector<Problem> problems;
  for (size_t r = 0; r < cloth.regions.size(); ++r) {
    const std::string where = fmt::format("{}/{}", path, r);
    const std::vector<Problem> of_names = part_problems(where, cloth.regions[r], mesh);
    problems.insert(problems.end(), of_names.begin(), of_names.end());
    if (of_names.empty() && triangles_of(cloth.regions[r], mesh).empty())
      problems.push_back({where, "holds no whole triangle: a triangle is in it if all its corners are"});
  }
  return problems;
}

}  // namespace muslin
