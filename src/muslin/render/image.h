#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace muslin {

using Pixel = std::array<std::uint8_t, 3>;  ///< red, green, blue in sRGB

/// A picture, rows from top to bottom.
struct Image {
  int width = 0, height = 0;
  std::vector<Pixel> pixels;  ///< width × height

  const Pixel& at(int x, int y) const { return pixels[static_cast<size_t>(y) * width + x]; }
};

/// A PNG or JPEG file. Throws Error(file) if it cannot be read, Error(invalid) if it is neither.
Image read_image(const std::string& path);

/// The picture as the bytes of a PNG file. Throws Error(file) if it cannot be encoded.
std::string encode_png(const Image& image);

/// Writes a PNG file that is complete or absent. Throws Error(file), also if the file exists and `overwrite`
/// is false.
void write_png(const std::string& path, const Image& image, bool overwrite);

}  // namespace muslin
