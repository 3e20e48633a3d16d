#include "muslin/io/mesh_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/obj_reader.h"
#include "muslin/io/ply_reader.h"

namespace muslin {
namespace {

using Triangles = std::vector<Stencil<3>>;
using Edges = std::vector<Stencil<2>>;
using Sentences = std::vector<std::string>;

Mesh obj(const std::string& text) { return parse_obj(text, "a.obj"); }
Mesh ply(const std::string& text) { return parse_ply(text, "a.ply"); }

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid);
    return error.what();
  }
  return "no error";
}
std::string refusal(const std::string& text) {
  return message_of([&] { text.substr(0, 3) == "ply" ? ply(text) : obj(text); });
}

const std::string kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
const std::string kFiveSquare = kSquare + "v 2 2 2\n";

// --- OBJ -------------------------------------------------------------------------------------------

TEST(ObjReader, ReadsATriangle) {
  const Mesh mesh = obj("# a comment\no cloth\nv -1.5 2e-3 +.25\nv 1 0 0 # here too\n\tv 0 1 0\nf 1 2 3");
  ASSERT_EQ(mesh.vertex_count(), 3);
  EXPECT_EQ(mesh.positions.col(0), Vec3(-1.5, 0.002, 0.25));
  EXPECT_EQ(mesh.positions.col(2), Vec3(0, 1, 0));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}}));
  EXPECT_TRUE(mesh.uv.empty());
  EXPECT_TRUE(mesh.diagonals.empty());
  EXPECT_TRUE(mesh.repairs.empty());
}

TEST(ObjReader, CutsPolygonsIntoFansAndRemembersTheCuts) {
  const Mesh mesh = obj(kSquare + "v 0.5 2 0\nf 1 2 3 5 4\n");
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 4}, {0, 4, 3}}));
  EXPECT_EQ(mesh.diagonals, (Edges{{0, 2}, {0, 4}}));
}

TEST(ObjReader, TakesACutThatIsASideElsewhereForASide) {
  const Mesh mesh = obj(kFiveSquare + "f 1 2 3 4\nf 1 3 5\n");
  EXPECT_EQ(mesh.diagonals, Edges{});
}

TEST(ObjReader, ReadsEveryFormOfACorner) {
  const std::string attributes = "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\n";
  const Triangles expected{{0, 1, 2}, {0, 2, 3}};
  for (const char* face :
       {"f 1 2 3 4", "f 1/1 2/2 3/3 4/4", "f 1//1 2//1 3//1 4//1", "f 1/1/1 2/2/1 3/3/1 4/4/1",
        "f -4 -3 -2 -1", "f -4/-4/-1 2/2/1 -2//1 4", "f 1 2 \\\n  3 4", "f 1 2 3\\\r\n 4\r"})
    EXPECT_EQ(obj(kSquare + attributes + face + "\n").triangles, expected) << face;
}

TEST(ObjReader, CountsNegativeIndicesFromTheStatement) {
  const Mesh mesh = obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 1 1 0\nf -3 -2 -1\n");
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {1, 2, 3}}));
}

