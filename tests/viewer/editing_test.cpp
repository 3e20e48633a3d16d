#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "muslin/io/file.h"
#include "muslin/model/same_fields.h"
#include "muslin/solver/methods.h"
#include "viewer/coarser.h"
#include "viewer/gallery.h"
#include "viewer/method_keys.h"
#include "viewer/picking.h"
#include "viewer/session.h"

using namespace muslin;

namespace {

const char* const kText = R"({
  // Two corners hold it.
  "cloths": [{"grid": {"points": [9, 9], "size": [1, 1]}, "pins": [{"grid": [[0, 0], [-1, 0]]}]}],
  "solver": {"family": "position"},
  "viewer": {"set": ["solver/position/substeps=3"]}
}
)";

/// A scene file of its own in a folder that vanishes.
class Editing : public ::testing::Test {
 protected:
  Editing()
      : folder_(std::filesystem::temp_directory_path() / ("muslin_editing_" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(folder_);
    path_ = (folder_ / "scene.json").string();
    write_file(path_, kText, true);
  }
  ~Editing() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
  std::string path_;
};

TEST_F(Editing, UndoAndRedoWalkAlongTheChanges) {
  Session session({}, {}, true);
  ASSERT_TRUE(session.open(path_, false));
  EXPECT_FALSE(session.undo());
  session.scene().damping = 1;
  session.apply();
  session.scene().damping = 2;  // the same stroke
  session.apply();
  session.end_stroke();
  session.choose_method("newton");
  session.end_stroke();
  EXPECT_EQ(session.scene().solver.family, "newton");
  EXPECT_TRUE(session.undo());
  EXPECT_EQ(session.scene().solver.family, "position");
  EXPECT_EQ(session.scene().damping, 2);
  EXPECT_TRUE(session.undo());
  EXPECT_TRUE(same(session.scene(), session.original()));
  EXPECT_FALSE(session.undo());
  EXPECT_TRUE(session.redo());
  EXPECT_EQ(session.scene().damping, 2);
  session.scene().gravity.setZero();  // another way on
  session.apply();
  EXPECT_FALSE(session.redo());
}

TEST_F(Editing, PinsAreSavedAmongTheCommentsAndNothingElseChanges) {
  Session session({}, {}, true);
  ASSERT_TRUE(session.open(path_, false));
  EXPECT_EQ(session.pin({0, 40, 41}), 2);  // 0 is pinned already
  EXPECT_FALSE(session.is_saved());
  ASSERT_TRUE(session.save()) << session.trouble();
  EXPECT_TRUE(session.is_saved());
  std::string expected = kText;
  const std::string corner = "[-1, 0]]}";
  expected.replace(expected.find(corner), corner.size(), corner + ", {\"vertices\": [40, 41]}");
  EXPECT_EQ(read_file(path_), expected);
}

TEST_F(Editing, TheVariantRunsInTheViewerAndIsNotWrittenIntoTheScene) {
  Session session({}, {}, false);
  ASSERT_TRUE(session.open(path_, false));
  EXPECT_TRUE(session.shows_variant());
  EXPECT_EQ(session.scene().solver.position.substeps, 3);
  EXPECT_NE(read_scene(path_).solver.position.substeps, 3);
  session.scene().damping = 0.5;
  session.apply();
  ASSERT_TRUE(session.save()) << session.trouble();
  EXPECT_EQ(read_scene(path_).damping, 0.5);
  EXPECT_NE(read_scene(path_).solver.position.substeps, 3);
  session.show_as_written(true);
  EXPECT_FALSE(session.shows_variant());
  EXPECT_NE(session.scene().solver.position.substeps, 3);
}

// The variant's grid is half as fine as that of a run.
const char* const kCoarse = R"({
  "cloths": [{"grid": {"points": [17, 17], "size": [1, 1]}, "pins": [{"vertices": [0, 1, 2]}]}],
  "solver": {"family": "position"},
  "viewer": {"set": ["cloths/0/grid/points=[9, 9]"]}
}
)";

