#include "muslin/model/hinge.h"

#include <gtest/gtest.h>

#include "muslin/io/scene_json.h"
#include "muslin/model/fabrics.h"

using namespace muslin;

namespace {

Model model_of(const std::string& grid, const std::string& pins) {
  return build_model(resolved(parse_scene(R"({"cloths": [{"grid": {"points": [6, 4], "size": [0.5, 0.3], )" +
                                              grid + R"(}, "pins": [)" + pins + "]}]}",
                                          "scene", ".")));
}

std::string hint(const std::string& grid, const std::string& pins) {
  const Model model = model_of(grid, pins);
  return hinge_hint({0, -9.81, 0}, model, model.cloths.at(0));
}

const char* const kLies = R"("u": [1, 0, 0], "v": [0, 0, 1])";
const char* const kHangs = R"("u": [1, 0, 0], "v": [0, -1, 0])";
const char* const kRow = R"({"sides": ["v_min"]})";

}  // namespace

TEST(Hinge, ARowOfPinsThatClothTurnsAboutIsNamed) {
  EXPECT_NE(hint(kLies, kRow).find("its 6 pins lie on one line"), std::string::npos);
  EXPECT_NE(hint(kLies, R"({"vertices": [0, 5]})").find("2 pins"), std::string::npos);
  EXPECT_EQ(hint(kHangs, kRow), "") << "it hangs below the row already";
  EXPECT_EQ(hint(kLies, R"({"sides": ["v_min"]}, {"grid": [[0, 1], [5, 1]]})"), "");
  EXPECT_EQ(hint(kLies, R"({"sides": ["v_min"]}, {"vertices": [20]})"), "");
  EXPECT_EQ(hint(kLies, R"({"vertices": [0]})"), "") << "about a point it turns in any way";
}