TEST(ObjReader, ReadsFacesThatComeBeforeTheirVertices) {
  EXPECT_EQ(obj("f 1 2 3\n" + kSquare + "f 1 3 4\n").triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
}

TEST(ObjReader, GivesAVertexTheFirstTextureCoordinatesOfItsFaces) {
  const Mesh mesh =
      obj(kSquare + "vt 0.5 1 0\nvt 2\nvt 3 3\nvt 2 0\nf 1/1 2/2 3\nf 1/3 3 4/2\nf 2/4 3 4/2\n");
  EXPECT_EQ(mesh.uv, (std::vector<Vec2>{{0.5, 1}, {2, 0}, {0, 0}, {2, 0}}));
  EXPECT_TRUE(mesh.repairs.empty());
  const auto uv = [&](int triangle) { return mesh.uv_of(triangle); };
  EXPECT_EQ(uv(0), (std::array<Vec2, 3>{{{0.5, 1}, {2, 0}, {0, 0}}})) << "the third vertex names none";
  EXPECT_EQ(uv(1)[0], Vec2(3, 3)) << "on a seam";
}

TEST(ObjReader, IgnoresWhatIsNoMesh) {
  const Mesh mesh = obj("\xEF\xBB\xBFmtllib a.mtl\r\n" + kSquare +
                        "vn 0 0 1\r\ng side\r\nusemtl red\r\ns 1\r\nl 1 2\r\np 1\r\n\r\nf 1 2 3 4\r\n");
  EXPECT_EQ(mesh.triangles.size(), 2);
}

TEST(ObjReader, DoesNotContinueComments) {
  EXPECT_EQ(obj("# C:\\cloth\\\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").vertex_count(), 3);
}

TEST(ObjReader, DropsDegenerateTrianglesAndRepetitionsAndSaysSo) {
  const Mesh mesh = obj(kFiveSquare + "f 1 2 3\nf 2 3 1\nf 1 3 2\nf 1 3 3 4\nf 2 2 2\n");
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(mesh.repairs, (Sentences{"dropped 2 triangles with a repeated vertex",
                                     "dropped 2 triangles with the same vertices as another",
                                     "kept 1 vertex that no face uses"}));
  EXPECT_EQ(mesh.vertex_count(), 5);
}

TEST(ObjReader, NamesTenProblemsAndCountsTheOthers) {
  std::string text = kSquare;
  for (int k = 0; k < 13; ++k) text += "f 1 2\n";
  const std::string message = refusal(text);
  EXPECT_EQ(message.find("a.obj:5: a face must have at least 3 vertices, got 2\na.obj:6: "), 0);
  EXPECT_NE(message.find("a.obj:14: "), message.npos);
  EXPECT_EQ(message.find("a.obj:15: "), message.npos);
  EXPECT_NE(message.find("\nand 3 more"), message.npos);
}

TEST(ObjReader, NamesTheLineWhereAContinuedStatementBegins) {
  EXPECT_EQ(refusal(kSquare + "f 1 2 \\\n3 \\\n9\n"), "a.obj:5: a face must use vertices 1 to 4, got 9");
}

TEST(ObjReader, RefusesMoreVerticesThanAScenesMayHave) {
  std::string text;
  for (int k = 0; k < 4'000'001; ++k) text += "v 0 0 0\n";
  EXPECT_EQ(refusal(text), "a.obj:4000001: a mesh must have at most 4000000 vertices, got more");
}

/// Switches to a locale with a decimal comma, which is made where none is installed.
bool set_decimal_comma() {
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") || std::setlocale(LC_ALL, "fr_FR.UTF-8")) return true;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("muslin_locale_{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string make =
      fmt::format("localedef -i de_DE -f UTF-8 '{}/de_DE.UTF-8' > /dev/null 2>&1", folder.string());
  const bool is_made = std::system(make.c_str()) == 0 && setenv("LOCPATH", folder.c_str(), 1) == 0 &&
                       std::setlocale(LC_ALL, "de_DE.UTF-8");
  unsetenv("LOCPATH");
  std::filesystem::remove_all(folder);
  return is_made;
}

TEST(ObjReader, ReadsADecimalPointInAnyLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  if (!set_decimal_comma()) GTEST_SKIP() << "neither a locale with a decimal comma nor what makes one";
  EXPECT_STREQ(std::localeconv()->decimal_point, ",");
  const Mesh mesh = obj("v 0.5 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::string message = refusal("v 0,5 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(mesh.positions(0, 0), 0.5);
  EXPECT_EQ(message, "a.obj:1: a vertex must have 3 finite coordinates, got '0,5'");
}

// --- PLY -------------------------------------------------------------------------------------------

/// Numbers written as a type, in either order of bytes, by shifting: the readers' twin.
class Bytes {
 public:
  explicit Bytes(bool big) : big_(big) {}
  template <class T>
  Bytes& operator<<(T value) {
    unsigned char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (big_) std::reverse(std::begin(raw), std::end(raw));  // the machine is little endian
    text_.append(reinterpret_cast<const char*>(raw), sizeof(T));
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  bool big_;
  std::string text_;
};

std::string format_line(bool big) {
  return std::string("ply\nformat binary_") + (big ? "big" : "little") + "_endian 1.0\n";
}

TEST(PlyReader, ReadsATriangle) {
  const Mesh mesh = ply(
      "ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nobj_info 1\r\nelement vertex 3\r\nproperty float "
      "x\r\n"
      "property float y\r\nproperty float z\r\nelement face 1\r\nproperty list uchar int vertex_indices\r\n"
      "end_header\r\n-1.5 0.002 .25\r\n1 0 0\r\n\r\n0 1 0\r\n3 0 1 2\r\n\r\n");
  EXPECT_EQ(mesh.positions.col(0), Vec3(-1.5, 0.002, 0.25));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}}));
  EXPECT_TRUE(mesh.uv.empty());
  EXPECT_TRUE(mesh.repairs.empty());
}

