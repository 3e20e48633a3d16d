#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/render/colour_map.h"
#include "muslin/render/legend.h"
#include "render/picture.h"

namespace fs = std::filesystem;

namespace muslin {
namespace {

/// A unit square that fills most of a picture, seen straight on.
View square(int n, Shading shading) {
  View view{sheet(n, [](double u, double v) { return Vec3(u - 0.5, v - 0.5, 0); }), from({0, 0, 2.2}), 400,
            400};
  view.look.shading = shading;
  view.look.shadows = false;
  return view;
}

/// The pixel of a place of `square`.
int pixel(double place) {
  return static_cast<int>(std::lround(200 + (place - 0.5) * 200 / std::tan(15 * M_PI / 180) / 2.2));
}

/// How often a row of a picture goes from one kind of pixel to the other, counted as runs of the first kind.
template <class Is>
int runs(const Image& image, int y, const Is& is) {
  int count = 0;
  for (int x = 1; x < image.width; ++x) count += is(x, y) && !is(x - 1, y);
  return count;
}

double luminance(const Pixel& p) { return 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2]; }

/// CIELAB of an sRGB colour (D65), for measuring how colours look.
Vec3 cielab(const Eigen::Vector3f& srgb) {
  Vec3 linear;
  for (int c = 0; c < 3; ++c)
    linear[c] = srgb[c] <= 0.04045f ? srgb[c] / 12.92 : std::pow((srgb[c] + 0.055) / 1.055, 2.4);
  Mat3 to_xyz;
  to_xyz << 0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505;
  Vec3 f = (to_xyz * linear).cwiseQuotient(Vec3(0.9505, 1, 1.089));
  for (int c = 0; c < 3; ++c) f[c] = f[c] > 0.008856 ? std::cbrt(f[c]) : 7.787 * f[c] + 16.0 / 116;
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

class LookTest : public PictureTest {};

TEST_F(LookTest, NormalsOfAPlaneAreOneColour) {
  const Vec3 normal = Vec3(0.48, 0.6, 0.64);
  const Vec3 x = normal.unitOrthogonal(), y = normal.cross(x);
  View view = square(5, Shading::normals);
  view.stage = sheet(5, [&](double u, double v) { return Vec3((4 * u - 2) * x + (4 * v - 2) * y); });
  const Image image = draw(view);
  for (const int at : {120, 200, 260})
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(image.at(at, 200)[c], 255 * (0.5 + 0.5 * normal[c]), 1.01) << at << " channel " << c;
}

TEST_F(LookTest, ColoursOfHeatLookEven) {
  std::vector<Vec3> colours;
  for (int i = 0; i <= 20; ++i) colours.push_back(cielab(heat_colour(i / 20.0)));
  double least = 1e9, most = 0;
  for (int i = 0; i < 20; ++i) {
    EXPECT_GT(colours[i + 1][0], colours[i][0] + 1) << "lightness at step " << i;
    const double step = (colours[i + 1] - colours[i]).norm();
    least = std::min(least, step);
    most = std::max(most, step);
  }
  EXPECT_LT(most / least, 2.6);
  EXPECT_GT(colours.back()[0] - colours.front()[0], 60);
}

TEST_F(LookTest, LegendEndsInTheEndsOfTheColours) {
  View view = square(3, Shading::cloth);
  view.look.heat = Heat::strain;
  view.stage.heat = {"strain", "%", Scalars::Constant(9, 1.0), 0, 2};
  const Image image = draw(view);
  const auto [upper_left, lower_right] = legend_bar(view.width, view.height);
  const int x = static_cast<int>((upper_left.x() + lower_right.x()) / 2);
  const Pixel low = image.at(x, static_cast<int>(lower_right.y()) - 1),
              high = image.at(x, static_cast<int>(upper_left.y()));
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(low[c], 255 * heat_colour(0)[c], 4);
    EXPECT_NEAR(high[c], 255 * heat_colour(1)[c], 4);
  }
  view.look.legend = false;
  EXPECT_GT(difference(draw(view).at(x, static_cast<int>(lower_right.y()) - 1), low), 40);
}

TEST_F(LookTest, LegendKeepsClearOfWhatCoversThePicture) {
  for (const int height : {300, 600, 1200})
    for (const double top : {0.0, 0.2, 0.3})
      for (const double bottom : {0.0, 0.2, 0.3}) {
        const auto [upper_left, lower_right] = legend_bar(400, height, top, bottom);
        const double em = letter_size(height);  // the box ends 2.6 letters above the bar and one below it
        EXPECT_GE(upper_left.y() - 2.6 * em, top * height) << height << " " << top << " " << bottom;
        EXPECT_LE(lower_right.y() + em, (1 - bottom) * height) << height << " " << top << " " << bottom;
        EXPECT_GE(lower_right.y() - upper_left.y(), 2.9 * em);
      }
}

TEST_F(LookTest, HeatOfALinearFieldRisesAlongTheSheet) {
  View view = square(9, Shading::cloth);
  view.look.heat = Heat::strain;
  view.look.legend = false;
  view.stage.heat = {"strain", "%", Scalars(81), 0, 5};
  for (int v = 0; v < 81; ++v) view.stage.heat.values[v] = 5 * view.stage.uv[v].x();
  const Image image = draw(view);
  for (int x = pixel(0) + 4; x < pixel(1) - 4; ++x)
    ASSERT_GE(luminance(image.at(x, 200)), luminance(image.at(x - 1, 200)) - 0.5) << "column " << x;
  EXPECT_GT(luminance(image.at(pixel(1) - 4, 200)), luminance(image.at(pixel(0) + 4, 200)) + 100);
}

TEST_F(LookTest, MirrorDependsOnTheCameraAndNormalsDoNot) {
  for (const Shading shading : {Shading::mirror, Shading::normals}) {
    View view = square(3, shading);
    const Pixel straight = draw(view).at(200, 200);
    view.camera = from({-1.2, 1.8, 0.6});
    const int change = difference(draw(view).at(200, 200), straight);
    if (shading == Shading::mirror)
      EXPECT_GT(change, 20);
    else
      EXPECT_LE(change, 1);
  }
}

TEST_F(LookTest, WireframeCrossesEveryEdgeOfARow) {
  const int n = 9;
  View view = square(n, Shading::cloth);
  const Image plain = draw(view);
  view.look.wireframe = true;
  const Image lines = draw(view);
  const int y = 400 - pixel((4 + 0.5) / (n - 1));  // through the middle of a row of cells
  const int crossed =
      runs(lines, y, [&](int x, int row) { return difference(lines.at(x, row), plain.at(x, row)) > 15; });
  EXPECT_EQ(crossed, n + (n - 1));  // uprights and diagonals
}

TEST_F(LookTest, ChecksAreSixteenAlongTheSheet) {
  View view = square(3, Shading::phong);
  view.look.pattern = Pattern::checks;
  view.look.hem = false;  // which is not of the checks
  const Image image = draw(view);
  const int y = 400 - pixel(3.5 / 16);
  std::vector<int> edges;
  for (int x = pixel(0) + 3; x < pixel(1) - 3; ++x)
    if ((image.at(x, y)[0] > 150) != (image.at(x - 1, y)[0] > 150)) edges.push_back(x);
  ASSERT_EQ(edges.size(), 15u);
  for (int k = 0; k < 15; ++k) EXPECT_NEAR(edges[k], pixel((k + 1) / 16.0), 1.5);
}

TEST_F(LookTest, CaptionStaysInItsCorner) {
  View view = square(3, Shading::cloth);
  const Image plain = draw(view);
  view.caption = "xpbd, 60 substeps";
  const Image words = draw(view);
  int inside = 0, outside = 0;
  for (int y = 0; y < 400; ++y)
    for (int x = 0; x < 400; ++x)
      if (difference(words.at(x, y), plain.at(x, y)) > 60) ++(x < 200 && y < 40 ? inside : outside);
  EXPECT_GT(inside, 100);
  EXPECT_EQ(outside, 0);
}

TEST_F(LookTest, SpringsShowByClassAndOnlyWhenOn) {
  View view = square(3, Shading::cloth);
  view.stage.springs = {
      {{0, 8}, SpringClass::structural}, {{2, 6}, SpringClass::shear}, {{1, 7}, SpringClass::bend}};
  const Image plain = draw(view);
  const auto like = [](const Image& image, SpringClass kind) {
    int count = 0;
    for (int y = 0; y < 320; ++y)  // above the key
      for (int x = 0; x < 400; ++x) {
        const Pixel& p = image.at(x, y);
        const Eigen::Vector3f c = 255 * spring_colour(kind);
        count += std::abs(p[0] - c[0]) < 12 && std::abs(p[1] - c[1]) < 12 && std::abs(p[2] - c[2]) < 12;
      }
    return count;
  };
  for (const SpringClass on : {SpringClass::structural, SpringClass::shear, SpringClass::bend}) {
    view.look.structural = on == SpringClass::structural;
    view.look.shear = on == SpringClass::shear;
    view.look.bend = on == SpringClass::bend;
    const Image image = draw(view);
    for (const SpringClass kind : {SpringClass::structural, SpringClass::shear, SpringClass::bend}) {
      EXPECT_EQ(like(plain, kind), 0);
      if (kind == on)
        EXPECT_GT(like(image, kind), 60);
      else
        EXPECT_EQ(like(image, kind), 0);
    }
  }
}

TEST_F(LookTest, MarkedVerticesHaveADot) {
  View view = square(3, Shading::cloth);
  view.stage.marked = {4};
  const Pixel middle = draw(view).at(200, 200);
  EXPECT_GT(middle[0], middle[2] + 80);  // red on blue
}

TEST_F(LookTest, DisplacedBallGrowsByTheHeight) {
  const fs::path white = fs::temp_directory_path() / fmt::format("muslin_white_{}.png", getpid());
  write_png(white.string(), {4, 4, std::vector<Pixel>(16, Pixel{255, 255, 255})}, true);
  const double radius = 0.4, height = 0.05;
  View view{
      sheet(97,
            [&](double u, double v) {
              const double a = 2 * M_PI * u, b = M_PI * (v - 0.5);
              return Vec3(radius * Vec3(std::sin(a) * std::cos(b), std::sin(b), std::cos(a) * std::cos(b)));
            }),
      from({0, 0, 40}), 400, 400};
  view.camera.field_of_view = 1.6;
  view.look.texture = white.string();
  view.look.height = height;
  View nothing = view;
  nothing.stage = {};
  const Image empty = draw(nothing);
  const auto width = [&](Shading shading) {  // [m]
    view.look.shading = shading;
    const Image image = draw(view);
    int count = 0;
    for (int x = 0; x < 400; ++x) count += difference(image.at(x, 200), empty.at(x, 200)) > 20;
    return count * 2 * 40 * std::tan(0.8 * M_PI / 180) / 400;
  };
  const double one_pixel = 2 * 40 * std::tan(0.8 * M_PI / 180) / 400;
  EXPECT_NEAR(width(Shading::bump), 2 * radius, 2 * one_pixel);
  EXPECT_NEAR(width(Shading::displacement), 2 * (radius + height), 2 * one_pixel);
  fs::remove(white);
}

TEST_F(LookTest, KeptLightGivesTheSamePixels) {
  View view{sheet(17, [](double u, double v) { return Vec3(u, 0.1 * std::sin(9 * u), v); }), {}, 160, 120};
  view.stage.colliders.push_back(ball(0.3));
  view.stage.ground = -0.4;
  view.camera = frame_all(bounds(view.stage), 4.0 / 3);
  const Image first = draw(view);
  View aside = view;
  aside.camera.eye.x() += 0.5;
  draw(aside);
  EXPECT_EQ(draw(view).pixels, first.pixels) << "after another camera";
  View other = view;
  other.stage.positions.row(1).array() += 0.2;
  other.look.shading = Shading::displacement;
  draw(other);
  EXPECT_EQ(draw(view).pixels, first.pixels) << "after another stage";
  Renderer fresh;
  EXPECT_EQ(draw_image(fresh, view).pixels, first.pixels);
}

TEST_F(LookTest, SaysWhichTextureCannotBeRead) {
  View view = square(3, Shading::cloth);
  view.look.pattern = Pattern::image;
  EXPECT_THROW(draw(view), Error);  // no texture at all
  view.look.texture = std::string(MUSLIN_TESTS) + "/render/look_test.cpp";
  try {
    draw(view);
    FAIL() << "must throw";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("look_test.cpp: must be a PNG or JPEG"), std::string::npos);
  }
}

