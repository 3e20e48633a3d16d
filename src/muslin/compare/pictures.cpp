#include "muslin/compare/pictures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "muslin/geometry/mesh.h"

namespace muslin {

namespace {

using Cell = std::array<long long, 4>;  // the cloth, and a cube of space

// The vertices of every cube of an edge length, as the cloth lies at time 0.
std::map<Cell, std::vector<int>> cells_of(const Model& model, double edge) {
  std::map<Cell, std::vector<int>> cells;
  for (size_t c = 0; c < model.cloths.size(); ++c) {
    const ClothRange& cloth = model.cloths[c];
    for (int v = cloth.first_vertex; v < cloth.first_vertex + cloth.vertex_count; ++v) {
      Cell cell{static_cast<long long>(c)};
      for (int axis = 0; axis < 3; ++axis)
        cell[axis + 1] = static_cast<long long>(std::floor(model.start(axis, v) / edge));
      cells[cell].push_back(v);
    }
  }
  return cells;
}

// The vertex that is nearest to the middle of some.
int middle_of(const std::vector<int>& vertices, const Points& positions) {
  Vec3 mean = Vec3::Zero();
  for (const int v : vertices) mean += positions.col(v) / static_cast<double>(vertices.size());
  return *std::min_element(vertices.begin(), vertices.end(), [&](int a, int b) {
    return (positions.col(a) - mean).squaredNorm() < (positions.col(b) - mean).squaredNorm();
  });
}

void thin_out(const Model& model, int most_vertices, PictureMesh& mesh) {
  constexpr double kCoarser = 1.15;  // cells, until few enough: at most a quarter fewer vertices than allowed
  double area = 0;
  for (const Stencil<3>& t : model.triangles)
    area += triangle_area(model.start.col(t[0]), model.start.col(t[1]), model.start.col(t[2]));
  double edge = std::max(1e-9, std::sqrt(area / most_vertices));
  auto cells = cells_of(model, edge);
  while (static_cast<int>(cells.size()) > std::max<int>(most_vertices, static_cast<int>(model.cloths.size())))
    cells = cells_of(model, edge *= kCoarser);

  std::vector<int> place(model.vertex_count());
  for (const auto& [cell, vertices] : cells) {
    for (const int v : vertices) place[v] = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back(middle_of(vertices, model.start));
  }
  std::set<Stencil<3>> seen;
  for (const Stencil<3>& t : model.triangles) {
    const Stencil<3> coarse{place[t[0]], place[t[1]], place[t[2]]};
    Stencil<3> sorted = coarse;
    std::sort(sorted.begin(), sorted.end());
    if (sorted[0] == sorted[1] || sorted[1] == sorted[2] || !seen.insert(sorted).second) continue;
    mesh.triangles.push_back(coarse);
  }
}

}  // namespace

PictureMesh picture_mesh(const Model& model, int frames, int most_vertices, int most_frames) {
  PictureMesh mesh;
  if (model.vertex_count() <= most_vertices) {
    mesh.vertices.resize(model.vertex_count());
    std::iota(mesh.vertices.begin(), mesh.vertices.end(), 0);
    mesh.triangles = model.triangles;
  } else {
    thin_out(model, most_vertices, mesh);
  }
  const int stride = std::max(1, (frames + most_frames - 2) / (most_frames - 1));
  for (int frame = 0; frame < frames; frame += stride) mesh.frames.push_back(frame);
  mesh.frames.push_back(frames);
  mesh.left_out_vertices = model.vertex_count() - static_cast<int>(mesh.vertices.size());
  mesh.left_out_frames = frames + 1 - static_cast<int>(mesh.frames.size());
  return mesh;
}

Points picked(const Points& positions, const std::vector<int>& vertices) {
  Points points(3, static_cast<int>(vertices.size()));
  for (size_t k = 0; k < vertices.size(); ++k) points.col(k) = positions.col(vertices[k]);
  return points;
}

}  // namespace muslin
