#pragma once
#include <memory>
#include <string>
#include <vector>

#include "film_plan.h"
#include "muslin/render/image.h"

/// Where pictures go.
class PictureSink {
 public:
  virtual ~PictureSink() = default;
  /// What it wants to be given, ascending and in that order.
  const std::vector<int>& frames() const { return frames_; }
  /// Throws muslin::Error if it cannot be written.
  virtual void add(int frame, const muslin::Image& image) = 0;
  /// After the last picture, be it before all have come; says what has become of them in a line.
  virtual std::string finish() = 0;

 protected:
  std::vector<int> frames_;
};

enum class SinkKind { picture, folder, film };

/// By the extension: .png, those of films, or none. Throws CLI::ValidationError for another.
SinkKind kind_of_sink(const std::string& out);

/// All that can go wrong with files goes wrong here, before the work: throws muslin::Error if something
/// exists already and `force` is false, or cannot be written, or ffmpeg is missing.
std::unique_ptr<PictureSink> make_picture(const std::string& path, int frame, bool force);
std::unique_ptr<PictureSink> make_folder(const std::string& folder, const std::vector<int>& frames,
                                         bool force);
std::unique_ptr<PictureSink> make_film_sink(const std::string& path, const FilmPlan& plan, int width,
                                            int height, bool force);
