#include "muslin/render/gl.h"

#include <cstddef>

namespace muslin {
namespace {

GLuint compile(GLenum stage, ShaderError::Part part, const std::string& source) {
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
  throw ShaderError(part, log);
}

/// Binds a vertex buffer of DrawVertex to the inputs of lit.vert.
void describe_vertices(GLuint buffer) {
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  const auto input = [](GLuint place, GLint components, size_t offset) {
    glEnableVertexAttribArray(place);
    glVertexAttribPointer(place, components, GL_FLOAT, GL_FALSE, sizeof(DrawVertex),
                          reinterpret_cast<const void*>(offset));
  };
  input(0, 3, offsetof(DrawVertex, position));
  input(1, 3, offsetof(DrawVertex, normal));
  input(2, 2, offsetof(DrawVertex, uv));
  input(3, 3, offsetof(DrawVertex, colour));
  input(4, 2, offsetof(DrawVertex, texture_uv));
  input(5, 1, offsetof(DrawVertex, heat));
}

template <class Items>
GLsizeiptr bytes(const Items& items) {
  return static_cast<GLsizeiptr>(items.size() * sizeof items[0]);
}

constexpr GLsizei kLightBytes = 6 * sizeof(float);  // of a vertex: front, back

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

Program::Program(const ProgramText& text) : program_(glCreateProgram()) {
  using Part = ShaderError::Part;
  try {
    const auto attach = [&](GLenum stage, Part part, const std::string& source) {
      if (source.empty()) return;
      const GLuint shader = compile(stage, part, source);
      glAttachShader(program_, shader);
      glDeleteShader(shader);  // lives on until the program goes
    };
    attach(GL_VERTEX_SHADER, Part::vertex, text.vertex);
    attach(GL_GEOMETRY_SHADER, Part::geometry, text.geometry);
    attach(GL_FRAGMENT_SHADER, Part::fragment, text.fragment);
    for (size_t i = 0; i < text.inputs.size(); ++i)
      glBindAttribLocation(program_, static_cast<GLuint>(i), text.inputs[i]);
    if (!text.feedback.empty())
      glTransformFeedbackVaryings(program_, static_cast<GLsizei>(text.feedback.size()), text.feedback.data(),
                                  GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program_);
    GLint ok = 0;
    glGetProgramiv(program_, GL_LINK_STATUS, &ok);
    if (ok) return;
    char log[4096] = "";
    glGetProgramInfoLog(program_, sizeof log, nullptr, log);
    throw ShaderError(Part::link, log);
  } catch (const ShaderError&) {
    glDeleteProgram(program_);
    throw;
  }
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

void Program::set(const char* name, const Eigen::Vector4f& value) const {
  glUniform4fv(place(name), 1, value.data());
}

void Program::set(const char* name, const Eigen::Matrix4d& value) const {
  glUniformMatrix4fv(place(name), 1, GL_FALSE, Eigen::Matrix4f(value.cast<float>()).data());
}

void Program::set(const char* name, const std::vector<Vec2>& values) const {
  std::vector<Eigen::Vector2f> packed;
  for (const Vec2& value : values) packed.push_back(value.cast<float>());
  glUniform2fv(place(name), static_cast<GLsizei>(packed.size()), packed.front().data());
}

void Program::set(const char* name, const std::vector<Mat3>& values) const {
  std::vector<Eigen::Matrix3f> packed;
  for (const Mat3& value : values) packed.push_back(value.cast<float>());
  glUniformMatrix3fv(place(name), static_cast<GLsizei>(packed.size()), GL_FALSE, packed.front().data());
}

DrawBuffer::DrawBuffer() {
  glBindVertexArray(bake_array_);
  describe_vertices(vertices_);
  glBindVertexArray(array_);
  describe_vertices(vertices_);
  glBindBuffer(GL_ARRAY_BUFFER, light_);
  for (const GLuint side : {0, 1}) {
    glEnableVertexAttribArray(6 + side);
    glVertexAttribPointer(6 + side, 3, GL_FLOAT, GL_FALSE, kLightBytes,
                          reinterpret_cast<const void*>(side * 3 * sizeof(float)));
  }
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
}

void DrawBuffer::upload(const Drawable& drawable) {
  glBindVertexArray(array_);
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  glBufferData(GL_ARRAY_BUFFER, bytes(drawable.vertices), drawable.vertices.data(), GL_STREAM_DRAW);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, bytes(drawable.triangles), drawable.triangles.data(), GL_STREAM_DRAW);
  index_count_ = static_cast<GLsizei>(3 * drawable.triangles.size());
  const auto vertex_count = static_cast<GLsizei>(drawable.vertices.size());
  if (vertex_count == vertex_count_) return;  // the light stays until it is baked anew
  vertex_count_ = vertex_count;
  glBindBuffer(GL_ARRAY_BUFFER, light_);
  glBufferData(GL_ARRAY_BUFFER, GLsizeiptr{kLightBytes} * vertex_count_, nullptr, GL_DYNAMIC_COPY);
}

void DrawBuffer::draw() const {
  if (index_count_ == 0) return;
  glBindVertexArray(array_);
  glDrawElements(GL_TRIANGLES, index_count_, GL_UNSIGNED_INT, nullptr);
}

void DrawBuffer::bake() const {
  if (vertex_count_ == 0) return;
  glBindVertexArray(bake_array_);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, light_);
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, vertex_count_);
  glEndTransformFeedback();
  glDisable(GL_RASTERIZER_DISCARD);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
}

LineBuffer::LineBuffer(const DrawBuffer& buffer) {
  glBindVertexArray(array_);
  describe_vertices(buffer.vertices());
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
}

void LineBuffer::upload(const std::vector<int>& indices) {
  glBindVertexArray(array_);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, bytes(indices), indices.data(), GL_DYNAMIC_DRAW);
  count_ = static_cast<GLsizei>(indices.size());
}

void LineBuffer::draw(GLenum mode) const {
  if (count_ == 0) return;
  glBindVertexArray(array_);
  glDrawElements(mode, count_, GL_UNSIGNED_INT, nullptr);
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
  option(GL_TEXTURE_MAX_LEVEL, 0);
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
