#pragma once
#include <memory>
#include <string>

#include "muslin/render/image.h"

namespace muslin {

/// A film, written picture by picture. The file is complete or absent.
class FilmWriter {
 public:
  virtual ~FilmWriter() = default;
  /// A picture of the film's size. Throws Error(file) with the encoder's last words if it fails, or the disk
  /// is full.
  virtual void add(const Image& image) = 0;
  /// Ends the film and gives it its name; without this call nothing remains. Throws as `add`.
  virtual void finish() = 0;
};

/// By the extension of `path`: .mp4 (H.264), .webm (VP9), .gif (own palette; ffmpeg holds all its pictures in
/// memory to find that), made by the program ffmpeg: MUSLIN_FFMPEG of the environment names it, else PATH is
/// searched. Where the format wants even sizes, the last column or row is repeated.
/// Throws Error(file) if the file exists and `overwrite` is false, or if there is no ffmpeg, saying how to
/// get it; Error(invalid) for another extension.
std::unique_ptr<FilmWriter> make_film(const std::string& path, int width, int height,
                                      double frames_per_second, bool overwrite);

/// Whether the extension is one of the above.
bool is_film(const std::string& path);

/// Whether pictures of an odd width or height are made larger by a column or row of pixels.
bool wants_even_size(const std::string& path);

/// The most pictures a second that players show as they should.
double most_frames_per_second(const std::string& path);

}  // namespace muslin
