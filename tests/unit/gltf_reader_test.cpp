#include "muslin/io/gltf_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gltf_maker.h"
#include "muslin/core/check.h"
#include "muslin/io/bytes.h"

namespace muslin {
namespace {

using Triangles = std::vector<Stencil<3>>;

std::string refusal(const std::string& bytes, const ReadNeighbour& read = {}) {
  try {
    parse_gltf(bytes, "a.glb", read);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid);
    return error.what();
  }
  return "no error";
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, text.npos) << from;
  return text.replace(place, from.size(), to);
}

// --- numbers ---------------------------------------------------------------------------------------

TEST(GltfReader, ReadsIndicesOfEveryTypeAndNone) {
  const std::vector<float> corners{0, 0, 0, 1, 0, 0, 0, 1, 0};
  const auto read = [&](const auto& add_indices) {
    Gltf file;
    file.places(corners);
    const bool has_indices = add_indices(file);
    file.meshes = fmt::format(R"({{"primitives": [{{"attributes": {{"POSITION": 0}}{}}}]}})",
                              has_indices ? R"(, "indices": 1)" : "");
    return parse_gltf(file.glb(), "a.glb").triangles;
  };
  const Triangles expected{{0, 1, 2}};
  EXPECT_EQ(read([](Gltf&) { return false; }), expected);
  EXPECT_EQ(read([](Gltf& f) { return f.add<std::uint8_t>(5121, "SCALAR", 1, {0, 1, 2}) == 1; }), expected);
  EXPECT_EQ(read([](Gltf& f) { return f.add<std::uint16_t>(5123, "SCALAR", 1, {0, 1, 2}) == 1; }), expected);
  EXPECT_EQ(read([](Gltf& f) { return f.add<std::uint32_t>(5125, "SCALAR", 1, {0, 1, 2}) == 1; }), expected);
}

TEST(GltfReader, CutsStripsAndFans) {
  Gltf file = square();
  file.meshes = R"({"primitives": [{"attributes": {"POSITION": 0}, "mode": 5}]})";
  EXPECT_EQ(parse_gltf(file.glb(), "a.glb").triangles, (Triangles{{0, 1, 2}, {2, 1, 3}}));
  file.meshes = R"({"primitives": [{"attributes": {"POSITION": 0}, "mode": 6}]})";
  EXPECT_EQ(parse_gltf(file.glb(), "a.glb").triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  file.meshes =
      R"({"primitives": [{"attributes": {"POSITION": 0}, "mode": 1}, {"attributes": {"POSITION": 0}, "indices": 1}]})";
  EXPECT_EQ(parse_gltf(file.glb(), "a.glb").repairs,
            std::vector<std::string>{"left out 1 primitive of points or lines"});
}

TEST(GltfReader, TakesIntegersAsPlacesAndFractions) {
  Gltf file;
  file.add<std::int16_t>(5122, "VEC3", 3, {0, 0, 0, 300, 0, 0, 0, -7, 0});
  file.meshes = R"({"primitives": [{"attributes": {"POSITION": 0}}]})";
  EXPECT_EQ(parse_gltf(file.glb(), "a.glb").positions.col(1), Vec3(300, 0, 0));
  Gltf fractions;
  fractions.add<std::int8_t>(5120, "VEC3", 3, {0, 0, 0, 127, 0, 0, 0, -128, 0}, R"(, "normalized": true)");
  fractions.meshes = file.meshes;
  const Mesh mesh = parse_gltf(fractions.glb(), "a.glb");
  EXPECT_EQ(mesh.positions.col(1), Vec3(1, 0, 0));
  EXPECT_EQ(mesh.positions.col(2), Vec3(0, -1, 0));
}

TEST(GltfReader, SparseNumbersTakeThePlaceOfOthers) {
  Gltf file;
  file.places({0, 0, 0, 1, 0, 0, 0, 1, 0});
  file.add<std::uint8_t>(5121, "SCALAR", 1, {1});
  file.places({5, 6, 7});
  file.accessors = changed(file.accessors, R"("count": 3)", R"("count": 3, "sparse": {"count": 1,
    "indices": {"bufferView": 1, "componentType": 5121}, "values": {"bufferView": 2}})");
  file.meshes = R"({"primitives": [{"attributes": {"POSITION": 0}}]})";
  EXPECT_EQ(parse_gltf(file.glb(), "a.glb").positions.col(1), Vec3(5, 6, 7));
  EXPECT_EQ(parse_gltf(file.glb(), "a.glb").positions.col(2), Vec3(0, 1, 0));
}

