#pragma once
#include <cstdint>
#include <initializer_list>

namespace muslin {

/// A number in [0, 1) that depends on its key alone: what is drawn, for whom, how often. [SplitMix64, Steele
/// 2014]
inline double random_unit(std::uint64_t seed, std::uint64_t id, std::uint64_t draw) {
  std::uint64_t z = seed;
  for (const std::uint64_t key : {id, draw}) {
    z += 0x9E3779B97F4A7C15u * (key + 1);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
  }
  return static_cast<double>(z >> 11) * 0x1p-53;
}

}  // namespace muslin
