#include "muslin/io/sha256.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "muslin/io/file.h"

namespace muslin {

namespace {

using Word = std::uint32_t;

constexpr Word turned(Word word, int bits) { return word >> bits | word << (32 - bits); }

void add_block(Sha256State& state, const char* bytes) {
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
  auto [a, b, c, d, e, f, g, h] = state;
  for (int t = 0; t < 64; ++t) {
    const Word s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const Word s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const Word t1 = h + s1 + ((e & f) ^ (~e & g)) + kSha256Rounds[t] + w[t];
    const Word t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  const Sha256State mixed{a, b, c, d, e, f, g, h};
  for (int k = 0; k < 8; ++k) state[k] += mixed[k];
}

}  // namespace

void add_sha256_blocks(Sha256State& state, const char* bytes, std::size_t blocks) {
  for (; blocks > 0; --blocks, bytes += kSha256Block) add_block(state, bytes);
}

void Sha256::add(std::string_view bytes) {
  static const AddSha256Blocks add_blocks = sha256_instructions() ? sha256_instructions() : add_sha256_blocks;
  size_ += bytes.size();
  if (!rest_.empty()) {
    const std::string_view head = bytes.substr(0, kSha256Block - rest_.size());
    rest_ += head;
    bytes.remove_prefix(head.size());
    if (rest_.size() < kSha256Block) return;
    add_blocks(state_, rest_.data(), 1);
  }
  const std::size_t blocks = bytes.size() / kSha256Block;
  add_blocks(state_, bytes.data(), blocks);
  rest_ = bytes.substr(blocks * kSha256Block);
}

std::string Sha256::digits() const {
  // What is left, a one, zeros, and the length in bits at the end of a block
  Sha256 whole = *this;
  std::string end("\x80");
  while ((rest_.size() + end.size()) % kSha256Block != kSha256Block - 8) end += '\0';
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
