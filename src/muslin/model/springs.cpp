#include "muslin/model/springs.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

namespace muslin {

namespace {

// Collects springs of one cloth in the cloth's own numbering.
struct SpringSink {
  const RestShape& rest;
  int first;
  double damping;  // [s]
  const Acting& acting;
  SpringEnergy& springs;

  // Of a grid, which is its own rest shape.
  void add(int a, int b, SpringClass kind, std::optional<double> stiffness) const {
    const Points& x = rest.cloth.positions;
    add(a, b, kind, stiffness, (x.col(b) - x.col(a)).norm());
  }
  void add(int a, int b, SpringClass kind, std::optional<double> stiffness, double rest_length) const {
    add(a, b, kind, stiffness, rest_length, damping);
  }
  void add(int a, int b, SpringClass kind, std::optional<double> stiffness, double rest_length,
           double own_damping) const {
    if (!stiffness || !acts(kind)) return;
    springs.add({first + a, first + b}, own_damping, {kind}, *stiffness, rest_length);
  }

  bool acts(SpringClass kind) const {
    return kind == SpringClass::structural ? acting.structural
           : kind == SpringClass::shear    ? acting.shear
                                           : acting.bend;
  }
};

// --- given one by one ------------------------------------------------------------------------------

// CS184: each point to its left, upper, both upper diagonal, two-left and two-up neighbours.
void add_cross(const Grid& grid, const Springs& k, const SpringSink& sink) {
  const auto [nu, nv] = grid.points;
  for (int j = 0; j < nv; ++j)
    for (int i = 0; i < nu; ++i) {
      const int p = j * nu + i;
      if (i >= 1) sink.add(p, p - 1, SpringClass::structural, k.structural);
      if (j >= 1) sink.add(p, p - nu, SpringClass::structural, k.structural);
      if (i >= 1 && j >= 1) sink.add(p, p - nu - 1, SpringClass::shear, k.shear);
      if (i + 1 < nu && j >= 1) sink.add(p, p - nu + 1, SpringClass::shear, k.shear);
      if (i >= 2) sink.add(p, p - 2, SpringClass::bend, k.bend);
      if (j >= 2) sink.add(p, p - 2 * nu, SpringClass::bend, k.bend);
    }
}

// Mosegaard: x outer; right, down, both diagonals; then all of it again at distance two, as bend springs.
void add_double_cross(const Grid& grid, const Springs& k, const SpringSink& sink) {
  const auto [nu, nv] = grid.points;
  for (const int reach : {1, 2}) {
    const auto straight = reach == 1 ? SpringClass::structural : SpringClass::bend;
    const auto slanted = reach == 1 ? SpringClass::shear : SpringClass::bend;
    const std::optional<double> k_straight = reach == 1 ? k.structural : k.bend;
    const std::optional<double> k_slanted = reach == 1 ? k.shear : k.bend;
    for (int i = 0; i < nu; ++i)
      for (int j = 0; j < nv; ++j) {
        const int p = j * nu + i, right = p + reach, down = p + reach * nu;
        const bool has_right = i + reach < nu, has_down = j + reach < nv;
        if (has_right) sink.add(p, right, straight, k_straight);
        if (has_down) sink.add(p, down, straight, k_straight);
        if (has_right && has_down) sink.add(p, down + reach, slanted, k_slanted);
        if (has_right && has_down) sink.add(right, down, slanted, k_slanted);
      }
  }
}

// Edges of the mesh; those that only triangulation made, and the other diagonal of such a quad, are shear
// springs if the scene asks for shear; the tips of every other hinge are bend springs.
void add_edges(const RestShape& rest, const Topology& topology, const Springs& k, const SpringSink& sink) {
  const auto is_diagonal = [&](const Stencil<2>& edge) {
    return k.shear && std::binary_search(rest.cloth.diagonals.begin(), rest.cloth.diagonals.end(), edge);
  };
  for (const Hinge& hinge : topology.hinges) {
    const bool diagonal = is_diagonal({hinge.v0, hinge.v1});
    sink.add(hinge.v0, hinge.v1, diagonal ? SpringClass::shear : SpringClass::structural,
             diagonal ? k.shear : k.structural, rest.edge_length(hinge));
  }
  for (const Hinge& hinge : topology.hinges) {
    if (hinge.tip1 < 0) continue;
    const bool diagonal = is_diagonal({hinge.v0, hinge.v1});
    sink.add(hinge.tip0, hinge.tip1, diagonal ? SpringClass::shear : SpringClass::bend,
             diagonal ? k.shear : k.bend, rest.tip_distance(hinge));
  }
}

// --- from the fabric -------------------------------------------------------------------------------

// Springs of a grid with spacing du, dv whose energy in any homogeneous strain is that of the sheet:
//   both diagonals of length l, k = shear · l² / 2 du dv, make up the shear and carry shear · du²/dv² of the
//   warp; the rest of the warp stands on springs along u, k = (warp − shear du²/dv²) dv/du, halved on the
//   border.
void add_woven_grid(const Grid& grid, const Fabric& fabric, const SpringSink& sink) {
  const auto [nu, nv] = grid.points;
  const double du = grid.size[0] / (nu - 1), dv = grid.size[1] / (nv - 1), aspect = du / dv;
  const double k_u = (*fabric.warp - *fabric.shear * aspect * aspect) / aspect;
  const double k_v = (*fabric.weft - *fabric.shear / (aspect * aspect)) * aspect;
  const double k_diagonal = *fabric.shear * (aspect + 1 / aspect) / 2;
  for (int j = 0; j < nv; ++j)
    for (int i = 0; i < nu; ++i) {
      const int p = j * nu + i;
      const double row_weight = j == 0 || j == nv - 1 ? 0.5 : 1,
                   column_weight = i == 0 || i == nu - 1 ? 0.5 : 1;
      if (i >= 1) sink.add(p, p - 1, SpringClass::structural, row_weight * k_u);
      if (j >= 1) sink.add(p, p - nu, SpringClass::structural, column_weight * k_v);
      if (i >= 1 && j >= 1) sink.add(p, p - nu - 1, SpringClass::shear, k_diagonal);
      if (i + 1 < nu && j >= 1) sink.add(p, p - nu + 1, SpringClass::shear, k_diagonal);
    }
}

// The same of a grid whose cells differ: half of what a cell's fabric gives stands on each of its sides, and
// each of its triangles has half of the cell.
void add_patched_grid(const Grid& grid, const ClothFabrics& fabrics, const SpringSink& sink) {
  struct Sum {
    double stiffness = 0, damping = 0;  // the latter times the former
    void add(double k, double tau) { stiffness += k, damping += k * tau; }
  };
  const auto [nu, nv] = grid.points;
  const int cells = nu - 1;
  const double du = grid.size[0] / (nu - 1), dv = grid.size[1] / (nv - 1), aspect = du / dv;
  std::vector<Sum> along_u(static_cast<size_t>(nu) * nv), along_v = along_u, across = along_u;
  for (int t = 0; t < 2 * cells * (nv - 1); ++t) {
    const Fabric& fabric = fabrics.of(t);
    const int cell = t / 2, p = cell / cells * nu + cell % cells;
    const double k_u = (*fabric.warp - *fabric.shear * aspect * aspect) / aspect;
    const double k_v = (*fabric.weft - *fabric.shear / (aspect * aspect)) * aspect;
    for (const int side : {p, p + nu}) along_u[side].add(k_u / 4, *fabric.damping);
    for (const int side : {p, p + 1}) along_v[side].add(k_v / 4, *fabric.damping);
    across[p].add(*fabric.shear * (aspect + 1 / aspect) / 4, *fabric.damping);
  }
  const auto add = [&](int a, int b, SpringClass kind, const Sum& sum) {
    const double length = (sink.rest.cloth.positions.col(b) - sink.rest.cloth.positions.col(a)).norm();
    sink.add(a, b, kind, sum.stiffness, length, sum.stiffness > 0 ? sum.damping / sum.stiffness : 0);
  };
  for (int j = 0; j < nv; ++j)
    for (int i = 0; i < nu; ++i) {
      const int p = j * nu + i;
      if (i >= 1) add(p, p - 1, SpringClass::structural, along_u[p - 1]);
      if (j >= 1) add(p, p - nu, SpringClass::structural, along_v[p - nu]);
      if (i >= 1 && j >= 1) add(p, p - nu - 1, SpringClass::shear, across[p - nu - 1]);
      if (i + 1 < nu && j >= 1) add(p, p - nu + 1, SpringClass::shear, across[p - nu]);
    }
}

// From v0 to v1 of a hinge in the texture of its first triangle.
Vec2 uv_along(const RestShape& rest, const Hinge& hinge) {
  const Stencil<3>& triangle = rest.cloth.triangles[hinge.triangle0];
  const std::array<Vec2, 3> uv = rest.pattern.uv_of(hinge.triangle0);
  const auto uv_at = [&](int v) {
    return uv[std::find(triangle.begin(), triangle.end(), v) - triangle.begin()];
  };
  return uv_at(hinge.v1) - uv_at(hinge.v0);
}

// Springs along the edges of a mesh, k = 8/9 K ΣA / l² over the triangles at an edge: exact for stretch on
// equilateral meshes [after Van Gelder 1998]. K lies between warp and weft by the edge's direction in uv.
// Between two fabrics it is the mean of both.
void add_woven_mesh(const RestShape& rest, const Topology& topology, const ClothFabrics& fabrics,
                    const SpringSink& sink) {
  for (const Hinge& hinge : topology.hinges) {
    const Fabric& fabric = fabrics.of(hinge.triangle0);
    const double both_areas =
        rest.area(hinge.triangle0) + (hinge.triangle1 < 0 ? 0 : rest.area(hinge.triangle1));
    const Vec2 along = rest.cloth.uv.empty() ? Vec2(1, 1) : uv_along(rest, hinge);
    const double squared = along.squaredNorm();
    const double warp_weight = squared > 0 ? along.x() * along.x() / squared : 0.5;
    const auto membrane_of = [&](const Fabric& of) {
      return warp_weight * *of.warp + (1 - warp_weight) * *of.weft;
    };
    double membrane = membrane_of(fabric), damping = *fabric.damping;
    if (hinge.triangle1 >= 0 && &fabrics.of(hinge.triangle1) != &fabric) {
      const Fabric& other = fabrics.of(hinge.triangle1);
      const double part = rest.area(hinge.triangle1) / both_areas;
      membrane += part * (membrane_of(other) - membrane);
      damping += part * (*other.damping - damping);
    }
    const double length = rest.edge_length(hinge);
    sink.add(hinge.v0, hinge.v1, SpringClass::structural, 8.0 / 9 * membrane * both_areas / (length * length),
             length, damping);
  }
}

}  // namespace

void add_springs(const Cloth& cloth, const ClothFabrics& fabrics, const RestShape& rest,
                 const Topology& topology, int first, SpringEnergy& springs) {
  const SpringSink sink{rest, first, cloth.springs ? cloth.springs->damping : *cloth.fabric.damping,
                        cloth.acting, springs};
  if (!cloth.springs && cloth.grid && !fabrics.is_one()) return add_patched_grid(*cloth.grid, fabrics, sink);
  if (!cloth.springs && cloth.grid) return add_woven_grid(*cloth.grid, cloth.fabric, sink);
  if (!cloth.springs) return add_woven_mesh(rest, topology, fabrics, sink);
  switch (cloth.springs->layout) {
    case SpringLayout::edges:
      return add_edges(rest, topology, *cloth.springs, sink);
    case SpringLayout::cross:
      return add_cross(*cloth.grid, *cloth.springs, sink);
    case SpringLayout::double_cross:
      return add_double_cross(*cloth.grid, *cloth.springs, sink);
  }
}

}  // namespace muslin
