#include "muslin/model/hinge.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <vector>

namespace muslin {

std::string hinge_hint(const Vec3& gravity, const Model& model, const ClothRange& range) {
  constexpr double kOnLine = 1e-6, kTurns = 0.01;  // of the length of the row, of the way to the middle
  std::vector<Vec3> held;
  for (const PinnedVertex& pin : model.script.pins)
    if (pin.vertex >= range.first_vertex && pin.vertex < range.first_vertex + range.vertex_count &&
        pin.fixed == Vec3::Ones())
      held.push_back(pin.place);
  if (held.size() < 2) return "";
  Vec3 along = Vec3::Zero();
  for (const Vec3& place : held)
    if ((place - held[0]).squaredNorm() > along.squaredNorm()) along = place - held[0];
  const double length = along.norm();
  if (length == 0) return "";
  along /= length;
  const auto from_line = [&](const Vec3& place) -> Vec3 {
    const Vec3 way = place - held[0];
    return way - along.dot(way) * along;
  };
  for (const Vec3& place : held)
    if (from_line(place).norm() > kOnLine * length) return "";
  const auto mass = model.mass.segment(range.first_vertex, range.vertex_count);
  const Vec3 middle = model.start.middleCols(range.first_vertex, range.vertex_count) * mass / mass.sum();
  const Vec3 lever = from_line(middle);
  if (!(std::abs(along.dot(lever.cross(gravity))) > kTurns * lever.norm() * gravity.norm())) return "";
  return fmt::format(
      "its {} pins lie on one line, which is a hinge: the cloth turns about it as it falls; pins on a second "
      "row beside it hold the direction, too",
      held.size());
}

}  // namespace muslin
