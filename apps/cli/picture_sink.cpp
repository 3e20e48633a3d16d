#include "picture_sink.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/render/video.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

/// Throws muslin::Error if a file could not be written there.
void check_place(const std::string& path, bool force, Links links) {
  if (!force && fs::exists(path))
    throw Error(ErrorKind::file, path + ": exists already; --force overwrites it");
  GrowingFile(path, force, links);
}

class OnePicture final : public PictureSink {
 public:
  OnePicture(std::string path, int frame, bool force) : path_(std::move(path)), force_(force) {
    frames_ = {frame};
    check_place(path_, force, Links::followed);
  }
  void add(int, const Image& image) override { write_png(path_, image, force_, Links::followed); }
  std::string finish() override { return fmt::format("{}: frame {}", path_, frames_[0]); }

 private:
  std::string path_;
  bool force_;
};

class PictureFolder final : public PictureSink {
 public:
  PictureFolder(std::string folder, const std::vector<int>& frames, bool force)
      : folder_(std::move(folder)), force_(force) {
    frames_ = frames;
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw Error(ErrorKind::file, fmt::format("{}: cannot be made: {}", folder_, error.message()));
    for (const int frame : frames) {
      const std::string path = path_of(frame);
      if (!force && fs::exists(path))
        throw Error(ErrorKind::file, path + ": exists already; --force overwrites it");
    }
    check_place(path_of(frames[0]), force, Links::replaced);
  }
  void add(int frame, const Image& image) override {
    write_png(path_of(frame), image, force_);
    ++count_;
  }
  std::string finish() override {
    return fmt::format("{}: {} picture{}", folder_, count_, count_ == 1 ? "" : "s");
  }

 private:
  std::string path_of(int frame) const {
    return (fs::path(folder_) / fmt::format("frame_{:04d}.png", frame)).string();
  }

  std::string folder_;
  bool force_;
  int count_ = 0;
};

/// How the pictures of a film go with the frames.
std::string rhythm(double frames_per_picture) {
  if (std::abs(frames_per_picture - 1) < 1e-3) return "one a frame";
  return frames_per_picture > 1 ? fmt::format("one every {:.3g} frames", frames_per_picture)
                                : fmt::format("{:.3g} a frame", 1 / frames_per_picture);
}

class Film final : public PictureSink {
 public:
  Film(const std::string& path, FilmPlan plan, int width, int height, bool force)
      : path_(path), plan_(std::move(plan)) {
    if (!force && fs::exists(path))
      throw Error(ErrorKind::file, path + ": exists already; --force overwrites it");
    film_ = make_film(path, width, height, plan_.fps, force);
    if (wants_even_size(path) && (width % 2 != 0 || height % 2 != 0))
      note_ = fmt::format(" ({}x{} made even: the format wants it)", width, height);
    frames_ = plan_.frames;
    frames_.erase(std::unique(frames_.begin(), frames_.end()), frames_.end());
  }
  void add(int frame, const Image& image) override {
    for (const auto end = plan_.frames.size(); count_ < end && plan_.frames[count_] == frame; ++count_)
      film_->add(image);
  }
  std::string finish() override {
    film_->finish();
    return fmt::format("{}: {} picture{}, {:.4g} a second, {}, {:.3g} s{}", path_, count_,
                       count_ == 1 ? "" : "s", plan_.fps, rhythm(plan_.step),
                       static_cast<double>(count_) / plan_.fps, note_);
  }

 private:
  std::string path_, note_;
  FilmPlan plan_;
  std::unique_ptr<FilmWriter> film_;
  size_t count_ = 0;
};

}  // namespace

SinkKind kind_of_sink(const std::string& out) {
  std::string extension = fs::path(out).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  std::error_code ignored;
  if (extension.empty() || fs::is_directory(out, ignored)) return SinkKind::folder;
  if (extension == ".png") return SinkKind::picture;
  if (is_film(out)) return SinkKind::film;
  throw CLI::ValidationError(
      "--out",
      fmt::format("must be a picture (.png), a film (.mp4, .webm, .gif) or a folder for a picture of "
                  "every frame, got {}",
                  out));
}

std::unique_ptr<PictureSink> make_picture(const std::string& path, int frame, bool force) {
  return std::make_unique<OnePicture>(path, frame, force);
}

std::unique_ptr<PictureSink> make_folder(const std::string& folder, const std::vector<int>& frames,
                                         bool force) {
  return std::make_unique<PictureFolder>(folder, frames, force);
}

std::unique_ptr<PictureSink> make_film_sink(const std::string& path, const FilmPlan& plan, int width,
                                            int height, bool force) {
  return std::make_unique<Film>(path, plan, width, height, force);
}