TEST(PlyReader, ReadsElementsAndPropertiesInAnyOrder) {
  const std::string header =
      "element material 1\nproperty float shine\nelement face 2\nproperty uchar red\n"
      "property list char float texcoord\nproperty list ushort ushort vertex_index\nproperty double area\n"
      "element edge 1\nproperty list int char names\nproperty int kind\n"
      "element vertex 4\nproperty double z\nproperty list uchar short extra\nproperty short y\nproperty "
      "float32 v\n"
      "property int8 x\nproperty uint16 quality\nproperty float64 u\nend_header\n";
  const std::string body =
      "0.5\n7 2 0.1 0.2 3 0 1 2 nan\n7 0 4 3 2 1 0 0\n2 -1 -2 9\n"
      "0.125 0 -300 1.5 -7 1 0.1\n1 1 5 2 0 1 2 0.2\n0 0 4 0 2 3 0.3\n0 2 1 2 3 0 3 4 0.4\n";
  const Mesh ascii = ply("ply\nformat ascii 1.0\n" + header + body);
  EXPECT_EQ(ascii.positions.col(0), Vec3(-7, -300, 0.125));
  EXPECT_EQ(ascii.uv[3], Vec2(0.4, 0));
  EXPECT_EQ(ascii.triangles, (Triangles{{0, 1, 2}, {3, 2, 1}, {3, 1, 0}}));
  EXPECT_EQ(ascii.diagonals, (Edges{{1, 3}}));
  EXPECT_TRUE(ascii.repairs.empty());

  using i8 = std::int8_t;
  using u8 = std::uint8_t;
  using i16 = std::int16_t;
  using u16 = std::uint16_t;
  for (const bool big : {false, true}) {
    Bytes bytes(big);
    bytes << 0.5F;
    bytes << u8{7} << i8{2} << 0.1F << 0.2F << u16{3} << u16{0} << u16{1} << u16{2} << std::nan("");
    bytes << u8{7} << i8{0} << u16{4} << u16{3} << u16{2} << u16{1} << u16{0} << 0.0;
    bytes << std::int32_t{2} << i8{-1} << i8{-2} << std::int32_t{9};
    bytes << 0.125 << u8{0} << i16{-300} << 1.5F << i8{-7} << u16{1} << 0.1;
    bytes << 1.0 << u8{1} << i16{5} << i16{2} << 0.0F << i8{1} << u16{2} << 0.2;
    bytes << 0.0 << u8{0} << i16{4} << 0.0F << i8{2} << u16{3} << 0.3;
    bytes << 0.0 << u8{2} << i16{1} << i16{2} << i16{3} << 0.0F << i8{3} << u16{4} << 0.4;
    const Mesh mesh = ply(format_line(big) + header + bytes.text());
    EXPECT_EQ(mesh.positions, ascii.positions);
    EXPECT_EQ(mesh.uv, ascii.uv);
    EXPECT_EQ(mesh.triangles, ascii.triangles);
    EXPECT_EQ(mesh.diagonals, ascii.diagonals);
    EXPECT_TRUE(mesh.repairs.empty());
  }
}

TEST(PlyReader, ReadsEveryNameOfTextureCoordinates) {
  for (const auto& [u, v] : {std::pair("s", "t"), std::pair("u", "v"), std::pair("texture_u", "texture_v")}) {
    const std::string text =
        std::string("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n") +
        "property float z\nproperty float " + u + "\nproperty float " + v +
        "\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0 0 1\n1 0 0 2 3\n0 1 0 4 5\n3 0 1 2\n";
    EXPECT_EQ(ply(text).uv, (std::vector<Vec2>{{0, 1}, {2, 3}, {4, 5}}));
  }
}

