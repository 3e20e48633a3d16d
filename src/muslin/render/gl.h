#pragma once
#include <epoxy/gl.h>

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

/// A vertex and a fragment shader, linked.
class Program {
 public:
  /// Throws std::logic_error with the compiler's log if the shaders are wrong.
  Program(const std::string& vertex, const std::string& fragment);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void use() const { glUseProgram(program_); }
  void set(const char* name, int value) const;
  void set(const char* name, double value) const;
  void set(const char* name, const Vec2& value) const;
  void set(const char* name, const Vec3& value) const;
  void set(const char* name, const Eigen::Matrix4d& value) const;
  void set(const char* name, const std::vector<Mat3>& values) const;

 private:
  GLint place(const char* name) const { return glGetUniformLocation(program_, name); }

  GLuint program_;
};

/// Triangles on the graphics card.
class DrawBuffer {
 public:
  DrawBuffer();
  void upload(const Drawable& drawable);
  void draw() const;

 private:
  GlName array_{GlName::Kind::vertex_array};
  GlName vertices_{GlName::Kind::buffer}, indices_{GlName::Kind::buffer};
  GLsizei index_count_ = 0;
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
