// Pictures by libpng and libjpeg. Both leave an error by longjmp: what they may leave owns nothing.
#include <fmt/format.h>
#include <jerror.h>
#include <jpeglib.h>
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <string_view>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/render/image.h"

namespace muslin {

namespace {

constexpr size_t kMostFileBytes = size_t{256} << 20;
constexpr int kMostScans =
    100;  // of a progressive JPEG: each goes over the whole picture, however short it is
constexpr long kMostJpegMemory = long{512} << 20;  // [bytes]

/// Room for a picture whose header says this size. Throws Error(invalid) before anything is decoded.
Image blank_image(const std::string& name, size_t width, size_t height, size_t most_pixels) {
  if (width == 0 || height == 0 || width > kMostPixelsASide || height > kMostPixelsASide ||
      width * height > most_pixels)
    throw Error(ErrorKind::invalid,
                fmt::format("{}: must have at most {} pixels a side and {} in all, found {}×{}", name,
                            kMostPixelsASide, most_pixels, width, height));
  return {static_cast<int>(width), static_cast<int>(height), std::vector<Pixel>(width * height)};
}

/// What libpng works with.
struct PngReading {
  explicit PngReading(std::string_view bytes) : rest(bytes) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, fail, warn);
    if (png) info = png_create_info_struct(png);
    if (!info) throw std::bad_alloc();
    png_set_read_fn(png, this, read);
  }
  PngReading(const PngReading&) = delete;
  PngReading& operator=(const PngReading&) = delete;
  ~PngReading() { png_destroy_read_struct(&png, &info, nullptr); }

  static void fail(png_structp png, png_const_charp message) {
    static_cast<PngReading*>(png_get_error_ptr(png))->problem = message;
    png_longjmp(png, 1);
  }
  static void warn(png_structp, png_const_charp) {}
  static void read(png_structp png, png_bytep to, size_t count) {
    std::string_view& rest = static_cast<PngReading*>(png_get_io_ptr(png))->rest;
    if (count > rest.size()) png_error(png, "the file ends early");
    std::copy_n(rest.begin(), count, to);
    rest.remove_prefix(count);
  }

  /// Up to the pixels. Only chunks that pixels follow from are read; false for an error.
  bool read_header() {
    if (setjmp(png_jmpbuf(png))) return false;
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_read_info(png, info);
    png_set_palette_to_rgb(png);
    png_set_expand_gray_1_2_4_to_8(png);
    png_set_gray_to_rgb(png);
    png_set_strip_16(png);
    png_set_strip_alpha(png);
    passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_rowbytes(png, info) != png_get_image_width(png, info) * sizeof(Pixel))
      png_error(png, "pixels of an unknown kind");
    return true;
  }

  bool read_rows(Pixel* pixels, size_t width, size_t height) {
    if (setjmp(png_jmpbuf(png))) return false;
    for (int pass = 0; pass < passes; ++pass)
      for (size_t y = 0; y < height; ++y) png_read_row(png, pixels[y * width].data(), nullptr);
    png_read_end(png, nullptr);
    return true;
  }

  std::string_view rest;  // not read yet
  std::string problem;
  png_structp png = nullptr;
  png_infop info = nullptr;
  int passes = 1;
};

Image parse_png(std::string_view bytes, const std::string& name, size_t most_pixels) {
  PngReading reading(bytes);
  const auto require = [&](bool done) {
    if (!done)
      throw Error(ErrorKind::invalid, fmt::format("{}: must be a PNG or JPEG picture, got a PNG file: {}",
                                                  name, reading.problem));
  };
  require(reading.read_header());
  Image image = blank_image(name, png_get_image_width(reading.png, reading.info),
                            png_get_image_height(reading.png, reading.info), most_pixels);
  require(reading.read_rows(image.pixels.data(), image.width, image.height));
  return image;
}

/// What libjpeg works with.
struct JpegReading {
  explicit JpegReading(std::string_view bytes) {
    jpeg.err = jpeg_std_error(&errors);
    errors.error_exit = fail;
    errors.emit_message = warn;
    errors.output_message = [](j_common_ptr) {};
    jpeg.client_data = this;
    progress.progress_monitor = watch;
    made = make(bytes);
  }
  JpegReading(const JpegReading&) = delete;
  JpegReading& operator=(const JpegReading&) = delete;
  ~JpegReading() { jpeg_destroy_decompress(&jpeg); }

