#include "muslin/render/fed_program.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace muslin {
namespace {

std::string counting(size_t length) {
  std::string bytes(length, '\0');
  for (size_t k = 0; k < length; ++k) bytes[k] = static_cast<char>(k * k / 7);
  return bytes;
}

TEST(FedProgram, GetsEveryByteAndItsArgumentsAsTheyAre) {
  std::string folder = testing::TempDir() + "muslin-fed-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string odd = folder + "/a b'$(c)\";*";
  const std::string bytes = counting(3'000'000);  // more than pipes and sockets hold
  FedProgram copy("sh", {"-c", "cat > \"$1\"", "sh", odd});
  EXPECT_TRUE(copy.feed(bytes.substr(0, 10)));
  EXPECT_TRUE(copy.feed(bytes.substr(10)));
  EXPECT_EQ(copy.finish(), "");
  EXPECT_EQ(copy.last_words(), "");
  std::ostringstream copied;
  copied << std::ifstream(odd, std::ios::binary).rdbuf();
  EXPECT_TRUE(copied.str() == bytes);
  std::filesystem::remove_all(folder);
}

TEST(FedProgram, ThatStopsListeningIsNoSignalForUs) {
  FedProgram deaf("sh", {"-c", "head -c 1000 > /dev/null; echo enough >&2; exit 7"});
  EXPECT_FALSE(deaf.feed(counting(3'000'000)));
  EXPECT_EQ(deaf.finish(), "exit code 7");
  EXPECT_EQ(deaf.last_words(), "enough");
}

TEST(FedProgram, MayTalkMoreThanAPipeHolds) {
  FedProgram talker(
      "sh", {"-c", "head -c 1000000 /dev/zero | tr '\\0' x >&2; echo; echo end >&2; cat > /dev/null"});
  EXPECT_TRUE(talker.feed(counting(3'000'000)));
  EXPECT_EQ(talker.finish(), "");
  EXPECT_LE(talker.last_words().size(), 1000u);
  EXPECT_EQ(talker.last_words().substr(talker.last_words().size() - 4), "xend");
}

TEST(FedProgram, ThatIsNotThereCannotBeStarted) {
  try {
    FedProgram("/no/such/program", {});
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
  }
}

TEST(FedProgram, EndsWithItsOwner) {
  std::string folder = testing::TempDir() + "muslin-fed-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  { const FedProgram dropped("sh", {"-c", "cat; touch \"$1\"", "sh", folder + "/finished"}); }
  EXPECT_TRUE(std::filesystem::is_empty(folder)) << "killed, not brought to its end";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace muslin