TEST(Ticks, AreRoundAndThreeToFive) {
  for (const auto& [low, high] : {std::pair{0.0, 1.0},
                                  {0.0, 5.0},
                                  {0.0, 12.0},
                                  {-3.0, 8.0},
                                  {0.0, 0.02},
                                  {100.0, 2500.0},
                                  {0.0, 3e-6}}) {
    const std::vector<Tick> ticks = round_ticks(low, high);
    EXPECT_GE(ticks.size(), 3u) << low << " to " << high;
    EXPECT_LE(ticks.size(), 5u) << low << " to " << high;
    for (const Tick& tick : ticks) {
      EXPECT_GE(tick.value, low - 1e-9 * (high - low));
      EXPECT_LE(tick.value, high + 1e-9 * (high - low));
      EXPECT_NEAR(std::stod(tick.words), tick.value, 1e-9 + 0.001 * std::abs(tick.value))
          << "what is written is meant";
    }
  }
  EXPECT_TRUE(round_ticks(1, 1).empty());
}

// --- a student's shaders -------------------------------------------------------------------------------

class StudentTest : public PictureTest {
 protected:
  StudentTest() {
    fs::create_directories(folder_);
    fs::copy_file(fs::path(kShaders) / "Phong.frag", folder_ / "Phong.frag");
    view_.look.shading = Shading::custom;
    view_.look.shaders = folder_.string();
  }
  ~StudentTest() override { fs::remove_all(folder_); }

