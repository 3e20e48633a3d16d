#include "muslin/render/texture.h"

#include <algorithm>
#include <cmath>

namespace muslin {

void Texture::upload(const Image& image, bool srgb) {
  glBindTexture(GL_TEXTURE_2D, name_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, srgb ? GL_SRGB8 : GL_RGB8, image.width, image.height, 0, GL_RGB,
               GL_UNSIGNED_BYTE, image.pixels.data());
  glGenerateMipmap(GL_TEXTURE_2D);
  const auto option = [](GLenum name, GLint value) { glTexParameteri(GL_TEXTURE_2D, name, value); };
  option(GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  option(GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  option(GL_TEXTURE_WRAP_S, GL_REPEAT);
  option(GL_TEXTURE_WRAP_T, GL_REPEAT);
}

void Texture::bind(int texture_unit) const {
  glActiveTexture(GL_TEXTURE0 + texture_unit);
  glBindTexture(GL_TEXTURE_2D, name_);
}

Image weave_heights() {
  constexpr int kSize = 128;
  Image image{kSize, kSize, std::vector<Pixel>(kSize * kSize)};
  // A thread along s: round across, going over one neighbour and under the next.
  const auto thread = [](double along, double across, int parity) {
    const double off = 2 * (across - std::floor(across)) - 1;
    const int number = static_cast<int>(std::floor(across)) + parity;
    return std::sqrt(std::max(0.0, 1 - off * off)) * (0.55 + 0.45 * std::cos(M_PI * (along - 0.5 + number)));
  };
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      const double u = 2 * (x + 0.5) / kSize, v = 2 * (y + 0.5) / kSize;
      const double height = std::max(thread(u, v, 0), thread(v, u, 1));
      image.pixels[y * kSize + x].fill(static_cast<std::uint8_t>(std::lround(255 * height)));
    }
  return image;
}

double height_at(const Image& image, double u, double v) {
  const auto wrap = [](int i, int n) { return ((i % n) + n) % n; };
  const double x = u * image.width - 0.5, y = (1 - v) * image.height - 0.5;
  const int i = static_cast<int>(std::floor(x)), j = static_cast<int>(std::floor(y));
  const double s = x - i, t = y - j;
  const auto grey = [&](int a, int b) {  // red, as the shaders read it
    return image.at(wrap(a, image.width), wrap(b, image.height))[0] / 255.0;
  };
  return (1 - t) * ((1 - s) * grey(i, j) + s * grey(i + 1, j)) +
         t * ((1 - s) * grey(i, j + 1) + s * grey(i + 1, j + 1));
}

bool WatchedImage::read(const std::string& path) {
  std::error_code error;
  const auto time = std::filesystem::last_write_time(path, error);
  if (path == path_ && !error && time == time_) return false;
  image_ = read_image(path);
  path_ = path;
  time_ = time;
  return true;
}

}  // namespace muslin
