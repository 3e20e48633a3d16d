#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "muslin/io/sha256_blocks.h"

namespace muslin {

/// The SHA-256 of bytes that come piece by piece [FIPS 180-4].
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// Of all that was added, as 64 hexadecimal digits, as the program sha256sum says it.
  std::string digits() const;

 private:
  // The first 32 bits behind the binary point of the square roots of the first 8 primes.
  Sha256State state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::string rest_;        // less than a block
  std::uint64_t size_ = 0;  // bytes
};

/// The same of a file, however long. Throws Error(file).
std::string sha256_of_file(const std::string& path);

/// The same of bytes that are all there.
std::string sha256(std::string_view bytes);

}  // namespace muslin