  /// What a window would show: pictures without asking for complaints.
  std::vector<unsigned char> shown() {
    const GlName framebuffer(GlName::Kind::framebuffer), colour(GlName::Kind::renderbuffer),
        depth(GlName::Kind::renderbuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 400, 400);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, 400, 400);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    renderer_.draw(view_, framebuffer);
    std::vector<unsigned char> pixels(400 * 400 * 4);
    glReadPixels(0, 0, 400, 400, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    return pixels;
  }

  void write(const char* name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // longer than the renderer is patient
  }

  static constexpr const char* kShaders = MUSLIN_TESTS "/render/shaders";
  static constexpr const char* kExample = MUSLIN_TESTS "/../docs/shaders";
  fs::path folder_ = fs::temp_directory_path() / fmt::format("muslin_shaders_{}", getpid());
  View view_ = square(9, Shading::custom);
};

TEST_F(StudentTest, EveryShaderOfTheCourseDraws) {
  const std::vector<std::string> names = list_shaders(kShaders);
  EXPECT_EQ(names, (std::vector<std::string>{"Bump.frag", "Displacement.frag", "Mirror.frag", "Phong.frag",
                                             "Texture.frag", "Wireframe.frag"}));
  std::vector<std::vector<Pixel>> pictures;
  for (const std::string& name : names) {
    view_.look.shaders = std::string(kShaders) + "/" + name;
    pictures.push_back(draw(view_).pixels);
    EXPECT_EQ(renderer_.shader_log(), "") << name;
    for (size_t k = 0; k + 1 < pictures.size(); ++k) EXPECT_NE(pictures[k], pictures.back()) << name;
  }
}

