#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "muslin/render/image.h"
#include "muslin/render/video.h"

/// Screenshots and films, under names that nothing has yet. What fails is in `trouble`; the viewer goes on.
class Recorder {
 public:
  explicit Recorder(std::string folder) : folder_(std::move(folder)) {}

  /// Writes a PNG file; its path, or "" if that failed.
  std::string take_picture(const muslin::Image& image);

  /// Begins a film; false if that failed.
  bool begin_film(int width, int height, double frames_per_second);
  bool is_filming() const { return film_ != nullptr; }
  int width() const { return width_; }
  int height() const { return height_; }
  int pictures() const { return pictures_; }
  void add(const muslin::Image& image);
  /// Ends the film; its path, or "" if there is none.
  std::string end_film();

  const std::string& trouble() const { return trouble_; }

 private:
  std::string free_name(const std::string& stem, const std::string& extension) const;

  std::string folder_, film_path_, trouble_;
  std::unique_ptr<muslin::FilmWriter> film_;
  int width_ = 0, height_ = 0, pictures_ = 0;
};

/// Pictures of equal height beside and below one another, as the window shows them.
struct PlacedImage {
  int x, y;
  muslin::Image image;
};
muslin::Image put_together(int width, int height, const std::vector<PlacedImage>& parts);
