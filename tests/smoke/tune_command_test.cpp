#include "smoke/command_folder.h"

namespace {

const char* const kScene = R"({
  "name": "napkin", "frames": 4,
  "cloths": [{"grid": {"points": [8, 6], "size": [0.3, 0.2]}, "pins": [{"grid": [[0, 0], [-1, 0]]}]}]
})";

class TuneCommandTest : public CommandFolder {
 protected:
  TuneCommandTest() : CommandFolder(kScene) {}
};

TEST_F(TuneCommandTest, PrintsTableAndAdvice) {
  ASSERT_EQ(muslin("tune scene.json"), 0) << text("messages.txt");
  const std::string output = text("output.txt");
  for (const char* part :
       {"napkin: 48 vertices, 4 frames", "astray %", "path lines, 3 substeps", "strain 1 %: "})
    EXPECT_NE(output.find(part), std::string::npos) << part << "\n" << output;
  EXPECT_NE(text("messages.txt").find("path general, 5 substeps"), std::string::npos) << "progress";
}

TEST_F(TuneCommandTest, WritesJson) {
  ASSERT_EQ(muslin("tune scene.json --frames 2 -q --json"), 0) << text("messages.txt");
  EXPECT_EQ(text("messages.txt"), "");
  const std::string output = text("output.txt");
  for (const char* part : {"\"frames\": 2", "\"step_error\": ", "\"advice\": {", "\"strain 1 %\": "})
    EXPECT_NE(output.find(part), std::string::npos) << part << "\n" << output;
  EXPECT_EQ(muslin("tune scene.json --set solver/position/method=pbd"), 3);
  EXPECT_NE(text("messages.txt").find("/solver/position/method"), std::string::npos);
}

}  // namespace
