#include "recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;
using namespace muslin;

std::string Recorder::free_name(const std::string& stem, const std::string& extension) const {
  for (int number = 1;; ++number) {
    const fs::path path = fs::path(folder_) / fmt::format("{}_{:03d}{}", stem, number, extension);
    if (std::error_code ignored; !fs::exists(path, ignored)) return path.string();
  }
}

std::string Recorder::take_picture(const Image& image) {
  trouble_.clear();
  try {
    const std::string path = free_name("muslin", ".png");
    write_png(path, image, false);
    return path;
  } catch (const std::exception& error) {
    trouble_ = error.what();
    return "";
  }
}

bool Recorder::begin_film(int width, int height, double frames_per_second) {
  trouble_.clear();
  pictures_ = 0;
  try {
    film_path_ = free_name("muslin", ".mp4");
    film_ = make_film(film_path_, width, height, frames_per_second, false);
    width_ = width;
    height_ = height;
    return true;
  } catch (const std::exception& error) {
    trouble_ = error.what();
    return false;
  }
}

void Recorder::add(const Image& image) {
  if (!film_) return;
  try {
    film_->add(image);
    ++pictures_;
  } catch (const std::exception& error) {
    trouble_ = error.what();
    film_.reset();
  }
}

std::string Recorder::end_film() {
  if (!film_) return "";
  const std::unique_ptr<FilmWriter> film = std::move(film_);
  if (pictures_ == 0) return "";
  try {
    film->finish();
    return film_path_;
  } catch (const std::exception& error) {
    trouble_ = error.what();
    return "";
  }
}

Image put_together(int width, int height, const std::vector<PlacedImage>& parts) {
  Image whole{width, height, std::vector<Pixel>(static_cast<size_t>(width) * height, Pixel{26, 26, 28})};
  for (const PlacedImage& part : parts)
    for (int y = 0; y < part.image.height && part.y + y < height; ++y) {
      const int columns = std::min(part.image.width, width - part.x);
      const Pixel* row = &part.image.pixels[static_cast<size_t>(y) * part.image.width];
      std::copy_n(row, columns, &whole.pixels[static_cast<size_t>(part.y + y) * width + part.x]);
    }
  return whole;
}
