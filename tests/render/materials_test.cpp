#include "muslin/render/materials.h"

#include <gtest/gtest.h>

#include "mesh_folder.h"
#include "muslin/render/image.h"

// Colours of OBJ materials, from the files to the stage.

namespace muslin {
namespace {

class Materials : public MeshFolder {
 protected:
  Materials() {
    // A strip of three squares: red, a picture, and a material that nobody describes
    write("strip.obj",
          "mtllib strip.mtl\nv 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nv 0 0 1\nv 1 0 1\nv 2 0 1\nv 3 0 1\n"
          "vt 0.25 0.75\nvt 0.75 0.25\n"
          "usemtl red\nf 1 5 6 2\nusemtl photo\nf 2/1 6/1 7/2 3/2\nusemtl other\nf 3 7 8 4\n");
    write("strip.mtl",
          "newmtl red\nKd 0.8 0.1 0.05\nnewmtl photo\nKd 1 1 1\nmap_Kd -s 1 1 1 two by two.png\n");
    // Upper left green, lower right blue
    const Pixel black{0, 0, 0}, green{0, 255, 0}, blue{0, 0, 255};
    write_png((folder_ / "two by two.png").string(), Image{2, 2, {green, black, black, blue}}, true);
  }
};

TEST_F(Materials, ColourTheVerticesOfClothAndBodies) {
  const Scene both =
      scene(R"("name": "body", "shape": "mesh", "mesh": {"file": "strip.obj", "translation": [0, -1, 0]})",
            "", R"("mesh": {"file": "strip.obj"})");
  const Model model = build_model(both);
  const Paint paint = read_paint(both, model);
  EXPECT_TRUE(paint.words.empty()) << paint.words.front();
  const Eigen::Vector3f red(0.8f, 0.1f, 0.05f), green(0, 1, 0), blue(0, 0, 1);
  ASSERT_TRUE(paint.cloth);
  for (int v = 0; v < model.vertex_count(); ++v) {
    const int user = model.vertex_numbers.to_user(v) % 4;
    const Eigen::Vector3f colour = (*paint.cloth)[v];
    if (user == 3)
      EXPECT_LT(colour.maxCoeff(), 0) << "no material says";
    else
      EXPECT_TRUE(colour.isApprox(user < 2 ? red : blue)) << v << ": " << colour.transpose();
  }
  ASSERT_EQ(paint.colliders.size(), 1u);
  ASSERT_TRUE(paint.colliders[0]);
  EXPECT_TRUE((*paint.colliders[0])[0].isApprox(red));

  Stage stage = make_stage(model, initial_state(model));
  put_on(paint, model, stage);
  EXPECT_EQ(stage.colours, paint.cloth);
  EXPECT_EQ(stage.colliders.at(0).colours, paint.colliders[0]);
}

TEST_F(Materials, ShowThePictureUpToItsBorder) {
  write("square.obj",
        "mtllib strip.mtl\nv 0 0 1\nv 1 0 1\nv 1 0 0\nv 0 0 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
        "usemtl photo\nf 1/1 2/2 3/3 4/4\n");
  const Scene one = scene(R"("name": "ball")", "", R"("mesh": {"file": "square.obj"})");
  const Model model = build_model(one);
  const Paint paint = read_paint(one, model);
  ASSERT_TRUE(paint.cloth);
  const Eigen::Vector3f black(0, 0, 0), green(0, 1, 0), blue(0, 0, 1);
  for (int v = 0; v < 4; ++v) {
    const Eigen::Vector3f colour = (*paint.cloth)[model.vertex_numbers.to_model(v)];
    EXPECT_EQ(colour, v == 1 ? blue : v == 3 ? green : black) << v;
  }
}

TEST_F(Materials, OfManyLargePicturesKeepWhatFitsIntoMemory) {
  const auto blank = [&](const std::string& name, int size) {
    write_png((folder_ / name).string(), Image{size, size, std::vector<Pixel>(size_t(size) * size)}, true);
  };
  blank("large.png", 8192);
  std::filesystem::copy_file(folder_ / "large.png", folder_ / "as large.png");
  blank("small.png", 1);
  write("strip.mtl",
        "newmtl red\nmap_Kd large.png\nnewmtl photo\nmap_Kd as large.png\nnewmtl other\nmap_Kd small.png\n");
  const Scene one = scene(R"("name": "ball")", "", R"("mesh": {"file": "strip.obj"})");
  const Paint paint = read_paint(one, build_model(one));
  ASSERT_EQ(paint.words.size(), 1u);
  EXPECT_NE(paint.words[0].find("small.png: must have at most"), std::string::npos) << paint.words[0];
}

TEST_F(Materials, ThatCannotBeReadAreSaidAndNothingElseHappens) {
  write("strip.mtl",
        "newmtl red\nKd 0.8 0.1 0.05\nmap_Kd none.png\nnewmtl photo\nmap_Kd ../../etc/picture.png\n");
  const Scene one = scene(R"("name": "ball")", "", R"("mesh": {"file": "strip.obj"})");
  const Paint paint = read_paint(one, build_model(one));
  ASSERT_EQ(paint.words.size(), 2u);
  EXPECT_NE(paint.words[0].find("none.png"), std::string::npos);
  EXPECT_NE(paint.words[1].find("not below the scene's folder"), std::string::npos);
  ASSERT_TRUE(paint.cloth);
}

}  // namespace
}  // namespace muslin
