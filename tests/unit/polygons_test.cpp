// Frames hold what the mesh file holds: polygons, objects, groups, materials, normals, all texture
// coordinates.
#include "muslin/geometry/polygons.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include "muslin/core/check.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/obj_reader.h"
#include "muslin/io/ply_reader.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

/// A skirt of a pentagon, two quads and a triangle with a seam in its texture, and a flat belt of two quads.
const std::string kOutfit = R"(# exported by hand
mtllib cloth.mtl
o skirt
v 0 0 0
v 1 0 0
v 2 0 0.5
v 0 1 0
v 1 1 0
v 2 1 0.5
v 0.5 1.5 0.1
v 3 0 0
v 3 1 0
vt 0 0
vt 0.5 0
vt 0.5 1
vt 0 1
vt 0.6 0
vt 1 0
vt 1 1
vt 0.6 1
vt 0.25 2
vn 0 0 1
vn 0 -0.4 1
vn 0.1 0 1
g waist hem
usemtl linen
s 1
f 1/1/1 2/2/1 5/3/1 7/9/1 4/4/1
usemtl red silk
f 2/5/2 3/6/2 6/7/2 5/8/2
g hem
f 3/6/3 8/1/3 9/4/3 6/7/3
o belt
v 0 2 0
v 1 2 0
v 1 3 0
v 0 3 0
v 2 2 1
v 2 3 1
g buckle
usemtl leather
s off
f 10/1/1 11/2/1 12/3/1 13/4/1
f 11/2/1 14/5/1 15/8/1 12/3/1
)";

/// Another reader of OBJ than the one under test: everything a face says, by value.
struct Corner {
  std::array<double, 3> place;
  std::vector<double> uv;
  std::vector<double> normal;
  bool operator==(const Corner&) const = default;
};
struct Face {
  std::string object, groups, material, smoothing;
  std::vector<int> vertices;
  std::vector<Corner> corners;
};
struct Listing {
  std::set<std::string> libraries;
  std::vector<std::array<double, 3>> vertices;
  std::vector<Face> faces;
};

std::vector<double> numbers_in(std::istringstream& words) {
  std::vector<double> numbers;
  for (double x; words >> x;) numbers.push_back(x);
  return numbers;
}

Corner corner_of(const std::string& word, const Listing& listing, const std::vector<std::vector<double>>& uv,
                 const std::vector<std::vector<double>>& normals, Face& face) {
  std::istringstream parts(word);
  std::array<std::string, 3> part;
  for (std::string& p : part) std::getline(parts, p, '/');
  Corner corner;
  face.vertices.push_back(std::stoi(part[0]) - 1);
  corner.place = listing.vertices.at(face.vertices.back());
  if (!part[1].empty()) corner.uv = uv.at(std::stoi(part[1]) - 1);
  if (!part[2].empty()) corner.normal = normals.at(std::stoi(part[2]) - 1);
  return corner;
}

Listing list(const std::string& text) {
  Listing listing;
  std::vector<std::vector<double>> uv, normals;
  Face now;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string keyword, rest;
    words >> keyword;
    rest = line.size() > keyword.size() ? line.substr(keyword.size() + 1) : "";
    if (keyword == "v") {
      const std::vector<double> x = numbers_in(words);
      listing.vertices.push_back({x[0], x[1], x[2]});
    }
    if (keyword == "vt") uv.push_back(numbers_in(words));
    if (keyword == "vn") normals.push_back(numbers_in(words));
    if (keyword == "mtllib") listing.libraries.insert(rest);
    if (keyword == "o") now.object = rest;
    if (keyword == "g") now.groups = rest;
    if (keyword == "usemtl") now.material = rest;
    if (keyword == "s") now.smoothing = rest;
    if (keyword != "f") continue;
    Face face = now;
    for (std::string word; words >> word;)
      face.corners.push_back(corner_of(word, listing, uv, normals, face));
    listing.faces.push_back(face);
  }
  return listing;
}

