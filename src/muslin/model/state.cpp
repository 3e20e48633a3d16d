#include "muslin/model/state.h"

#include <array>
#include <cstring>
#include <limits>

namespace muslin {

namespace {

constexpr std::uint64_t kStart = 0xCBF29CE484222325u;  // of FNV-1a, as its prime below

void mix(std::uint64_t& sum, std::uint64_t word) {
  sum = (sum ^ word) * 0x100000001B3u;
  sum ^= sum >> 32;  // a product carries nothing down
}

// Which bits a NaN has, is the processor's affair: all count as one.
std::uint64_t bits_of(double x) {
  const double same = x == x ? x : std::numeric_limits<double>::quiet_NaN();
  std::uint64_t bits;
  std::memcpy(&bits, &same, sizeof bits);
  return bits;
}

// Into four sums in turn: one product need not wait for the last.
[[gnu::noinline]] void mix(std::uint64_t& sum, const Points& numbers) {
  std::array<std::uint64_t, 4> sums;
  sums.fill(kStart);
  for (Eigen::Index i = 0; i < numbers.size(); ++i) mix(sums[i % 4], bits_of(numbers.data()[i]));
  mix(sum, static_cast<std::uint64_t>(numbers.size()));
  for (const std::uint64_t each : sums) mix(sum, each);
}

}  // namespace

std::uint64_t hash(const State& state) {
  std::uint64_t sum = kStart;
  mix(sum, state.positions);
  mix(sum, state.velocities);
  mix(sum, bits_of(state.time));
  mix(sum, static_cast<std::uint64_t>(state.step));
  mix(sum, state.history.positions);
  mix(sum, state.history.velocities);
  if (state.history.accelerations.cols() > 0) mix(sum, state.history.accelerations);
  if (state.history.struck != 0) mix(sum, bits_of(state.history.struck));
  mix(sum, static_cast<std::uint64_t>(state.history.parts - 1));
  mix(sum, static_cast<std::uint64_t>(state.history.starts_with_newton));
  mix(sum, state.blocked);
  for (const auto& [kind, vertices, part] : state.slips) {
    mix(sum, static_cast<std::uint64_t>(kind));
    for (const int v : vertices) mix(sum, static_cast<std::uint64_t>(v));
    for (const double number : part) mix(sum, bits_of(number));
  }
  return sum;
}

}  // namespace muslin
