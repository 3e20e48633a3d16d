#include "muslin/model/colour.h"

#include <fmt/format.h>

#include "muslin/core/maths.h"

namespace muslin {

std::string text_of(const Colour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::optional<Colour> read_colour(std::string_view text) {
  if (text.size() != 7 || text[0] != '#') return {};
  const auto digit = [&](int k) { return std::string_view("0123456789abcdef").find(text[k] | 0x20); };
  std::array<std::uint8_t, 3> parts{};
  for (int k = 0; k < 3; ++k) {
    const auto high = digit(1 + 2 * k), low = digit(2 + 2 * k);
    if (high > 15 || low > 15) return {};
    parts[k] = static_cast<std::uint8_t>(16 * high + low);
  }
  return Colour{parts[0], parts[1], parts[2]};
}

float linear(std::uint8_t value) {
  const double c = value / 255.0;
  return static_cast<float>(c <= 0.04045 ? c / 12.92 : maths::pow((c + 0.055) / 1.055, 2.4));
}

std::array<float, 3> linear(const Colour& colour) {
  return {linear(colour.red), linear(colour.green), linear(colour.blue)};
}

}  // namespace muslin
