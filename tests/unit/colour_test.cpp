#include "muslin/model/colour.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "muslin/core/check.h"
#include "muslin/io/fingerprint.h"
#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

Scene scene_of(const std::string& cloth, const std::string& collider, const std::string& rest) {
  return parse_scene(fmt::format(R"({{"cloths": [{{"grid": {{"points": [4, 4], "origin": [0, 1, 0]}}{}}}],
                       "colliders": [{{"radius": 0.2{}}}]{}, "frames": 2}})",
                                 cloth, collider, rest),
                     "s.json", ".");
}

TEST(Colours, AreReadAndWrittenAsScreensHaveThem) {
  EXPECT_EQ(read_colour("#0a80fF"), (Colour{10, 128, 255}));
  EXPECT_EQ(text_of({10, 128, 255}), "#0a80ff");
  for (const char* wrong :
       {"", "#", "red", "0a80ff", "#0a80f", "#0a80ff0", "#0a80fg", "#-a80ff", "# a80ff", "#\nabcde"})
    EXPECT_FALSE(read_colour(wrong)) << wrong;
}

TEST(Colours, AreLinearAsSrgbSays) {
  // IEC 61966-2-1: 12.92 below 0.04045, else ((c + 0.055) / 1.055)^2.4; middle grey is 21.4 % of white.
  EXPECT_FLOAT_EQ(linear(std::uint8_t{0}), 0);
  EXPECT_FLOAT_EQ(linear(std::uint8_t{255}), 1);
  EXPECT_NEAR(linear(std::uint8_t{10}), 10 / 255.0 / 12.92, 1e-8);
  EXPECT_NEAR(linear(std::uint8_t{128}), 0.2158605, 1e-6);
}

TEST(Colours, ThatAreNoneAreRefusedWithTheirPlace) {
  const auto message = [](const std::string& cloth, const std::string& collider, const std::string& rest) {
    try {
      scene_of(cloth, collider, rest);
      return std::string("accepted");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(message(R"(, "colour": "red")", "", "")
                .find("/cloths/0/colour: expected a colour as \"#rrggbb\", got the string \"red\""),
            std::string::npos)
      << message(R"(, "colour": "red")", "", "");
  EXPECT_NE(message("", R"(, "colour": [1, 0, 0])", "").find("/colliders/0/colour: expected a colour"),
            std::string::npos);
  EXPECT_NE(message("", "", R"(, "background": "#12345")").find("/background: expected a colour"),
            std::string::npos);
}

TEST(Colours, ChangeNoStepAndNoFingerprint) {
  const Scene plain = scene_of("", "", ""),
              painted = scene_of(R"(, "colour": "#aa2244")", R"(, "colour": "#ffffff")",
                                 R"(, "background": "#102030")");
  EXPECT_EQ(painted.cloths[0].colour, (Colour{0xaa, 0x22, 0x44}));
  Simulation a(plain), b(painted);
  EXPECT_EQ(fingerprint_of(a.scene(), a.model(), a.model().start),
            fingerprint_of(b.scene(), b.model(), b.model().start));
  for (int frame = 0; frame < 2; ++frame) {
    a.step();
    b.step();
    EXPECT_EQ(hash(a.state()), hash(b.state()));
  }
}

}  // namespace
}  // namespace muslin