TEST_F(StudentTest, UniformsAndInputsHaveTheirValues) {
  const auto middle_of = [&](const std::string& name, const std::string& inputs, const std::string& value) {
    write((name + ".frag").c_str(),
          "#version 330\n" + inputs + "out vec4 out_color;\nvoid main() { out_color = " + value + "; }\n");
    view_.look.shaders = (folder_ / (name + ".frag")).string();
    return draw(view_).at(200, 200);
  };
  EXPECT_LE(difference(middle_of("Uv", "in vec2 v_uv;\n", "vec4(v_uv, 0.0, 1.0)"), {128, 128, 0}), 2);
  EXPECT_LE(difference(middle_of("Normal", "in vec4 v_normal;\n", "v_normal"), {0, 0, 255}), 1);
  EXPECT_LE(difference(middle_of("Tangent", "in vec4 v_tangent;\n", "v_tangent"), {255, 0, 0}), 1);
  EXPECT_LE(
      difference(middle_of("Camera", "uniform vec3 u_cam_pos;\n", "vec4(u_cam_pos / 4.4, 1.0)"), {0, 0, 128}),
      1);
  EXPECT_LE(difference(middle_of("Scalings", "uniform float u_normal_scaling, u_height_scaling;\n",
                                 "vec4(u_normal_scaling / 4.0, u_height_scaling, 0.0, 1.0)"),
                       {128, 26, 0}),
            1);
}

