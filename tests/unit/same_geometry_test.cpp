// Which colliders take the same room.
#include <gtest/gtest.h>

#include "muslin/model/same_geometry.h"

namespace muslin {
namespace {

Collider deforming() {
  Mesh mesh;
  mesh.positions = Points::Identity(3, 3);
  mesh.triangles = {{0, 1, 2}};
  Collider collider;
  collider.shape = Shape::mesh;
  collider.mesh = MeshFile();
  collider.mesh->mesh = std::make_shared<const Mesh>(mesh);
  collider.frames = MeshFrames();
  collider.frames->shapes =
      std::make_shared<const std::vector<Points>>(std::vector<Points>{mesh.positions, 2 * mesh.positions});
  return collider;
}

TEST(SameGeometry, NameAndFrictionTakeNoRoom) {
  Collider other = deforming();
  other.name = "other";
  other.friction = 2;
  EXPECT_TRUE(same_geometry({deforming()}, {other}));
  EXPECT_FALSE(same_geometry({deforming()}, {other, other}));
  const auto changed = [](const auto& change) {
    Collider collider = deforming();
    change(collider);
    return !same_geometry({deforming()}, {collider});
  };
  EXPECT_TRUE(changed([](Collider& c) { c.enabled = false; }));
  EXPECT_TRUE(changed([](Collider& c) { c.center.x() = 1; }));
  EXPECT_TRUE(changed([](Collider& c) { c.margin = 0.01; }));
  EXPECT_TRUE(changed([](Collider& c) { c.motion.keyframes = {{0}}; }));
  EXPECT_TRUE(changed([](Collider& c) { c.mesh->scale = 2; }));
  EXPECT_TRUE(changed([](Collider& c) { c.frames->interval = 1; }));
  EXPECT_TRUE(changed([](Collider& c) { c.frames.reset(); }));
}

TEST(SameGeometry, FilesOfTheSameNameMayHaveOtherContents) {
  Collider other = deforming();
  Mesh mesh = *other.mesh->mesh;
  mesh.positions(0, 0) = 3;
  other.mesh->mesh = std::make_shared<const Mesh>(mesh);
  EXPECT_FALSE(same_geometry({deforming()}, {other}));
  other = deforming();
  other.frames->shapes = std::make_shared<const std::vector<Points>>(1, Points::Identity(3, 3));
  EXPECT_FALSE(same_geometry({deforming()}, {other}));
  other.mesh->mesh.reset();
  EXPECT_FALSE(same_geometry(*deforming().mesh, *other.mesh));
  EXPECT_TRUE(same_geometry(MeshFile(), MeshFile())) << "neither is read";
}

}  // namespace
}  // namespace muslin
