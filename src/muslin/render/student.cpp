#include "muslin/render/student.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <sstream>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/render/glsl.h"
#include "muslin/render/lighting.h"
#include "muslin/render/shaders.h"

namespace fs = std::filesystem;

namespace muslin {
namespace {

constexpr int kSkySize = 256;  // of a face [pixels]
constexpr int kSkyUnit = 5;    // textures 1 to 4 have the units of their names
constexpr auto kPatience = std::chrono::milliseconds(250);

/// What the course's shaders read of one vertex.
struct StudentVertex {
  Eigen::Vector4f position, normal;
  Eigen::Vector2f uv;
  Eigen::Vector4f tangent;
};

/// The direction in which u grows at every vertex, at right angles to its normal.
std::vector<Eigen::Vector3f> tangents(const Drawable& drawable) {
  std::vector<Eigen::Vector3f> sum(drawable.vertices.size(), Eigen::Vector3f::Zero());
  for (const Stencil<3>& t : drawable.triangles) {
    const DrawVertex &a = drawable.vertices[t[0]], &b = drawable.vertices[t[1]], &c = drawable.vertices[t[2]];
    const Eigen::Vector2f uv1 = b.texture_uv - a.texture_uv, uv2 = c.texture_uv - a.texture_uv;
    const float area = uv1.x() * uv2.y() - uv1.y() * uv2.x();
    if (area == 0) continue;
    const Eigen::Vector3f along =
        (uv2.y() * (b.position - a.position) - uv1.y() * (c.position - a.position)) / area;
    for (const int v : t) sum[v] += along.normalized();
  }
  for (size_t v = 0; v < sum.size(); ++v) {
    const Eigen::Vector3f& n = drawable.vertices[v].normal;
    const Eigen::Vector3f flat = sum[v] - sum[v].dot(n) * n;
    sum[v] = flat.norm() > 1e-6f ? Eigen::Vector3f(flat.normalized()) : n.unitOrthogonal();
  }
  return sum;
}

/// The line that a complaint is about and where its words begin; line 0: it names none. Drivers write
/// "0:12(5): error", "0(12) : error" or "ERROR: 0:12: ".
std::pair<int, size_t> line_of(const std::string& complaint) {
  for (const char* form : {"%*d:%d(%*d): %n", "%*d(%d) : %n", "ERROR: %*d:%d: %n", "WARNING: %*d:%d: %n"}) {
    int line = 0, length = 0;
    if (std::sscanf(complaint.c_str(), form, &line, &length) == 1 && length > 0)
      return {line, static_cast<size_t>(length)};
  }
  return {0, 0};
}

/// A compiler's log with the file's name and line before each complaint.
std::string name_lines(const std::string& log, const std::string& file) {
  std::string named, complaint;
  std::istringstream lines(log);
  while (std::getline(lines, complaint)) {
    if (complaint.empty()) continue;
    const auto [line, begin] = line_of(complaint);
    if (!named.empty()) named += '\n';
    named += file + (line > 0 ? ":" + std::to_string(line) : "") + ": " + complaint.substr(begin);
  }
  return named.empty() ? file + ": refused without a reason" : named;
}

/// Stands in for texture_1 … texture_4: checks, a weave, waves, white.
Image default_texture(int number) {
  if (number == 2) return weave_heights();
  constexpr int kSize = 256;
  Image image{kSize, kSize, std::vector<Pixel>(kSize * kSize, Pixel{255, 255, 255})};
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      Pixel& pixel = image.pixels[y * kSize + x];
      if (number == 1) pixel = (x / 16 + y / 16) % 2 ? Pixel{225, 214, 196} : Pixel{58, 84, 128};
      const double wave = std::sin(2 * M_PI * 6 * x / kSize) * std::sin(2 * M_PI * 6 * y / kSize);
      if (number == 3) pixel.fill(static_cast<std::uint8_t>(std::lround(127.5 * (1 + wave))));
    }
  return image;
}

/// The picture texture_N in a shader folder or in the folder `textures` in or beside it.
std::optional<std::string> find_texture(const fs::path& folder, int number) {
  for (const fs::path& place : {folder, folder / "textures", folder / ".." / "textures"})
    for (const char* extension : {".png", ".jpg", ".jpeg"}) {
      const fs::path path = place / ("texture_" + std::to_string(number) + extension);
      std::error_code error;
      if (fs::exists(path, error)) return path.string();
    }
  return {};
}

void draw_sky(GLuint texture) {
  const GlName framebuffer(GlName::Kind::framebuffer), array(GlName::Kind::vertex_array);
  const Program program(shaders::cube_face());
  GLint before = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
  glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
  for (int face = 0; face < 6; ++face)
    glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, kSkySize, kSkySize, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, nullptr);
  const auto option = [](GLenum name, GLint value) { glTexParameteri(GL_TEXTURE_CUBE_MAP, name, value); };
  option(GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  option(GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
    option(wrap, GL_CLAMP_TO_EDGE);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, kSkySize, kSkySize);
  glDisable(GL_DEPTH_TEST);
  program.use();
  program.set("picture_size", Vec2(kSkySize, kSkySize));
  program.set("key_direction", key_direction());
  glBindVertexArray(array);
  for (int face = 0; face < 6; ++face) {
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_CUBE_MAP_POSITIVE_X + face,
                           texture, 0);
    program.set("face", face);
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before));
}

}  // namespace

