#include "muslin/model/controls.h"

#include "muslin/core/revision.h"

namespace muslin {

void Controls::set_pins(std::vector<PinnedVertex> held, const Scalars& mass) {
  pins = std::move(held);
  free = Points::Ones(3, mass.size());
  for (const PinnedVertex& pin : pins)
    free.col(pin.vertex) = free.col(pin.vertex).cwiseProduct(Vec3::Ones() - pin.fixed);
  inverse_mass = free * mass.cwiseInverse().asDiagonal();
  revision = next_revision();
}

}  // namespace muslin