// --- nodes -----------------------------------------------------------------------------------------

TEST(GltfReader, NodesPutTheirMeshesInPlace) {
  Gltf file = square();
  file.nodes = R"({"children": [1], "translation": [0, 0, 10]},
    {"mesh": 0, "translation": [1, 2, 3], "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476], "scale": [2, 1, 1]})";
  const Mesh turned = parse_gltf(file.glb(), "a.glb");
  // (1, 1, 0) is scaled to (2, 1, 0), turned by 90 degrees about z to (-1, 2, 0), then moved.
  EXPECT_LT((turned.positions.col(2) - Vec3(0, 4, 13)).norm(), 1e-15);
  file.nodes = R"({"children": [1], "translation": [0, 0, 10]},
    {"mesh": 0, "matrix": [0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]})";
  EXPECT_LT((parse_gltf(file.glb(), "a.glb").positions - turned.positions).norm(), 1e-15);
}

TEST(GltfReader, MirroredNodesKeepTheirFrontOutside) {
  Gltf file = square();
  file.nodes = R"({"mesh": 0, "scale": [-1, 1, 1]})";
  const Mesh mesh = parse_gltf(file.glb(), "a.glb");
  EXPECT_GT(vertex_normals(mesh.positions, mesh.triangles)(2, 0), 0) << "the front still looks along z";
}

TEST(GltfReader, OnlyTheSceneIsRead) {
  Gltf file = square();
  file.nodes = R"({"mesh": 0}, {"mesh": 0, "name": "shown"})";
  EXPECT_EQ(parse_gltf(file.glb(), "a.glb").vertex_count(), 8);
  file.more = R"(, "scenes": [{"nodes": [0]}, {"nodes": [1]}], "scene": 1)";
  const Mesh mesh = parse_gltf(file.glb(), "a.glb");
  EXPECT_EQ(mesh.vertex_count(), 4);
  EXPECT_EQ(mesh.polygons->objects, std::vector<std::string>{"shown"});
}

// --- names and seams -------------------------------------------------------------------------------

TEST(GltfReader, NamesBecomeObjectsGroupsAndMaterials) {
  Gltf file = square();
  file.materials = R"({"name": "red"}, {})";
  file.meshes =
      R"({"name": "panel", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 1}]})";
  file.nodes = R"({"name": "left sleeve", "children": [1, 2]}, {"mesh": 0}, {"mesh": 0, "name": "cuff\n"},
    {"mesh": 0, "name": "cuff_"})";
  const Polygons polygons = *parse_gltf(file.glb(), "a.glb").polygons;
  EXPECT_EQ(polygons.objects, (std::vector<std::string>{"panel", "cuff_", "cuff_ 2"}));
  EXPECT_EQ(polygons.groups, std::vector<std::string>{"left_sleeve"});
  EXPECT_EQ(polygons.materials, std::vector<std::string>{"materials/1"});
  const std::vector<bool> in_group = polygons_named(polygons, kGroup, "left_sleeve");
  EXPECT_EQ(in_group, (std::vector<bool>{true, true, true, true, false, false}));
}