TEST_F(Editing, PinsOfTheVariantHoldTheSamePlacesAsWritten) {
  write_file(path_, kCoarse, true);
  Session session({}, {}, false);
  ASSERT_TRUE(session.open(path_, false)) << session.trouble();
  EXPECT_EQ(session.scene().cloths[0].pins[0].vertices, (std::vector<int>{0, 1})) << "vertex 2 is 1 there";
  // A row of three: the fine grid has five places there
  ASSERT_EQ(session.pin({9 * 4 + 3, 9 * 4 + 4, 9 * 4 + 5}), 3);
  session.end_stroke();
  EXPECT_NE(session.show_as_written(true).find("Ctrl+Z"), std::string::npos);
  EXPECT_FALSE(session.shows_variant());
  const std::vector<Pin>& pins = session.scene().cloths[0].pins;
  ASSERT_EQ(pins.size(), 2u);
  EXPECT_EQ(pins[0].vertices, (std::vector<int>{0, 1, 2}));
  const int row = 17 * 8;
  EXPECT_EQ(pins[1].vertices, (std::vector<int>{row + 6, row + 7, row + 8, row + 9, row + 10}));

  // The switch and the pin are two steps
  EXPECT_TRUE(session.undo());
  EXPECT_TRUE(session.shows_variant());
  EXPECT_EQ(session.scene().cloths[0].pins.size(), 2u);
  EXPECT_TRUE(session.undo());
  EXPECT_EQ(session.scene().cloths[0].pins.size(), 1u);
  EXPECT_TRUE(session.redo());
  EXPECT_TRUE(session.redo());
  EXPECT_FALSE(session.shows_variant());
  EXPECT_EQ(session.scene().cloths[0].pins.size(), 2u);

  // What is saved from either form is the file's
  EXPECT_TRUE(session.undo());
  ASSERT_TRUE(session.save()) << session.trouble();
  EXPECT_TRUE(session.is_saved());
  const std::vector<Pin> saved = read_scene(path_).cloths[0].pins;
  ASSERT_EQ(saved.size(), 2u);
  EXPECT_EQ(saved[0].vertices, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(saved[1].vertices, (std::vector<int>{row + 6, row + 7, row + 8, row + 9, row + 10}));
}

TEST_F(Editing, WhatTheVariantSetsStaysBehindAndIsSaid) {
  write_file(path_, kCoarse, true);
  Session session({}, {}, false);
  ASSERT_TRUE(session.open(path_, false));
  session.scene().cloths[0].grid->points = {5, 5};  // which the file cannot say: its variant overrides it
  session.apply();
  session.end_stroke();
  ASSERT_EQ(session.pin({12}), 1);
  const std::string words = session.show_as_written(true);
  EXPECT_NE(words.find("stay behind"), std::string::npos) << words;
  EXPECT_EQ(session.scene().cloths[0].grid->points, (std::array<int, 2>{17, 17}));
  ASSERT_EQ(session.scene().cloths[0].pins.size(), 2u);
  EXPECT_EQ(session.scene().cloths[0].pins[1].vertices, (std::vector<int>{17 * 8 + 8}));
  EXPECT_TRUE(session.undo());
  EXPECT_EQ(session.scene().cloths[0].grid->points, (std::array<int, 2>{5, 5}));
}

TEST_F(Editing, AFileThatAnotherHandHasChangedIsNotOverwritten) {
  Session session({}, {}, true);
  ASSERT_TRUE(session.open(path_, false));
  session.scene().damping = 0.5;
  session.apply();
  std::string other(kText);
  other += "// someone else's line\n";
  write_file(path_, other, true);
  std::filesystem::last_write_time(path_,
                                   std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_FALSE(session.save());
  EXPECT_NE(session.trouble().find("someone else"), std::string::npos);
  EXPECT_EQ(read_file(path_), other);
}

TEST(Keys, EveryMethodHasItsOwn) {
  std::set<std::string> keys;
  for (size_t m = 0; m < methods().size(); ++m) keys.insert(key_of_method(m));
  EXPECT_EQ(keys.size(), methods().size());
  std::set<size_t> reached;
  for (int code = 0; code < 400; ++code)
    for (const int modifiers : {0, 1})  // Shift is 1
      if (const auto method = method_of_key(code, modifiers)) reached.insert(*method);
  EXPECT_EQ(reached.size(), methods().size());
}

/// Two upright squares of 3 x 3 vertices, the second behind the first.
Stage two_squares() {
  Stage stage;
  stage.positions.resize(3, 18);
  for (int k = 0; k < 18; ++k) stage.positions.col(k) = Vec3(k % 3 - 1, k / 3 % 3 - 1, k < 9 ? 0 : -1);
  for (int first : {0, 9})
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i) {
        const int a = first + 3 * j + i;
        stage.triangles.push_back({a, a + 1, a + 4});
        stage.triangles.push_back({a, a + 4, a + 3});
      }
  return stage;
}

TEST(Lasso, TakesWhatIsInsideAndSeen) {
  Camera camera;
  camera.eye = {0.1, 0.1, 20};
  camera.target = {0.1, 0.1, 0};
  camera.field_of_view = 20;
  const double scale = 500 / (2 * std::tan(M_PI / 18));
  const auto pixel = [&](double x, double y, double depth) {
    return Vec2(250 + scale * (x - 0.1) / depth, 250 - scale * (y - 0.1) / depth);
  };
  // Round the right column of the front square, and its middle one but for the lowest vertex: an L.
  const std::vector<Vec2> line{pixel(-0.5, -0.5, 20), pixel(0.5, -0.5, 20), pixel(0.5, -1.5, 20),
                               pixel(1.5, -1.5, 20),  pixel(1.5, 1.5, 20),  pixel(-0.5, 1.5, 20)};
  EXPECT_EQ(vertices_inside(two_squares(), camera, line, 500, 500, false), (std::vector<int>{2, 4, 5, 7, 8}));
  EXPECT_EQ(vertices_inside(two_squares(), camera, line, 500, 500, true),
            (std::vector<int>{2, 4, 5, 7, 8, 11, 13, 14, 16, 17}));
}

TEST(Gallery, DoubtsThatAShippedSceneIsToBeSavedOnceEach) {
  const std::vector<SceneGroup> gallery{{"", {"a.json", "b.json"}}, {"more", {"c.json"}}};
  std::string asked;
  EXPECT_FALSE(doubt_of_saving(gallery, "mine.json", asked));
  EXPECT_TRUE(doubt_of_saving(gallery, "c.json", asked));
  EXPECT_FALSE(doubt_of_saving(gallery, "c.json", asked)) << "who asks again means it";
  EXPECT_TRUE(doubt_of_saving(gallery, "a.json", asked)) << "but not of another";
}

TEST(Coarser, HalvesTheCellsAndKeepsPinsWhereTheyWere) {
  Scene scene;
  Cloth cloth;
  cloth.grid.emplace();
  cloth.grid->points = {41, 21};
  cloth.grid->size = {2, 1};
  Pin pin;
  pin.grid = {{0, 0}, {-1, -1}, {10, 20}};
  pin.vertices = {41 * 4 + 6, 41 * 4 + 7};
  cloth.pins = {pin};
  scene.cloths = {cloth};
  const Scene half = coarser(scene).value();
  EXPECT_EQ(half.cloths[0].grid->points, (std::array<int, 2>{21, 11}));
  EXPECT_EQ(half.cloths[0].pins[0].grid, (std::vector<std::array<int, 2>>{{0, 0}, {5, 10}, {20, 10}}));
  EXPECT_EQ(half.cloths[0].pins[0].vertices, (std::vector<int>{21 * 2 + 3, 21 * 2 + 4}));
  EXPECT_TRUE(find_problems(half).empty());
  scene.cloths[0].grid->points = {5, 5};
  EXPECT_FALSE(coarser(scene));
}

}  // namespace
