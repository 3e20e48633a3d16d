#include "smoke/command_folder.h"

namespace {

class SweepPicturesTest : public CommandFolder {
 protected:
  SweepPicturesTest()
      : CommandFolder(R"({"frames": 3, "cloths": [{"grid": {"points": [4, 4], "size": [1, 1]}}]})") {}
};

TEST_F(SweepPicturesTest, StandOnThePage) {
  std::ofstream(folder_ / "plan.json") << R"({"scene": "scene.json", "pictures": true, "axes": [
        {"set": "cloths/0/fabric/density", "values": [0.1, 0.2, -1]}]})";
  ASSERT_EQ(muslin("sweep plan.json --out trial"), 0) << text("messages.txt");
  ASSERT_EQ(muslin("sweep run trial"), 0) << text("messages.txt");
  EXPECT_EQ(text("trial/pictures/000001.png").substr(1, 3), "PNG");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "trial/pictures/000002.png")) << "nothing ran";
  ASSERT_EQ(muslin("sweep page trial --out page.html"), 0) << text("messages.txt");
  const std::string page = text("page.html");
  EXPECT_NE(page.find(R"("1":"iVBORw0KGgo)"), std::string::npos) << "its first bytes in base64";
  EXPECT_NE(page.find(R"("of":2)"), std::string::npos);
}

}  // namespace
