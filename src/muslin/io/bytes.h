#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

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

/// The bits of up to 8 bytes from a place on, lowest byte first on any machine.
inline std::uint64_t bits_at(std::string_view bytes, std::size_t place, std::size_t size) {
  std::uint64_t bits = 0;
  for (std::size_t k = size; k-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[place + k]);
  return bits;
}

/// The same of 4 bytes.
inline std::uint32_t word_at(std::string_view bytes, std::size_t place) {
  return static_cast<std::uint32_t>(bits_at(bytes, place, 4));
}

/// Whether `count` things of `size` bytes, one every `stride` bytes from `offset` on, lie within `whole`
/// bytes. Nothing is added or multiplied: sums of what files say wrap round, in 32 bits of a browser after 4
/// GiB.
template <class Size>
constexpr bool lie_within(Size whole, Size offset, Size count, Size stride, Size size) {
  if (offset > whole) return false;
  if (count == 0) return true;
  const Size room = static_cast<Size>(whole - offset);
  if (size > room) return false;
  return stride == 0 || static_cast<Size>(count - 1) <= static_cast<Size>(room - size) / stride;
}

/// A type of number in files: an integer, signed in two's complement, or real of 4 or 8 bytes [IEEE 754].
struct NumberType {
  std::size_t size;  ///< [bytes]
  bool is_signed = false, is_real = false;
};

/// The number of that type that has these bits.
inline double number_of(std::uint64_t bits, const NumberType& type) {
  if (type.is_real && type.size == sizeof(double)) {
    double number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
  }
  if (type.is_real) {
    const auto low = static_cast<std::uint32_t>(bits);
    float number;
    std::memcpy(&number, &low, sizeof number);
    return number;
  }
  const auto number = static_cast<double>(bits);
  const double modulus = std::ldexp(1.0, 8 * static_cast<int>(type.size));
  return type.is_signed && number >= modulus / 2 ? number - modulus : number;
}

}  // namespace muslin