  static JpegReading& of(j_common_ptr jpeg) { return *static_cast<JpegReading*>(jpeg->client_data); }
  [[noreturn]] static void fail(j_common_ptr jpeg) {
    jpeg->err->format_message(jpeg, of(jpeg).problem);
    longjmp(of(jpeg).back, 1);
  }
  /// Damage, which libjpeg would paint over, is an error; bytes that nothing uses are none.
  static void warn(j_common_ptr jpeg, int level) {
    if (level < 0 && jpeg->err->msg_code != JWRN_EXTRANEOUS_DATA) fail(jpeg);
  }
  static void watch(j_common_ptr jpeg) {
    if (reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number <= kMostScans) return;
    fmt::format_to_n(of(jpeg).problem, JMSG_LENGTH_MAX - 1, "more than {} scans", kMostScans);
    longjmp(of(jpeg).back, 1);
  }

  bool make(std::string_view bytes) {
    if (setjmp(back)) return false;
    jpeg_create_decompress(&jpeg);
    jpeg.client_data = this;
    jpeg.progress = &progress;
    jpeg.mem->max_memory_to_use = kMostJpegMemory;
    jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    return true;
  }

  bool read_header() {
    if (setjmp(back)) return false;
    jpeg_read_header(&jpeg, TRUE);
    const bool is_print = jpeg.jpeg_color_space == JCS_CMYK || jpeg.jpeg_color_space == JCS_YCCK;
    jpeg.out_color_space = is_print ? JCS_CMYK : JCS_RGB;
    jpeg_calc_output_dimensions(&jpeg);
    return true;
  }

  /// `row`: room for one of four components a pixel.
  bool read_rows(Pixel* pixels, unsigned char* row) {
    if (setjmp(back)) return false;
    jpeg_start_decompress(&jpeg);
    while (jpeg.output_scanline < jpeg.output_height) {
      Pixel* const to = pixels + size_t{jpeg.output_scanline} * jpeg.output_width;
      jpeg_read_scanlines(&jpeg, &row, 1);
      if (jpeg.out_color_space == JCS_RGB) {
        std::memcpy(to, row, jpeg.output_width * sizeof(Pixel));
      } else {  // of inks, which Adobe writes inverted: 255 is none
        for (size_t x = 0; x < jpeg.output_width; ++x)
          for (size_t c = 0; c < 3; ++c)
            to[x][c] = static_cast<std::uint8_t>((row[4 * x + c] * row[4 * x + 3] + 127) / 255);
      }
    }
    jpeg_finish_decompress(&jpeg);
    return true;
  }

  jpeg_decompress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf back;
  char problem[JMSG_LENGTH_MAX] = "";
  bool made = false;
};

Image parse_jpeg(std::string_view bytes, const std::string& name, size_t most_pixels) {
  JpegReading reading(bytes);
  const auto require = [&](bool done) {
    if (!done)
      throw Error(ErrorKind::invalid, fmt::format("{}: must be a PNG or JPEG picture, got a JPEG file: {}",
                                                  name, reading.problem));
  };
  require(reading.made && reading.read_header());
  Image image = blank_image(name, reading.jpeg.output_width, reading.jpeg.output_height, most_pixels);
  std::vector<unsigned char> row(4 * static_cast<size_t>(image.width));
  require(reading.read_rows(image.pixels.data(), row.data()));
  return image;
}

}  // namespace

Image parse_image(std::string_view bytes, const std::string& name, size_t most_pixels) {
  if (bytes.starts_with("\x89PNG")) return parse_png(bytes, name, most_pixels);
  if (bytes.starts_with("\xff\xd8")) return parse_jpeg(bytes, name, most_pixels);
  throw Error(ErrorKind::invalid, name + ": must be a PNG or JPEG picture, got other bytes");
}

Image read_image(const std::string& path, size_t most_pixels) {
  return parse_image(read_file(path, kMostFileBytes), path, most_pixels);
}

}  // namespace muslin
