#include "muslin/io/frame_writer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <locale>
#include <set>

#include "muslin/core/check.h"
#include "muslin/io/obj_reader.h"
#include "muslin/io/ply_reader.h"

namespace muslin {
namespace {

struct Frame {
  Model model;
  State state;
};

/// A finite double of any bits: subnormal, huge, minus zero.
rc::Gen<double> any_double() {
  const auto from_bits = [](std::uint64_t bits) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  };
  // The generator of numbers prefers small ones; multiplying by an odd number spreads their bits.
  const auto spread = rc::gen::map(rc::gen::arbitrary<std::uint64_t>(),
                                   [=](std::uint64_t n) { return from_bits(n * 0x9E3779B97F4A7C15U); });
  return rc::gen::suchThat(rc::gen::oneOf(spread, rc::gen::arbitrary<double>(), rc::gen::element(0.0, -0.0)),
                           [](double x) { return std::isfinite(x); });
}

/// Frames hold every cloth as it is.
void write_all(Model& model) {
  model.mass = Scalars::Ones(static_cast<int>(model.uv.size()));
  model.written.clear();
  for (const ClothRange& c : model.cloths) {
    const auto first = model.uv.begin() + c.first_vertex;
    model.written.push_back({c.name,
                             c.first_vertex,
                             c.vertex_count,
                             c.first_triangle,
                             c.triangle_count,
                             {first, first + c.vertex_count}});
  }
}

/// Cloths with different triangles of different vertices, so that a reader has nothing to mend but loose
/// vertices.
Frame any_frame() {
  Frame frame;
  const int cloths = *rc::gen::inRange(1, 4);
  int vertices = 0;
  for (int c = 0; c < cloths; ++c) {
    const int count = *rc::gen::inRange(3, 12);
    std::set<std::set<int>> triangles{{0, 1, 2}};
    for (const auto& t : *rc::gen::container<std::vector<std::set<int>>>(
             rc::gen::container<std::set<int>>(3, rc::gen::inRange(0, count))))
      triangles.insert(t);
    const auto first_triangle = static_cast<int>(frame.model.triangles.size());
    for (const std::set<int>& t : triangles) {
      std::vector<int> v(t.begin(), t.end());
      frame.model.triangles.push_back({vertices + v[0], vertices + v[2], vertices + v[1]});
    }
    frame.model.cloths.push_back(
        {"cloth", vertices, count, first_triangle, static_cast<int>(triangles.size()), 0});
    vertices += count;
  }
  frame.state.positions.resize(3, vertices);
  for (double& x : frame.state.positions.reshaped()) x = *any_double();
  frame.model.uv.assign(vertices, Vec2::Zero());
  if (*rc::gen::arbitrary<bool>())
    for (Vec2& uv : frame.model.uv) uv = Vec2(*any_double(), *any_double());
  write_all(frame.model);
  return frame;
}

template <class Matrix>
std::string bits_of(const Matrix& matrix) {
  return {reinterpret_cast<const char*>(matrix.data()), sizeof(double) * static_cast<size_t>(matrix.size())};
}

RC_GTEST_PROP(FrameWriter, GivesBackEveryBit, ()) {
  const Frame frame = any_frame();
  const bool has_uv = std::any_of(frame.model.uv.begin(), frame.model.uv.end(),
                                  [](const Vec2& uv) { return uv.x() != 0 || uv.y() != 0; });
  std::set<int> used;
  for (const auto& t : frame.model.triangles) used.insert(t.begin(), t.end());

  for (const FormatEntry& format : formats()) {
    if (format.extension == "vtp") continue;  // not read here: tests/smoke/formats_test.py does
    const std::string content = format.make()->encode(frame.model, frame.state);
    const Mesh mesh = format.extension == "obj" ? parse_obj(content, "f.obj") : parse_ply(content, "f.ply");
    RC_ASSERT(bits_of(mesh.positions) == bits_of(frame.state.positions));
    RC_ASSERT(mesh.triangles == frame.model.triangles);
    RC_ASSERT(mesh.uv.empty() == !has_uv);
    if (has_uv)
      for (const int v : used) RC_ASSERT(bits_of(mesh.uv[v]) == bits_of(frame.model.uv[v]));
    RC_ASSERT(mesh.repairs.empty() == (static_cast<int>(used.size()) == mesh.vertex_count()));
  }
}

Frame two_triangles() {
  Frame frame;
  frame.model.cloths = {{"flag", 0, 3, 0, 1, 0}, {"a\nv 1 2 3\\", 3, 3, 1, 1, 0}};
  frame.model.triangles = {{0, 1, 2}, {3, 5, 4}};
  frame.model.uv.assign(6, Vec2::Zero());
  frame.state.positions.resize(3, 6);
  frame.state.positions << 0, 1, 0, 0, 1000, 0,  //
      0, 0, 0.1, 0, 0, 1,                        //
      0, 0, 0, -1.5, 1e-300, 2;
  write_all(frame.model);
  return frame;
}

TEST(ObjWriter, WritesAnObjectACloth) {
  const Frame frame = two_triangles();
  EXPECT_EQ(make_frame_writer("obj")->encode(frame.model, frame.state),
            "o flag\nv 0 0 0\nv 1 0 0\nv 0 0.1 0\nf 1 2 3\n"
            "o a_v 1 2 3_\nv 0 0 -1.5\nv 1000 0 1e-300\nv 0 1 2\nf 4 6 5\n");
}

TEST(ObjWriter, WritesTextureCoordinatesIfThereAreAny) {
  Frame frame = two_triangles();
  frame.model.uv[4] = {0.5, 2};
  write_all(frame.model);
  const std::string text = make_frame_writer("obj")->encode(frame.model, frame.state);
  EXPECT_NE(text.find("vt 0 0\nvt 0.5 2\nvt 0 0\nf 4/4 6/6 5/5\n"), text.npos);
}

TEST(ObjWriter, WritesADecimalPointInAnyLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const Frame frame = two_triangles();
  const std::string expected = make_frame_writer("obj")->encode(frame.model, frame.state);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string text = make_frame_writer("obj")->encode(frame.model, frame.state);
  std::locale::global(before);
  EXPECT_EQ(text, expected);
}

TEST(PlyWriter, WritesLittleEndianDoubles) {
  const Frame frame = two_triangles();
  const std::string bytes = make_frame_writer("ply")->encode(frame.model, frame.state);
  const std::string header =
      "ply\nformat binary_little_endian 1.0\nelement vertex 6\nproperty double x\nproperty double y\n"
      "property double z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n";
  ASSERT_EQ(bytes.substr(0, header.size()), header);
  EXPECT_EQ(bytes.size(), header.size() + 6 * 24 + 2 * 13);
  EXPECT_EQ(bytes.substr(header.size() + 24, 8), std::string("\0\0\0\0\0\0\xf0\x3f", 8));  // 1.0
  EXPECT_EQ(bytes.substr(bytes.size() - 13), std::string("\3\3\0\0\0\5\0\0\0\4\0\0\0", 13));
}

TEST(Formats, AreFoundByExtension) {
  std::set<std::string_view> seen;
  for (const FormatEntry& format : formats()) {
    EXPECT_TRUE(seen.insert(format.extension).second);
    EXPECT_FALSE(format.summary.empty());
    EXPECT_NE(make_frame_writer(std::string(format.extension)), nullptr);
  }
}

TEST(Formats, RefuseAnUnknownOneWithTheNearest) {
  try {
    make_frame_writer("objj");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid);
    EXPECT_STREQ(error.what(), "format: must be one of obj, ply, vtp, got 'objj'; did you mean 'obj'?");
  }
}

}  // namespace
}  // namespace muslin
