#include "muslin/model/state.h"

#include <cstddef>

namespace muslin {

namespace {
void mix(std::uint64_t& hash, const void* data, size_t bytes) {
  const auto* byte = static_cast<const unsigned char*>(data);
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ byte[i]) * 0x100000001B3u;
}
}  // namespace

std::uint64_t hash(const State& state) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  mix(hash, state.positions.data(), sizeof(double) * state.positions.size());
  mix(hash, state.velocities.data(), sizeof(double) * state.velocities.size());
  mix(hash, &state.time, sizeof state.time);
  mix(hash, &state.step, sizeof state.step);
  mix(hash, &state.halvings, sizeof state.halvings);
  mix(hash, state.earlier_positions.data(), sizeof(double) * state.earlier_positions.size());
  mix(hash, state.earlier_velocities.data(), sizeof(double) * state.earlier_velocities.size());
  mix(hash, state.held_up.data(), sizeof(double) * state.held_up.size());
  if (state.was_hard) mix(hash, &state.was_hard, sizeof state.was_hard);
  return hash;
}

}  // namespace muslin
