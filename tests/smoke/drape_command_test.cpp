// `muslin drape`.
#include <nlohmann/json.hpp>

#include "smoke/command_folder.h"

namespace {

class DrapeCommandTest : public CommandFolder {
 protected:
  DrapeCommandTest()
      : CommandFolder(R"({"cloths": [
          {"name": "stiff", "grid": {"points": [4, 4], "size": [0.3, 0.3]}, "fabric": "paper"},
          {"name": "other", "grid": {"points": [4, 4], "size": [0.3, 0.3], "origin": [1, 0, 0]}}]})") {}
  void expect_said(const std::string& words) const {
    EXPECT_NE(text("messages.txt").find(words), std::string::npos) << text("messages.txt");
  }
};

TEST_F(DrapeCommandTest, OfAFabricAndOfAScenesCloth) {
  ASSERT_EQ(muslin("drape paper --rings 10 --coarse --json -q"), 0) << text("messages.txt");
  const auto fabric = nlohmann::json::parse(text("output.txt"));
  EXPECT_EQ(fabric["fabric"], "paper");
  EXPECT_GT(fabric["coefficient"], 99);
  EXPECT_EQ(fabric["mesh_error"], nullptr) << "one mesh tells no error";
  EXPECT_EQ(fabric["folds"], 0);
  ASSERT_EQ(muslin("drape scene.json --cloth stiff --rings 10 --coarse --json -q"), 0)
      << text("messages.txt");
  EXPECT_EQ(nlohmann::json::parse(text("output.txt")), fabric);
  ASSERT_EQ(muslin("drape paper --rings 10"), 0);
  EXPECT_NE(text("output.txt").find(" ± "), std::string::npos);
  EXPECT_NE(text("output.txt").find("folds               0\n"), std::string::npos);
}

TEST_F(DrapeCommandTest, WhatIsWrongIsNamed) {
  EXPECT_EQ(muslin("drape coton"), 5);
  expect_said("coton: is neither a file nor a shipped scene");
  expect_said("nor a fabric");
  EXPECT_EQ(muslin("drape scene.json"), 3);
  expect_said("--cloth must name one of \"stiff\", \"other\"");
  EXPECT_EQ(muslin("drape scene.json --cloth third"), 3);
  expect_said("got \"third\"");
  EXPECT_EQ(muslin("drape cotton --set frames=3"), 3);
  EXPECT_EQ(muslin("drape cotton --rings 12"), 2);
  EXPECT_EQ(muslin("drape cotton --picture drape.jpg"), 3);
  expect_said("drape.jpg: ");
}

}  // namespace
