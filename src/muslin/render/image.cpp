#include "muslin/render/image.h"

#include "muslin/core/check.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

namespace muslin {

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

void write_png(const std::string& path, const Image& image, bool overwrite, Links links) {
  write_file(path, encode_png(image), overwrite, links);
}

}  // namespace muslin
