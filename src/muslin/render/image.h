#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "muslin/io/file.h"

namespace muslin {

using Pixel = std::array<std::uint8_t, 3>;  ///< red, green, blue in sRGB

/// A picture, rows from top to bottom.
struct Image {
  int width = 0, height = 0;
  std::vector<Pixel> pixels;  ///< width × height

  const Pixel& at(int x, int y) const { return pixels[static_cast<size_t>(y) * width + x]; }
};

inline constexpr std::size_t kMostPixels = std::size_t{1} << 26;  ///< of a picture that is read
inline constexpr std::size_t kMostPixelsASide = std::size_t{1} << 14;

/// A PNG or JPEG file without its transparency, of at most `most_pixels`. Throws Error(file) if it cannot be
/// read, Error(invalid) if it is neither, damaged or larger; the size is checked before pixels are decoded.
Image read_image(const std::string& path, std::size_t most_pixels = kMostPixels);
/// The same of a file's bytes; `name` stands in errors.
Image parse_image(std::string_view bytes, const std::string& name, std::size_t most_pixels = kMostPixels);

/// The picture as the bytes of a PNG file. Throws Error(file) if it cannot be encoded.
std::string encode_png(const Image& image);

/// Writes a PNG file that is complete or absent. Throws Error(file), also if the file exists and `overwrite`
/// is false.
void write_png(const std::string& path, const Image& image, bool overwrite, Links links = Links::replaced);

}  // namespace muslin
