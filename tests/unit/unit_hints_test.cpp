#include "muslin/model/unit_hints.h"

#include <gtest/gtest.h>

#include "mesh_folder.h"
#include "muslin/core/text.h"
#include "muslin/model/motion.h"

namespace muslin {
namespace {

/// A body of the height of a person, standing on the origin with y up: an egg 1.8 m high and 0.5 m wide.
MeshFile person(double unit) {
  Mesh mesh = ball_mesh(0.25, 16, 3.6);
  mesh.positions.row(1).array() += 0.9;
  mesh.positions /= unit;
  MeshFile file;
  file.mesh = std::make_shared<const Mesh>(mesh);
  return file;
}

double height_of(const MeshFile& file) {
  const Points points = placed(file, file.mesh->positions);
  return points.row(1).maxCoeff() - points.row(1).minCoeff();
}

TEST(UnitHints, NameTheUnitAndTheScaleThatMendsIt) {
  EXPECT_TRUE(mesh_hints(person(1), kLargeMesh).empty());
  for (const auto& [unit, words] : {std::pair(0.01, "centimetres"), std::pair(0.001, "millimetres")}) {
    MeshFile file = person(unit);
    const std::vector<std::string> hints = mesh_hints(file, kLargeMesh);
    ASSERT_EQ(hints.size(), 1u) << words;
    EXPECT_NE(hints[0].find(words), std::string::npos) << hints[0];
    EXPECT_NE(hints[0].find(fmt::format("\"scale\": {}", unit)), std::string::npos) << hints[0];
    file.scale = unit;  // as told
    EXPECT_NEAR(height_of(file), 1.8, 0.02);
    EXPECT_TRUE(mesh_hints(file, kLargeMesh).empty());
  }
}

TEST(UnitHints, SeeAPersonOnTheirBack) {
  MeshFile file = person(1);
  Mesh lying = *file.mesh;
  lying.positions.row(1) = -file.mesh->positions.row(2);
  lying.positions.row(2) = file.mesh->positions.row(1);  // z up
  file.mesh = std::make_shared<const Mesh>(lying);
  EXPECT_NEAR(height_of(file), 0.5, 0.02);
  const std::vector<std::string> hints = mesh_hints(file, kLargeMesh);
  ASSERT_EQ(hints.size(), 1u);
  EXPECT_NE(hints[0].find("\"rotation\": [-90, 0, 0]"), std::string::npos) << hints[0];
  file.rotation = {-90, 0, 0};  // as told
  EXPECT_NEAR(height_of(file), 1.8, 0.02);
  EXPECT_GE(placed(file, file.mesh->positions).row(1).minCoeff(), -1e-9) << "the right way up";
  EXPECT_TRUE(mesh_hints(file, kLargeMesh).empty());
}

TEST(DistanceText, HasNoExponentWherePeopleMeasure) {
  EXPECT_EQ(distance_text(0.0032), "3.2 mm");
  EXPECT_EQ(distance_text(0.9994), "999 mm");
  EXPECT_EQ(distance_text(0.9999), "1 m");
  EXPECT_EQ(distance_text(12.84), "12.8 m");
  EXPECT_EQ(distance_text(-12843), "-12843 m");
  EXPECT_EQ(distance_text(0), "0 mm");
}

}  // namespace
}  // namespace muslin