// Two triangles, a material each, whose common edge has two texture coordinates: glTF has six vertices.
TEST(GltfReader, WhatGltfSplitsIsOneAgain) {
  Gltf file;
  file.places({0, 0, 0, 1, 0, 0, 1, 1, 0});
  file.floats("VEC2", 2, {0, 1, 1, 1, 1, 0});
  file.places({0, 0, 0, 1, 1, 0, 0, 1, 0});
  file.floats("VEC2", 2, {.5f, .5f, .75f, .5f, .75f, .25f});
  file.materials = R"({"name": "red"}, {"name": "blue"})";
  file.meshes =
      R"({"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": 0},
                         {"attributes": {"POSITION": 2, "TEXCOORD_0": 3}, "material": 1}]})";
  const Mesh mesh = parse_gltf(file.glb(), "a.glb");
  ASSERT_EQ(mesh.vertex_count(), 4);
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(mesh.uv_of(0)[0], Vec2(0, 0)) << "v goes up with us";
  EXPECT_EQ(mesh.uv_of(1)[0], Vec2(.5, .5));
  EXPECT_EQ(mesh.uv_of(1)[2], Vec2(.75, .75));
  EXPECT_EQ(polygons_named(*mesh.polygons, kMaterial, "blue"), (std::vector<bool>{false, true}));
  EXPECT_EQ(mesh.repairs,
            std::vector<std::string>{
                "joined 2 vertices to others of their mesh in the same place, as glTF splits them"});
}

TEST(GltfReader, VerticesOfOtherMeshesStayApart) {
  Gltf file = square();
  file.nodes = R"({"mesh": 0}, {"mesh": 0})";
  EXPECT_EQ(parse_gltf(file.glb(), "a.glb").vertex_count(), 8) << "merge sews them, if that is wanted";
}

// A buffer that several meshes share has vertices of the others.
TEST(GltfReader, OnlyVerticesThatTrianglesNameAreTaken) {
  Gltf file;
  file.places({9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0});
  file.add<std::uint8_t>(5121, "SCALAR", 1, {1, 2, 3});
  file.meshes = R"({"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]})";
  EXPECT_EQ(parse_gltf(file.glb(), "a.glb").vertex_count(), 3);
}

// --- files -----------------------------------------------------------------------------------------