Scene outfit_scene(const Mesh& mesh) {
  Scene scene;
  Cloth cloth;
  cloth.name = "outfit";
  cloth.mesh = MeshFile();
  cloth.mesh->mesh = std::make_shared<const Mesh>(mesh);
  scene.cloths = {cloth};
  return scene;
}

std::string frame_of(const Simulation& simulation, const char* format = "obj") {
  return make_frame_writer(format)->encode(simulation.model(), simulation.state());
}

TEST(Polygons, ComeBackFromFrame0WithAllThatTheFileSays) {
  const Simulation simulation(outfit_scene(parse_obj(kOutfit, "outfit.obj")));
  const Listing in = list(kOutfit), out = list(frame_of(simulation));
  EXPECT_EQ(out.libraries, in.libraries);
  EXPECT_EQ(out.vertices, in.vertices);
  ASSERT_EQ(out.faces.size(), in.faces.size());
  for (std::size_t f = 0; f < in.faces.size(); ++f) {
    const Face &before = in.faces[f], &after = out.faces[f];
    EXPECT_EQ(after.object, before.object) << f;
    EXPECT_EQ(after.groups, before.groups) << f;
    EXPECT_EQ(after.material, before.material) << f;
    EXPECT_EQ(after.smoothing, before.smoothing) << f;
    EXPECT_EQ(after.vertices, before.vertices) << f;
    ASSERT_EQ(after.corners.size(), before.corners.size()) << f;
    for (std::size_t k = 0; k < before.corners.size(); ++k) {
      EXPECT_EQ(after.corners[k].uv, before.corners[k].uv) << f << " " << k;
      EXPECT_EQ(after.corners[k].normal.size(), 3u) << f << " " << k;
    }
  }
}

/// The mean of polygons' area vectors (by Newell's sum), of unit length.
Vec3 mean_normal(const Listing& listing, const std::vector<int>& faces) {
  Vec3 sum = Vec3::Zero();
  for (const int f : faces) {
    const std::vector<Corner>& corners = listing.faces[f].corners;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec3 a(corners[k].place.data()), b(corners[(k + 1) % corners.size()].place.data());
      sum += a.cross(b);
    }
  }
  return sum.normalized();
}

TEST(Polygons, HaveNormalsOfTheDeformedClothWhereTheFileIsSmooth) {
  Simulation simulation(outfit_scene(parse_obj(kOutfit, "outfit.obj")));
  for (int frame = 0; frame < 3; ++frame) simulation.step();
  const Listing listing = list(frame_of(simulation));
  const auto normal = [&](int f, int k) { return Vec3(listing.faces[f].corners[k].normal.data()); };
  const auto expect = [&](int f, int k, const std::vector<int>& faces) {
    EXPECT_LT((normal(f, k) - mean_normal(listing, faces)).norm(), 1e-5) << f << " " << k;
  };
  expect(0, 0, {0});
  expect(0, 1, {0});  // the quad beside has a normal of its own there
  expect(1, 0, {1});
  expect(1, 1, {1});
  expect(2, 0, {2});
  expect(3, 1, {3});  // not smooth
  expect(4, 0, {4});

  std::string smooth = kOutfit;
  smooth.replace(smooth.find("s off"), 5, "s 1  ");
  const Listing joined = list(frame_of(Simulation(outfit_scene(parse_obj(smooth, "outfit.obj")))));
  const Vec3 shared(joined.faces[3].corners[1].normal.data());
  EXPECT_EQ(joined.faces[3].corners[1].normal, joined.faces[4].corners[0].normal);
  EXPECT_LT((shared - mean_normal(joined, {3, 4})).norm(), 1e-5);
}

TEST(Polygons, AreReadFromAWrittenFrameAgain) {
  const Simulation simulation(outfit_scene(parse_obj(kOutfit, "outfit.obj")));
  const std::string first = frame_of(simulation);
  const Simulation again(outfit_scene(parse_obj(first, "frame.obj")));
  EXPECT_EQ(frame_of(again), first);
}

