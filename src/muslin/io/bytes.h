#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <string>

namespace muslin {

namespace bytes_detail {
template <std::size_t size>
struct BitsOf;
template <>
struct BitsOf<2> {
  using Type = std::uint16_t;
};
template <>
struct BitsOf<4> {
  using Type = std::uint32_t;
};
template <>
struct BitsOf<8> {
  using Type = std::uint64_t;
};

/// The bytes of a number, lowest first on any machine.
template <class Number>
std::array<char, sizeof(Number)> lowest_first(Number number) {
  typename BitsOf<sizeof(Number)>::Type bits;
  std::memcpy(&bits, &number, sizeof bits);
  std::array<char, sizeof(Number)> result;
  for (std::size_t k = 0; k < sizeof bits; ++k) result[k] = static_cast<char>(bits >> (8 * k) & 0xff);
  return result;
}
}  // namespace bytes_detail

/// Appends the bits of a number of 2, 4 or 8 bytes, lowest byte first on any machine.
template <class Number>
void append_little(std::string& bytes, Number number) {
  const auto parts = bytes_detail::lowest_first(number);
  bytes.append(parts.begin(), parts.end());
}

/// The same, highest byte first.
template <class Number>
void append_big(std::string& bytes, Number number) {
  const auto parts = bytes_detail::lowest_first(number);
  bytes.append(parts.rbegin(), parts.rend());
}

}  // namespace muslin
