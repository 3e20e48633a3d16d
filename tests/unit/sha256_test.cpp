#include "muslin/io/sha256.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace muslin {
namespace {

// The examples of NIST (FIPS 180-2, appendix B), and of the empty message.
TEST(Sha256, IsThatOfThePublishedExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// In pieces as they come, of which some end within a block.
TEST(Sha256, DoesNotDependOnThePieces) {
  std::string bytes;
  for (int k = 0; k < 1000; ++k) bytes += static_cast<char>(k * k);
  for (std::size_t piece = 1; piece < 200; ++piece) {
    Sha256 sum;
    for (std::size_t begin = 0; begin < bytes.size(); begin += piece) sum.add(bytes.substr(begin, piece));
    ASSERT_EQ(sum.digits(), sha256(bytes)) << piece;
  }
}

TEST(Sha256, IsTheSameByTheProcessorsInstructions) {
  const AddSha256Blocks instructions = sha256_instructions();
  if (!instructions) GTEST_SKIP() << "this processor has none";
  std::mt19937 random(1);
  for (std::size_t blocks = 0; blocks < 100; ++blocks) {
    Sha256State plain, other;
    for (auto& word : plain) word = static_cast<std::uint32_t>(random());
    other = plain;
    std::string bytes(blocks * kSha256Block, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    add_sha256_blocks(plain, bytes.data(), blocks);
    instructions(other, bytes.data(), blocks);
    ASSERT_EQ(plain, other) << blocks;
  }
}

// It is read in pieces of a mebibyte.
TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const std::string path = testing::TempDir() + "sha256_of_a_file";
  for (const std::size_t size : {0, 1, 1 << 20, (1 << 20) + 1, 2 << 20}) {
    const std::string bytes(size, 'b');
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(sha256_of_file(path), sha256(bytes)) << size;
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace muslin
