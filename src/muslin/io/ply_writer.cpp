#include "muslin/io/frame_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "muslin/io/bytes.h"
#include "muslin/io/written_faces.h"

namespace muslin {

namespace {

/// What all faces of a frame have.
struct FaceLayout {
  int count = 0;
  bool long_lists = false;  ///< some polygon has more than 255 corners
  bool has_texture = false;
};

FaceLayout layout_of(const Model& model) {
  FaceLayout layout;
  for (const WrittenMesh& mesh : model.written) {
    layout.has_texture = layout.has_texture || has_seams(mesh);
    for_each_face(model, mesh, [&](const std::vector<int>& corners, int) {
      ++layout.count;
      layout.long_lists = layout.long_lists || corners.size() > 127;  // twice as many texture coordinates
    });
  }
  return layout;
}

/// Binary, with every bit of every coordinate.
class PlyWriter final : public FrameWriter {
 public:
  std::string encode_frame(const Model& model, const State& state, const BlockedBodies&) const override {
    const bool has_uv = std::any_of(model.written.begin(), model.written.end(), [](const WrittenMesh& mesh) {
      return std::any_of(mesh.uv.begin(), mesh.uv.end(), [](const Vec2& uv) { return uv != Vec2::Zero(); });
    });
    const FaceLayout layout = layout_of(model);
    const int count = model.user_vertex_count();
    const char* const list = layout.long_lists ? "property list int" : "property list uchar";
    std::string bytes = fmt::format(
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\n"
        "property double x\nproperty double y\nproperty double z\n{}"
        "element face {}\n{} int vertex_indices\n{}end_header\n",
        count, has_uv ? "property double s\nproperty double t\n" : "", layout.count, list,
        layout.has_texture ? fmt::format("{} double texcoord\n", list) : "");
    bytes.reserve(bytes.size() + std::size_t(count) * (has_uv ? 40 : 24) + std::size_t(layout.count) * 13);
    for (const WrittenMesh& mesh : model.written) add_vertices(model, mesh, state, has_uv, bytes);
    for (const WrittenMesh& mesh : model.written) add_faces(model, mesh, layout, bytes);
    return bytes;
  }

 private:
  static void add_vertices(const Model& model, const WrittenMesh& mesh, const State& state, bool has_uv,
                           std::string& bytes) {
    for (int v = 0; v < mesh.vertex_count; ++v) {
      const int in_model = model.vertex_numbers.to_model(mesh.first_vertex + v);
      for (const double coordinate : Vec3(state.positions.col(in_model))) append_little(bytes, coordinate);
      if (!has_uv) continue;
      for (const double coordinate : mesh.uv.empty() ? Vec2(0, 0) : mesh.uv[v])
        append_little(bytes, coordinate);
    }
  }

  static void add_faces(const Model& model, const WrittenMesh& mesh, const FaceLayout& layout,
                        std::string& bytes) {
    const auto add_count = [&](std::size_t count) {
      if (layout.long_lists)
        append_little(bytes, static_cast<std::uint32_t>(count));
      else
        bytes += static_cast<char>(count);
    };
    for_each_face(model, mesh, [&](const std::vector<int>& corners, int begin) {
      add_count(corners.size());
      for (const int v : corners) append_little(bytes, mesh.first_vertex + v);
      if (!layout.has_texture) return;
      add_count(2 * corners.size());
      for (std::size_t k = 0; k < corners.size(); ++k)
        for (const double coordinate : uv_at(mesh, corners[k], begin < 0 ? -1 : begin + static_cast<int>(k)))
          append_little(bytes, coordinate);
    });
  }
};

}  // namespace

std::unique_ptr<FrameWriter> make_ply_writer() { return std::make_unique<PlyWriter>(); }

}  // namespace muslin
