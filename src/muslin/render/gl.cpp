#include "muslin/render/gl.h"

#include <cstddef>
#include <stdexcept>

namespace muslin {
namespace {

GLuint compile(GLenum stage, const std::string& source) {
  const GLuint shader = glCreateShader(stage);
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint ok = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok) return shader;
  char log[4096] = "";
  glGetShaderInfoLog(shader, sizeof log, nullptr, log);
  glDeleteShader(shader);
  throw std::logic_error(std::string("shader: ") + log);
}

}  // namespace

GlName::GlName(Kind kind) : kind_(kind) {
  switch (kind) {
    case Kind::buffer:
      glGenBuffers(1, &name_);
      break;
    case Kind::vertex_array:
      glGenVertexArrays(1, &name_);
      break;
    case Kind::texture:
      glGenTextures(1, &name_);
      break;
    case Kind::framebuffer:
      glGenFramebuffers(1, &name_);
      break;
    case Kind::renderbuffer:
      glGenRenderbuffers(1, &name_);
      break;
  }
}

GlName::~GlName() {
  switch (kind_) {
    case Kind::buffer:
      glDeleteBuffers(1, &name_);
      break;
    case Kind::vertex_array:
      glDeleteVertexArrays(1, &name_);
      break;
    case Kind::texture:
      glDeleteTextures(1, &name_);
      break;
    case Kind::framebuffer:
      glDeleteFramebuffers(1, &name_);
      break;
    case Kind::renderbuffer:
      glDeleteRenderbuffers(1, &name_);
      break;
  }
}

Program::Program(const std::string& vertex, const std::string& fragment) : program_(glCreateProgram()) {
  for (const GLuint shader : {compile(GL_VERTEX_SHADER, vertex), compile(GL_FRAGMENT_SHADER, fragment)}) {
    glAttachShader(program_, shader);
    glDeleteShader(shader);  // lives on until the program goes
  }
  glLinkProgram(program_);
  GLint ok = 0;
  glGetProgramiv(program_, GL_LINK_STATUS, &ok);
  if (ok) return;
  char log[4096] = "";
  glGetProgramInfoLog(program_, sizeof log, nullptr, log);
  throw std::logic_error(std::string("shader program: ") + log);
}

Program::~Program() { glDeleteProgram(program_); }

void Program::set(const char* name, int value) const { glUniform1i(place(name), value); }

void Program::set(const char* name, double value) const {
  glUniform1f(place(name), static_cast<float>(value));
}

void Program::set(const char* name, const Vec2& value) const {
  glUniform2fv(place(name), 1, Eigen::Vector2f(value.cast<float>()).data());
}

void Program::set(const char* name, const Vec3& value) const {
  glUniform3fv(place(name), 1, Eigen::Vector3f(value.cast<float>()).data());
}

void Program::set(const char* name, const Eigen::Matrix4d& value) const {
  glUniformMatrix4fv(place(name), 1, GL_FALSE, Eigen::Matrix4f(value.cast<float>()).data());
}

void Program::set(const char* name, const std::vector<Mat3>& values) const {
  std::vector<Eigen::Matrix3f> packed;
  for (const Mat3& value : values) packed.push_back(value.cast<float>());
  glUniformMatrix3fv(place(name), static_cast<GLsizei>(packed.size()), GL_FALSE, packed.front().data());
}

DrawBuffer::DrawBuffer() {
  glBindVertexArray(array_);
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
  const auto input = [](GLuint place, GLint components, size_t offset) {
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, components, GL_FLOAT, GL_FALSE, sizeof(DrawVertex),
                          reinterpret_cast<const void*>(offset));
  };
  input(0, 3, offsetof(DrawVertex, position));
  input(1, 3, offsetof(DrawVertex, normal));
  input(2, 2, offsetof(DrawVertex, uv));
  input(3, 3, offsetof(DrawVertex, colour));
}

void DrawBuffer::upload(const Drawable& drawable) {
  const auto bytes = [](const auto& items) {
    return static_cast<GLsizeiptr>(items.size() * sizeof items[0]);
  };
  glBindVertexArray(array_);
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  glBufferData(GL_ARRAY_BUFFER, bytes(drawable.vertices), drawable.vertices.data(), GL_STREAM_DRAW);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, bytes(drawable.triangles), drawable.triangles.data(), GL_STREAM_DRAW);
  index_count_ = static_cast<GLsizei>(3 * drawable.triangles.size());
}

void DrawBuffer::draw() const {
  glBindVertexArray(array_);
  glDrawElements(GL_TRIANGLES, index_count_, GL_UNSIGNED_INT, nullptr);
}

DepthMaps::DepthMaps(int resolution, int count) : resolution_(resolution) {
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture_);
  glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT24, resolution, resolution, count, 0,
               GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
  const auto option = [](GLenum name, GLint value) { glTexParameteri(GL_TEXTURE_2D_ARRAY, name, value); };
  option(GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  option(GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  option(GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  option(GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  option(GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);  // outside of a map everything is lit
  option(GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  const float far[] = {1, 1, 1, 1};
  glTexParameterfv(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BORDER_COLOR, far);
}

void DepthMaps::begin(int layer) const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, texture_, 0, layer);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  glViewport(0, 0, resolution_, resolution_);
  glClear(GL_DEPTH_BUFFER_BIT);
}

void DepthMaps::bind(int texture_unit) const {
  glActiveTexture(GL_TEXTURE0 + texture_unit);
  glBindTexture(GL_TEXTURE_2D_ARRAY, texture_);
}

}  // namespace muslin
