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
  mix(hash, &state.history.halvings, sizeof state.history.halvings);
  mix(hash, state.history.positions.data(), sizeof(double) * state.history.positions.size());
  mix(hash, state.history.velocities.data(), sizeof(double) * state.history.velocities.size());
  mix(hash, state.blocked.data(), sizeof(double) * state.blocked.size());
  if (state.history.starts_with_newton)
    mix(hash, &state.history.starts_with_newton, sizeof state.history.starts_with_newton);
  return hash;
}

}  // namespace muslin
