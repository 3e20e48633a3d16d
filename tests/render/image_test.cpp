#include "muslin/render/image.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <gtest/gtest.h>
#include <stb/stb_image.h>

#include <cstdlib>
#include <filesystem>

#include "muslin/core/check.h"
#include "muslin/io/bytes.h"
#include "muslin/io/file.h"

// Pictures from anywhere: kinds of PNG and JPEG against another decoder, and files that are made to do harm.

namespace muslin {
namespace {

std::vector<std::string> good_pictures() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(MUSLIN_TESTS "/fuzz/pictures"))
    paths.push_back(entry.path().string());
  return paths;
}

/// What the reader says of bytes that are no sound picture; "" if it takes them.
std::string refusal(const std::string& bytes) {
  try {
    parse_image(bytes, "picture");
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid) << error.what();
    return error.what();
  }
}

void expect_refusal(const std::string& bytes, const std::string& words) {
  EXPECT_NE(refusal(bytes).find(words), std::string::npos) << refusal(bytes);
}

/// A chunk of a PNG file, with the checksum of ISO 3309.
std::string chunk(const std::string& type, const std::string& content) {
  std::uint32_t sum = 0xffffffff;
  for (const char byte : type + content) {
    sum ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
  }
  std::string bytes;
  append_big(bytes, static_cast<std::uint32_t>(content.size()));
  bytes += type + content;
  append_big(bytes, ~sum);
  return bytes;
}

const std::string kSignature = "\x89PNG\r\n\x1a\n";

/// The header of a grey picture.
std::string png_header(std::uint32_t width, std::uint32_t height) {
  std::string content;
  append_big(content, width);
  append_big(content, height);
  return kSignature + chunk("IHDR", content + std::string("\x08\0\0\0\0", 5));
}

/// A segment of a JPEG file.
std::string segment(unsigned char marker, const std::string& content) {
  std::string bytes = "\xff";
  bytes += static_cast<char>(marker);
  append_big(bytes, static_cast<std::uint16_t>(content.size() + 2));
  return bytes + content;
}

/// Up to its scans, a progressive JPEG of one grey component whose two codes of one bit say "nothing
/// follows".
std::string jpeg_header(std::uint16_t size) {
  std::string frame("\x08", 1);
  append_big(frame, size);
  append_big(frame, size);
  std::string quantisation(65, '\x01'), codes(36, '\0');  // g++ 12 misjudges sums of strings and characters
  quantisation[0] = '\0';
  codes[1] = codes[19] = '\x01';
  codes[18] = '\x10';
  return "\xff\xd8" + segment(0xdb, quantisation) + segment(0xc2, frame + std::string("\x01\x01\x11\0", 4)) +
         segment(0xc4, codes);
}

/// One scan of coefficient k of the only block, its bits from `low` upwards; `high`: what was known.
std::string scan(int k, int high, int low) {
  return segment(0xda, {'\x01', '\x01', '\0', static_cast<char>(k), static_cast<char>(k),
                        static_cast<char>(high << 4 | low)}) +
         '\x7f';
}

TEST(Image, OfEveryKindIsDecodedAsByAnotherDecoder) {
  ASSERT_GE(good_pictures().size(), 18u);
  for (const std::string& path : good_pictures()) {
    SCOPED_TRACE(path);
    const Image image = read_image(path);
    int width = 0, height = 0, channels = 0;
    stbi_uc* other = stbi_load(path.c_str(), &width, &height, &channels, 3);
    ASSERT_TRUE(other);
    ASSERT_EQ(image.width, width);
    ASSERT_EQ(image.height, height);
    const int rounding = path.ends_with(".png") ? 0 : 2;  // of a JPEG's cosines and of its colours
    for (size_t i = 0; i < image.pixels.size(); ++i)
      for (int c = 0; c < 3; ++c) EXPECT_LE(std::abs(image.pixels[i][c] - other[3 * i + c]), rounding) << i;
    stbi_image_free(other);
  }
}

TEST(Image, CutAnywhereIsRefused) {
  for (const std::string& path : good_pictures()) {
    const std::string whole = read_file(path);
    for (size_t length = 0; length < whole.size(); ++length)
      EXPECT_NE(refusal(whole.substr(0, length)), "") << path << ": " << length << " bytes";
  }
}

TEST(Image, LargerThanTheLimitIsRefusedByItsHeader) {
  expect_refusal(png_header(16385, 1) + chunk("IDAT", ""), "found 16385×1");
  expect_refusal(png_header(16384, 16384) + chunk("IDAT", ""), "found 16384×16384");
  expect_refusal(png_header(0, 7) + chunk("IDAT", ""), "PNG file");
  expect_refusal(jpeg_header(65500) + scan(0, 0, 0), "found 65500×65500");
  const std::string small = read_file(MUSLIN_TESTS "/fuzz/pictures/rgb8.png");
  EXPECT_NO_THROW(parse_image(small, "picture", 19 * 13));
  EXPECT_THROW(parse_image(small, "picture", 19 * 13 - 1), Error);
}

TEST(Image, WithLengthsThatLieIsRefused) {
  std::string chunk_of_4_gb = png_header(16, 16) + chunk("IDAT", "abcd");
  chunk_of_4_gb.replace(png_header(16, 16).size(), 4, "\xff\xff\xff\xf0");
  expect_refusal(chunk_of_4_gb, "PNG file");

  // Codes of 1 to 16 bits: more than there are symbols, or than their bits can tell apart
  const auto codes = [](const std::string& counts, int symbols) {
    return "\xff\xd8" + segment(0xc4, '\0' + counts + std::string(symbols, '\x01')) + "\xff\xd9";
  };
  expect_refusal(codes(std::string(8, '\0') + "\xff\x02" + std::string(6, '\0'), 257), "JPEG file");
  expect_refusal(codes("\x03" + std::string(15, '\0'), 3), "JPEG file");
  expect_refusal(codes(std::string(16, '\xff'), 16 * 255), "JPEG file");
}

TEST(Image, OfScansWithoutEndIsRefused) {
  std::string file = jpeg_header(8) + scan(0, 0, 0);
  const auto whole = [&] { return file + "\xff\xd9"; };
  int scans = 1;
  for (int k = 1; k < 64; ++k, ++scans) file += scan(k, 0, 1);
  for (int k = 1; scans < 100; ++k, ++scans) file += scan(k, 1, 0);
  EXPECT_EQ(refusal(whole()), "");
  file += scan(63, 1, 0);
  expect_refusal(whole(), "more than 100 scans");
}

TEST(Image, OfOtherBytesIsRefused) {
  for (const char* bytes : {"", "\xff", "GIF89a", "\x89PN", "P6 1 1 255 abc"})
    expect_refusal(bytes, "must be a PNG or JPEG picture, got other bytes");
  expect_refusal(kSignature, "PNG file");
  expect_refusal("\xff\xd8\xff\xd9", "JPEG file");
}

}  // namespace
}  // namespace muslin
