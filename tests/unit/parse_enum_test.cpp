#include "muslin/model/parse_enum.h"

#include <gtest/gtest.h>

#include "muslin/model/scene.h"

using namespace muslin;

TEST(ParseEnum, WordsOfScenesAreTaken) {
  EXPECT_EQ(parse<Membrane>("baraff_witkin"), Membrane::baraff_witkin);
  EXPECT_EQ(parse<Shape>("capsule"), Shape::capsule);
  for (std::size_t k = 0; k < EnumNames<PositionQuality>::names.size(); ++k)
    EXPECT_EQ(parse<PositionQuality>(EnumNames<PositionQuality>::names[k]), static_cast<PositionQuality>(k));
  EXPECT_EQ(name_of(parse<PositionQuality>("strain 1 %")), "strain 1 %");
  try {
    parse<Shape>("ball");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("\"sphere\""), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("got \"ball\""), std::string::npos);
  }
}
