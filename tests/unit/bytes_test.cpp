#include "muslin/io/bytes.h"

#include <gtest/gtest.h>

// Numbers of files.

namespace muslin {
namespace {

TEST(Bytes, LieWithinAsSumsThatCannotWrapSay) {
  using Small = std::uint8_t;  // wraps round after 255
  const auto agrees = [](int whole, int offset, int count, int stride, int size) {
    const bool within = offset + (count > 0 ? (count - 1) * stride + size : 0) <= whole;
    return lie_within(Small(whole), Small(offset), Small(count), Small(stride), Small(size)) == within;
  };
  const int edges[] = {0, 1, 2, 3, 5, 16, 17, 85, 127, 128, 129, 250, 254, 255};
  for (const int whole : edges)
    for (int offset = 0; offset < 256; ++offset)
      for (const int count : edges)
        for (const int stride : edges)
          for (const int size : edges)
            ASSERT_TRUE(agrees(whole, offset, count, stride, size))
                << whole << ' ' << offset << ' ' << count << ' ' << stride << ' ' << size;
}

TEST(Bytes, LieWithinIn32BitsAsIn64) {
  // Offset, count and stride whose sums wrap round to 8, 12 and 0
  EXPECT_FALSE(lie_within<std::uint32_t>(36, 4294967290, 1, 12, 12));
  EXPECT_FALSE(lie_within<std::uint32_t>(36, 0, 17, 268435456, 12));
  EXPECT_FALSE(lie_within<std::uint32_t>(36, 4294967284, 1, 0, 12));
  EXPECT_TRUE(lie_within<std::uint32_t>(4294967295, 4294967283, 1, 12, 12));
  EXPECT_TRUE(lie_within<std::uint64_t>(5000000000, 12, 416666665, 12, 12));
}

}  // namespace
}  // namespace muslin