template <class Count, class Index>
void check_types(const char* count_name, const char* index_name) {
  for (const bool big : {false, true}) {
    Bytes bytes(big);
    for (int k = 0; k < 9; ++k) bytes << (k == 3 || k == 7 ? 1.0F : 0.0F);
    bytes << static_cast<Count>(3) << static_cast<Index>(2) << static_cast<Index>(0) << static_cast<Index>(1);
    const std::string header =
        std::string("element vertex 3\nproperty float x\nproperty float y\nproperty float z\n") +
        "element face 1\nproperty list " + count_name + " " + index_name + " vertex_indices\nend_header\n";
    EXPECT_EQ(ply(format_line(big) + header + bytes.text()).triangles, (Triangles{{2, 0, 1}}));
  }
}

TEST(PlyReader, ReadsIndicesOfAnyType) {
  check_types<std::int8_t, std::int8_t>("char", "int8");
  check_types<std::uint8_t, std::uint8_t>("uchar", "uint8");
  check_types<std::int16_t, std::int16_t>("short", "int16");
  check_types<std::uint16_t, std::uint16_t>("uint16", "ushort");
  check_types<std::int32_t, std::int32_t>("int", "int32");
  check_types<std::uint32_t, std::uint32_t>("uint", "uint32");
  check_types<std::uint8_t, float>("uint8", "float32");
  check_types<std::uint8_t, double>("uint8", "double");
}

/// A file of random vertices and polygons with double coordinates.
struct RandomPly {
  std::vector<std::array<double, 3>> vertices;
  std::vector<std::vector<int>> polygons;

  std::string binary(bool big) const {
    Bytes bytes(big);
    for (const auto& vertex : vertices)
      for (const double x : vertex) bytes << x;
    for (const auto& polygon : polygons) {
      bytes << static_cast<std::uint16_t>(polygon.size());
      for (const int v : polygon) bytes << v;
    }
    return format_line(big) + header() + bytes.text();
  }
  std::string ascii() const {
    std::string text = "ply\nformat ascii 1.0\n" + header();
    for (const auto& [x, y, z] : vertices) text += fmt::format("{} {} {}\n", x, y, z);
    for (const auto& polygon : polygons) {
      text += fmt::format("{}", polygon.size());
      for (const int v : polygon) text += fmt::format(" {}", v);
      text += "\n";
    }
    return text;
  }
  std::string obj() const {
    std::string text;
    for (const auto& [x, y, z] : vertices) text += fmt::format("v {} {} {}\n", x, y, z);
    for (const auto& polygon : polygons) {
      text += "f";
      for (const int v : polygon) text += fmt::format(" {}", v + 1);
      text += "\n";
    }
    return text;
  }

 private:
  std::string header() const {
    return fmt::format(
        "element vertex {}\nproperty double x\nproperty double y\nproperty double z\n"
        "element face {}\nproperty list ushort int vertex_indices\nend_header\n",
        vertices.size(), polygons.size());
  }
};

/// The mesh, or the message without its places.
std::string outcome(const std::string& text) {
  try {
    const Mesh mesh = text.substr(0, 3) == "ply" ? ply(text) : obj(text);
    std::string said;
    for (int v = 0; v < mesh.vertex_count(); ++v)
      for (const double x : Vec3(mesh.positions.col(v))) said += fmt::format("{:a} ", x);
    for (const auto& [a, b, c] : mesh.triangles) said += fmt::format("({} {} {}) ", a, b, c);
    for (const auto& [a, b] : mesh.diagonals) said += fmt::format("[{} {}] ", a, b);
    for (const std::string& sentence : mesh.repairs) said += sentence + ". ";
    return said;
  } catch (const Error&) {
    return "refused";
  }
}

RC_GTEST_PROP(PlyReader, ReadsTheSameFromEveryEncoding, ()) {
  RandomPly file;
  file.vertices = *rc::gen::nonEmpty<std::vector<std::array<double, 3>>>();
  const int count = static_cast<int>(file.vertices.size());
  file.polygons = *rc::gen::container<std::vector<std::vector<int>>>(
      rc::gen::container<std::vector<int>>(*rc::gen::inRange<size_t>(2, 6), rc::gen::inRange(0, count)));
  const std::string little = outcome(file.binary(false));
  RC_CLASSIFY(little == "refused");
  RC_ASSERT(outcome(file.binary(true)) == little);
  RC_ASSERT(outcome(file.ascii()) == little);
  RC_ASSERT(outcome(file.obj()) == little);
}