std::vector<std::string> list_shaders(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".frag") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

StudentShaders::StudentShaders() { draw_sky(sky_); }

StudentShaders::Files StudentShaders::find(const std::string& path) {
  fs::path fragment = path;
  if (fragment.extension() != ".frag") {
    const std::vector<std::string> names = list_shaders(path);
    if (names.empty()) throw Error(ErrorKind::invalid, path + ": must hold shaders NAME.frag, found none");
    const bool phong = std::find(names.begin(), names.end(), "Phong.frag") != names.end();
    fragment /= phong ? "Phong.frag" : names.front();
  }
  fs::path vertex = fs::path(fragment).replace_extension(".vert");
  std::error_code error;
  if (!fs::exists(vertex, error)) vertex = fragment.parent_path() / "Default.vert";
  const Time fragment_time = fs::last_write_time(fragment, error);
  if (error) throw Error(ErrorKind::file, fragment.string() + ": cannot be read: " + error.message());
  if (!fs::exists(vertex, error)) return {fragment.string(), "", fragment_time, {}};
  return {fragment.string(), vertex.string(), fragment_time, fs::last_write_time(vertex, error)};
}

void StudentShaders::read(const std::string& path) {
  const auto now = std::chrono::steady_clock::now();
  if (path == path_ && now - looked_ < kPatience) return;
  looked_ = now;
  path_ = path;
  try {
    const Files files = find(path);
    if (files_ && *files_ == files) return;
    files_ = files;
    compile(files);
  } catch (const Error& error) {
    files_.reset();
    log_ = error.what();
  }
}

void StudentShaders::compile(const Files& files) {
  const fs::path fragment = files.fragment;
  const std::string name = fragment.filename().string();
  const bool has_vertex = !files.vertex.empty();
  const std::string vertex_name =
      has_vertex ? fs::path(files.vertex).filename().string() : "Muslin's own Default.vert";
  try {
    read_textures(fragment.parent_path());
    program_ = std::make_unique<Program>(
        ProgramText{has_vertex ? read_file(files.vertex) : std::string(kGlslStudentVertex),
                    read_file(files.fragment),
                    "",
                    {},
                    {"in_position", "in_normal", "in_uv", "in_tangent"}});
    as_lines_ = fragment.stem() == "Wireframe";
    log_.clear();
  } catch (const ShaderError& error) {
    using Part = ShaderError::Part;
    log_ = name_lines(error.log, error.part == Part::vertex     ? vertex_name
                                 : error.part == Part::fragment ? name
                                                                : vertex_name + " with " + name);
  }
}

