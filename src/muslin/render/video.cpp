#include "muslin/render/video.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/render/fed_program.h"

namespace muslin {
namespace {

using Arguments = std::vector<std::string>;

/// A line of the table of film formats.
struct FilmFormat {
  std::string_view extension;
  bool even;  ///< colour at half the resolution wants even sizes
  double most_fps;
  Arguments encoding;
};

const std::vector<FilmFormat>& film_formats() {
  // Our sRGB as Rec. 709, and said so: untagged films have other colours in other players.
  static const Arguments colours{
      "-vf",
      "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd,format=yuv420p",
      "-colorspace",
      "bt709",
      "-color_primaries",
      "bt709",
      "-color_trc",
      "iec61966-2-1",
      "-color_range",
      "tv"};
  const auto with_colours = [](Arguments arguments) {
    arguments.insert(arguments.begin(), colours.begin(), colours.end());
    return arguments;
  };
  static const std::string palette =
      "[0:v]split[all][shown];[all]palettegen=stats_mode=full[palette];"
      "[shown][palette]paletteuse=dither=sierra2_4a:diff_mode=rectangle";
  static const std::vector<FilmFormat> table{
      {".mp4", true, 60,
       with_colours(
           {"-c:v", "libx264", "-crf", "18", "-preset", "medium", "-movflags", "+faststart", "-f", "mp4"})},
      {".webm", true, 60,
       with_colours({"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-row-mt", "1", "-f", "webm"})},
      // GIF counts hundredths of a second, and browsers play 1/100 as if it were 1/10.
      {".gif", false, 50, {"-filter_complex", palette, "-loop", "0", "-f", "gif"}},
  };
  return table;
}

const FilmFormat* find_format(const std::string& path) {
  const size_t dot = path.find_last_of("./");
  if (dot == std::string::npos || path[dot] != '.') return nullptr;
  std::string extension = path.substr(dot);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  for (const FilmFormat& format : film_formats())
    if (format.extension == extension) return &format;
  return nullptr;
}

/// The picture in the size that the format wants.
Image padded(const Image& image, int width, int height) {
  Image larger{width, height, std::vector<Pixel>(static_cast<size_t>(width) * height)};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      larger.pixels[static_cast<size_t>(y) * width + x] =
          image.at(std::min(x, image.width - 1), std::min(y, image.height - 1));
  return larger;
}

/// Pictures as they come, to ffmpeg.
class FfmpegFilm final : public FilmWriter {
 public:
  FfmpegFilm(const std::string& path, const FilmFormat& format, int width, int height, double fps,
             bool overwrite)
      : path_(path),
        width_(format.even ? width + width % 2 : width),
        height_(format.even ? height + height % 2 : height),
        file_(path, overwrite, Links::followed) {
    Arguments arguments{"-hide_banner",
                        "-nostdin",
                        "-loglevel",
                        "error",
                        "-xerror",
                        "-y",
                        "-f",
                        "rawvideo",
                        "-pixel_format",
                        "rgb24",
                        "-video_size",
                        fmt::format("{}x{}", width_, height_),
                        "-framerate",
                        fmt::format("{:.6g}", fps),
                        "-i",
                        "pipe:0",
                        "-an"};
    arguments.insert(arguments.end(), format.encoding.begin(), format.encoding.end());
    // The same pictures make the same file: no versions, no dates in it.
    for (const char* argument : {"-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"})
      arguments.emplace_back(argument);
    arguments.push_back("file:" + file_.temporary());
    start(arguments);
  }

  void add(const Image& image) override {
    MUSLIN_ASSERT((image.width + 1) / 2 == (width_ + 1) / 2 && (image.height + 1) / 2 == (height_ + 1) / 2);
    const bool fits = image.width == width_ && image.height == height_;
    const Image& picture = fits ? image : (padded_ = padded(image, width_, height_));
    const auto* bytes = reinterpret_cast<const char*>(picture.pixels.data());
    if (!ffmpeg_->feed({bytes, picture.pixels.size() * sizeof(Pixel)})) fail(ffmpeg_->finish());
  }

  void finish() override {
    if (const std::string end = ffmpeg_->finish(); !end.empty()) fail(end);
    file_.finish();
  }

 private:
  void start(const Arguments& arguments) {
    const char* const named = std::getenv("MUSLIN_FFMPEG");
    const std::string program = named && *named ? named : "ffmpeg";
    try {
      ffmpeg_.emplace(program, arguments);
    } catch (const std::system_error& error) {
      if (error.code() != std::errc::no_such_file_or_directory)
        throw Error(ErrorKind::file, fmt::format("{}: the program {} cannot be started: {}", path_, program,
                                                 error.code().message()));
      throw Error(ErrorKind::file,
                  fmt::format("{}: films are made by the program ffmpeg, and {} was not found; install it "
                              "(Debian, Ubuntu: apt install ffmpeg; macOS: brew install ffmpeg), or name it "
                              "in MUSLIN_FFMPEG",
                              path_, program));
    }
  }

  [[noreturn]] void fail(const std::string& end) const {
    std::string words = ffmpeg_->last_words();
    const std::string name = "file:" + file_.temporary();
    for (size_t at = words.find(name); at != std::string::npos; at = words.find(name, at + path_.size()))
      words.replace(at, name.size(), path_);
    throw Error(ErrorKind::file,
                fmt::format("{}: ffmpeg could not write the film ({}){}{}", path_,
                            end.empty() ? "it stopped listening" : end, words.empty() ? "" : ":\n", words));
  }

  std::string path_;
  int width_, height_;  ///< of the film [pixels]
  GrowingFile file_;
  std::optional<FedProgram> ffmpeg_;
  Image padded_;
};

}  // namespace

std::unique_ptr<FilmWriter> make_film(const std::string& path, int width, int height,
                                      double frames_per_second, bool overwrite) {
  const FilmFormat* format = find_format(path);
  if (!format) throw Error(ErrorKind::invalid, path + ": a film must end in .mp4, .webm or .gif");
  return std::make_unique<FfmpegFilm>(path, *format, width, height, frames_per_second, overwrite);
}

bool is_film(const std::string& path) { return find_format(path) != nullptr; }

bool wants_even_size(const std::string& path) {
  const FilmFormat* format = find_format(path);
  return format && format->even;
}

double most_frames_per_second(const std::string& path) {
  const FilmFormat* format = find_format(path);
  return format ? format->most_fps : 60;
}

}  // namespace muslin
