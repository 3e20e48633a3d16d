#include "followers.h"

#include <fmt/format.h>

#include <algorithm>

#include "muslin/model/fastening.h"

namespace muslin {

namespace {

/// How far the vertices of a pin are from the mesh that they follow: ", 15.3 to 49.9 mm away", or "".
std::string distances_to_mesh(const Model& model, int motion, int collider) {
  if (model.colliders[collider].shape != Shape::mesh) return "";
  const Fastener fastener(model.colliders[collider], collider, poses_at(model.colliders, 0)[collider], 0);
  double least = kInfinity, most = 0;
  for (const auto* pins : {&model.script.pins, &model.script.pulled})
    for (const PinnedVertex& pin : *pins) {
      if (pin.motion != motion) continue;
      const double distance = fastener.distance(pin.place);
      least = std::min(least, distance);
      most = std::max(most, distance);
    }
  return most > 0 ? fmt::format(", {:.3g} to {:.3g} mm away at the start", 1000 * least, 1000 * most) : "";
}

}  // namespace

std::string followers(const Simulation& simulation) {
  const Model& model = simulation.model();
  std::size_t motion = 0;
  std::string lines;
  for (const Cloth& cloth : simulation.scene().cloths)
    for (std::size_t p = 0; p < cloth.pins.size(); ++p, ++motion) {
      const Pin& pin = cloth.pins[p];
      const PinMotion& by = model.script.pin_motions[motion];
      if (!pin.follow && !pin.strength && !pin.since && !pin.until) continue;
      std::ptrdiff_t count = 0;
      for (const auto* pins : {&model.script.pins, &model.script.pulled, &model.late_pins})
        count += std::count_if(pins->begin(), pins->end(), [&](const PinnedVertex& pinned) {
          return pinned.motion == static_cast<int>(motion);
        });
      std::string words = fmt::format("pins/{} of cloth \"{}\"", p, cloth.name);
      if (by.follows >= 0)
        words += fmt::format(" ({} vertices) follow the collider \"{}\"{}", count, *pin.follow,
                             distances_to_mesh(model, static_cast<int>(motion), by.follows));
      else if (pin.follow)
        words += fmt::format(" follow the cloth \"{}\"", *pin.follow);
      else
        words += fmt::format(" ({} vertices)", count);
      if (pin.strength) words += fmt::format(", drawn by {:.4g} N/m each", *pin.strength);
      if (pin.since) words += fmt::format(", since {:.4g} s", *pin.since);
      if (pin.until) words += fmt::format(", until {:.4g} s", *pin.until);
      lines += words + "\n";
    }
  return lines;
}

std::string deforming_colliders(const Model& model) {
  std::string lines;
  for (const Collider& collider : model.colliders) {
    if (!collider.enabled || !collider.frames) continue;
    const std::vector<Points>& shapes = *collider.frames->shapes;
    const double interval = collider.frames->interval, scale = collider.mesh->scale;
    double fastest = 0;
    for (std::size_t k = 1; k < shapes.size(); ++k)
      fastest = std::max(fastest, (shapes[k] - shapes[k - 1]).colwise().norm().maxCoeff() * scale / interval);
    lines +=
        fmt::format("collider \"{}\": {} vertices, {} shapes from {:.4g} to {:.4g} s, at most {:.3g} m/s\n",
                    collider.name, collider.mesh->mesh->vertex_count(), shapes.size(), collider.frames->start,
                    collider.frames->start + static_cast<double>(shapes.size() - 1) * interval, fastest);
  }
  return lines;
}

}  // namespace muslin