TEST_F(StudentTest, BrokenShaderNamesItsLineAndLeavesTheLastPicture) {
  const std::vector<unsigned char> good = shown();
  EXPECT_EQ(renderer_.shader_log(), "");
  write("Phong.frag",
        "#version 330\nin vec4 v_normal;\nout vec4 out_color;\nvoid main() {\n  out_color = v_normals;\n}\n");
  EXPECT_EQ(shown(), good);
  EXPECT_NE(renderer_.shader_log().find("Phong.frag:5"), std::string::npos) << renderer_.shader_log();
  EXPECT_THROW(draw(view_), Error);

  write("Phong.frag",
        "#version 330\nout vec4 out_color;\nvoid main() { out_color = vec4(0.0, 1.0, 0.0, 1.0); }\n");
  EXPECT_NE(shown(), good);
  EXPECT_EQ(renderer_.shader_log(), "");
  EXPECT_EQ(draw(view_).at(200, 200), (Pixel{0, 255, 0}));
}

TEST_F(StudentTest, AVertexShaderBesideTheFragmentShaderTakesThePlaceOfOurs) {
  const Image ours = draw(view_);
  std::string text = read_file(std::string(kExample) + "/Default.vert");
  const std::string place = "u_model * in_position";
  text.replace(text.find(place), place.size(), place + " + vec4(0.4, 0.0, 0.0, 0.0)");
  write("Default.vert", text);
  const Image moved = draw(view_);
  EXPECT_EQ(renderer_.shader_log(), "");
  const int shift = pixel(0.5 + 0.4) - pixel(0.5);
  for (const int x : {pixel(0) + 3, pixel(0.25), pixel(0.5)})
    EXPECT_LE(difference(moved.at(x + shift, 200), ours.at(x, 200)), 40) << "the lamp shines from elsewhere";
  EXPECT_GT(difference(moved.at(pixel(0) + 3, 200), ours.at(pixel(0) + 3, 200)), 60) << "there is no cloth";
}

TEST_F(StudentTest, TheExampleOfTheDocumentationDraws) {
  view_.look.shaders = kExample;
  EXPECT_EQ(list_shaders(kExample), std::vector<std::string>{"Velvet.frag"});
  const Image velvet = draw(view_);
  EXPECT_EQ(renderer_.shader_log(), "");
  const Pixel dyed = velvet.at(200, 200);
  EXPECT_GT(dyed[0], 1.5 * dyed[1]) << "red";
  EXPECT_NE(velvet.at(pixel(0.3), 200), velvet.at(pixel(0.31), 200)) << "woven";
}

TEST_F(StudentTest, FolderWithoutShadersIsRefused) {
  view_.look.shaders = (folder_ / "nowhere").string();
  EXPECT_THROW(draw(view_), Error);
  EXPECT_NE(renderer_.shader_log().find("nowhere"), std::string::npos);
}

}  // namespace
}  // namespace muslin
