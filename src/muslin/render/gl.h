#pragma once
#include <epoxy/gl.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "muslin/render/drawable.h"

// OpenGL objects that delete themselves. All need a current context, from wherever it comes.

namespace muslin {

/// The name of one OpenGL object, owned.
class GlName {
 public:
  enum class Kind { buffer, vertex_array, texture, framebuffer, renderbuffer };
  explicit GlName(Kind kind);
  ~GlName();
  GlName(const GlName&) = delete;
  GlName& operator=(const GlName&) = delete;
  operator GLuint() const { return name_; }

 private:
  Kind kind_;
  GLuint name_ = 0;
};

/// What a program is made of.
struct ProgramText {
  std::string vertex, fragment;
  std::string geometry = {};               ///< "": none
  std::vector<const char*> feedback = {};  ///< outputs of the vertex shader to keep, one after the other
  std::vector<const char*> inputs = {};    ///< names for the inputs 0, 1, …; empty: the shader says
};

/// Shaders that do not compile or link.
class ShaderError : public std::logic_error {
 public:
  enum class Part { vertex, geometry, fragment, link };
  ShaderError(Part where, const std::string& words)
      : std::logic_error("shader: " + words), part(where), log(words) {}
  const Part part;
  const std::string log;  ///< as the compiler wrote it
};

/// Shaders, linked.
class Program {
 public:
  /// Throws ShaderError.
  explicit Program(const ProgramText& text);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void use() const { glUseProgram(program_); }
  void set(const char* name, int value) const;
  void set(const char* name, double value) const;
  void set(const char* name, const Vec2& value) const;
  void set(const char* name, const Vec3& value) const;
  void set(const char* name, const Eigen::Vector4f& value) const;
  void set(const char* name, const Eigen::Matrix4d& value) const;
  void set(const char* name, const std::vector<Vec2>& values) const;
  void set(const char* name, const std::vector<Mat3>& values) const;

 private:
  GLint place(const char* name) const { return glGetUniformLocation(program_, name); }

  GLuint program_;
};

/// Triangles on the graphics card, and the light of the sky on their vertices.
class DrawBuffer {
 public:
  DrawBuffer();
  void upload(const Drawable& drawable);
  void draw() const;
  /// Lets the current program, which has a feedback of two vec3 a vertex, fill the inputs `front_light` and
  /// `back_light`.
  void bake() const;
  GLuint vertices() const { return vertices_; }

 private:
  GlName array_{GlName::Kind::vertex_array}, bake_array_{GlName::Kind::vertex_array};
  GlName vertices_{GlName::Kind::buffer}, indices_{GlName::Kind::buffer}, light_{GlName::Kind::buffer};
  GLsizei index_count_ = 0, vertex_count_ = 0;
};

/// Lines or points between the vertices of a DrawBuffer.
class LineBuffer {
 public:
  explicit LineBuffer(const DrawBuffer& buffer);
  void upload(const std::vector<int>& indices);
  void draw(GLenum mode) const;
  bool empty() const { return count_ == 0; }

 private:
  GlName array_{GlName::Kind::vertex_array}, indices_{GlName::Kind::buffer};
  GLsizei count_ = 0;
};

/// Square depth pictures in one texture, for comparing samples (sampler2DArrayShadow).
class DepthMaps {
 public:
  DepthMaps(int resolution, int count);
  /// Draw into map `layer` from now on; cleared.
  void begin(int layer) const;
  void bind(int texture_unit) const;

 private:
  GlName texture_{GlName::Kind::texture}, framebuffer_{GlName::Kind::framebuffer};
  int resolution_;
};

}  // namespace muslin
