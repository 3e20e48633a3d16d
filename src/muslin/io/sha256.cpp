#include "muslin/io/sha256.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "muslin/io/file.h"

namespace muslin {

namespace {

using Word = std::uint32_t;
constexpr std::size_t kBlock = 64;  // bytes

// The first 32 bits behind the binary point of the cube roots of the first 64 primes.
constexpr std::array<Word, 64> kRounds{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr Word turned(Word word, int bits) { return word >> bits | word << (32 - bits); }

}  // namespace

void Sha256::add_block(const char* bytes) {
  // 1. The block as 64 words, of which 48 follow from the first 16
  std::array<Word, 64> w;
  for (int t = 0; t < 16; ++t) {
    w[t] = 0;
    for (int k = 0; k < 4; ++k) w[t] = w[t] << 8 | static_cast<unsigned char>(bytes[4 * t + k]);
  }
  for (int t = 16; t < 64; ++t) {
    const Word s0 = turned(w[t - 15], 7) ^ turned(w[t - 15], 18) ^ w[t - 15] >> 3;
    const Word s1 = turned(w[t - 2], 17) ^ turned(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }

  // 2. Sixty-four rounds
  auto [a, b, c, d, e, f, g, h] = state_;
  for (int t = 0; t < 64; ++t) {
    const Word s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const Word s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const Word t1 = h + s1 + ((e & f) ^ (~e & g)) + kRounds[t] + w[t];
    const Word t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<Word, 8> mixed{a, b, c, d, e, f, g, h};
  for (int k = 0; k < 8; ++k) state_[k] += mixed[k];
}

void Sha256::add(std::string_view bytes) {
  size_ += bytes.size();
  if (!rest_.empty()) {
    const std::string_view head = bytes.substr(0, kBlock - rest_.size());
    rest_ += head;
    bytes.remove_prefix(head.size());
    if (rest_.size() < kBlock) return;
    add_block(rest_.data());
    rest_.clear();
  }
  for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) add_block(bytes.data());
  rest_ = bytes;
}

std::string Sha256::digits() const {
  // What is left, a one, zeros, and the length in bits at the end of a block
  Sha256 whole = *this;
  std::string end("\x80");
  while ((rest_.size() + end.size()) % kBlock != kBlock - 8) end += '\0';
  for (int k = 7; k >= 0; --k) end += static_cast<char>(8 * size_ >> 8 * k);
  whole.add(end);
  std::string text;
  for (const Word word : whole.state_) text += fmt::format("{:08x}", word);
  return text;
}

std::string sha256_of_file(const std::string& path) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  Sha256 sum;
  std::string piece;
  std::size_t place = 0;
  do {
    piece = read_part(path, place, kPiece);
    sum.add(piece);
    place += piece.size();
  } while (piece.size() == kPiece);
  return sum.digits();
}

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.digits();
}

}  // namespace muslin
