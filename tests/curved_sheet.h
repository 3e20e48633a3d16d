#pragma once
#include <memory>

#include "muslin/geometry/sheet.h"
#include "muslin/simulation.h"

namespace muslin {

/// A square metre of cloth that is curved at rest, y = x², of so many points.
inline Model curved_sheet(const std::array<int, 2>& points) {
  Mesh roof = make_sheet(points, Vec3::Zero(), Vec3::UnitX(), Vec3::UnitZ(), Diagonals::alternating);
  roof.positions.row(1) = roof.positions.row(0).cwiseAbs2();
  Scene scene;
  Cloth cloth;
  cloth.mesh = MeshFile();
  cloth.mesh->mesh = std::make_shared<const Mesh>(roof);
  scene.cloths = {cloth};
  return Simulation(scene).model();
}

}  // namespace muslin
