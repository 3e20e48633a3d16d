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

void Controls::set_springs(int vertex_count) {
  pulls = {};
  for (const PinnedVertex& pin : pulled)
    pulls.add({pin.vertex}, 0, {}, pin_motions[pin.motion].strength.value_or(0), pin.place);
  pulls.connect(vertex_count);
  revision = next_revision();
}

}  // namespace muslin