TEST(Polygons, AreInPlyFramesWithTheTextureOfEveryCorner) {
  const Mesh mesh = parse_obj(kOutfit, "outfit.obj");
  const Simulation simulation(outfit_scene(mesh));
  const std::string bytes = frame_of(simulation, "ply");
  EXPECT_NE(bytes.find("element face 5\nproperty list uchar int vertex_indices\n"
                       "property list uchar double texcoord\n"),
            bytes.npos);
  const Mesh back = parse_ply(bytes, "frame.ply");
  EXPECT_EQ(back.triangles, mesh.triangles);
  EXPECT_EQ(back.positions, mesh.positions);
  EXPECT_EQ(back.polygons->end, mesh.polygons->end);
  const std::size_t body = bytes.find("end_header\n") + 11 + 15 * 40;
  EXPECT_EQ(bytes[body], 5) << "a pentagon";
  EXPECT_EQ(bytes[body + 1 + 5 * 4], 10) << "and its texture";
  double u;
  std::memcpy(&u, bytes.data() + body + 1 + 5 * 4 + 1 + 3 * 16, sizeof u);
  EXPECT_EQ(u, 0.25);
}

TEST(Polygons, OfSeveralClothsKeepTheirNumbersApart) {
  Scene scene = outfit_scene(parse_obj(kOutfit, "outfit.obj"));
  Cloth sheet;
  sheet.grid = Grid();
  sheet.grid->points = {2, 2};
  scene.cloths.insert(scene.cloths.begin(), sheet);
  scene.cloths.push_back(scene.cloths[1]);
  scene.cloths[2].name = "twin";
  const Listing out = list(frame_of(Simulation(scene))), in = list(kOutfit);
  ASSERT_EQ(out.faces.size(), 2 + 2 * in.faces.size());
  EXPECT_EQ(out.faces[0].object, "cloth");
  for (std::size_t f = 0; f < in.faces.size(); ++f)
    for (const std::size_t first : {std::size_t{2}, 2 + in.faces.size()})
      for (std::size_t k = 0; k < in.faces[f].corners.size(); ++k) {
        EXPECT_EQ(out.faces[first + f].corners[k].place, in.faces[f].corners[k].place);
        EXPECT_EQ(out.faces[first + f].corners[k].uv, in.faces[f].corners[k].uv);
      }
}

TEST(Polygons, OfManySmallPartsKnowTheirNames) {
  const Mesh mesh = parse_obj(kOutfit, "outfit.obj");
  const Polygons& polygons = *mesh.polygons;
  EXPECT_EQ(names_of(polygons, kGroup), (std::vector<std::string>{"waist", "hem", "buckle"}));
  EXPECT_EQ(names_of(polygons, kMaterial), (std::vector<std::string>{"linen", "red silk", "leather"}));
  EXPECT_EQ(polygons_named(polygons, kGroup, "hem"), (std::vector<bool>{true, true, true, false, false}));
  EXPECT_EQ(polygons_named(polygons, kMaterial, "red silk"),
            (std::vector<bool>{false, true, true, false, false}));
  EXPECT_EQ(polygons_named(polygons, kObject, "belt"), (std::vector<bool>{false, false, false, true, true}));
}

TEST(Polygons, OfAMeshWhoseTrianglesWereChangedDoNotCount) {
  Mesh mesh = parse_obj(kOutfit, "outfit.obj");
  mesh.triangles.resize(mesh.triangles.size() - 2);  // the second half of the belt
  mesh.positions.conservativeResize(3, 13);
  mesh.uv.resize(13);
  mesh.diagonals.clear();  // some are of vertices that are gone: those are refused
  const Simulation simulation(outfit_scene(mesh));
  EXPECT_EQ(list(frame_of(simulation)).faces.size(), mesh.triangles.size());
}

}  // namespace
}  // namespace muslin