void StudentShaders::read_textures(const fs::path& folder) {
  for (int number = 1; number <= 4; ++number) {
    const std::optional<std::string> path = find_texture(folder, number);
    const Image image = path ? read_image(*path) : default_texture(number);
    textures_[number - 1].upload(image, false);
    texture_sizes_[number - 1] = Vec2(image.width, image.height);
  }
}

void StudentShaders::Shape::upload(const Drawable& drawable) {
  const std::vector<Eigen::Vector3f> along = tangents(drawable);
  std::vector<StudentVertex> packed;
  for (size_t v = 0; v < drawable.vertices.size(); ++v) {
    const DrawVertex& vertex = drawable.vertices[v];
    packed.push_back({vertex.position.homogeneous(), {0, 0, 0, 0}, vertex.texture_uv, {0, 0, 0, 0}});
    packed.back().normal.head<3>() = vertex.normal;
    packed.back().tangent.head<3>() = along[v];
  }
  count = static_cast<GLsizei>(3 * drawable.triangles.size());
  if (!packed.empty())
    for (int c = 0; c < 3; ++c) colour[c] = std::pow(drawable.vertices.front().colour[c], 1 / 2.2f);

  glBindVertexArray(array);
  glBindBuffer(GL_ARRAY_BUFFER, vertices);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(packed.size() * sizeof(StudentVertex)), packed.data(),
               GL_STREAM_DRAW);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(count * sizeof(int)),
               drawable.triangles.data(), GL_STREAM_DRAW);
  const auto input = [](GLuint place, GLint components, size_t offset) {
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, components, GL_FLOAT, GL_FALSE, sizeof(StudentVertex),
                          reinterpret_cast<const void*>(offset));
  };
  input(0, 4, offsetof(StudentVertex, position));
  input(1, 4, offsetof(StudentVertex, normal));
  input(2, 2, offsetof(StudentVertex, uv));
  input(3, 4, offsetof(StudentVertex, tangent));
}

void StudentShaders::upload(const Drawable& cloth, const Drawable& solids) {
  cloth_.upload(cloth);
  solids_.upload(solids);
}

void StudentShaders::draw(const View& view, const Ball& stage) const {
  const double distance = 3 * stage.radius;  // of the lamp
  program_->use();
  program_->set("u_model", Eigen::Matrix4d::Identity().eval());
  program_->set("u_view_projection", camera_clip(view, stage));
  program_->set("u_cam_pos", view.camera.eye);
  program_->set("u_light_pos", Vec3(stage.center + distance * key_direction()));
  program_->set("u_light_intensity", Vec3(Vec3::Constant(1.2 * distance * distance)));  // so that 1.2 arrives
  for (int number = 1; number <= 4; ++number) {
    const std::string name = "u_texture_" + std::to_string(number);
    textures_[number - 1].bind(number);
    program_->set(name.c_str(), number);
    program_->set((name + "_size").c_str(), texture_sizes_[number - 1]);
  }
  glActiveTexture(GL_TEXTURE0 + kSkyUnit);
  glBindTexture(GL_TEXTURE_CUBE_MAP, sky_);
  program_->set("u_texture_cubemap", kSkyUnit);
  program_->set("u_normal_scaling", 2.0);  // as in the course
  program_->set("u_height_scaling", 0.1);
  if (as_lines_) glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  for (const Shape* shape : {&solids_, &cloth_}) {
    if (shape->count == 0) continue;
    program_->set("u_color", shape->colour);
    glBindVertexArray(shape->array);
    glDrawElements(GL_TRIANGLES, shape->count, GL_UNSIGNED_INT, nullptr);
  }
  if (as_lines_) glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

}  // namespace muslin