RC_GTEST_PROP(PlyReader, RefusesEveryTruncation, ()) {
  const RandomPly file{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2}, {1, 3, 2}}};
  const std::string bytes = file.binary(*rc::gen::arbitrary<bool>());
  const auto length = *rc::gen::inRange<size_t>(0, bytes.size());
  RC_ASSERT(outcome(bytes.substr(0, length)) == "refused");
}

TEST(PlyReader, NamesTheByteOfABinaryProblem) {
  const RandomPly file{{{0, 0, 0}, {1, std::nan(""), 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 1, 3}, {0, 1}}};
  const std::string bytes = file.binary(true);
  const size_t body = bytes.find("end_header\n") + 11;
  EXPECT_EQ(refusal(bytes), fmt::format("a.ply: byte {}: coordinates must be finite, got 1 nan 0\n"
                                        "a.ply: byte {}: a face must have at least 3 vertices, got 2\n"
                                        "a.ply: byte {}: a face must use vertices 0 to 2, got 3",
                                        body + 24, body + 3 * 24 + 2 * 14, body + 3 * 24 + 14));
}

TEST(PlyReader, DoesNotBelieveCounts) {
  const std::string begin = "ply\nformat binary_little_endian 1.0\n";
  const std::string vertex = "\nproperty char x\nproperty char y\nproperty char z\n";
  EXPECT_EQ(refusal(begin + "element vertex 4294967295" + vertex + "end_header\nabc"),
            "a.ply: byte 121: a mesh must have at most 4000000 vertices, but the header declares 4294967295");
  EXPECT_EQ(refusal(begin + "element vertex 4000000" + vertex + "end_header\nabc"),
            "a.ply: byte 118: the header declares 4000000 of element 'vertex', but only 3 bytes follow");
  EXPECT_EQ(refusal(begin + "element nothing 18446744073709551615\nend_header\n"),
            "a.ply: a mesh must have vertices, found none\na.ply: a mesh must have faces, found none");
  EXPECT_EQ(refusal(begin + "element many 18446744073709551616\nend_header\n"),
            "a.ply:3: an element must have a name and a count, got 'many' '18446744073709551616'");
}

// --- by extension ----------------------------------------------------------------------------------

TEST(ReadMesh, GoesByTheExtensionInAnyCase) {
  const std::string folder = testing::TempDir();
  for (const std::string name : {"muslin_mesh.obj", "muslin_mesh.OBJ"}) {
    write_file(folder + name, kSquare + "f 1 2 3\n", true);
    EXPECT_EQ(read_mesh(folder + name).vertex_count(), 4);
    std::filesystem::remove(folder + name);
  }
  const RandomPly file{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  write_file(folder + "muslin_mesh.Ply", file.binary(true), true);
  EXPECT_EQ(read_mesh(folder + "muslin_mesh.Ply").vertex_count(), 3);
  std::filesystem::remove(folder + "muslin_mesh.Ply");
  EXPECT_EQ(message_of([] { read_mesh("cloth.stl"); }),
            "cloth.stl: must be a mesh file (.obj, .ply, .glb, .gltf, .usda), got '.stl'");
}

// Three gigabytes, more than any reader takes: that they are no PLY is seen before that.
TEST(ReadMesh, RefusesWhatIsNoPlyByItsFirstBytes) {
  const std::string path = testing::TempDir() + fmt::format("muslin_huge_{}.ply", getpid());
  write_file(path, "solid cloth\n", true);
  std::filesystem::resize_file(path, std::uintmax_t{3} << 30);
  EXPECT_EQ(message_of([&] { read_mesh(path); }), path + ":1: a PLY file must begin with the line 'ply'");
  std::filesystem::remove(path);
}

TEST(ReadMesh, TellsHowFarALongFileIsRead) {
  std::string text = kSquare;
  for (int k = 0; k < 200'000; ++k) text += "vn 0 0 1\n";
  std::vector<double> fractions;
  parse_obj(text + "f 1 2 3 4\n", "a.obj", [&](double fraction) { fractions.push_back(fraction); });
  ASSERT_EQ(fractions.size(), 3u);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(fractions[k], (k + 1) * 65536 / 200'005.0, 1e-3);
}

}  // namespace
}  // namespace muslin
