#pragma once
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "muslin/render/projection.h"
#include "muslin/render/texture.h"

// Shaders that a student wrote for the course's viewer (CS184), from their own folder: a fragment shader
// NAME.frag with a vertex shader of the same name, or else Default.vert, or else ours.

namespace muslin {

/// The fragment shaders of a folder, sorted: "Mirror.frag", "Phong.frag". Empty if it cannot be read.
std::vector<std::string> list_shaders(const std::string& folder);

/// The course's shaders, with its inputs, uniforms and textures.
class StudentShaders {
 public:
  StudentShaders();

  /// Reads and compiles `path` (a folder, or a .frag file in one) if it is another one than before, or its
  /// files have changed; looks at most every quarter of a second. Keeps the last program that compiled.
  void read(const std::string& path);
  /// Why the newest shaders are not in use, with file names and line numbers; "" if they are.
  const std::string& log() const { return log_; }
  /// Whether any shaders have compiled yet.
  bool ready() const { return program_ != nullptr; }

  /// What `draw` draws from now on.
  void upload(const Drawable& cloth, const Drawable& solids);
  void draw(const View& view, const Ball& stage) const;

 private:
  using Time = std::filesystem::file_time_type;
  struct Files {
    std::string fragment, vertex;  // paths; no vertex shader: ours
    Time fragment_time, vertex_time;
    bool operator==(const Files&) const = default;
  };
  struct Shape {
    GlName array{GlName::Kind::vertex_array}, vertices{GlName::Kind::buffer}, indices{GlName::Kind::buffer};
    GLsizei count = 0;
    Eigen::Vector4f colour = Eigen::Vector4f::Ones();
    void upload(const Drawable& drawable);
  };
  static Files find(const std::string& path);
  void compile(const Files& files);
  void read_textures(const std::filesystem::path& folder);

  std::unique_ptr<Program> program_;
  bool as_lines_ = false;
  std::string path_, log_;
  std::optional<Files> files_;  // that were compiled last
  std::chrono::steady_clock::time_point looked_;
  Shape cloth_, solids_;
  Texture textures_[4];
  Vec2 texture_sizes_[4];
  GlName sky_{GlName::Kind::texture};
};

}  // namespace muslin
