#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muslin {

/// A colour of pictures, in sRGB as screens have it; scenes write "\#rrggbb". No step of a run reads one.
struct Colour {
  std::uint8_t red = 255;    ///< 0 to 255
  std::uint8_t green = 255;  ///< 0 to 255
  std::uint8_t blue = 255;   ///< 0 to 255

  friend bool operator==(const Colour&, const Colour&) = default;
};

/// "\#rrggbb", in small letters.
std::string text_of(const Colour& colour);

/// The colour that a text "\#rrggbb" says; none for any other text.
std::optional<Colour> read_colour(std::string_view text);

/// Linear red, green and blue, 0 to 1.
std::array<float, 3> linear(const Colour& colour);

/// The linear part of an sRGB value of 0 to 255 [IEC 61966-2-1].
float linear(std::uint8_t value);

}  // namespace muslin
