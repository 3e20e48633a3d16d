#pragma once
#include <filesystem>

#include "muslin/render/gl.h"
#include "muslin/render/image.h"

namespace muslin {

/// A picture on the graphics card that repeats in both directions, its rows from top to bottom.
class Texture {
 public:
  /// `srgb`: sampled as light rather than as the numbers in the file.
  void upload(const Image& image, bool srgb);
  void bind(int texture_unit) const;

 private:
  GlName name_{GlName::Kind::texture};
};

/// A plain weave, two threads each way, as heights; repeats.
Image weave_heights();

/// Height of a picture at texture coordinates, 0 (black) to 1 (white), between its pixels linearly; repeats.
double height_at(const Image& image, double u, double v);

/// A picture file that is read anew when it changes.
class WatchedImage {
 public:
  /// Whether `image` is another one now. Throws as read_image.
  bool read(const std::string& path);
  const Image& image() const { return image_; }

 private:
  std::string path_;
  std::filesystem::file_time_type time_;
  Image image_;
};

}  // namespace muslin