TEST(GltfReader, BuffersAreInTheFileOrBesideIt) {
  Gltf file;
  file.places({0, 0, 0, 1, 0, 0, 0, 1, 0});
  file.meshes = R"({"primitives": [{"attributes": {"POSITION": 0}}]})";
  // 36 bytes: zeros but for 1.0f = 00 00 80 3f at bytes 12 and 28, in base64 by hand.
  const std::string base64 = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
  const Points expected = parse_gltf(file.glb(), "a.glb").positions;
  EXPECT_EQ(
      parse_gltf(file.json(R"(, "uri": "data:application/octet-stream;base64,)" + base64 + '"'), "a.gltf")
          .positions,
      expected);
  const auto read = [&](const std::string& name) {
    EXPECT_EQ(name, "the cloth.bin");
    return file.bytes;
  };
  EXPECT_EQ(parse_gltf(file.json(R"(, "uri": "the%20cloth.bin")"), "a.gltf", read).positions, expected);
}

TEST(GltfReader, SaysWhatItLeavesOut) {
  Gltf file = square();
  file.places({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1});
  file.meshes = changed(file.meshes, R"("indices": 1)", R"("indices": 1, "targets": [{"POSITION": 2}])");
  file.more = R"(, "animations": [{}, {}])";
  EXPECT_EQ(parse_gltf(file.glb(), "a.glb").repairs,
            (std::vector<std::string>{"left out 2 animations", "left out 1 morph target"}));
}

TEST(GltfReader, SaysWhatIsWrongAndWhere) {
  const Gltf file = square();
  const std::string glb = file.glb(), json = file.json("");
  EXPECT_EQ(refusal("glTF"), "a.glb: byte 4: the header must have 12 bytes, but the file ends");
  EXPECT_EQ(refusal(changed(glb, std::string("glTF\2", 5), std::string("glTF\1", 5))),
            "a.glb: byte 4: must be version 2, got 1");
  for (std::size_t length = 12; length < glb.size(); length += 5)
    EXPECT_EQ(refusal(glb.substr(0, length)).find("a.glb: byte 8: the file must have the"), 0u) << length;
  EXPECT_EQ(refusal("solid teapot"), "a.glb: a glTF file must begin with glTF (GLB) or {, got 'solid te'");
  EXPECT_EQ(refusal("{}"), "a.glb:1:1: must be glTF, with an \"asset\"");
  EXPECT_EQ(refusal(changed(json, "2.0", "1.0")), "a.glb:1:11: /asset: must be of version 2, got '1.0'");
  EXPECT_NE(refusal(json).find("/buffers/0: must have a uri, as the file has no binary chunk for it"),
            std::string::npos);

  const auto with = [](const std::string& from, const std::string& to,
                       std::string Gltf::*list = &Gltf::meshes) {
    Gltf broken = square();
    broken.*list = changed(broken.*list, from, to);
    return refusal(broken.glb());
  };
  EXPECT_EQ(
      with("\"POSITION\": 0", "\"POSITION\": 7"),
      "a.glb: /meshes/0/primitives/0/attributes/POSITION: must be the number of one of the 2 accessors of "
      "the file, got 7");
  EXPECT_EQ(with("\"indices\": 1", "\"indices\": 0"),
            "a.glb: /accessors/0: must be of type SCALAR, got 'VEC3'");
  EXPECT_EQ(
      with("\"count\": 6", "\"count\": 7", &Gltf::accessors),
      "a.glb: /accessors/1: 7 elements of 2 bytes, every 2 from byte 0 on, must lie within the 12 bytes of "
      "the view");
  EXPECT_EQ(with("\"count\": 6", "\"count\": 4000000000", &Gltf::accessors),
            "a.glb: /accessors/1: must have at most 24000000 elements, got 4000000000");
  EXPECT_EQ(with("\"count\": 6", "\"count\": -1", &Gltf::accessors),
            "a.glb: /accessors/1/count: must be a whole number, 0 or more, got -1");
  EXPECT_EQ(with("5123", "5130", &Gltf::accessors),
            "a.glb: /accessors/1: has no componentType of glTF, got 5130");
  EXPECT_EQ(
      with("\"byteLength\": 12", "\"byteLength\": 13", &Gltf::views),
      "a.glb: /bufferViews/1: must lie within the 60 bytes of its buffer, got 13 bytes from byte 48 on");
  EXPECT_EQ(with("\"indices\": 1", "\"indices\": 1, \"mode\": 9"),
            "a.glb: /meshes/0/primitives/0: mode must be 0 to 6, got 9");
  EXPECT_EQ(with("0}", "0, \"scale\": [1, 1]}", &Gltf::nodes),
            "a.glb: /nodes/0/scale: must be 3 numbers, got an array of 2");
  EXPECT_EQ(with("0}", "0, \"children\": [0]}", &Gltf::nodes),
            "a.glb: /nodes/0: must not be below itself, as one of a ring of nodes");
  Gltf twice = square();
  twice.nodes = R"({"children": [1, 1]}, {"mesh": 0})";
  EXPECT_EQ(refusal(twice.glb()), "a.glb: /nodes/1: must be the child of one node, got a second");
}

TEST(GltfReader, RefusesNumbersThatNoMeshHas) {
  Gltf beyond = square();
  beyond.bytes[48] = 4;
  EXPECT_EQ(refusal(beyond.glb()), "a.glb: /accessors/1: element 0 must be a vertex from 0 to 3, got 4");
  Gltf nan = square();
  std::string bits;
  append_little(bits, std::nanf(""));
  nan.bytes.replace(12, 4, bits);
  EXPECT_EQ(refusal(nan.glb()).find("a.glb: /accessors/0: element 1 must be finite, got"), 0u);
}

TEST(GltfReader, RefusesWhatWouldHaveAnotherShape) {
  Gltf file = square();
  file.more = R"(, "extensionsRequired": ["KHR_materials_unlit", "KHR_draco_mesh_compression"])";
  EXPECT_EQ(refusal(file.glb()),
            "a.glb: /extensionsRequired/1: 'KHR_draco_mesh_compression' is not read: export the file without "
            "compression");
  file = square();
  file.accessors = changed(file.accessors, R"("bufferView": 0, )", "");
  EXPECT_NE(refusal(file.glb()).find("/accessors/0: must have a bufferView: if the numbers are compressed"),
            std::string::npos);
}

}  // namespace
}  // namespace muslin
