#include "muslin/core/text.h"

#include <gtest/gtest.h>

// Words as messages have them.

namespace muslin {
namespace {

TEST(Text, IsShownAsNoTerminalObeysIt) {
  EXPECT_EQ(visible("plain,\tÄ → 𝄞\n"), "plain,\tÄ → 𝄞\n");
  EXPECT_EQ(visible("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(visible(std::string_view("\0\r\x7f", 3)), "\\x00\\x0d\\x7f");
  EXPECT_EQ(visible("\xc2\x9b"
                    "31m"),
            "\\xc2\\x9b31m")
      << "a control sequence of eight bits";
  EXPECT_EQ(visible("\xc2\xa0"), "\xc2\xa0");
  // No UTF-8: a lone byte, one cut short, one longer than need be, half a pair, beyond the last
  EXPECT_EQ(visible("\x9b"), "\\x9b");
  EXPECT_EQ(visible("\xe2\x86"), "\\xe2\\x86");
  EXPECT_EQ(visible("\xc0\x9b"), "\\xc0\\x9b");
  EXPECT_EQ(visible("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

}  // namespace
}  // namespace muslin
