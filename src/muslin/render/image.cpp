#include "muslin/render/image.h"

#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/io/file.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#include <stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

namespace muslin {

Image read_image(const std::string& path) {
  const std::string bytes = read_file(path);
  int width = 0, height = 0, channels = 0;
  stbi_uc* decoded = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                                           static_cast<int>(bytes.size()), &width, &height, &channels, 3);
  if (!decoded)
    throw Error(ErrorKind::invalid, path + ": must be a PNG or JPEG picture, got: " + stbi_failure_reason());
  Image image{width, height, std::vector<Pixel>(static_cast<size_t>(width) * height)};
  std::copy_n(decoded, image.pixels.size() * sizeof(Pixel), image.pixels.front().data());
  stbi_image_free(decoded);
  return image;
}

std::string encode_png(const Image& image) {
  std::string bytes;
  const auto append = [](void* out, void* data, int size) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(data), size);
  };
  const int channels = static_cast<int>(sizeof(Pixel));
  if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, channels, image.pixels.data(),
                              image.width * channels))
    throw Error(ErrorKind::file, "a picture could not be encoded as PNG");
  return bytes;
}

void write_png(const std::string& path, const Image& image, bool overwrite) {
  write_file(path, encode_png(image), overwrite);
}

}  // namespace muslin
