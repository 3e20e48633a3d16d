#include "muslin/model/state.h"

#include <cstddef>
#include <limits>

namespace muslin {

namespace {
void mix(std::uint64_t& hash, const void* data, size_t bytes) {
  const auto* byte = static_cast<const unsigned char*>(data);
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ byte[i]) * 0x100000001B3u;
}

// Which bits a NaN has, is the processor's affair: all count as one.
template <class Numbers>
void mix_numbers(std::uint64_t& hash, const Numbers& numbers) {
  for (Eigen::Index i = 0; i < numbers.size(); ++i) {
    const double x = numbers.data()[i];
    const double same = x == x ? x : std::numeric_limits<double>::quiet_NaN();
    mix(hash, &same, sizeof same);
  }
}
}  // namespace

std::uint64_t hash(const State& state) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  mix_numbers(hash, state.positions);
  mix_numbers(hash, state.velocities);
  mix(hash, &state.time, sizeof state.time);
  mix(hash, &state.step, sizeof state.step);
  mix(hash, &state.history.halvings, sizeof state.history.halvings);
  mix_numbers(hash, state.history.positions);
  mix_numbers(hash, state.history.velocities);
  mix_numbers(hash, state.blocked);
  if (state.history.starts_with_newton)
    mix(hash, &state.history.starts_with_newton, sizeof state.history.starts_with_newton);
  return hash;
}

}  // namespace muslin
