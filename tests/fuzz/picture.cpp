// Pictures: arbitrary bytes are one of the size that they say, or an Error(invalid). PNG is also tried with
// the checksums that its chunks should have, or few would be read. Seeds: tests/fuzz/pictures.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "muslin/core/check.h"
#include "muslin/io/bytes.h"
#include "muslin/render/image.h"

namespace {

constexpr std::size_t kMostPixels = std::size_t{1} << 20;

void try_picture(const std::string& bytes) {
  try {
    const muslin::Image image = muslin::parse_image(bytes, "picture", kMostPixels);
    if (image.width < 1 || image.height < 1) std::abort();
    if (image.pixels.size() != std::size_t(image.width) * image.height) std::abort();
    if (image.pixels.size() > kMostPixels) std::abort();
  } catch (const muslin::Error& error) {
    if (error.kind() != muslin::ErrorKind::invalid) std::abort();
  }
}

std::uint32_t checksum(const std::string& bytes) {
  std::uint32_t sum = 0xffffffff;
  for (const char byte : bytes) {
    sum ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum;
}

/// The file with every chunk's checksum put right.
std::string with_checksums(std::string bytes) {
  constexpr std::size_t kSignature = 8, kAround = 12;  // length, type and checksum
  for (std::size_t at = kSignature; bytes.size() - at >= kAround;) {
    std::string length(bytes.rend() - at - 4, bytes.rend() - at);
    const std::size_t size = muslin::word_at(length, 0);
    if (size > bytes.size() - at - kAround) break;
    std::string sum;
    muslin::append_big(sum, checksum(bytes.substr(at + 4, size + 4)));
    bytes.replace(at + size + 8, 4, sum);
    at += size + kAround;
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try_picture(bytes);
  if (size > 8) try_picture(with_checksums("\x89PNG\r\n\x1a\n" + bytes.substr(8)));
  return 0;
}
